//! Golden statements of every format version are read for ever.

use lookalike_measurement::statement::{Guarantee, StageComposition, Statement};
use lookalike_privacy::{Composition, Relation, Step};

const V1: &str = include_str!("golden/statement-v1.json");
const V1_NO_GUARANTEE: &str = include_str!("golden/statement-v1-no-guarantee.json");

#[test]
fn version_1_is_read_and_confirmed() {
    let statement = Statement::parse(V1).unwrap();
    let Guarantee::Holds(budget) = statement.guarantee() else { panic!("a guarantee") };
    assert_eq!((budget.epsilon.get(), budget.delta.get()), (1.0, 1e-6));
    assert!(statement.marks().is_empty());
    assert_eq!(statement.neighbours().relation(), Relation::AddRemove);
    assert_eq!(statement.stages()[0].composition, StageComposition::Plan(Composition::Pure));
    assert_eq!(statement.stages()[1].composition, StageComposition::Plan(Composition::Zcdp));
    assert_eq!(statement.charges().len(), 5);
    assert_eq!(statement.charges()[1].label, "marginal of age");
    assert!(matches!(statement.charges()[1].step, Step::Gaussian { .. }));
    assert!(matches!(statement.charges()[3].step, Step::Exponential { .. }));
    assert_eq!(statement.facts().files[0].name, "synthetic.csv");
    assert_eq!(statement.facts().job["method"], "independent");
    statement.recompute().unwrap();
    assert_still_written(&statement, V1);
}

#[test]
fn version_1_without_a_guarantee_is_read_and_confirmed() {
    let statement = Statement::parse(V1_NO_GUARANTEE).unwrap();
    assert!(matches!(statement.guarantee(), Guarantee::None { .. }));
    assert_eq!(statement.marks(), ["NO GUARANTEE", "NOT PRIVATE"]);
    assert_eq!(statement.neighbours().relation(), Relation::ReplaceOne);
    assert_eq!(statement.stages()[0].composition, StageComposition::Filter);
    assert!(statement.charges()[0].step.is_free());
    statement.recompute().unwrap();
    assert_still_written(&statement, V1_NO_GUARANTEE);
}

/// Version 1 has the same keys for ever, and says the same. (Costs are computed anew, so their last
/// bits may differ.)
fn assert_still_written(statement: &Statement, golden: &str) {
    let written = statement.to_json();
    assert_eq!(Statement::parse(&written).unwrap(), *statement);
    let keys = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| Some(line.split_once("\":")?.0.to_string())).collect()
    };
    assert_eq!(keys(&written), keys(golden));
}
