//! Runs that buy facts of their schema first.

use super::*;
use crate::accounting::{rho_of, total_rho, total_tau};
use crate::{threshold_for, with_tau};

fn open_for_discovery(epsilon: f64, delta: f64) -> (Ledger, MemoryStore) {
    let store = MemoryStore::new();
    let ledger = Ledger::open_for_discovery(Box::new(store.clone()), budget(epsilon, delta), neighbours()).unwrap();
    (ledger, store)
}

/// A threshold query of this much rho and tau.
fn threshold(rho: f64, tau: f64) -> Step {
    let sensitivity = neighbours().marginal();
    let sigma_squared = Rational::at_least(0.5 / rho).unwrap();
    let threshold = threshold_for(sigma_squared, &sensitivity, tau).unwrap();
    Step::Threshold { sigma_squared, sensitivity, threshold }
}

fn gaussians(copies: u32) -> Plan {
    Plan { items: vec![item("tables", MechanismKind::Gaussian, 1.0, copies)] }
}

#[test]
fn the_whole_run_stays_within_epsilon_and_delta() {
    let whole = budget(1.0, 1e-9);
    let (left, tau) = with_tau(whole).unwrap();
    let all = rho_of(left).unwrap().get();
    for share in [0.01, 0.1, 0.5] {
        let (mut ledger, store) = open_for_discovery(1.0, 1e-9);
        let total = ledger.commit_discovery(share).unwrap();
        assert_eq!(total.tau, tau);
        assert!((total.amount / (share * all) - 1.0).abs() < 1e-9);
        let facts: Vec<ChargedQuery> =
            (0..4).map(|_| charge("values of job", &threshold(0.999 * total.amount / 4.0, tau / 4.0))).collect();
        ledger.charge_batch(&facts).unwrap();
        let plan = ledger.calibrate(&gaussians(5), ledger.remaining().unwrap()).unwrap();
        let tables: Vec<ChargedQuery> =
            plan.steps().iter().map(|planned| charge("marginal of age", &planned.step)).collect();
        ledger.commit(plan).unwrap();
        ledger.charge_batch(&tables).unwrap();
        let steps = || ledger.charged().iter().map(|query| &query.step);
        assert!(total_rho(steps()) <= all && total_rho(steps()) > 0.998 * all, "{share}");
        assert!(total_tau(steps()) <= tau && total_tau(steps()) > 0.5 * tau, "{share}");
        let used = ledger.used().unwrap();
        assert!(used <= 1.0 && used > 0.99, "{share}: {used}");
        assert!(store.records()[1].contains("\"composition\":\"discovery\""));
    }
}

#[test]
fn neither_rho_nor_tau_can_be_passed() {
    let (mut ledger, _) = open_for_discovery(1.0, 1e-9);
    let total = ledger.commit_discovery(0.1).unwrap();
    refused(ledger.charge_batch(&[charge("values", &threshold(1.01 * total.amount, 0.5 * total.tau))]));
    refused(ledger.charge_batch(&[charge("values", &threshold(0.5 * total.amount, 3.0 * total.tau))]));
    ledger.charge_batch(&[charge("values", &threshold(0.5 * total.amount, 0.9 * total.tau))]).unwrap();
    refused(ledger.charge_batch(&[charge("values", &threshold(0.1 * total.amount, total.tau))]));
    // Anything else has no tau, and pays its rho.
    ledger.charge_batch(&[charge("readings", &gaussian((1.1 / total.amount) as u64 + 1))]).unwrap();
    refused(ledger.charge_batch(&[charge("readings", &gaussian((0.6 / total.amount) as u64))]));
}

#[test]
fn discovery_comes_first_and_once_and_in_an_account_for_it() {
    let (mut ledger, _) = open_for_discovery(1.0, 1e-9);
    ledger.commit_discovery(0.1).unwrap();
    refused(ledger.commit_discovery(0.1));
    ledger.commit_filter(ledger.remaining().unwrap()).unwrap();
    refused(ledger.commit_discovery(0.1));
    refused(open(1.0, 1e-9).0.commit_discovery(0.1));
    for share in [0.0, 1.0, -0.1, f64::NAN] {
        refused(open_for_discovery(1.0, 1e-9).0.commit_discovery(share));
    }
    // Without discovery nothing is kept for tau, and a threshold query is refused.
    let mut ledger = open(1.0, 1e-9).0;
    ledger.commit_filter(budget(1.0, 1e-9)).unwrap();
    refused(ledger.charge_batch(&[charge("values", &threshold(1e-3, 1e-12))]));
}

#[test]
fn at_delta_zero_discovery_is_a_share_of_epsilon() {
    let (mut ledger, _) = open_for_discovery(1.0, 0.0);
    let total = ledger.commit_discovery(0.1).unwrap();
    assert_eq!(total.tau, 0.0);
    ledger.charge_batch(&[charge("readings", &laplace(11))]).unwrap();
    refused(ledger.charge_batch(&[charge("values", &threshold(1e-3, 1e-12))]));
    let left = ledger.remaining().unwrap();
    assert!(left.is_pure() && (left.epsilon.get() - 0.9).abs() < 1e-9);
    ledger.commit(plan(&[item("rows", MechanismKind::Laplace, 1.0, 1)], left)).unwrap();
    assert!(ledger.used().unwrap() <= 1.0);
}
