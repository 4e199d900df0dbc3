//! Whole methods, in a size that a test can have.

use lookalike_curator::Cancel;

use super::{Fault, MethodRuns};
use crate::source::{Found, Runs, Side, Source, audit};

fn small(runs: &MethodRuns, test: usize) -> Found {
    audit(runs, None, 0.0, Runs { pick: 20, test }, &Cancel::new(), &|_| {}).unwrap()
}

/// Every method releases something on both tables, and few runs find no more than the claim.
#[test]
fn every_method_keeps_its_claim() {
    for info in lookalike_methods::methods() {
        let runs = MethodRuns::new(info.name, 1.0, Fault::None).unwrap();
        let found = small(&runs, 20);
        assert!(found.epsilon <= 1.0, "{}: {found:?}", info.name);
    }
}

/// A method with a budget far above its claim is caught, and so is a list of categories that comes from the rows.
#[test]
fn a_broken_method_is_caught() {
    for fault in [Fault::Budget(60.0), Fault::CategoriesFromData] {
        let found = small(&MethodRuns::new("independent", 1.0, fault).unwrap(), 300);
        assert!(found.epsilon > 1.0, "{fault:?}: {found:?}");
    }
}

#[test]
fn histograms_are_audited_under_replace_one() {
    let runs = MethodRuns::new("histogram", 4.0, Fault::None).unwrap();
    assert_eq!(runs.neighbours_in_words(), "replace-one");
    assert_eq!(runs.scores(Side::After, 3, &Cancel::new()).unwrap().len(), 3 * runs.features());
    assert_eq!(MethodRuns::new("mst", 4.0, Fault::None).unwrap().neighbours_in_words(), "add-remove");
}
