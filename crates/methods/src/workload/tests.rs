use lookalike_schema::Schema;

use lookalike_testkit::clique;

use super::{SpecTable, TARGET_FACTOR, Workload, WorkloadSpec};

fn schema() -> Schema {
    Schema::parse(r#"{"age": 3, "home town": 4, "a,b": 2, "income": 2, "sex": 2}"#, "s.json").unwrap()
}

fn refusal(text: &str) -> String {
    WorkloadSpec::parse(text, "w.txt").unwrap_err().to_string()
}

#[test]
fn files_are_read() {
    let text = "# what we publish\n\nage, sex\n home town , income : 2.5\n\"a,b\",\"age\":3\nsex\n";
    let WorkloadSpec::Tables { tables, .. } = WorkloadSpec::parse(text, "w.txt").unwrap() else { panic!() };
    let table = |line, columns: &[&str], weight| SpecTable {
        line,
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        weight,
    };
    let expected = [
        table(3, &["age", "sex"], 1.0),
        table(4, &["home town", "income"], 2.5),
        table(5, &["a,b", "age"], 3.0),
        table(6, &["sex"], 1.0),
    ];
    assert_eq!(tables, expected);
}

#[test]
fn refusals_name_file_and_line() {
    for (text, word) in [
        ("age,sex\nage,,sex", "line 2: a column has no name"),
        ("age, sex: heavy", "line 1: \"heavy\" is not a weight"),
        ("age: -1", "is not a weight"),
        ("age: 0", "is not a weight"),
        ("age: nan", "is not a weight"),
        ("\"age", "a quote is not closed"),
        ("\"age\" sex", "follows a closing quote"),
        ("age, sex, age", "\"age\" stands there twice"),
        ("a,b,c,d,e,f,g", "too many columns"),
        ("# nothing\n", "w.txt: there is no table in it"),
        ("age,", "a column has no name"),
    ] {
        let message = refusal(text);
        assert!(message.starts_with("w.txt") && message.contains(word) && !message.contains('\n'), "{message}");
    }
    let spec = WorkloadSpec::parse("age\nage, incme", "w.txt").unwrap();
    let message = Workload::resolve(Some(&spec), None, &schema()).unwrap_err().to_string();
    assert!(message.contains("w.txt, line 2: \"incme\"") && message.contains("income"), "{message}");
    let message = Workload::resolve(None, Some("wealth"), &schema()).unwrap_err().to_string();
    assert!(message.starts_with("target: \"wealth\""), "{message}");
}

#[test]
fn closures_and_weights_by_brute_force() {
    for target in [None, Some("income")] {
        for ways in [2, 3] {
            let spec = WorkloadSpec::AllOf(ways);
            let workload = Workload::resolve(Some(&spec), target, &schema()).unwrap();
            let sets = workload.closure();
            assert_eq!(sets.len(), if ways == 2 { 10 } else { 20 });
            // The same tables, written out.
            let names = ["age", "home town", "\"a,b\"", "income", "sex"];
            let lines: Vec<String> = sets
                .iter()
                .filter(|set| set.len() == ways)
                .map(|set| set.attributes().iter().map(|a| names[a.index()]).collect::<Vec<_>>().join(","))
                .collect();
            let written = WorkloadSpec::parse(&lines.join("\n"), "w.txt").unwrap();
            let written = Workload::resolve(Some(&written), target, &schema()).unwrap();
            assert_eq!(written.closure(), sets);
            assert_eq!(written.column_weights(), workload.column_weights());
        }
    }
    let plain = Workload::resolve(None, None, &schema()).unwrap().column_weights();
    assert_eq!(plain, [6.0; 5]);
    let target = Workload::resolve(None, Some("income"), &schema()).unwrap().column_weights();
    assert_eq!((target[3], target[0]), (6.0 * TARGET_FACTOR, 6.0 + 3.0 * (TARGET_FACTOR - 1.0)));
}

#[test]
fn weights_of_a_file_and_few_columns() {
    let spec = WorkloadSpec::parse("age, sex: 2\nage\nsex,age\nincome,sex,age: 0.5", "w.txt").unwrap();
    let workload = Workload::resolve(Some(&spec), None, &schema()).unwrap();
    assert_eq!(workload.column_weights(), [4.5, 0.0, 0.0, 0.5, 3.5]);
    let sets = workload.closure();
    assert_eq!(sets, [clique(&[0, 3]), clique(&[0, 4]), clique(&[3, 4]), clique(&[0, 3, 4])]);
    for text in [r#"{"age": 3}"#, r#"{"age": 3, "sex": 2}"#] {
        let schema = Schema::parse(text, "s.json").unwrap();
        let columns = schema.domain().len();
        let workload = Workload::resolve(None, Some("age"), &schema).unwrap();
        assert_eq!(workload.closure().len(), columns - 1);
        assert!(workload.column_weights().iter().all(|&weight| weight > 0.0));
    }
}
