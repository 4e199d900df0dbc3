//! Answers of small models.

use lookalike_model::{Calibrated, JunctionTree, KeptAnswer, LogFactor, MeasuredClique, Model, Origin};
use lookalike_schema::Schema;
use lookalike_testkit::clique;

use super::{IntervalKind, Question, query};

const SCHEMA: &str = r#"
[columns.age]
type = "integer"
range = [0, 99]
edges = [20, 65]
missing = true

[columns."home, ""sweet"""]
type = "category"
values = ["north", "south, \"old\""]

[columns.sex]
type = "category"
values = ["F", "M"]

[columns.person]
type = "id"

[[impossible]]
age = "< 20"
sex = "M"
"#;

/// Age and sex hang together, and were measured together; the region by itself. The answers are
/// what the model says.
fn model() -> Model {
    let model = without_answers();
    let answer = |one: &MeasuredClique| {
        let counts = model.marginal(&one.clique).unwrap().iter().map(|share| share * 1_000.0).collect();
        KeptAnswer::plain(model.schema().domain(), &one.clique, counts, one.variance).unwrap()
    };
    let answers = model.measured().iter().map(answer).collect();
    model.with_answers(answers)
}

/// As a file of version 2 has it.
fn without_answers() -> Model {
    let schema = Schema::parse(&SCHEMA.replace("\"home, \"\"sweet\"\"\"", "'home, \"sweet\"'"), "test").unwrap();
    let tree = JunctionTree::new(schema.domain(), &[clique(&[0, 2]), clique(&[1])], schema.impossible()).unwrap();
    let potential =
        LogFactor::new(schema.domain(), &clique(&[0, 2]), vec![0.0, 0.0, 1.0, 0.5, 0.2, 0.1, -1.0, -2.0]).unwrap();
    let calibrated = Calibrated::new(&tree, &[potential]).unwrap();
    let measured = [(&[0u32, 2][..], 100.0), (&[1], 64.0), (&[], 0.0)]
        .map(|(members, variance)| MeasuredClique { clique: clique(members), variance })
        .to_vec();
    let origin = Origin { method: "test".into(), guarantee: "NOT PRIVATE: made by a test".into() };
    Model::tree(schema, &calibrated, 1_000.0, vec![], measured, origin).unwrap()
}

fn ask(columns: &str, condition: Option<&str>) -> super::Answer {
    let question = Question { columns: columns.into(), condition: condition.map(str::to_owned) };
    query(&model(), &question).unwrap_or_else(|error| panic!("{columns} {condition:?}: {error}"))
}

fn refusal(columns: &str, condition: Option<&str>) -> String {
    let question = Question { columns: columns.into(), condition: condition.map(str::to_owned) };
    let error = query(&model(), &question).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), crate::ErrorKind::User);
    assert!(!error.to_string().contains('\n'));
    error.to_string()
}

#[test]
fn cells_stand_in_the_order_of_the_question() {
    let answer = ask("sex,age", None);
    let marginal = model().marginal(&clique(&[0, 2])).unwrap();
    let values: Vec<Vec<&str>> = answer.cells().map(|cell| cell.values).collect();
    assert_eq!(values[0], ["F", "0-19"]);
    assert_eq!(values[3], ["F", "(missing)"]);
    assert_eq!(values[5], ["M", "20-64"]);
    for (number, cell) in answer.cells().enumerate() {
        let expected = marginal[number % 4 * 2 + number / 4];
        assert!((cell.share - expected).abs() < 1e-12 && (cell.count - 1_000.0 * expected).abs() < 1e-9);
    }
    let errors = answer.cells().nth(5).unwrap().errors.unwrap();
    // Eight cells with noise of variance 100 whose sum is public.
    let error = errors.count.error.unwrap();
    assert!((error - (100.0f64 * 7.0 / 8.0).sqrt()).abs() < 1e-3, "{error}");
    assert!((errors.share.error.unwrap() - error / 1_000.0).abs() < 1e-6, "a public sum");
    assert!(!answer.has_bounds() && errors.kind == IntervalKind::Interval);
    assert!(answer.total() == 1_000.0 && answer.total_interval().unwrap().error.unwrap() < 0.2);
}

#[test]
fn impossible_cells_have_no_error() {
    let cell = |answer: &super::Answer, number: usize| answer.cells().nth(number).unwrap().errors.unwrap();
    let answer = ask("sex,age", None);
    assert_eq!((cell(&answer, 4).count.low, cell(&answer, 4).count.high), (0.0, 0.0));
    assert_eq!(cell(&answer, 4).kind, IntervalKind::Impossible);
    assert!(cell(&answer, 3).count.high > 0.0);
}

#[test]
fn conditions_leave_cells_out_and_share_out_the_rest() {
    let answer = ask("age", Some("sex = 'M' and age >= 20"));
    let all = model().marginal(&clique(&[0, 2])).unwrap();
    let meant = all[3] + all[5];
    assert_eq!(answer.len(), 2);
    assert!((answer.total() - 1_000.0 * meant).abs() < 1e-9);
    let cells: Vec<_> = answer.cells().collect();
    assert_eq!(cells[0].values, ["20-64"]);
    assert!((cells[0].share - all[3] / meant).abs() < 1e-9);
    assert!((cells.iter().map(|cell| cell.share).sum::<f64>() - 1.0).abs() < 1e-9);
    let (one, two) = (cells[0].errors.unwrap(), cells[1].errors.unwrap());
    assert!((one.share.error.unwrap() - two.share.error.unwrap()).abs() < 1e-6, "of two shares that sum to 1");
    assert!(!answer.has_bounds() && answer.total_interval().unwrap().error.unwrap() > one.count.error.unwrap());
    let count = ask("", Some("sex = 'M'"));
    assert_eq!((count.columns().len(), count.len()), (0, 1));
}

/// A condition that cuts a bin has the share of its values; its interval reaches from none of the
/// bin's rows to all of them, and cells without rows in it are as they were measured.
#[test]
fn a_cut_bin_is_split_evenly_and_its_lines_are_bounds() {
    let count = |condition: &str| {
        let answer = ask("", Some(condition));
        (answer.total(), answer.total_interval().unwrap())
    };
    // 15 of the 45 ages from 20 to 64.
    let ((old, whole), (cut, rest)) = (count("age >= 65"), count("age >= 50"));
    let ((middle, _), (from_20, above)) = (count("age between 20 and 64"), count("age >= 20"));
    assert!((cut - old - middle / 3.0).abs() < 1e-9, "{cut} {old} {middle}");
    assert!((cut + count("age < 50").0 + count("age is missing").0 - 1_000.0).abs() < 1e-6);
    assert!(from_20 > cut && rest.is_bound() && !whole.is_bound());
    assert_eq!((rest.low, rest.high), (whole.low, above.high));
    let answer = ask("age,sex", Some("age >= 50"));
    let kinds: Vec<IntervalKind> = answer.cells().map(|cell| cell.errors.unwrap().kind).collect();
    use IntervalKind::{Bound, Interval};
    assert_eq!(kinds, [Bound, Bound, Interval, Interval]);
    for cell in answer.cells().take(2) {
        let errors = cell.errors.unwrap();
        assert!(errors.count.low == 0.0 && errors.count.high > 2.9 * cell.count, "{errors:?}");
        assert!(errors.share.low == 0.0 && errors.share.high <= 1.0, "{errors:?}");
    }
    let notes = answer.notes();
    assert!(notes[0].contains("cuts the bin \"20-64\" of \"age\"") && notes[1].contains("from none of its rows"));
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(ask("sex", Some("age >= 65")).notes().is_empty());
    // What the parts of a bin add up to is whole again.
    assert!(!ask("sex", Some("age < 30 or age >= 30")).has_bounds());
}

#[test]
fn what_was_not_measured_together_is_said() {
    let answer = ask("\"home, \"\"sweet\"\"\",sex", None);
    assert!(answer.has_bounds());
    assert!(answer.notes()[0].contains("home, \"sweet\" and sex together"), "{:?}", answer.notes());
    assert!(ask("sex", Some("\"home, \"\"sweet\"\"\" = 'north'")).has_bounds());
    assert!(!ask("home, \"sweet\"", None).has_bounds(), "one name alone needs no quotes");
    for cell in answer.cells() {
        let errors = cell.errors.unwrap();
        assert_eq!((errors.kind, errors.count.error), (IntervalKind::Bound, None));
        assert!(errors.count.low <= cell.count && cell.count <= errors.count.high && errors.count.high > 0.0);
        assert!(errors.share.low <= cell.share && cell.share <= errors.share.high && errors.share.high <= 1.0);
    }
}

#[test]
fn models_that_do_not_say_have_no_errors() {
    let model = model();
    let schema = model.schema().clone();
    let weights = schema.domain().sizes().iter().map(|&size| vec![1.0; size as usize]).collect();
    let bare = Model::product(schema, 10.0, weights, vec![], model.origin().clone()).unwrap();
    let answer = query(&bare, &Question { columns: "sex".into(), condition: None }).unwrap();
    assert!(answer.cells().all(|cell| cell.errors.is_none()) && answer.total_interval().is_none());
    assert!(answer.notes()[0].contains("No errors can be given"));
    let mut csv = Vec::new();
    answer.write_csv(&mut csv).unwrap();
    assert!(String::from_utf8(csv).unwrap().lines().nth(1).unwrap().ends_with(",,,"));
}

/// A value that the fit made 0 has the error of its answer, and the printed count lies in its
/// interval.
#[test]
fn a_value_that_fitted_to_zero_is_not_sure() {
    let model = model();
    let domain = model.schema().domain().clone();
    // The model gives north some share; the answer says that there is none, and more.
    let answers = vec![KeptAnswer::plain(&domain, &clique(&[1]), vec![-40.0, 900.0], 400.0).unwrap()];
    let answer = query(&model.with_answers(answers), &Question { columns: "home, \"sweet\"".into(), condition: None });
    let answer = answer.unwrap();
    let north = answer.cells().next().unwrap();
    let errors = north.errors.unwrap();
    assert!((errors.count.error.unwrap() - 20.0).abs() < 1e-9);
    assert!(errors.count.low == 0.0 && errors.count.high >= 1.95 * 20.0, "{errors:?}");
    assert!(errors.count.high >= north.count, "{errors:?}");
}

/// A condition that the fit gives no row still has an answer: none, with what the answers leave
/// room for.
#[test]
fn a_condition_without_rows_in_the_model_has_limits() {
    let model = model();
    let schema = model.schema().clone();
    let domain = schema.domain().clone();
    let mut weights: Vec<Vec<f64>> = domain.sizes().iter().map(|&size| vec![1.0; size as usize]).collect();
    weights[1][0] = 0.0;
    let bare = Model::product(schema, 900.0, weights, vec![], model.origin().clone()).unwrap();
    let answers = vec![
        KeptAnswer::plain(&domain, &clique(&[1]), vec![-5.0, 900.0], 100.0).unwrap(),
        KeptAnswer::plain(&domain, &clique(&[2]), vec![500.0, 400.0], 100.0).unwrap(),
    ];
    let bare = bare.with_answers(answers);
    let condition = Some("\"home, \"\"sweet\"\"\" = 'north'".to_owned());
    let answer = query(&bare, &Question { columns: "sex".into(), condition }).unwrap();
    let total = answer.total_interval().unwrap();
    // Variance 100, of which the other column's total tells a quarter: 100 - 100^2 / (2 * 100 + 2 *
    // 100).
    let high = 1.96 * 75f64.sqrt();
    assert!(answer.total() == 0.0 && total.low == 0.0 && (total.high - high).abs() < 0.1, "{total:?}");
    for cell in answer.cells() {
        let errors = cell.errors.unwrap();
        assert_eq!((cell.count, cell.share, errors.kind), (0.0, 0.0, IntervalKind::Bound));
        assert!(errors.count.high > 10.0 && errors.count.high < 30.0, "{errors:?}");
    }
}

/// A group's values are bounded by what the group may have, and the note says why.
#[test]
fn values_of_a_group_are_bounds() {
    let model = model();
    let domain = model.schema().domain().clone();
    let plain = KeptAnswer::plain(&domain, &clique(&[2]), vec![500.0, 500.0], 25.0).unwrap();
    let view = {
        let mut view = lookalike_schema::View::new(model.schema());
        let grouping = std::sync::Arc::new(lookalike_schema::Grouping::new(vec![0, 1, 1, 2]).unwrap());
        view.derive(&[lookalike_schema::Derived {
            base: lookalike_schema::AttrId(0),
            grouping,
            name: "age (merged)".into(),
        }])
        .unwrap();
        view
    };
    let group = KeptAnswer::of_view(&view, &clique(&[3]), &[300.0, 600.0, 100.0], 25.0).unwrap();
    let answer = query(&model.with_answers(vec![plain, group]), &Question { columns: "age".into(), condition: None });
    let answer = answer.unwrap();
    let kinds: Vec<IntervalKind> = answer.cells().map(|cell| cell.errors.unwrap().kind).collect();
    use IntervalKind::{Bound, Interval};
    assert_eq!(kinds, [Interval, Bound, Bound, Interval]);
    let middle = answer.cells().nth(1).unwrap().errors.unwrap().count;
    assert!(middle.low == 0.0 && middle.high > 600.0 && middle.high < 640.0, "{middle:?}");
    assert!(answer.notes()[0].contains("age was counted in groups"), "{:?}", answer.notes());
}

#[test]
fn models_of_older_files_have_lower_bounds() {
    let answer = query(&without_answers(), &Question { columns: "sex".into(), condition: None }).unwrap();
    assert!(answer.cells().all(|cell| cell.errors.unwrap().kind == IntervalKind::LowerBound));
    assert!(answer.notes()[0].contains("older version"), "{:?}", answer.notes());
}

#[test]
fn mistakes_are_refused_in_one_line() {
    assert!(refusal("agee", None).contains("did you mean \"age\"?"));
    assert!(refusal("person", None).contains("no model holds"));
    assert!(refusal("age,age", None).contains("twice"));
    assert!(refusal("age,,sex", None).contains("empty name"));
    assert!(refusal("age,", None).contains("empty name"));
    assert!(refusal("\"age", None).contains("never closed"));
    assert!(refusal("\"age\" sex", None).contains("no comma"));
    assert!(refusal("age", Some("sex = 'X'")).contains("condition"));
    assert!(refusal("age", Some("sex = 'F' and sex = 'M'")).contains("no row of the model"));
    assert!(refusal("age", Some("age < 20 and sex = 'M'")).contains("no row of the model"));
}

#[test]
fn programs_get_every_line() {
    let answer = ask("\"home, \"\"sweet\"\"\",age", None);
    let mut csv = Vec::new();
    answer.write_csv(&mut csv).unwrap();
    let text = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9);
    assert!(lines[0].starts_with("\"home, \"\"sweet\"\"\",age,count,count_error,"), "{}", lines[0]);
    assert!(lines[5].starts_with("\"south, \"\"old\"\"\",0-19,") && lines[5].ends_with(",bound"), "{}", lines[5]);
    assert!(lines.iter().skip(1).all(|line| line.replace("south, ", "").split(',').count() == 11));
    let json = answer.to_json();
    assert_eq!(json["cells"].as_array().unwrap().len(), 8);
    assert_eq!(json["guarantee"], "NOT PRIVATE: made by a test");
    assert_eq!(json["cells"][0]["kind"], "bound");
    assert!(json["cells"][0]["count_error"].is_null() && json["cells"][0]["count_high"].as_f64().unwrap() > 0.0);
}
