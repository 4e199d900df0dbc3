//! What each fact costs: follows from the header, what is open, and the account alone.

use lookalike_curator::Noise;
use lookalike_privacy::{DiscoveryCost, Neighbours, PrivacyError, Rational, threshold_for};
use lookalike_schema::Wish;

/// The part of a column's money that its type takes, where noise costs rho. Types are read off
/// large counts, bounds and values off small ones.
const TYPE_PART: f64 = 0.05;
/// The same where noise costs epsilon.
const PURE_TYPE_PART: f64 = 0.2;
/// The part of a column's slots that the second takes: it only refines.
const SECOND_PART: f64 = 0.2;

/// The noise of one kind of fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactNoise {
    /// The noise.
    pub noise: Noise,
    /// Its standard deviation, in rows.
    pub deviation: f64,
}

/// What the values of a category cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnPrices {
    /// Sigma squared of the noise.
    pub sigma_squared: Rational,
    /// The smallest noisy count that is released.
    pub threshold: u64,
    /// What the query adds to delta.
    pub tau: f64,
}

impl ColumnPrices {
    /// The standard deviation of the noise, in rows.
    pub fn deviation(&self) -> f64 {
        self.sigma_squared.to_f64().sqrt()
    }
}

/// The scales of all facts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Of a column's readings.
    pub types: FactNoise,
    /// Of a column's first slot.
    pub first: FactNoise,
    /// Of its second.
    pub second: FactNoise,
    /// Of the values of a category, which take both slots; `None` at delta = 0.
    pub values: Option<ColumnPrices>,
}

impl Prices {
    /// The scales for these wishes. Every column with a wish gets the same, whatever is found.
    ///
    /// # Errors
    /// Amounts for which there is no noise.
    pub fn new(
        wishes: &[Wish],
        neighbours: Neighbours,
        total: DiscoveryCost,
        is_pure: bool,
    ) -> Result<Self, PrivacyError> {
        let part = if is_pure { PURE_TYPE_PART } else { TYPE_PART };
        let weight = |wish: &Wish| match wish {
            Wish::Nothing => 0.0,
            Wish::Type => 1.0,
            _ => 1.0 - part,
        };
        let weights: f64 = wishes.iter().map(weight).sum::<f64>().max(1.0 - part);
        // A sliver stays unspent, so that sums which are rounded up fit.
        let amount = total.amount * (1.0 - 1e-9) / weights;
        let slots = amount * (1.0 - part);
        let noise = |amount: f64| FactNoise::of(amount, neighbours, is_pure);
        let many = wishes.iter().filter(|wish| matches!(wish, Wish::Type | Wish::Values)).count().max(1);
        let values = match is_pure {
            true => None,
            false => {
                let sensitivity = neighbours.marginal();
                let sigma_squared = Rational::at_least(sensitivity.l2_squared() as f64 / (2.0 * slots))?;
                let tau = total.tau * (1.0 - 1e-9) / many as f64;
                let threshold = threshold_for(sigma_squared, &sensitivity, tau)?;
                Some(ColumnPrices { sigma_squared, threshold, tau })
            }
        };
        let (first, second) = (noise(slots * (1.0 - SECOND_PART))?, noise(slots * SECOND_PART)?);
        Ok(Self { types: noise(amount * part)?, first, second, values })
    }
}

impl FactNoise {
    fn of(amount: f64, neighbours: Neighbours, is_pure: bool) -> Result<Self, PrivacyError> {
        let sensitivity = neighbours.marginal();
        if is_pure {
            let scale = Rational::at_least(sensitivity.l1() as f64 / amount)?;
            return Ok(Self { noise: Noise::Laplace(scale), deviation: scale.to_f64() * std::f64::consts::SQRT_2 });
        }
        let sigma_squared = Rational::at_least(sensitivity.l2_squared() as f64 / (2.0 * amount))?;
        Ok(Self { noise: Noise::Gaussian(sigma_squared), deviation: sigma_squared.to_f64().sqrt() })
    }

    /// A level that the noise of one cell passes with probability at most `chance`.
    pub(crate) fn level(&self, chance: f64) -> f64 {
        let log = (0.5 / chance).ln();
        match self.noise {
            Noise::Gaussian(_) => self.deviation * (2.0 * log).sqrt(),
            Noise::Laplace(_) => self.deviation / std::f64::consts::SQRT_2 * log,
        }
    }
}
