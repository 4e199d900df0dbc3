use lookalike_schema::{Clique, Schema};
use lookalike_testkit::clique;

use super::{SpecTable, TARGET_FACTOR, Workload, WorkloadSpec};

fn schema() -> Schema {
    Schema::parse(r#"{"age": 3, "home town": 4, "a,b": 2, "income": 2, "sex": 2}"#, "s.json").unwrap()
}

/// A workload of some tables, a line each.
fn lines(tables: &[(&[&str], f64)]) -> WorkloadSpec {
    let table = |(place, &(columns, weight)): (usize, &(&[&str], f64))| SpecTable {
        line: place + 1,
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        weight,
    };
    WorkloadSpec::Tables { file: "w.txt".into(), tables: tables.iter().enumerate().map(table).collect() }
}

#[test]
fn unknown_columns_are_named_with_their_place() {
    let spec = lines(&[(&["age"], 1.0), (&["age", "incme"], 1.0)]);
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
            let names = ["age", "home town", "a,b", "income", "sex"];
            let named = |set: &Clique| set.attributes().iter().map(|a| names[a.index()]).collect::<Vec<_>>();
            let whole: Vec<Vec<&str>> = sets.iter().filter(|set| set.len() == ways).map(named).collect();
            let written = lines(&whole.iter().map(|names| (names.as_slice(), 1.0)).collect::<Vec<_>>());
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
    let spec =
        lines(&[(&["age", "sex"], 2.0), (&["age"], 1.0), (&["sex", "age"], 1.0), (&["income", "sex", "age"], 0.5)]);
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
