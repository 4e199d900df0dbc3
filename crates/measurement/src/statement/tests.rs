//! Statements: their figures come from the ledger, survive the file, and are caught when changed.

use lookalike_privacy::{
    Budget, ChargedQuery, Composition, Delta, Epsilon, Ledger, MechanismKind, MemoryStore, Neighbours, Plan, PlanItem,
    Rational, Relation, ScoreKind, SmoothedHistogram, Step,
};
use lookalike_schema::Schema;
use serde_json::{Value, json};

use super::*;

fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

fn neighbours(relation: Relation, contribution: u32) -> Neighbours {
    Neighbours::new(relation, contribution).unwrap()
}

fn ratio(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn schema() -> Schema {
    Schema::parse(r#"{"age": 10, "sex": 2}"#, "domain.json").unwrap()
}

fn facts() -> ReleaseFacts {
    let job = json!({"method": "independent", "epsilon": 1.0, "rows": null});
    ReleaseFacts {
        charged_runs: 1,
        software: vec![("lookalike".into(), "0.1.0".into())],
        job: job.as_object().unwrap().clone(),
        files: vec![ReleaseFile { name: "synthetic.csv".into(), bytes: 1_234, sha256: "0123456789abcdef".repeat(4) }],
    }
}

fn open(budget: Budget, neighbours: Neighbours) -> Ledger {
    Ledger::open(Box::new(MemoryStore::new()), budget, neighbours).unwrap()
}

fn charge(ledger: &mut Ledger, label: &str, step: &Step) {
    ledger.charge_batch(&[ChargedQuery { label: label.into(), step: step.clone() }]).unwrap();
}

fn statement(ledger: &Ledger) -> Statement {
    Statement::from_ledger(ledger, &schema(), true, facts()).unwrap()
}

/// n-hat by Laplace noise first, then a plan of Gaussians with a selection.
fn two_stages() -> Ledger {
    let near = neighbours(Relation::AddRemove, 1);
    let mut ledger = open(budget(1.0, 1e-6), near);
    let item = |label: &str, kind, share, copies| PlanItem {
        label: label.into(),
        kind,
        sensitivity: near.marginal(),
        share,
        copies,
    };
    let first = Plan { items: vec![item("row count", MechanismKind::Laplace, 1.0, 1)] };
    let first = first.calibrate_quickly(budget(0.125, 0.0)).unwrap();
    ledger.commit(first.clone()).unwrap();
    charge(&mut ledger, "row count", &first.steps()[0].step);
    let items = vec![
        item("one-way marginals", MechanismKind::Gaussian, 3.0, 2),
        item("pairs", MechanismKind::Exponential, 1.0, 3),
    ];
    let second = Plan { items }.calibrate_quickly(ledger.remaining().unwrap()).unwrap();
    ledger.commit(second.clone()).unwrap();
    for (planned, label) in second.steps().iter().zip(["marginal of age", "marginal of sex", "pair 1", "pair 2"]) {
        charge(&mut ledger, label, &planned.step);
    }
    ledger
}

/// A filter, a public row count before it, and a budget without delta.
fn filtered() -> Ledger {
    let near = neighbours(Relation::ReplaceOne, 1);
    let mut ledger = open(budget(2.0, 0.0), near);
    let free = Step::Laplace { scale: ratio(7, 2), sensitivity: near.row_count() };
    charge(&mut ledger, "row count (public)", &free);
    ledger.commit_filter(ledger.remaining().unwrap()).unwrap();
    charge(&mut ledger, "marginal of age", &Step::Laplace { scale: ratio(5, 1), sensitivity: near.marginal() });
    charge(&mut ledger, "row count (public)", &free);
    charge(&mut ledger, "pair", &Step::Exponential { epsilon: ratio(1, 3) });
    ledger
}

#[test]
fn figures_are_the_ledgers() {
    let ledger = two_stages();
    let statement = statement(&ledger);
    assert_eq!(*statement.guarantee(), Guarantee::Holds(budget(1.0, 1e-6)));
    assert!(statement.marks().is_empty());
    assert_eq!(statement.stages().len(), 2);
    assert_eq!(statement.stages()[1].planned[1].copies, 3, "three selections were planned, and two were charged");
    let stages: Vec<Option<usize>> = statement.charges().iter().map(|charge| charge.stage).collect();
    assert_eq!(stages, [Some(0), Some(1), Some(1), Some(1), Some(1)]);
    for (charge, charged) in statement.charges().iter().zip(ledger.charged()) {
        assert_eq!((&charge.label, &charge.step), (&charged.label, &charged.step));
    }
    let used = statement.used();
    assert!((used.epsilon - ledger.used().unwrap()).abs() < 1e-12 && used.epsilon < 1.0);
    assert_eq!(used.delta, 1e-6);
    assert_eq!(statement.recompute().unwrap().delta, 1e-6);
}

#[test]
fn a_statement_survives_its_file() {
    for ledger in [two_stages(), filtered(), open(budget(0.3, 1e-9), neighbours(Relation::AddRemove, 5))] {
        let statement = statement(&ledger);
        let text = statement.to_json();
        let read = Statement::parse(&text).unwrap();
        assert_eq!(read, statement);
        assert_eq!(read.to_json(), text);
        let used = read.recompute().unwrap();
        assert!((used.epsilon - statement.used().epsilon).abs() <= 1e-12);
    }
}

#[test]
fn a_public_count_is_listed_and_costs_nothing() {
    let statement = statement(&filtered());
    let value: Value = serde_json::from_str(&statement.to_json()).unwrap();
    let charges = value["charges"].as_array().unwrap();
    assert_eq!(charges[0]["step"], json!({"mechanism": "public"}));
    assert_eq!(charges[0]["stage"], Value::Null);
    assert_eq!(charges[0]["cost"], json!({"unit": "epsilon", "amount": 0.0}));
    assert_eq!(charges[2]["stage"], json!(1));
    assert_eq!(charges[2]["cost"]["amount"], json!(0.0));
    assert!((statement.used().epsilon - (0.4 + 1.0 / 3.0)).abs() < 1e-9);
}

#[test]
fn facts_that_were_accepted_in_bulk_are_said_to_be_assumed() {
    let text =
        "assumed = [\"decimal\"]\n[columns.age]\ntype = \"integer\"\nrange = [0, 9]\nassumed = [\"type\", \"range\"]\n";
    let assumed = Schema::parse(text, "schema.toml").unwrap();
    let ledger = two_stages();
    let statement = Statement::from_ledger(&ledger, &assumed, true, facts()).unwrap();
    assert!(matches!(statement.guarantee(), Guarantee::Holds(_)));
    assert_eq!(statement.assumed_public(), ["decimal", "age: type", "age: range"]);
    assert!(statement.sentence().contains("`assumed_public` (3) are public"), "{}", statement.sentence());
    let written = statement.to_json();
    assert_eq!(Statement::parse(&written).unwrap(), statement);
    // A program that does not know of assumptions must not read the promise without them.
    assert!(written.contains("\"version\": 2,"), "{written}");
    assert!(Statement::parse(&written.replace("\"version\": 2,", "\"version\": 1,")).is_err());
    let plain = Statement::from_ledger(&ledger, &schema(), true, facts()).unwrap();
    assert!(!plain.to_json().contains("assum"));
    // A harmless mark that is left takes the guarantee away like any other.
    let marked = Schema::parse(&text.replace("assumed = [\"type\"", "harmless = [\"type\""), "schema.toml").unwrap();
    assert_eq!(Statement::from_ledger(&ledger, &marked, true, facts()).unwrap().marks(), ["NO GUARANTEE"]);
}

#[test]
fn unreviewed_facts_and_test_noise_take_the_guarantee_away() {
    let draft = "[columns.age]\ntype = \"integer\"\nrange = [0, 9]\nreview = [\"range\", \"missing\"]\n";
    let draft = Schema::parse(draft, "schema.toml").unwrap();
    let ledger = two_stages();
    let unreviewed = Statement::from_ledger(&ledger, &draft, true, facts()).unwrap();
    assert_eq!(unreviewed.marks(), ["NO GUARANTEE"]);
    // A fact of the whole file is enough.
    let draft =
        "missing_tokens = [\"?\"]\nreview = [\"missing_tokens\"]\n[columns.age]\ntype = \"integer\"\nrange = [0, 9]\n";
    let draft = Schema::parse(draft, "schema.toml").unwrap();
    let file = Statement::from_ledger(&ledger, &draft, true, facts()).unwrap();
    assert_eq!(file.marks(), ["NO GUARANTEE"]);
    assert!(file.sentence().contains("nobody has reviewed missing_tokens of the file"), "{}", file.sentence());
    let seeded = Statement::from_ledger(&ledger, &schema(), false, facts()).unwrap();
    assert_eq!(seeded.marks(), ["NO GUARANTEE", "NOT PRIVATE"]);
    for statement in [unreviewed, file, seeded] {
        let text = statement.to_json();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["guarantee"]["epsilon"], &value["guarantee"]["delta"]), (&Value::Null, &Value::Null));
        assert!(statement.sentence().starts_with("NO GUARANTEE: "), "{}", statement.sentence());
        assert!(!statement.sentence().contains("differential privacy"));
        assert_eq!(Statement::parse(&text).unwrap(), statement);
        statement.recompute().unwrap();
    }
}

#[test]
fn the_sentence_says_what_changes() {
    let sentence = |relation, contribution, delta| {
        statement(&open(budget(1.0, delta), neighbours(relation, contribution))).sentence().to_string()
    };
    let plain = sentence(Relation::AddRemove, 1, 1e-9);
    assert!(plain.starts_with("Adding or removing any one record changes"), "{plain}");
    assert!(plain.contains("e^1 = 2.718, and beyond it by at most 1e-9."), "{plain}");
    assert!(plain.contains("(1, 1e-9)-differential privacy"), "{plain}");
    let person = sentence(Relation::AddRemove, 4, 0.0);
    assert!(person.contains("all records of any one person (at most 4)") && !person.contains("beyond"), "{person}");
    assert!(sentence(Relation::ReplaceOne, 1, 0.0).contains("the number of records is public"));
}

/// Replace-one hides values and not who is there, and delta is no chance of anything: neither may
/// be said.
#[test]
fn what_is_hidden_follows_the_relation() {
    let of = |relation, contribution| {
        let statement = statement(&open(budget(1.0, 1e-9), neighbours(relation, contribution)));
        (statement.hidden_in_words(), statement.sentence().to_owned())
    };
    let (hidden, sentence) = of(Relation::AddRemove, 1);
    assert_eq!(hidden, "whether or not any one person's record was in the table.");
    assert!(!sentence.contains("chance"), "{sentence}");
    assert!(of(Relation::AddRemove, 3).0.contains("any one person was in the table, with all of their records"));
    let (hidden, _) = of(Relation::ReplaceOne, 1);
    assert!(hidden.starts_with("whatever the values of any one person's record are."), "{hidden}");
    assert!(hidden.contains("The number of records is public") && !hidden.contains("in the table"), "{hidden}");
    let unit = words::hidden(neighbours(Relation::AddRemove, 3), Some("person (column \"pid\", at most 3 rows)"));
    assert!(unit.contains("any one person (column \"pid\", at most 3 rows) was in the table"), "{unit}");
}

/// Applies a change to the file and gives what reading or recomputing says.
fn after(change: impl Fn(&mut Value)) -> Result<Used, StatementError> {
    let mut value: Value = serde_json::from_str(&statement(&two_stages()).to_json()).unwrap();
    change(&mut value);
    Statement::parse(&value.to_string())?.recompute()
}

#[test]
fn every_changed_figure_is_noticed() {
    assert!(after(|_| {}).is_ok(), "control");
    let changes: Vec<(&str, Value)> = vec![
        ("/guarantee/epsilon", json!(0.5)),
        ("/guarantee/epsilon", Value::Null),
        ("/guarantee/delta", json!(1e-9)),
        ("/marks", json!(["NO GUARANTEE"])),
        ("/marks", json!(["NOT PRIVATE"])),
        ("/neighbours/contribution", json!(2)),
        ("/neighbours/relation", json!("replace-one")),
        ("/stages/0/cap/epsilon", json!(0.1)),
        ("/stages/0/cap/delta", json!(1e-7)),
        ("/stages/1/cap/epsilon", json!(0.9)),
        ("/stages/1/cap/delta", json!(1e-7)),
        ("/stages/1/composition", json!("pure")),
        ("/stages/1/composition", json!("filter")),
        ("/stages/1/planned/0/copies", json!(1)),
        ("/stages/1/planned/0/step/scale", json!("1/3")),
        ("/stages/1/planned", json!([])),
        ("/charges/0/stage", json!(2)),
        ("/charges/0/stage", json!(3)),
        ("/charges/0/stage", json!(0)),
        ("/charges/0/stage", Value::Null),
        ("/charges/0/step/scale", json!("8/2")),
        ("/charges/0/step/scale_decimal", json!(80.0)),
        ("/charges/0/step/mechanism", json!("public")),
        ("/charges/0/step/mechanism", json!("exponential")),
        ("/charges/1/step/parameter", json!("sigma")),
        ("/charges/1/step/sensitivity/l1", json!(2)),
        ("/charges/1/step/sensitivity/l2", json!(0.5)),
        ("/charges/1/step/sensitivity/shifts", json!([])),
        ("/charges/1/cost/amount", json!(1e-9)),
        ("/charges/1/cost/unit", json!("epsilon")),
        ("/used/epsilon", json!(0.5)),
        ("/used/delta", json!(0.0)),
        ("/version", json!(2)),
        ("/version", json!(0)),
        ("/format", json!("something")),
        ("/files/0/name", json!("../secret")),
        ("/files/0/name", json!("..")),
        ("/files/0/name", json!("")),
        ("/files/0/name", json!("C:\\x")),
        ("/files/0/sha256", json!("0123")),
        ("/charged_runs", json!(-1)),
    ];
    for (place, value) in changes {
        let result = after(|file| *file.pointer_mut(place).unwrap() = value.clone());
        let Err(error) = result else { panic!("{place} = {value} was not noticed") };
        assert!(!error.to_string().contains('\n') && !error.to_string().is_empty(), "{place}: {error}");
    }
    // A charge that is left out, put in twice, or moved.
    assert!(
        after(|file| {
            file["charges"].as_array_mut().unwrap().remove(1);
        })
        .is_err()
    );
    assert!(
        after(|file| {
            let again = file["charges"][4].clone();
            file["charges"].as_array_mut().unwrap().extend([again.clone(), again]);
        })
        .is_err()
    );
    assert!(after(|file| file["charges"].as_array_mut().unwrap().swap(1, 3)).is_err());
    assert!(after(|file| file["surprise"] = json!(1)).is_err());
}

#[test]
fn a_newer_version_is_refused_in_one_line() {
    let text = r#"{"format": "lookalike-statement", "version": 3, "all": {"else": "is new"}}"#;
    let error = Statement::parse(text).unwrap_err();
    assert!(matches!(error, StatementError::Newer { found: 3, known: 2 }));
    assert_eq!(error.to_string(), "statement: format version 3, but this program reads up to 2; use a newer lookalike");
}

#[test]
fn hostile_files_give_errors_and_never_panics() {
    let text = statement(&two_stages()).to_json();
    for end in 0..text.len() - 1 {
        assert!(Statement::parse(&text[..end]).is_err(), "cut at {end}");
    }
    // Every byte exchanged for a few others: read or refused, recomputed or refused.
    let mut read = 0;
    for place in 0..text.len() {
        for byte in [b'0', b'9', b'-', b'"', b'{', b'e'] {
            let mut bytes = text.clone().into_bytes();
            bytes[place] = byte;
            if let Ok(statement) = Statement::parse(&String::from_utf8(bytes).unwrap()) {
                let _ = statement.recompute();
                read += 1;
            }
        }
    }
    assert!(read > 0, "labels and sentences may be changed");
    for text in ["", "null", "[]", "{}", "\u{feff}{}", &"[".repeat(100_000), &"{\"a\":".repeat(100_000)] {
        assert!(Statement::parse(text).is_err());
    }
    let extremes = [
        json!(u64::MAX),
        json!(-1),
        json!(1e308),
        json!(5e-324),
        json!("18446744073709551615/1"),
        json!("1/18446744073709551615"),
    ];
    let places = [
        "/neighbours/contribution",
        "/stages/1/cap/epsilon",
        "/stages/1/cap/delta",
        "/stages/1/planned/0/copies",
        "/charges/1/step/scale",
        "/charges/1/cost/amount",
        "/used/epsilon",
        "/charged_runs",
        "/charges/1/stage",
    ];
    for place in places {
        for value in &extremes {
            let _ = after(|file| *file.pointer_mut(place).unwrap() = value.clone());
        }
    }
}

#[test]
fn thousands_of_charges_are_fine() {
    let near = neighbours(Relation::AddRemove, 1);
    let mut ledger = open(budget(5.0, 1e-9), near);
    ledger.commit_filter(ledger.remaining().unwrap()).unwrap();
    let step = Step::Gaussian { sigma_squared: ratio(100_000, 1), sensitivity: near.marginal() };
    let queries: Vec<ChargedQuery> =
        (0..5_000).map(|number| ChargedQuery { label: format!("marginal {number}"), step: step.clone() }).collect();
    ledger.charge_batch(&queries).unwrap();
    let statement = statement(&ledger);
    assert_eq!(Statement::parse(&statement.to_json()).unwrap(), statement);
    assert_eq!(statement.charges().len(), 5_000);
}

/// Thousands of noisy scores and a marginal in an exact plan.
fn scored(near: Neighbours, copies: u32) -> Ledger {
    let mut ledger = open(budget(1.0, 1e-9), near);
    let item = |label: &str, sensitivity, share, copies| PlanItem {
        label: label.into(),
        kind: MechanismKind::Gaussian,
        sensitivity,
        share,
        copies,
    };
    let score = near.score(ScoreKind::Dependence, 1000).unwrap();
    let items = vec![item("scores", score, 0.2, copies), item("joint", near.marginal(), 0.8, 1)];
    let plan = Plan { items }.calibrate(ledger.budget()).unwrap();
    let query = |planned: &lookalike_privacy::PlannedStep| ChargedQuery {
        label: planned.label.clone(),
        step: planned.step.clone(),
    };
    let queries: Vec<ChargedQuery> = plan.steps().iter().map(query).collect();
    ledger.commit(plan).unwrap();
    ledger.charge_batch(&queries).unwrap();
    ledger
}

#[test]
fn thousands_of_noisy_scores_are_one_line_and_are_recomputed() {
    for relation in [Relation::AddRemove, Relation::ReplaceOne] {
        let statement = statement(&scored(neighbours(relation, 1), 19_900));
        let text = statement.to_json();
        assert!(text.len() < 8_000, "{} bytes", text.len());
        let read = Statement::parse(&text).unwrap();
        assert_eq!(read, statement);
        assert_eq!(read.charges().len(), 19_901);
        assert!((0.999..=1.0).contains(&read.recompute().unwrap().epsilon));
    }
}

#[test]
fn a_forged_score_sensitivity_is_noticed() {
    let statement = statement(&scored(neighbours(Relation::ReplaceOne, 1), 100));
    let after = |forge: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(&statement.to_json()).unwrap();
        forge(&mut value["charges"][0]["step"]["sensitivity"]);
        Statement::parse(&value.to_string())
    };
    assert!(after(&|_| ()).is_ok());
    assert!(after(&|sensitivity| sensitivity["shifts"] = json!([9])).is_err());
    assert!(after(&|sensitivity| sensitivity["score"]["rows"] = json!(1_000_000)).is_err());
    assert!(after(&|sensitivity| sensitivity["score"]["grid"] = json!(1)).is_err());
    assert!(after(&|sensitivity| sensitivity["score"]["name"] = json!("F")).is_err());
    assert!(after(&|sensitivity| sensitivity["score"] = Value::Null).is_err());
    // A wrong number of copies is no longer the plan.
    let mut value: Value = serde_json::from_str(&statement.to_json()).unwrap();
    value["charges"][0]["copies"] = json!(101);
    assert!(Statement::parse(&value.to_string()).unwrap().recompute().is_err());
    for copies in [json!(0), json!(1u64 << 40)] {
        value["charges"][0]["copies"] = copies;
        assert!(Statement::parse(&value.to_string()).is_err());
    }
}

#[test]
fn a_smoothed_histogram_is_recomputed_and_belongs_to_replace_one() {
    let mut ledger = open(budget(0.5, 0.0), neighbours(Relation::ReplaceOne, 1));
    let histogram = SmoothedHistogram { cells: 100, rows: 10_000, draws: 1_000 };
    let item = PlanItem {
        label: "rows".into(),
        kind: MechanismKind::Histogram(histogram),
        sensitivity: ledger.neighbours().marginal(),
        share: 1.0,
        copies: 1,
    };
    let plan = Plan { items: vec![item] }.calibrate(ledger.budget()).unwrap();
    let query = ChargedQuery { label: "1000 rows".into(), step: plan.steps()[0].step.clone() };
    ledger.commit(plan).unwrap();
    ledger.charge_batch(&[query]).unwrap();
    let statement = statement(&ledger);
    let read = Statement::parse(&statement.to_json()).unwrap();
    assert_eq!(read, statement);
    assert!((0.4999999..=0.5).contains(&read.recompute().unwrap().epsilon));
    for (place, value) in [("cells", json!(1000)), ("rows", json!(1000)), ("draws", json!(2000))] {
        let mut value_of: Value = serde_json::from_str(&statement.to_json()).unwrap();
        value_of["charges"][0]["step"]["histogram"][place] = value;
        assert!(Statement::parse(&value_of.to_string()).is_err(), "{place}: the cost no longer follows");
    }
    let add_remove = statement.to_json().replace("replace-one", "add-remove");
    assert!(Statement::parse(&add_remove).is_err());
}

/// Gaussians in an exact plan, the last `skipped` of which are never charged.
fn exact(copies: u32, skipped: usize) -> Ledger {
    let near = neighbours(Relation::AddRemove, 1);
    let mut ledger = open(budget(1.0, 1e-6), near);
    let item = PlanItem {
        label: "marginals".into(),
        kind: MechanismKind::Gaussian,
        sensitivity: near.marginal(),
        share: 1.0,
        copies,
    };
    let plan = Plan { items: vec![item] }.calibrate(ledger.budget()).unwrap();
    assert_eq!(plan.composition(), Composition::Exact, "exact composition is the tighter one here");
    let query = |(number, planned): (usize, &lookalike_privacy::PlannedStep)| ChargedQuery {
        label: format!("marginal {number}"),
        step: planned.step.clone(),
    };
    let queries: Vec<ChargedQuery> =
        plan.steps().iter().take(copies as usize - skipped).enumerate().map(query).collect();
    ledger.commit(plan).unwrap();
    ledger.charge_batch(&queries).unwrap();
    ledger
}

#[test]
fn exact_plans_are_recomputed() {
    for (copies, skipped) in [(1, 0), (30, 0), (30, 1), (1_000, 0)] {
        let statement = statement(&exact(copies, skipped));
        let read = Statement::parse(&statement.to_json()).unwrap();
        assert_eq!(read, statement);
        let used = read.recompute().unwrap().epsilon;
        assert!(used <= 1.0, "{used}");
        assert_eq!(used >= 0.999, skipped == 0, "{used} of {copies} less {skipped}");
    }
}

/// A forged statement may take any scale; the accountant answers or refuses, in bounded time.
#[test]
fn forged_scales_in_an_exact_plan_are_no_trap() {
    let text = statement(&exact(3, 0)).to_json();
    for scale in ["1/1", "1/18446744073709551615", "18446744073709551615/1", "1/1000", "1000000007/3"] {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        let (numerator, denominator) = scale.split_once('/').unwrap();
        let decimal = numerator.parse::<f64>().unwrap() / denominator.parse::<f64>().unwrap();
        let forge = |step: &mut Value| {
            step["scale"] = json!(scale);
            step["scale_decimal"] = json!(decimal);
        };
        forge(&mut value["stages"][0]["planned"][0]["step"]);
        for charge in value["charges"].as_array_mut().unwrap() {
            forge(&mut charge["step"]);
            charge["cost"]["amount"] = json!(0.5 / decimal);
        }
        let error = Statement::parse(&value.to_string()).unwrap().recompute().unwrap_err();
        assert!(matches!(error, StatementError::Disagrees { .. }), "{scale}: {error}");
    }
}

#[test]
fn a_large_delta_is_warned_about() {
    let delta = |value: f64| Delta::new(value).unwrap();
    assert_eq!(delta_warning(delta(1e-5), 900), None);
    assert_eq!(delta_warning(delta(0.0), i64::MAX), None);
    assert_eq!(delta_warning(delta(0.5), -1_000), None, "a noisy count may be negative");
    let warning = delta_warning(delta(1e-5), 45_000).unwrap();
    assert_eq!(warning, "delta 1e-5 times about 45000 rows is 0.450, above 0.01; use a smaller delta");
}

/// Discovery, then a plan: one sum of rho, and tau.
fn discovered() -> Ledger {
    let near = neighbours(Relation::AddRemove, 1);
    let mut ledger = Ledger::open_for_discovery(Box::new(MemoryStore::new()), budget(1.0, 1e-6), near).unwrap();
    let total = ledger.commit_discovery(0.1).unwrap();
    let sigma_squared = Rational::at_least(2.0 / total.amount).unwrap();
    let sensitivity = near.marginal();
    let threshold = lookalike_privacy::threshold_for(sigma_squared, &sensitivity, 0.5 * total.tau).unwrap();
    let values = Step::Threshold { sigma_squared, sensitivity: sensitivity.clone(), threshold };
    charge(&mut ledger, "readings of age", &Step::Gaussian { sigma_squared, sensitivity: sensitivity.clone() });
    charge(&mut ledger, "values of sex", &values);
    let item = PlanItem {
        label: "one-way marginals".into(),
        kind: MechanismKind::Gaussian,
        sensitivity,
        share: 1.0,
        copies: 2,
    };
    let plan = ledger.calibrate(&Plan { items: vec![item] }, ledger.remaining().unwrap()).unwrap();
    ledger.commit(plan.clone()).unwrap();
    for (planned, label) in plan.steps().iter().zip(["marginal of age", "marginal of sex"]) {
        charge(&mut ledger, label, &planned.step);
    }
    ledger
}

#[test]
fn discovery_is_stated_and_recomputed() {
    let whole = statement(&discovered());
    let text = whole.to_json();
    assert!(text.contains("\"version\": 2") && text.contains("\"composition\": \"discovery\""));
    let back = Statement::parse(&text).unwrap();
    assert_eq!(back, whole);
    let used = back.recompute().unwrap();
    assert!(used.epsilon <= 1.0 && used.epsilon > 0.9 && used.delta == 1e-6, "{used:?}");
    let after = |change: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        Statement::parse(&value.to_string())?.recompute()
    };
    let changes: Vec<(&str, Value)> = vec![
        ("/version", json!(1)),
        ("/guarantee/epsilon", json!(0.5)),
        ("/guarantee/delta", json!(1e-7)),
        ("/stages/0/rho", json!(1e-9)),
        ("/stages/0/tau", json!(1e-12)),
        ("/stages/0/tau", Value::Null),
        ("/stages/0/composition", json!("filter")),
        ("/stages/0/cap/delta", json!(1e-5)),
        ("/stages/1/cap/epsilon", json!(0.01)),
        ("/charges/1/step/threshold", json!(2)),
        ("/charges/1/step/threshold", Value::Null),
        ("/charges/1/step/mechanism", json!("gaussian")),
        ("/charges/1/step/scale", json!("1/3")),
        ("/charges/1/stage", json!(2)),
        ("/used/epsilon", json!(0.5)),
        ("/used/delta", json!(1e-9)),
    ];
    for (place, value) in changes {
        let result = after(&|file| *file.pointer_mut(place).unwrap() = value.clone());
        assert!(result.is_err(), "{place} = {value} was not noticed");
    }
}
