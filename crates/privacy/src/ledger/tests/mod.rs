//! Rules of the ledger: what is refused, what is written, and in which order.

mod crash;
mod discovery;
mod journal;
mod rho;

use std::io;

use super::*;
use crate::{MechanismKind, Plan, PlanItem, Rational, Relation, Rho};

fn neighbours() -> Neighbours {
    Neighbours::new(Relation::AddRemove, 1).unwrap()
}

fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

fn item(label: &str, kind: MechanismKind, share: f64, copies: u32) -> PlanItem {
    PlanItem { label: label.into(), kind, sensitivity: neighbours().marginal(), share, copies }
}

fn plan(items: &[PlanItem], cap: Budget) -> CalibratedPlan {
    Plan { items: items.to_vec() }.calibrate_quickly(cap).unwrap()
}

fn charge(label: &str, step: &Step) -> ChargedQuery {
    ChargedQuery { label: label.into(), step: step.clone() }
}

fn laplace(scale: u64) -> Step {
    Step::Laplace { scale: Rational::new(scale, 1).unwrap(), sensitivity: neighbours().marginal() }
}

fn gaussian(sigma_squared: u64) -> Step {
    let sigma_squared = Rational::new(sigma_squared, 1).unwrap();
    Step::Gaussian { sigma_squared, sensitivity: neighbours().marginal() }
}

/// A ledger whose records can be read while it is open.
fn open(epsilon: f64, delta: f64) -> (Ledger, MemoryStore) {
    let store = MemoryStore::new();
    (Ledger::open(Box::new(store.clone()), budget(epsilon, delta), neighbours()).unwrap(), store)
}

fn refused<T>(result: Result<T, PrivacyError>) {
    assert!(matches!(result, Err(PrivacyError::Refused { .. })), "this should be refused");
}

#[test]
fn nothing_is_charged_before_a_stage() {
    let (mut ledger, store) = open(1.0, 1e-9);
    refused(ledger.charge_batch(&[charge("marginal of age", &laplace(10))]));
    assert_eq!(store.records().len(), 1, "a refusal writes nothing");
    assert_eq!(ledger.used().unwrap(), 0.0);
    assert_eq!(ledger.share_spent(), 0.0);
}

#[test]
fn steps_are_skipped_but_never_exchanged_nor_repeated() {
    let (mut ledger, store) = open(1.0, 1e-9);
    let items = [
        item("a", MechanismKind::Gaussian, 1.0, 1),
        item("b", MechanismKind::Laplace, 2.0, 2),
        item("c", MechanismKind::Exponential, 3.0, 1),
    ];
    let plan = plan(&items, ledger.budget());
    let [a, b, _, c] = plan.steps() else { panic!("four steps") };
    let (a, b, c) = (a.step.clone(), b.step.clone(), c.step.clone());
    ledger.commit(plan).unwrap();

    // a is skipped.
    assert_eq!(ledger.charge_batch(&[charge("b1", &b)]).unwrap().queries(), 1);
    refused(ledger.charge_batch(&[charge("too late", &a)]));
    // A batch is charged whole or not at all.
    refused(ledger.charge_batch(&[charge("c", &c), charge("exchanged", &b)]));
    refused(ledger.charge_batch(&[charge("less noise", &laplace(1))]));
    assert_eq!(ledger.charged().len(), 1);
    assert_eq!(store.records().len(), 3, "open, stage, one charge");
    ledger.charge_batch(&[charge("b2", &b), charge("c", &c)]).unwrap();
    refused(ledger.charge_batch(&[charge("again", &c)]));
    assert_eq!(ledger.charged().len(), 3);
    assert_eq!(ledger.stages()[0].charged().len(), 3);
    assert!((ledger.share_spent() - 1.0).abs() < 1e-12);
    assert!(ledger.used().unwrap() < 1.0);
}

#[test]
fn stages_add_up_to_the_budget_and_the_one_with_delta_is_last() {
    let (mut ledger, _) = open(1.0, 1e-9);
    let counts = [item("counts", MechanismKind::Laplace, 1.0, 1)];
    ledger.commit(plan(&counts, budget(0.01, 0.0))).unwrap();
    refused(ledger.commit(plan(&counts, budget(0.99f64.next_up(), 0.0))));
    refused(ledger.commit_filter(budget(0.5, 1e-9f64.next_up())));
    let rest = ledger.remaining().unwrap();
    assert!((rest.epsilon.get() - 0.99).abs() < 1e-15 && rest.delta.get() == 1e-9);
    ledger.commit(plan(&counts, rest)).unwrap();
    assert!(ledger.remaining().is_err());
    refused(ledger.commit(plan(&counts, budget(1e-9, 0.0))));

    // After a stage with a delta, none may follow, even if there is something left.
    let (mut ledger, _) = open(1.0, 1e-9);
    ledger.commit(plan(&counts, budget(0.5, 1e-10))).unwrap();
    refused(ledger.commit(plan(&counts, budget(0.1, 0.0))));
    refused(ledger.commit_filter(budget(0.1, 1e-10)));

    // A filter is the last stage too.
    let (mut ledger, _) = open(1.0, 0.0);
    ledger.commit_filter(budget(0.5, 0.0)).unwrap();
    refused(ledger.commit_filter(budget(0.5, 0.0)));
}

#[test]
fn each_stage_is_charged_on_its_own() {
    let (mut ledger, _) = open(1.0, 1e-9);
    let first = plan(&[item("n", MechanismKind::Laplace, 1.0, 1)], budget(0.1, 0.0));
    let n = first.steps()[0].step.clone();
    ledger.commit(first).unwrap();
    ledger.charge_batch(&[charge("row count", &n)]).unwrap();
    let second = plan(&[item("one-way", MechanismKind::Gaussian, 1.0, 3)], ledger.remaining().unwrap());
    let one_way = second.steps()[0].step.clone();
    ledger.commit(second).unwrap();
    refused(ledger.charge_batch(&[charge("a step of the first stage", &n)]));
    let share = ledger.share_spent();
    assert!((share - 0.1).abs() < 1e-12, "{share}");
    ledger.charge_batch(&[charge("age", &one_way), charge("sex", &one_way), charge("job", &one_way)]).unwrap();
    let used = ledger.used().unwrap();
    assert!((0.999..=1.0).contains(&used), "{used}");
    assert_eq!(ledger.stages().iter().map(|stage| stage.charged().len()).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn gaussian_noise_needs_a_delta() {
    let (mut ledger, _) = open(1.0, 0.0);
    ledger.commit_filter(ledger.budget()).unwrap();
    refused(ledger.charge_batch(&[charge("marginal", &gaussian(1_000_000))]));
    ledger.charge_batch(&[charge("marginal", &laplace(2))]).unwrap();

    // A pure stage of a run with a delta refuses it just the same.
    let (mut ledger, _) = open(1.0, 1e-9);
    ledger.commit(plan(&[item("n", MechanismKind::Laplace, 1.0, 1)], budget(0.5, 0.0))).unwrap();
    refused(ledger.charge_batch(&[charge("marginal", &gaussian(1_000_000))]));
}

#[test]
fn a_filter_refuses_before_its_sum_passes() {
    // Pure: two halves fit exactly, not a sliver more.
    let (mut ledger, store) = open(1.0, 0.0);
    ledger.commit_filter(budget(0.75, 0.0)).unwrap();
    ledger.charge_batch(&[charge("one", &laplace(2))]).unwrap();
    refused(ledger.charge_batch(&[charge("two", &laplace(2))]));
    ledger.charge_batch(&[charge("three", &laplace(5))]).unwrap();
    refused(ledger.charge_batch(&[charge("four", &laplace(10)), charge("five", &laplace(1000))]));
    assert_eq!(store.records().len(), 4);
    assert!((ledger.used().unwrap() - 0.7).abs() < 1e-12);

    // With a delta: rho. The largest rho of (1, 1e-5) is 0.030556595, so sigma squared 17 would do
    // and 16 not.
    let (mut ledger, _) = open(1.0, 1e-5);
    ledger.commit_filter(ledger.budget()).unwrap();
    refused(ledger.charge_batch(&[charge("one", &gaussian(16))]));
    ledger.charge_batch(&[charge("one", &gaussian(17))]).unwrap();
    refused(ledger.charge_batch(&[charge("two", &gaussian(400))]));
    assert!(ledger.used().unwrap() <= 1.0);
    assert!(crate::accounting::rho_of(ledger.budget()).unwrap() < Rho::new(1.0 / 32.0).unwrap());
}

#[test]
fn a_sensitivity_of_another_relation_is_refused() {
    // The row count is public under replace-one. A step made there must not be free here.
    let other = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let free = Step::Laplace { scale: Rational::new(1, 1).unwrap(), sensitivity: other.row_count() };
    let (mut ledger, _) = open(1.0, 1e-9);
    ledger.commit_filter(ledger.budget()).unwrap();
    refused(ledger.charge_batch(&[charge("row count", &free)]));
    let foreign = Plan {
        items: vec![PlanItem { sensitivity: other.marginal(), ..item("counts", MechanismKind::Gaussian, 1.0, 1) }],
    };
    let (mut ledger, _) = open(1.0, 1e-9);
    refused(ledger.commit(foreign.calibrate_quickly(ledger.budget()).unwrap()));

    // At home it is free and needs no step of the plan.
    let store = MemoryStore::new();
    let mut ledger = Ledger::open(Box::new(store), budget(1.0, 1e-9), other).unwrap();
    refused(ledger.charge_batch(&[
        charge("row count", &free),
        charge("selection", &Step::Exponential { epsilon: Rational::new(1, 9).unwrap() }),
    ]));
    ledger.charge_batch(&[charge("row count", &free)]).unwrap();
    assert!(ledger.stages().is_empty(), "a public count needs no stage");
    ledger.commit(foreign.calibrate_quickly(ledger.budget()).unwrap()).unwrap();
    ledger.charge_batch(&[charge("row count", &free)]).unwrap();
    assert_eq!(ledger.share_spent(), 0.0);
    assert_eq!(ledger.used().unwrap(), 0.0);
}

/// Fails at the given append (counted from 0), perhaps after writing a part.
struct FailingStore {
    inner: MemoryStore,
    left: usize,
    torn: bool,
}

impl LedgerStore for FailingStore {
    fn append(&mut self, record: &str) -> io::Result<()> {
        if self.left == 0 {
            if self.torn {
                self.inner.append(&record[..record.len() / 2])?;
            }
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
        }
        self.left -= 1;
        self.inner.append(record)
    }
}

#[test]
fn a_failed_write_charges_nothing_and_ends_the_account() {
    for fail_at in 0..5 {
        for torn in [false, true] {
            let store = MemoryStore::new();
            let failing = FailingStore { inner: store.clone(), left: fail_at, torn };
            let Ok(mut ledger) = Ledger::open(Box::new(failing), budget(1.0, 0.0), neighbours()) else {
                assert_eq!(fail_at, 0);
                continue;
            };
            let mut answers = 0;
            let mut failed = ledger.commit_filter(ledger.budget()).is_err();
            for _ in 0..4 {
                match ledger.charge_batch(&[charge("marginal", &laplace(10))]) {
                    Ok(_) => {
                        assert!(!failed, "no charge after a failed write");
                        answers += 1;
                    }
                    Err(_) => failed = true,
                }
            }
            assert!(failed);
            assert_eq!(answers, fail_at.saturating_sub(2));
            assert_eq!(ledger.charged().len(), answers);
            assert_eq!(store.records().len(), fail_at + usize::from(torn), "nothing is written behind a torn record");
        }
    }
}
