//! What a measurement said that the model did not know.

use std::f64::consts::FRAC_2_PI;

use lookalike_curator::Noise;
use lookalike_schema::Clique;

/// How a chosen set is measured.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    /// The noise of one draw.
    pub noise: Noise,
    /// How often it is drawn; sets that are measured together share the draws. The answer is their
    /// mean.
    pub times: u32,
    /// The mean distance from 0 of the noise of one cell of the answer.
    pub mean_noise: f64,
}

/// How far an answer was from the model.
#[derive(Clone, Debug)]
pub struct MeasurementOutcome {
    /// What was measured.
    pub clique: Clique,
    /// What the model expected, in its own order of cells.
    pub expected: Vec<f64>,
    /// The distance of the answer from that, in units of its noise.
    pub error_to_noise: f64,
    /// The same in units of what noise and chance together would do: rows that follow the model
    /// exactly differ from it by about the root of each count.
    pub error_to_chance: f64,
    /// What chance alone would do, in units of the noise of one draw.
    pub chance_to_noise: f64,
}

impl MeasurementOutcome {
    /// The outcome of an answer that is the mean of `times` draws.
    pub(super) fn new(clique: Clique, expected: Vec<f64>, answer: &[f64], draws: &Draws, times: u32) -> Self {
        let noise = draws.mean_noise;
        let distance: f64 = expected.iter().zip(answer).map(|(before, after)| (before - after).abs()).sum();
        let away = |variance: f64| -> f64 {
            expected.iter().map(|count| (FRAC_2_PI * count.max(0.0) + variance).sqrt()).sum()
        };
        let cells = answer.len() as f64;
        let one_draw = noise * f64::from(times).sqrt();
        Self {
            error_to_noise: distance / (noise * cells),
            error_to_chance: distance / away(noise.powi(2)).max(f64::MIN_POSITIVE),
            chance_to_noise: away(0.0) / (one_draw * cells),
            clique,
            expected,
        }
    }

    /// Whether a set looks after the next fit as it does now: what shares a pair of columns with
    /// the measured one does not.
    pub fn leaves_alone(&self, set: &Clique) -> bool {
        set.intersection(&self.clique).len() < 2.min(set.len())
    }

    /// The mean of something over outcomes; 0 without any.
    pub fn mean(outcomes: &[Self], what: impl Fn(&Self) -> f64) -> f64 {
        outcomes.iter().map(what).sum::<f64>() / outcomes.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use lookalike_schema::AttrId;

    use super::*;

    #[test]
    fn what_shares_a_pair_with_a_measured_set_looks_otherwise_afterwards() {
        let draws =
            Draws { noise: Noise::Laplace(lookalike_privacy::Rational::new(1, 1).unwrap()), times: 1, mean_noise: 1.0 };
        let set = |columns: &[u32]| Clique::new(columns.iter().map(|&column| AttrId(column)));
        let outcome = MeasurementOutcome::new(set(&[0, 1, 2]), vec![4.0], &[6.0], &draws, 1);
        let leaves = |columns: &[u32]| outcome.leaves_alone(&set(columns));
        assert!(leaves(&[2, 3, 4]) && leaves(&[5]) && !leaves(&[0, 2, 7]) && !leaves(&[1]));
        assert!(outcome.error_to_noise == 2.0 && outcome.error_to_chance < 2.0);
    }
}
