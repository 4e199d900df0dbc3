use lookalike_measurement::{NoisyCount, NoisyMarginal};
use lookalike_privacy::{Neighbours, Rational, Relation, Step};
use lookalike_schema::{AttrId, Clique};

use crate::total::estimate;

fn step(sigma_squared: u64) -> Step {
    let sensitivity = Neighbours::new(Relation::AddRemove, 1).unwrap().marginal();
    Step::Gaussian { sigma_squared: Rational::new(sigma_squared, 1).unwrap(), sensitivity }
}

fn marginal(values: &[i64], sigma_squared: u64) -> NoisyMarginal {
    NoisyMarginal { clique: Clique::single(AttrId(0)), values: values.to_vec(), step: step(sigma_squared) }
}

#[test]
fn weights_are_inverse_variances() {
    let count = NoisyCount { value: 100, step: Some(step(6)) };
    // Variances 6, 2 x 3 = 6 and 3 x 4 = 12: weights 2 : 2 : 1.
    let marginals = [marginal(&[60, 50], 3), marginal(&[40, 40, 40], 4)];
    assert!((estimate(Some(&count), &marginals) - (2.0 * 100.0 + 2.0 * 110.0 + 120.0) / 5.0).abs() < 1e-9);
    assert!((estimate(None, &marginals) - (2.0 * 110.0 + 120.0) / 3.0).abs() < 1e-9);
    assert!((estimate(Some(&count), &[]) - 100.0).abs() < 1e-9);
}

#[test]
fn a_public_count_is_taken_as_it_is() {
    let count = NoisyCount { value: 7, step: None };
    assert_eq!(estimate(Some(&count), &[marginal(&[900, 900], 1)]), 7.0);
}

#[test]
fn no_answers_no_rows() {
    assert_eq!(estimate(None, &[]), 0.0);
}
