//! Derived columns against a naive counter: dense and sparse, any number of threads, every width.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Derived, Grouping};
use proptest::prelude::*;

use super::counting::{clique, counted, naive, occupied, random_columns};
use crate::{CellCounts, TallyError};

/// A grouping of `size` codes into at most `groups`, scattered by `seed`, none empty.
fn grouping(size: u32, groups: u32, seed: u32) -> Grouping {
    let groups = groups.clamp(1, size);
    let group = |code: u32| {
        if code < groups { code } else { (code.wrapping_mul(2_654_435_761) ^ seed) % groups }
    };
    Grouping::new((0..size).map(|code| group((code + seed % size) % size)).collect()).unwrap()
}

struct Case<'a> {
    sizes: &'a [u32],
    /// Base and number of groups of each derived column.
    derived: &'a [(u32, u32)],
    rows: usize,
    seed: u64,
    block: Option<usize>,
    threads: usize,
}

impl Case<'_> {
    #[track_caller]
    fn check(&self, cliques: &[Clique]) {
        let mut columns = random_columns(self.sizes, self.rows, self.seed);
        let own = columns.clone();
        let mut sizes = self.sizes.to_vec();
        let mut derived = Vec::new();
        for (place, &(base, groups)) in self.derived.iter().enumerate() {
            let grouping = grouping(self.sizes[base as usize], groups, self.seed as u32 ^ place as u32);
            columns.push(columns[base as usize].iter().map(|&code| grouping.group(code)).collect());
            sizes.push(grouping.groups());
            derived.push(Derived { base: AttrId(base), grouping: Arc::new(grouping), name: format!("d{place}") });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().unwrap();
        let found = pool.install(|| counted(self.sizes, &own, cliques, &derived, self.block)).unwrap();
        assert_eq!(found.len(), cliques.len());
        for (counts, clique) in found.iter().zip(cliques) {
            let cells: u64 = clique.attributes().iter().map(|a| u64::from(sizes[a.index()])).product();
            match counts {
                CellCounts::Dense(counts) => assert_eq!(counts.len() as u64, cells),
                CellCounts::Sparse(_) => assert!(cells > 1 << 24),
            }
            let expected = match self.rows {
                0 => BTreeMap::new(),
                rows => naive(&columns, &sizes, clique, rows),
            };
            assert!(occupied(counts) == expected, "clique {:?}", clique.attributes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_mix_of_own_and_derived_columns(
        sizes in proptest::collection::vec(
            prop_oneof![1u32..4, 2u32..60, Just(256), Just(257), 1000u32..2000, Just(65_537), Just(70_000)], 1..6),
        made in proptest::collection::vec((any::<u32>(), prop_oneof![1u32..5, 2u32..300, Just(66_000)]), 0..8),
        picks in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 0..5), 1..12),
        rows in prop_oneof![Just(0usize), Just(1), 2usize..300],
        block in prop_oneof![Just(None), (1usize..100).prop_map(Some)],
        threads in 1usize..4,
        seed in any::<u64>(),
    ) {
        let derived: Vec<(u32, u32)> = made.iter().map(|&(base, groups)| (base % sizes.len() as u32, groups)).collect();
        let all = sizes.len() as u32 + derived.len() as u32;
        let size = |a: &AttrId| match a.index().checked_sub(sizes.len()) {
            None => u128::from(sizes[a.index()]),
            Some(place) => u128::from(derived[place].1.min(sizes[derived[place].0 as usize])),
        };
        // Dense answers just below the bound are slow to allocate many times over.
        let fits = |c: &Clique| {
            let cells: u128 = c.attributes().iter().map(size).product();
            !(1 << 20..=1 << 24).contains(&cells) && cells < 1 << 64
        };
        let cliques = picks.iter().map(|pick| Clique::new(pick.iter().map(|&a| AttrId(a % all)))).filter(fits);
        let cliques: Vec<Clique> = cliques.collect();
        Case { sizes: &sizes, derived: &derived, rows, seed, block, threads }.check(&cliques);
    }
}

/// Bases and groups of one, two and four bytes in every pairing, shared and unshared tallies, more
/// than one full block.
#[test]
fn every_width_from_every_width() {
    let sizes = [200, 300, 70_000, 5];
    let derived = [(0, 2), (0, 200), (1, 7), (1, 257), (2, 16), (2, 300), (2, 69_999), (3, 2)];
    let mut cliques: Vec<Clique> = (0..12).map(|a| clique(&[a])).collect();
    cliques.extend([
        clique(&[]),
        clique(&[0, 4]),
        clique(&[4, 6, 8, 11]),
        clique(&[1, 6, 7]),
        clique(&[2, 10, 11]),
        clique(&[3, 4, 6, 8, 11]),
        clique(&[5, 7]),
        clique(&[8, 9]),
    ]);
    let case = Case { sizes: &sizes, derived: &derived, rows: 70_000, seed: 9, block: None, threads: 2 };
    case.check(&cliques);
    Case { rows: 900, block: Some(128), threads: 3, ..case }.check(&cliques);
}

/// A clique may hold a column with what is derived from it: the counts then have structural zeros.
#[test]
fn a_column_beside_its_own_levels() {
    let codes = [vec![0, 1, 2, 3, 3, 1]];
    let grouping = Arc::new(Grouping::new(vec![0, 0, 1, 1]).unwrap());
    let derived = [Derived { base: AttrId(0), grouping, name: "halves".into() }];
    let counts = counted(&[4], &codes, &[clique(&[0, 1])], &derived, None).unwrap();
    assert!(matches!(&counts[0], CellCounts::Dense(cells) if *cells == [1, 0, 2, 0, 0, 1, 0, 2]));
}

#[test]
fn groupings_that_do_not_fit_are_refused() {
    let grouping = Arc::new(Grouping::new(vec![0, 0, 1]).unwrap());
    for (base, fits) in [(0, false), (1, true), (2, false), (99, false)] {
        let derived = [Derived { base: AttrId(base), grouping: grouping.clone(), name: "d".into() }];
        let counts = counted(&[4, 3], &[vec![0], vec![0]], &[clique(&[2])], &derived, None);
        assert_eq!(counts.is_ok(), fits);
        assert!(fits || matches!(counts, Err(TallyError::Request(_))));
    }
}
