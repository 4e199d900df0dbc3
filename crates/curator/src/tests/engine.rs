//! Engines that answer something else than what was asked, and looks in pieces.

use lookalike_privacy::{ChargedQuery, Ledger, NoiseRng};
use lookalike_schema::{Clique, Derived, View};

use super::{Looks, Records, Rows, add_remove, budget, clique, gaussian, ratio, schema};
use crate::kept::KeptTables;
use crate::paid::{Lookout, PaidBatch};
use crate::{Cancel, Candidate, CountTable, Counts, Curator, CuratorError, Permit, Score, SelectQuery};

/// An engine that always hands over the same thing.
struct Fixed(fn() -> Vec<CountTable>);

impl Counts for Fixed {
    fn count(&self, _: &[Clique], _: &[Derived], _: Permit, _: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        Ok((self.0)())
    }
}

fn door(engine: impl Counts + 'static, sizes: &[u32]) -> Curator {
    let ledger = Ledger::open(Box::new(Records::default()), budget(50.0, 1e-6), add_remove()).unwrap();
    let noise = Box::new(NoiseRng::from_os().unwrap());
    let mut curator = Curator::new(schema(sizes), Box::new(engine), ledger, noise, Cancel::new());
    curator.commit_filter().unwrap();
    curator
}

fn sparse(entries: &[(u64, u64)], cells: u64) -> CountTable {
    CountTable::Sparse { entries: entries.to_vec(), cells }
}

#[test]
fn tables_of_the_wrong_form_are_refused() {
    let wrong: [fn() -> Vec<CountTable>; 9] = [
        Vec::new,
        || vec![CountTable::Dense(vec![1, 2])],
        || vec![CountTable::Dense(vec![1, 2, 3, 4])],
        || vec![CountTable::Dense(vec![])],
        || vec![CountTable::Dense(vec![1, 2, 3]), CountTable::Dense(vec![1, 2, 3])],
        || vec![sparse(&[(0, 1)], 4)],
        || vec![sparse(&[(3, 1)], 3)],
        || vec![sparse(&[(1, 1), (0, 1)], 3)],
        || vec![sparse(&[(1, 1), (1, 1)], 3)],
    ];
    for (place, make) in wrong.into_iter().enumerate() {
        let answer = door(Fixed(make), &[3]).marginals(&[gaussian(&[0], 1_000)]);
        assert!(matches!(answer, Err(CuratorError::Engine { .. })), "form {place} should be refused");
    }
    for make in [|| vec![CountTable::Dense(vec![1, 2, 3])], || vec![sparse(&[(0, 1), (2, 9)], 3)]] {
        assert!(door(Fixed(make), &[3]).marginals(&[gaussian(&[0], 1_000)]).is_ok());
    }
}

#[test]
fn counts_that_do_not_fit_saturate() {
    let huge = || vec![CountTable::Dense(vec![u64::MAX, i64::MAX as u64 + 1, 0])];
    let answer = door(Fixed(huge), &[3]).marginals(&[gaussian(&[0], 1_000)]).unwrap();
    let values = &answer[0].values;
    assert!(values[0] > i64::MAX - 1_000 && values[1] > i64::MAX - 1_000 && values[2].abs() < 1_000, "{values:?}");
}

#[test]
fn impossible_totals_are_a_fault_of_the_engine_and_not_a_panic() {
    let query = |cliques: &[&[u32]]| SelectQuery {
        label: "a pair".into(),
        candidates: cliques.iter().map(|attributes| candidate(attributes)).collect(),
        epsilon: ratio(1, 10),
    };
    let overflowing = || vec![CountTable::Dense(vec![u64::MAX, u64::MAX])];
    let too_many = || vec![CountTable::Dense(vec![1 << 48, 1])];
    for make in [overflowing, too_many] {
        let answer = door(Fixed(make), &[2]).select(&query(&[&[0]]));
        assert!(matches!(answer, Err(CuratorError::Engine { .. })));
    }
    let at_odds = || vec![CountTable::Dense(vec![1, 1]), CountTable::Dense(vec![1, 2])];
    let answer = door(Fixed(at_odds), &[2, 2]).select(&query(&[&[0], &[1]]));
    assert!(matches!(answer, Err(CuratorError::Engine { .. })));
}

fn candidate(attributes: &[u32]) -> Candidate {
    let score = Score::DistanceToModel { clique: clique(attributes), expected: vec![0.0; 2].into() };
    Candidate { score, weight: 1.0, offset: 0.0 }
}

/// What a look needs besides the engine.
pub(super) struct Hands {
    pub kept: KeptTables,
    pub passes: u64,
    cancel: Cancel,
}

impl Hands {
    pub fn new(bytes: u64) -> Self {
        Self { kept: KeptTables::new(bytes), passes: 0, cancel: Cancel::new() }
    }

    pub fn lookout<'a>(&'a mut self, counts: &'a dyn Counts, view: &'a View) -> Lookout<'a> {
        let Self { kept, passes, cancel } = self;
        Lookout { counts, view, kept, passes, cancel }
    }
}

#[test]
fn a_paid_batch_is_looked_at_once_in_pieces() {
    let (view, looks, store) = (View::new(&schema(&[2, 3, 4])), Looks::default(), Records::default());
    let rows = vec![vec![1, 2, 3], vec![0, 0, 0]];
    let engine =
        Rows { rows, domain: view.domain().clone(), sparse: false, looks: looks.clone(), store: store.clone() };
    let mut ledger = Ledger::open(Box::new(store), budget(1.0, 1e-6), add_remove()).unwrap();
    ledger.commit_filter(ledger.budget()).unwrap();
    let step = gaussian(&[0], 1_000).step(add_remove());
    let receipt = ledger.charge_batch(&[ChargedQuery { label: "all".into(), step }]).unwrap();
    // 6, 8, 12, 24, 2 and 1 cells, in pieces of at most 14: a wide one stands alone.
    let cliques = [&[0u32, 1][..], &[0, 2], &[1, 2], &[0, 1, 2], &[0], &[]].map(clique);
    let mut batch = PaidBatch::new(receipt, &cliques);
    let mut firsts = Vec::new();
    let mut hands = Hands::new(0);
    while let Some(piece) = batch.look(&mut hands.lookout(&engine, &view), 14).unwrap() {
        firsts.push((piece.first, piece.tables.len()));
    }
    assert_eq!(firsts, [(0, 2), (2, 1), (3, 1), (4, 2)]);
    let seen: Vec<Clique> = looks.lock().unwrap().iter().flat_map(|(cliques, _)| cliques.clone()).collect();
    assert_eq!(seen, cliques);
    let again = batch.look(&mut hands.lookout(&engine, &view), u64::MAX).unwrap();
    assert!(again.is_none() && hands.passes == 4, "nothing is looked at twice");
}

/// An engine that fails.
struct Failing;

impl Counts for Failing {
    fn count(&self, _: &[Clique], _: &[Derived], _: Permit, _: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        Err(CuratorError::Engine { what: "the disk is gone".into() })
    }
}

#[test]
fn a_failed_look_is_used_up() {
    let engines: [&dyn Counts; 2] = [&Failing, &Fixed(Vec::new)];
    for engine in engines {
        let view = View::new(&schema(&[2, 2]));
        let mut ledger = Ledger::open(Box::new(Records::default()), budget(1.0, 1e-6), add_remove()).unwrap();
        ledger.commit_filter(ledger.budget()).unwrap();
        let step = gaussian(&[0], 1_000).step(add_remove());
        let receipt = ledger.charge_batch(&[ChargedQuery { label: "all".into(), step }]).unwrap();
        let cliques = [clique(&[0])];
        let mut batch = PaidBatch::new(receipt, &cliques);
        let mut hands = Hands::new(1 << 20);
        assert!(batch.look(&mut hands.lookout(engine, &view), 100).is_err());
        assert!(batch.look(&mut hands.lookout(engine, &view), 100).unwrap().is_none());
    }
}
