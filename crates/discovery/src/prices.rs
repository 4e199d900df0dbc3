//! What each fact costs: follows from the header, what is open, and the account alone.

use lookalike_curator::Noise;
use lookalike_privacy::{DiscoveryCost, Neighbours, PrivacyError, Rational, threshold_for};
use lookalike_schema::Wish;

/// The part of a column's money that its type takes, where noise costs rho. Types are read off
/// large counts, bounds and values off small ones.
const TYPE_PART: f64 = 0.1;
/// The same where noise costs epsilon.
const PURE_TYPE_PART: f64 = 0.2;
/// The part of a column's slots that the second takes: it only refines.
const SECOND_PART: f64 = 0.25;
/// The part of all money that rare values of all columns take together. A row counts for one value
/// there, so this part has the noise of a single column: with 15 columns values are found from
/// about 0.4 of the rows on that their own column's query needs, which needs 1.2 of what it
/// would need with all of the money.
const RARE_PART: f64 = 0.3;
/// With fewer columns that may be categories it would hardly find more than their own queries.
const RARE_COLUMNS: usize = 6;
/// With fewer rows than this many deviations of the noise, little is found.
const ENOUGH: f64 = 300.0;

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
    /// The scales of a search that costs this much rho and tau.
    fn of(amount: f64, tau: f64, neighbours: Neighbours) -> Result<Self, PrivacyError> {
        let sensitivity = neighbours.marginal();
        let sigma_squared = Rational::at_least(sensitivity.l2_squared() as f64 / (2.0 * amount))?;
        let threshold = threshold_for(sigma_squared, &sensitivity, tau)?;
        Ok(Self { sigma_squared, threshold, tau })
    }

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
    /// Of values of all categories that their own queries did not find; `None` at delta = 0 and
    /// with few columns.
    pub rare: Option<ColumnPrices>,
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
        let many = wishes.iter().filter(|wish| matches!(wish, Wish::Type | Wish::Values)).count();
        let has_rare = !is_pure && many >= RARE_COLUMNS;
        let rare_part = if has_rare { RARE_PART } else { 0.0 };
        // A sliver stays unspent, so that sums which are rounded up fit.
        let all = total.amount * (1.0 - 1e-9);
        let amount = all * (1.0 - rare_part) / weights;
        let slots = amount * (1.0 - part);
        let noise = |amount: f64| FactNoise::of(amount, neighbours, is_pure);
        let tau = total.tau * (1.0 - 1e-9) / (many.max(1) + usize::from(has_rare)) as f64;
        let searched = |amount: f64| ColumnPrices::of(amount, tau, neighbours);
        let (first, second) = (noise(slots * (1.0 - SECOND_PART))?, noise(slots * SECOND_PART)?);
        Ok(Self {
            types: noise(amount * part)?,
            first,
            second,
            values: if is_pure { None } else { Some(searched(slots)?) },
            rare: if has_rare { Some(searched(all * rare_part)?) } else { None },
        })
    }

    /// The standard deviation of the noise that rows are held against: that of a count which bounds
    /// are read off.
    pub fn noise(&self) -> f64 {
        self.first.deviation
    }

    /// Whether there are too few rows for this many columns: most values and the ends of ranges are
    /// then lost.
    pub fn are_too_few(&self, rows: f64) -> bool {
        rows < ENOUGH * self.noise()
    }

    /// The smallest noisy count of a value that is released; `None` where none are.
    pub fn smallest_threshold(&self) -> Option<u64> {
        [self.values, self.rare].into_iter().flatten().map(|prices| prices.threshold).min()
    }
}

impl FactNoise {
    pub(crate) fn of(amount: f64, neighbours: Neighbours, is_pure: bool) -> Result<Self, PrivacyError> {
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
