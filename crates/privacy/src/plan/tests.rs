//! Calibration: at most the cap, nearly all of it, in the right shares.

use proptest::prelude::*;

use super::*;
use crate::{Delta, Epsilon, Neighbours, Relation, ScoreKind};

fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

fn add_remove(contribution: u32) -> Neighbours {
    Neighbours::new(Relation::AddRemove, contribution).unwrap()
}

fn item(kind: MechanismKind, neighbours: Neighbours, share: f64, copies: u32) -> PlanItem {
    PlanItem { label: format!("{kind:?}"), kind, sensitivity: neighbours.marginal(), share, copies }
}

fn steps(plan: &CalibratedPlan) -> Vec<Step> {
    plan.steps().iter().map(|planned| planned.step.clone()).collect()
}

/// The part of the cap that the plan uses, recomputed.
fn used(plan: &CalibratedPlan) -> f64 {
    accounting::epsilon(&steps(plan), plan.cap().delta, plan.composition()).unwrap() / plan.cap().epsilon.get()
}

fn fits(plan: &CalibratedPlan) {
    let used = used(plan);
    assert!((0.999..=1.0).contains(&used), "{used} of {:?}", plan.cap());
}

#[test]
fn pure_plans_share_epsilon() {
    let items = vec![
        item(MechanismKind::Laplace, add_remove(1), 1.0, 4),
        item(MechanismKind::Exponential, add_remove(1), 3.0, 2),
    ];
    let plan = Plan { items }.calibrate(budget(0.8, 0.0)).unwrap();
    fits(&plan);
    assert_eq!(plan.composition(), Composition::Pure);
    let [Step::Laplace { scale, .. }, _, _, _, Step::Exponential { epsilon }, _] = &steps(&plan)[..] else {
        panic!("four counts, then two selections");
    };
    assert!((scale.to_f64() - 20.0).abs() < 1e-5 && scale.to_f64() >= 20.0);
    assert!((epsilon.to_f64() - 0.3).abs() < 1e-6 && epsilon.to_f64() <= 0.3);
}

#[test]
fn shares_are_of_rho_when_there_is_a_delta() {
    let items = vec![
        item(MechanismKind::Gaussian, add_remove(1), 1.0, 2),
        item(MechanismKind::Laplace, add_remove(1), 2.0, 1),
        item(MechanismKind::Exponential, add_remove(1), 5.0, 10),
    ];
    for plan in [
        Plan { items: items.clone() }.calibrate(budget(1.0, 1e-9)).unwrap(),
        Plan { items }.calibrate_quickly(budget(1.0, 1e-9)).unwrap(),
    ] {
        fits(&plan);
        let rhos: Vec<f64> = steps(&plan).iter().map(Step::rho).collect();
        let total: f64 = rhos.iter().sum();
        for (rho, share) in rhos.iter().zip([1.0 / 16.0, 1.0 / 16.0, 2.0 / 8.0].into_iter().chain([0.5 / 8.0; 10])) {
            assert!((rho / total / share - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn exact_composition_allows_less_noise() {
    let items = vec![item(MechanismKind::Gaussian, add_remove(1), 1.0, 30)];
    let plan = Plan { items: items.clone() }.calibrate(budget(0.8, 1e-5)).unwrap();
    assert_eq!(plan.composition(), Composition::Exact);
    let rho = accounting::total_rho(&steps(&plan));
    assert!((rho - 0.0239).abs() < 1e-4, "{rho}");
    let quick = Plan { items }.calibrate_quickly(budget(0.8, 1e-5)).unwrap();
    assert!((accounting::total_rho(&steps(&quick)) - 0.0203).abs() < 1e-4);
}

#[test]
fn gaussian_noise_without_a_delta_is_refused() {
    let items = vec![item(MechanismKind::Gaussian, add_remove(1), 1.0, 1)];
    assert!(matches!(Plan { items }.calibrate(budget(1.0, 0.0)), Err(PrivacyError::Plan { .. })));
}

#[test]
fn shares_must_be_positive_numbers() {
    for share in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let items = vec![item(MechanismKind::Laplace, add_remove(1), share, 1)];
        assert!(Plan { items }.calibrate(budget(1.0, 0.0)).is_err(), "{share}");
    }
}

#[test]
fn what_is_free_gets_no_step() {
    let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let public = PlanItem { sensitivity: replace.row_count(), ..item(MechanismKind::Laplace, replace, 0.5, 1) };
    let items = vec![
        public.clone(),
        item(MechanismKind::Gaussian, replace, 0.5, 3),
        item(MechanismKind::Gaussian, replace, 0.5, 0),
    ];
    let plan = Plan { items }.calibrate(budget(1.0, 1e-9)).unwrap();
    assert_eq!(plan.steps().len(), 3);
    fits(&plan);
    for delta in [0.0, 1e-9] {
        let plan = Plan { items: vec![public.clone()] }.calibrate(budget(1.0, delta)).unwrap();
        assert!(plan.steps().is_empty());
    }
}

#[test]
fn a_contribution_outside_the_checked_range_is_summed_in_rho() {
    // Ten marginals at epsilon 1 need a sigma far above 3.1.
    let items = vec![item(MechanismKind::Gaussian, add_remove(2), 1.0, 10)];
    let plan = Plan { items }.calibrate(budget(1.0, 1e-9)).unwrap();
    assert_eq!(plan.composition(), Composition::Zcdp);
    fits(&plan);
    // One marginal at epsilon 10 does not.
    let items = vec![item(MechanismKind::Gaussian, add_remove(2), 1.0, 1)];
    let plan = Plan { items }.calibrate(budget(10.0, 1e-9)).unwrap();
    assert_eq!(plan.composition(), Composition::Exact);
    fits(&plan);
}

#[test]
fn extremes_fit() {
    let mixed = vec![
        item(MechanismKind::Gaussian, add_remove(1), 0.01, 1),
        item(MechanismKind::Gaussian, add_remove(1), 1.0, 7),
        item(MechanismKind::Exponential, add_remove(1), 0.5, 6),
        item(MechanismKind::Laplace, add_remove(1), 0.5, 3),
    ];
    let long = vec![
        item(MechanismKind::Gaussian, add_remove(1), 0.01, 1),
        item(MechanismKind::Gaussian, add_remove(1), 1.0, 3000),
    ];
    let many = vec![
        item(MechanismKind::Exponential, add_remove(1), 1.0, 5000),
        item(MechanismKind::Gaussian, add_remove(1), 1.0, 5000),
    ];
    let single = vec![item(MechanismKind::Laplace, add_remove(1), 1.0, 1)];
    for items in [mixed, long, many, single] {
        for (epsilon, delta) in [(0.01, 1e-3), (0.01, 1e-15), (20.0, 1e-3), (20.0, 1e-15)] {
            fits(&Plan { items: items.clone() }.calibrate(budget(epsilon, delta)).unwrap());
        }
    }
}

/// Any plan of up to four items.
fn any_items(pure: bool) -> impl Strategy<Value = Vec<PlanItem>> {
    let one = (0..3usize, 1..=2u32, prop::bool::ANY, 0.001..10.0f64, 0..40u32).prop_map(
        move |(kind, contribution, replace, share, copies)| {
            let kinds = [MechanismKind::Laplace, MechanismKind::Exponential, MechanismKind::Gaussian];
            let kind = kinds[kind % if pure { 2 } else { 3 }];
            let neighbours = match replace {
                true => Neighbours::new(Relation::ReplaceOne, 1).unwrap(),
                false => add_remove(contribution),
            };
            item(kind, neighbours, share, copies)
        },
    );
    prop::collection::vec(one, 1..=4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_plan_uses_nearly_all_of_its_cap(
        items in any_items(false),
        ln_epsilon in -4.6..3.0f64,
        ln_delta in -34.5..-6.9f64,
    ) {
        let plan = Plan { items }.calibrate(budget(ln_epsilon.exp(), ln_delta.exp())).unwrap();
        if !plan.steps().is_empty() {
            fits(&plan);
        }
    }

    #[test]
    fn any_pure_plan_uses_nearly_all_of_its_cap(items in any_items(true), ln_epsilon in -4.6..3.0f64) {
        let plan = Plan { items }.calibrate(budget(ln_epsilon.exp(), 0.0)).unwrap();
        if !plan.steps().is_empty() {
            fits(&plan);
        }
    }
}

/// Noisy scores of every pair of `d` columns and the row count with 20%, and `d` joints with the
/// rest.
fn scores_and_joints(d: u32, neighbours: Neighbours) -> Plan {
    let pairs = d * (d - 1) / 2;
    let score = neighbours.score(ScoreKind::Dependence, 662_000).unwrap();
    let part = |copies: u32| 0.2 * f64::from(copies) / f64::from(pairs + 1);
    let item = |label: &str, sensitivity, share, copies| PlanItem {
        label: label.into(),
        kind: MechanismKind::Gaussian,
        sensitivity,
        share,
        copies,
    };
    Plan {
        items: vec![
            item("scores", score, part(pairs), pairs),
            item("rows", neighbours.row_count(), part(1), 1),
            item("joints", neighbours.marginal(), 0.8, d),
        ],
    }
}

#[test]
fn thousands_of_noisy_scores_cost_what_the_continuous_figures_say() {
    // PrivBayes at NIST: 98 columns, (1, 1e-9), continuous Gaussians, sensitivity 2 without a grid.
    let plan = scores_and_joints(98, add_remove(1)).calibrate(budget(1.0, 1e-9)).unwrap();
    fits(&plan);
    assert_eq!(plan.composition(), Composition::Exact);
    let sigma = |place: usize| match &plan.steps()[place].step {
        Step::Gaussian { sigma_squared, sensitivity } => sigma_squared.to_f64().sqrt() / sensitivity.grid() as f64,
        other => panic!("{other:?}"),
    };
    for (place, golden) in [(0, 1694.5), (4752, 1694.5), (4753, 847.2), (4754, 60.82), (4851, 60.82)] {
        let ratio = sigma(place) / golden;
        // Never below but for the printed digits; above by the grid step (1/8192) and the
        // accountant's margin.
        assert!((0.9998..1.001).contains(&ratio), "step {place}: {ratio}");
    }
}

#[test]
fn two_hundred_columns_calibrate_too() {
    for neighbours in [add_remove(1), add_remove(5), Neighbours::new(Relation::ReplaceOne, 1).unwrap()] {
        let plan = scores_and_joints(200, neighbours).calibrate(budget(0.5, 1e-9)).unwrap();
        fits(&plan);
        assert_eq!(plan.steps().len(), 19_900 + 200 + usize::from(neighbours.row_count().l1() > 0));
    }
}

#[test]
fn hundreds_of_selections_are_composed_exactly() {
    let items = vec![
        item(MechanismKind::Exponential, add_remove(1), 0.1, 200),
        item(MechanismKind::Gaussian, add_remove(1), 0.9, 100),
    ];
    let plan = Plan { items }.calibrate(budget(0.8, 1e-5)).unwrap();
    fits(&plan);
    assert_eq!(plan.composition(), Composition::Exact);
    let rho = accounting::total_rho(&steps(&plan));
    // Summed rho allows 0.0203, Gaussians alone 0.0239.
    assert!(rho > 0.0237, "{rho}");
}
