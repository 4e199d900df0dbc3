//! Charge, then look: one durable charge a batch, before any count, never refunded.

use std::io;

use lookalike_privacy::{Ledger, LedgerStore, MechanismKind, NoiseRng, Plan, PlanItem, PrivacyError, Step};
use lookalike_schema::{Clique, Derived};

use super::{Looks, Records, Rows, Setting, add_remove, budget, clique, gaussian, laplace, ratio, replace_one, schema};
use crate::{Cancel, CountQuery, CountTable, Counts, Curator, CuratorError, Noise, Permit};

#[test]
fn a_batch_is_one_record_that_lists_every_query_and_one_pass() {
    let mut bench = Setting::default().open();
    let before = bench.records();
    let batch = [gaussian(&[0], 100), laplace(&[0, 1], 50), gaussian(&[], 200)];
    let answers = bench.curator.marginals(&batch).unwrap();
    assert_eq!(bench.records(), before + 1);
    let record = bench.store.last();
    for label in ["marginal of c0\"", "marginal of c0, c1", "row count"] {
        assert!(record.contains(label), "{label} is missing in {record}");
    }
    // The record was there when the rows were looked at, and the look was for the charged cliques.
    let looks = bench.looks.lock().unwrap();
    assert_eq!(*looks, vec![(vec![clique(&[0]), clique(&[0, 1]), clique(&[])], before + 1)]);
    for ((answer, query), cells) in answers.iter().zip(&batch).zip([2, 6, 1]) {
        assert_eq!(answer.clique, query.clique);
        assert_eq!(answer.values.len(), cells);
        assert_eq!(answer.step, query.step(add_remove()));
    }
}

#[test]
fn charges_are_computed_from_the_queries() {
    let mut bench = Setting::default().open();
    bench.curator.marginals(&[gaussian(&[0], 100), laplace(&[1], 50)]).unwrap();
    bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(40, 1)) }).unwrap();
    let ledger = bench.curator.close();
    let steps: Vec<&Step> = ledger.charged().iter().map(|charged| &charged.step).collect();
    let (counts, count) = (add_remove().marginal(), add_remove().row_count());
    assert_eq!(
        steps,
        [
            &Step::Gaussian { sigma_squared: ratio(100, 1), sensitivity: counts.clone() },
            &Step::Laplace { scale: ratio(50, 1), sensitivity: counts },
            &Step::Laplace { scale: ratio(40, 1), sensitivity: count },
        ]
    );
}

#[test]
fn what_the_ledger_refuses_is_not_looked_at() {
    let mut bench = Setting { budget: budget(1.0, 0.0), ..Setting::default() }.open();
    // Each would fit alone; together they pass the total.
    let refused = bench.curator.marginals(&[laplace(&[0], 2), laplace(&[1], 1)]);
    assert!(matches!(refused, Err(CuratorError::Privacy(PrivacyError::Refused { .. }))));
    assert_eq!(bench.looks(), 0);
    bench.curator.marginals(&[laplace(&[0], 2)]).unwrap();
    assert_eq!(bench.looks(), 1);
}

#[test]
fn a_plan_allows_its_own_scales_only() {
    let mut bench = Setting { budget: budget(1.0, 1e-6), ..Setting::default() }.bench();
    let item = |label: &str, kind, share| PlanItem {
        label: label.into(),
        kind,
        sensitivity: add_remove().marginal(),
        share,
        copies: 1,
    };
    // The row count first, by Laplace noise at a tenth of the budget; the rest as a plan fixed
    // after it.
    let first = Plan { items: vec![item("row count", MechanismKind::Laplace, 1.0)] };
    let first = bench.curator.commit_part(&first, budget(0.1, 0.0)).unwrap();
    let Step::Laplace { scale, .. } = first.steps()[0].step else { panic!("a Laplace step") };
    let tenfold = CountQuery { noise: Noise::Laplace(ratio(scale.numerator(), scale.denominator() * 10)) };
    assert!(bench.curator.row_count(&tenfold).is_err(), "ten times the budget is refused");
    bench.curator.row_count(&CountQuery { noise: Noise::Laplace(scale) }).unwrap();
    let rest = bench.curator.commit(&Plan { items: vec![item("marginals", MechanismKind::Gaussian, 1.0)] }).unwrap();
    assert!(rest.cap().epsilon.get() <= 0.9 && rest.cap().epsilon.get() > 0.9 - 1e-9);
    assert_eq!(rest.cap().delta.get(), 1e-6);
    let Step::Gaussian { sigma_squared, .. } = rest.steps()[0].step else { panic!("a Gaussian step") };
    let mut query = gaussian(&[0], 1);
    query.noise = Noise::Gaussian(sigma_squared);
    bench.curator.marginals(std::slice::from_ref(&query)).unwrap();
    assert!(bench.curator.marginals(&[query]).is_err(), "the plan has been used up");
    assert!((bench.curator.share_spent() - 1.0).abs() < 1e-9);
    let used = bench.curator.close().used().unwrap();
    assert!((0.999..=1.0).contains(&used), "{used}");
}

/// An engine that fails, and one that is told to stop.
struct Failing(Option<Cancel>);

impl Counts for Failing {
    fn count(&self, cliques: &[Clique], _: &[Derived], _: Permit, _: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        match &self.0 {
            None => Err(CuratorError::Engine { what: "the disk is gone".into() }),
            Some(cancel) => {
                cancel.cancel();
                Ok(cliques.iter().map(|_| CountTable::Dense(vec![0; 2])).collect())
            }
        }
    }
}

#[test]
fn a_charge_is_never_refunded() {
    for stops in [false, true] {
        let (store, cancel) = (Records::default(), Cancel::new());
        let ledger = Ledger::open(Box::new(store.clone()), budget(1.0, 1e-6), add_remove()).unwrap();
        let engine = Failing(stops.then(|| cancel.clone()));
        let noise = Box::new(NoiseRng::from_os().unwrap());
        let mut curator = Curator::new(schema(&[2]), Box::new(engine), ledger, noise, cancel);
        curator.commit_filter().unwrap();
        let failed = curator.marginals(&[gaussian(&[0], 100)]);
        match stops {
            true => assert!(matches!(failed, Err(CuratorError::Cancelled))),
            false => assert!(matches!(failed, Err(CuratorError::Engine { .. }))),
        }
        assert!(store.last().contains("marginal of c0"));
        assert_eq!(curator.close().charged().len(), 1);
    }
}

/// A disk that is full from the third record on.
struct Full(Records);

impl LedgerStore for Full {
    fn append(&mut self, record: &str) -> io::Result<()> {
        if self.0.len() == 2 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
        }
        self.0.append(record)
    }
}

#[test]
fn without_a_durable_charge_there_is_no_look() {
    let (store, looks) = (Records::default(), Looks::default());
    let ledger = Ledger::open(Box::new(Full(store.clone())), budget(1.0, 1e-6), add_remove()).unwrap();
    let schema = schema(&[2]);
    let domain = schema.domain().clone();
    let engine = Rows { rows: vec![vec![1]], domain, sparse: false, looks: looks.clone(), store };
    let noise = Box::new(NoiseRng::from_os().unwrap());
    let mut curator = Curator::new(schema, Box::new(engine), ledger, noise, Cancel::new());
    curator.commit_filter().unwrap();
    for _ in 0..2 {
        assert!(curator.marginals(&[gaussian(&[0], 100)]).is_err());
        assert!(looks.lock().unwrap().is_empty());
    }
}

#[test]
fn the_public_row_count_is_recorded_and_free() {
    let setting = Setting { neighbours: replace_one(), budget: budget(1.0, 0.0), ..Setting::default() };
    let mut bench = setting.bench();
    bench.curator.set_door_memory(0);
    // Before any stage, whatever the kind of noise: it is not used.
    let count = bench.curator.row_count(&CountQuery { noise: Noise::Gaussian(ratio(9, 1)) }).unwrap();
    assert_eq!((count.value, &count.step), (3, &None));
    bench.curator.commit_filter().unwrap();
    bench.curator.marginals(&[laplace(&[0], 4)]).unwrap();
    let count = bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(9, 1)) }).unwrap();
    assert_eq!((count.value, count.step), (3, None));
    // Open, charge and look, filter, charge and look, charge and look.
    let records: Vec<usize> = bench.looks.lock().unwrap().iter().map(|(_, records)| *records).collect();
    assert_eq!(records, [2, 4, 5]);
    let ledger = bench.curator.close();
    assert_eq!(ledger.charged().len(), 3);
    assert_eq!(ledger.charged()[0].label, "row count (public under replace-one)");
    assert!(ledger.charged()[0].step.is_free());
    assert!((ledger.used().unwrap() - 0.5).abs() < 1e-9, "L1 sensitivity 2 at scale 4");
}
