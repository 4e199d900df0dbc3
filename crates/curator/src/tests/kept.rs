//! Tables that are kept inside the door: the same as counted anew, paid for again, and let go by
//! the sizes of columns alone.

use std::collections::HashSet;
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Derived, Grouping, View};
use proptest::prelude::*;

use super::engine::Hands;
use super::{Looks, Records, Rows, Setting, brute_force, budget, clique, laplace, ratio, schema, widened};
use crate::paid::Lookout;
use crate::{Candidate, CountTable, Score, SelectQuery};

const SIZES: [u32; 4] = [2, 6, 4, 3];

fn derived(base: u32, group_of: &[u32]) -> Derived {
    Derived { base: AttrId(base), grouping: Arc::new(Grouping::new(group_of.to_vec()).unwrap()), name: "d".into() }
}

/// Groups of the second and third columns: two chains, a grouping that crosses, and a constant.
fn columns() -> Vec<Derived> {
    vec![
        derived(1, &[0, 0, 1, 1, 2, 2]),
        derived(1, &[1, 1, 1, 1, 0, 0]),
        derived(1, &[0, 1, 0, 1, 0, 1]),
        derived(2, &[2, 1, 0, 2]),
        derived(2, &[0, 1, 1, 1]),
        derived(3, &[0, 0, 0]),
    ]
}

fn cells(table: CountTable) -> Vec<i64> {
    table.into_integers()
}

proptest! {
    /// Whatever was asked before, foreseen, and let go: a table has the counts of the rows.
    #[test]
    fn kept_tables_are_the_tables(
        rows in prop::collection::vec((0..2u32, 0..6u32, 0..4u32, 0..3u32), 0..40),
        asked in prop::collection::vec(prop::collection::vec(prop::collection::hash_set(0..10u32, 0..5), 1..5), 1..8),
        memory in prop::sample::select(vec![0u64, 100, 1_000, 1 << 20]),
    ) {
        let mut view = View::new(&schema(&SIZES));
        view.derive(&columns()).unwrap();
        let rows: Vec<Vec<u32>> = rows.into_iter().map(|(a, b, c, d)| vec![a, b, c, d]).collect();
        let domain = lookalike_schema::Domain::new(SIZES.to_vec());
        let (wide, wide_domain) = widened(&rows, &domain, view.derived());
        let (looks, store) = (Looks::default(), Records::default());
        let engine = Rows { rows, domain, sparse: false, looks, store };
        let of = |sets: &Vec<HashSet<u32>>| sets.iter().map(|set| Clique::new(set.iter().map(|&a| AttrId(a)))).collect();
        let mut hands = Hands::new(memory);
        for pair in asked.windows(2) {
            let [piece, soon]: [Vec<Clique>; 2] = [of(&pair[0]), of(&pair[1])];
            hands.kept.foresee(&soon);
            let mut lookout = hands.lookout(&engine, &view);
            let found = Lookout::tables(&mut lookout, &piece).unwrap();
            for (table, clique) in found.into_iter().zip(&piece) {
                prop_assert_eq!(cells(table), cells(brute_force(&wide, &wide_domain, clique, false)), "{:?}", clique);
            }
        }
    }
}

/// Fewer columns, coarser groups, another order of both, and the same again: no pass. What crosses
/// the groups, or is finer, is counted.
#[test]
fn only_what_is_new_is_counted() {
    let rows = (0..60u32).map(|k| vec![k % 2, k % 6, k / 3 % 4, k % 3]).collect();
    let mut bench = Setting { sizes: SIZES.to_vec(), rows, budget: budget(500.0, 0.0), ..Setting::default() }.open();
    bench.curator.derive(&columns()).unwrap();
    let passes = |bench: &mut super::Bench, attributes: &[u32]| {
        let (before, records) = (bench.curator.passes(), bench.records());
        bench.curator.marginals(&[laplace(attributes, 10)]).unwrap();
        assert_eq!(bench.records(), records + 1, "every answer is charged");
        assert_eq!(bench.looks() as u64, bench.curator.passes());
        bench.curator.passes() - before
    };
    // Attributes 4, 5 and 6 are groups of 1; 7 and 8 of 2; 9 of 3.
    for (attributes, expected) in [
        (&[0u32, 4, 7][..], 1),
        (&[0, 4, 7], 0),
        (&[4], 0),
        (&[5, 7], 0),
        (&[0, 5], 0),
        (&[], 0),
        (&[0, 6], 1),
        (&[0, 1], 1),
        (&[0, 4, 6], 0),
        (&[4, 8], 1),
        (&[8], 0),
    ] {
        assert_eq!(passes(&mut bench, attributes), expected, "{attributes:?}");
    }
}

/// What is foreseen is counted with the next pass, under that pass's charge, and paid for when it
/// is asked for. Alone it makes no pass; what is unknown is not foreseen.
#[test]
fn what_is_foreseen_waits_for_a_pass() {
    let mut bench = Setting { budget: budget(500.0, 0.0), ..Setting::default() }.open();
    bench.curator.foresee(&[clique(&[0, 1]), clique(&[0, 9])]);
    assert_eq!((bench.looks(), bench.curator.passes()), (0, 0));
    bench.curator.marginals(&[laplace(&[0], 10)]).unwrap();
    assert_eq!(bench.looks.lock().unwrap()[0].0, [clique(&[0]), clique(&[0, 1])]);
    let records = bench.records();
    let answers = bench.curator.marginals(&[laplace(&[0, 1], 10), laplace(&[1], 10)]).unwrap();
    assert_eq!((answers.len(), bench.looks(), bench.records()), (2, 1, records + 1));
}

/// The same answers to the last bit with and without what is kept: it saves passes and nothing
/// else.
#[test]
fn answers_do_not_depend_on_what_is_kept() {
    let rows: Vec<Vec<u32>> = (0..200u32).map(|k| vec![k * k % 2, k % 6, k / 3 % 4, k * k / 7 % 3]).collect();
    let answers = |memory: u64| {
        let mut bench =
            Setting { sizes: SIZES.to_vec(), rows: rows.clone(), budget: budget(500.0, 0.0), ..Setting::default() }
                .open();
        bench.curator.set_door_memory(memory);
        bench.curator.derive(&columns()).unwrap();
        let mut told: Vec<i64> = Vec::new();
        for round in 0..12u32 {
            let sets = [[0, 1], [1, 3], [round % 4, 4 + round % 3], [2, 5]].map(|set| clique(&set));
            bench.curator.foresee(&[clique(&[0, 1, 2])]);
            let candidate = |set: &Clique| {
                let expected = vec![f64::from(round); bench.curator.domain().cells(set).unwrap() as usize];
                let score = Score::DistanceToModel { clique: set.clone(), expected: expected.into() };
                Candidate { score, weight: 1.0, offset: 0.0 }
            };
            let candidates: Vec<Candidate> = sets.iter().filter(|set| set.len() == 2).map(candidate).collect();
            let query = SelectQuery { label: "a table".into(), candidates, epsilon: ratio(1, 10) };
            let chosen = bench.curator.select(&query).unwrap().index;
            told.push(chosen as i64);
            told.extend(&bench.curator.marginals(&[laplace(&[0, round % 3 + 1], 3)]).unwrap()[0].values);
        }
        let charged: Vec<String> = bench.curator.close().charged().iter().map(|it| it.label.clone()).collect();
        (told, charged, bench.looks.lock().unwrap().len())
    };
    let (without, with) = (answers(0), answers(1 << 20));
    assert_eq!((&without.0, &without.1), (&with.0, &with.1));
    assert!(with.2 * 3 < without.2, "{} passes with and {} without", with.2, without.2);
}

/// Which tables are kept, and so which looks are passes, is the same for every content of the rows.
#[test]
fn passes_follow_from_the_queries_alone() {
    let passes = |rows: Vec<Vec<u32>>| {
        let mut bench =
            Setting { sizes: SIZES.to_vec(), rows, budget: budget(500.0, 0.0), ..Setting::default() }.open();
        // Room for two or three of the tables.
        bench.curator.set_door_memory(40 * 8);
        let asked = [&[0u32, 1][..], &[1, 2], &[2, 3], &[1, 2], &[0, 1], &[1, 3], &[2], &[1, 2], &[3]];
        let pass = |attributes: &&[u32]| {
            bench.curator.marginals(&[laplace(attributes, 10)]).unwrap();
            bench.curator.passes()
        };
        asked.iter().map(pass).collect::<Vec<u64>>()
    };
    let none = passes(Vec::new());
    assert_eq!(none, passes((0..500u32).map(|k| vec![k % 2, k % 6, k % 4, k % 3]).collect()));
    assert_eq!(none, passes(vec![vec![1, 5, 3, 2]]));
    assert!(*none.last().unwrap() > 4 && *none.last().unwrap() < 9, "{none:?}");
}
