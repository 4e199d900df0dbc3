//! Derived columns at the door: free, named in the ledger, and counted like the schema's own.

use std::sync::Arc;

use lookalike_schema::{AttrId, Derived, Grouping};

use super::{Setting, budget, clique, laplace, ratio};
use crate::{Candidate, CuratorError, Noise, Score, SelectQuery};

fn derived(base: u32, group_of: &[u32], name: &str) -> Derived {
    Derived { base: AttrId(base), grouping: Arc::new(Grouping::new(group_of.to_vec()).unwrap()), name: name.into() }
}

#[test]
fn derived_columns_are_counted_like_own_ones() {
    let rows = vec![vec![0, 2], vec![1, 1], vec![0, 2], vec![1, 0]];
    for sparse in [false, true] {
        let setting = Setting { rows: rows.clone(), budget: budget(1_000.0, 0.0), sparse, ..Setting::default() };
        let mut bench = setting.open();
        let records = bench.records();
        let first = bench.curator.derive(&[derived(1, &[0, 1, 1], "c1 above 0")]).unwrap();
        let second = bench.curator.derive(&[derived(2, &[1, 0], "c1 is 0")]).unwrap();
        assert_eq!((first, second), (vec![AttrId(2)], vec![AttrId(3)]));
        assert_eq!(bench.curator.domain().sizes(), [2, 3, 2, 2]);
        assert_eq!(bench.curator.schema().domain().len(), 2);
        assert_eq!((bench.records(), bench.looks()), (records, 0), "deriving is free and looks at nothing");
        // Noise of scale 1/100 is 0 but for a chance of exp(-100).
        let exact = |attributes: &[u32]| {
            let mut query = laplace(attributes, 1);
            query.noise = Noise::Laplace(ratio(1, 100));
            query
        };
        let answers = bench.curator.marginals(&[exact(&[0, 2]), exact(&[1, 3]), exact(&[2, 3])]).unwrap();
        let values: Vec<&[i64]> = answers.iter().map(|answer| answer.values.as_slice()).collect();
        assert_eq!(values, [&[0, 2, 1, 1][..], &[0, 1, 1, 0, 2, 0], &[0, 1, 3, 0]]);
        assert!(bench.store.last().contains("marginal of c0, c1 above 0"), "{}", bench.store.last());
        assert!(bench.store.last().contains("marginal of c1 above 0, c1 is 0"), "{}", bench.store.last());
    }
}

#[test]
fn selections_score_derived_columns() {
    let rows = (0..400).map(|k| vec![k % 2, [0, 1][k as usize % 2] + (k / 2) % 2]).collect();
    let mut bench = Setting { rows, budget: budget(100.0, 0.0), ..Setting::default() }.open();
    // The first bit says nothing about c0, the second is a copy of it.
    bench.curator.derive(&[derived(1, &[0, 1, 0], "odd"), derived(0, &[0, 1], "copy")]).unwrap();
    let dependence = |parent: u32| Candidate {
        score: Score::Dependence { child: AttrId(0), parents: clique(&[parent]) },
        weight: 1.0,
        offset: 0.0,
    };
    let candidates = vec![dependence(2), dependence(3), dependence(1)];
    let query = SelectQuery { label: "a parent".into(), candidates, epsilon: ratio(20, 1) };
    assert_eq!(bench.curator.select(&query).unwrap().index, 1);
    let own = dependence(0);
    let query = SelectQuery { label: "a parent".into(), candidates: vec![own], epsilon: ratio(1, 1) };
    assert!(matches!(bench.curator.select(&query), Err(CuratorError::Query { .. })), "not against itself");
}

#[test]
fn maps_that_do_not_fit_are_refused_and_cost_nothing() {
    let mut bench = Setting::default().open();
    let records = bench.records();
    let halves = derived(0, &[0, 1], "halves");
    for (wrong, words) in [
        (derived(1, &[0, 1], "short"), "column \"short\": groups 2 codes of column \"c1\", which has 3"),
        (derived(7, &[0, 1], "nowhere"), "column \"nowhere\": derived from attribute 7, where there are 3"),
    ] {
        let error = bench.curator.derive(&[halves.clone(), wrong]).unwrap_err();
        assert!(matches!(&error, CuratorError::Query { what } if what.contains(words)), "{error}");
        assert_eq!(bench.curator.domain().len(), 2, "all or nothing");
    }
    assert!(matches!(bench.curator.marginals(&[laplace(&[0, 2], 1)]), Err(CuratorError::Query { .. })));
    assert_eq!((bench.records(), bench.looks()), (records, 0));
}
