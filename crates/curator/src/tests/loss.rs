//! The exact privacy loss of noisy counts: the output distributions of neighbouring tiny tables are
//! enumerated, and their delta at the claimed epsilon is compared with the claim. The step is the
//! query's own, as the door charges it.

use lookalike_privacy::{Composition, Delta, Neighbours, Relation, Step, accounting};

use super::{add_remove, gaussian, laplace, replace_one};

/// Every change of a marginal of two cells by one neighbour step.
fn changes(neighbours: Neighbours) -> Vec<[i64; 2]> {
    match neighbours.relation() {
        Relation::AddRemove => {
            let rows = i64::from(neighbours.contribution());
            (0..=rows).flat_map(|one| (0..=rows - one).map(move |other| [one, other])).collect()
        }
        Relation::ReplaceOne => vec![[1, -1], [-1, 1]],
    }
}

/// P(x) of the step's noise for |x| <= 150, which leaves out less than 1e-30.
fn probabilities(step: &Step) -> Vec<f64> {
    let weight = |x: i64| match step {
        Step::Gaussian { sigma_squared, .. } => (-((x * x) as f64) / (2.0 * sigma_squared.to_f64())).exp(),
        Step::Laplace { scale, .. } => (-(x.abs() as f64) / scale.to_f64()).exp(),
        _ => unreachable!("a count has no such noise"),
    };
    let weights: Vec<f64> = (-150..=150).map(weight).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

/// The delta of two tables whose marginals differ by `change`: the sum of max(0, P - e^epsilon Q)
/// over all answers.
fn delta(step: &Step, change: [i64; 2], epsilon: f64) -> f64 {
    let noise = probabilities(step);
    let shifted = |place: usize, by: i64| noise.get((place as i64 - by) as usize).copied().unwrap_or(0.0);
    let mut sum = 0.0;
    for (one, p) in noise.iter().enumerate() {
        for (other, q) in noise.iter().enumerate() {
            sum += (p * q - epsilon.exp() * shifted(one, change[0]) * shifted(other, change[1])).max(0.0);
        }
    }
    sum
}

/// The largest delta over all neighbours.
fn worst_delta(step: &Step, neighbours: Neighbours, epsilon: f64) -> f64 {
    changes(neighbours).into_iter().map(|change| delta(step, change, epsilon)).fold(0.0, f64::max)
}

fn relations() -> [Neighbours; 3] {
    [add_remove(), Neighbours::new(Relation::AddRemove, 2).unwrap(), replace_one()]
}

#[test]
fn laplace_counts_keep_their_pure_epsilon() {
    for neighbours in relations() {
        let step = laplace(&[0], 3).step(neighbours);
        let claim =
            accounting::epsilon(std::slice::from_ref(&step), Delta::new(0.0).unwrap(), Composition::Pure).unwrap();
        // The last cells of the window have no partner: 1e-20 is left of them.
        assert!(worst_delta(&step, neighbours, claim) < 1e-15, "{neighbours:?}");
        assert!(worst_delta(&step, neighbours, 0.9 * claim) > 1e-3, "{neighbours:?}: the test has no power");
    }
}

#[test]
fn gaussian_counts_keep_their_epsilon_and_delta() {
    let allowed = 1e-5;
    for neighbours in relations() {
        let step = gaussian(&[0], 6).step(neighbours);
        for (composition, power) in [(Composition::Zcdp, 0.7), (Composition::Exact, 0.98)] {
            let claim =
                accounting::epsilon(std::slice::from_ref(&step), Delta::new(allowed).unwrap(), composition).unwrap();
            assert!(worst_delta(&step, neighbours, claim) <= allowed, "{neighbours:?} {composition:?}");
            let less = worst_delta(&step, neighbours, power * claim);
            assert!(less > allowed, "{neighbours:?} {composition:?}: the test has no power: {less}");
        }
    }
}
