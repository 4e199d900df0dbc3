//! Runs that are counted in rho keep to what was reserved for them.

use super::*;
use crate::Composition;
use crate::accounting::{rho_of, rho_reserve, total_rho};

fn open_in_rho(epsilon: f64, delta: f64) -> Ledger {
    Ledger::open_in_rho(Box::new(MemoryStore::new()), budget(epsilon, delta), neighbours()).unwrap()
}

fn gaussians(copies: u32) -> Plan {
    Plan { items: vec![item("tables", MechanismKind::Gaussian, 1.0, copies)] }
}

fn rho(plan: &CalibratedPlan) -> f64 {
    total_rho(plan.steps().iter().map(|planned| &planned.step))
}

#[test]
fn a_plan_by_exact_composition_costs_more_rho_and_is_refused() {
    let whole = budget(1.0, 1e-9);
    let reserve = rho_reserve(whole).unwrap().get();
    assert_eq!(reserve, rho_of(whole).unwrap().get());
    let exact = gaussians(10).calibrate(whole).unwrap();
    assert_eq!(exact.composition(), Composition::Exact);
    assert!(rho(&exact) > 1.01 * reserve, "this is why");
    refused(open_in_rho(1.0, 1e-9).commit(exact));
    let mut ledger = open_in_rho(1.0, 1e-9);
    let own = ledger.calibrate(&gaussians(10), ledger.remaining().unwrap()).unwrap();
    assert!(rho(&own) <= reserve && rho(&own) > 0.999 * reserve);
    ledger.commit(own).unwrap();
}

#[test]
fn all_stages_together_stay_within_the_reserve() {
    // Shares of the first stage from harmless to more than the reserve allows beside anything else.
    for share in [0.001, 0.01, 0.05, 0.1, 0.13] {
        let reserve = rho_reserve(budget(1.0, 1e-9)).unwrap().get();
        let mut ledger = open_in_rho(1.0, 1e-9);
        let count = Plan { items: vec![item("count", MechanismKind::Laplace, 1.0, 1)] };
        let count = ledger.calibrate(&count, budget(share, 0.0)).unwrap();
        ledger.commit(count.clone()).unwrap();
        let left = ledger.remaining().unwrap();
        assert!(left.epsilon.get() <= 1.0 - share, "the other promise is kept too");
        let rest = ledger.calibrate(&gaussians(3), left).unwrap();
        let sum = rho(&count) + rho(&rest);
        assert!(sum <= reserve, "{share}: {sum} above {reserve}");
        // At small shares the epsilons bind, at large ones the rho does.
        assert!(sum > 0.95 * reserve, "{share}: {sum} of {reserve}");
        ledger.commit(rest).unwrap();
        // The same as a filter.
        let mut ledger = open_in_rho(1.0, 1e-9);
        ledger.commit(count).unwrap();
        ledger.commit_filter(ledger.remaining().unwrap()).unwrap();
    }
    // A first stage that costs more rho than there is.
    let ledger = open_in_rho(1.0, 1e-9);
    let count = Plan { items: vec![item("count", MechanismKind::Laplace, 1.0, 1)] };
    let count = ledger.calibrate(&count, budget(0.5, 0.0)).unwrap();
    refused(open_in_rho(1.0, 1e-9).commit(count));
    // Without a ledger in rho it is nobody's business.
    let (mut plain, _) = open(1.0, 1e-9);
    plain.commit(gaussians(10).calibrate(budget(1.0, 1e-9)).unwrap()).unwrap();
}

/// Two stages whose epsilons fit into the budget, and each of whose rhos fits alone.
#[test]
fn a_stage_that_fits_alone_is_refused_behind_another() {
    let reserve = rho_reserve(budget(1.0, 1e-9)).unwrap().get();
    let count = plan(&[item("count", MechanismKind::Laplace, 1.0, 1)], budget(0.1, 0.0));
    let rest = plan(&[item("tables", MechanismKind::Gaussian, 1.0, 3)], budget(0.875, 1e-9));
    assert!(rho(&count) < reserve && rho(&rest) < reserve && rho(&count) + rho(&rest) > 1.1 * reserve);
    open_in_rho(1.0, 1e-9).commit(rest.clone()).unwrap();
    let mut ledger = open_in_rho(1.0, 1e-9);
    ledger.commit(count).unwrap();
    refused(ledger.commit(rest));
    refused(ledger.commit_filter(budget(0.875, 1e-9)));
}

#[test]
fn a_pure_run_needs_no_further_bound() {
    let whole = budget(1.0, 0.0);
    assert!(rho_reserve(whole).unwrap().get() >= 0.5);
    for copies in [1, 2, 7, 100] {
        let mut ledger = open_in_rho(1.0, 0.0);
        let tables = Plan { items: vec![item("tables", MechanismKind::Laplace, 1.0, copies)] };
        let plan = ledger.calibrate(&tables, whole).unwrap();
        assert!(rho(&plan) <= rho_reserve(whole).unwrap().get() * (1.0 + 1e-12), "{copies}");
        ledger.commit(plan).unwrap();
    }
    let mut ledger = open_in_rho(1.0, 0.0);
    ledger.commit_filter(whole).unwrap();
}
