//! What a fit takes, and what it gives.

use lookalike_schema::{Clique, Domain};

use crate::pgm::factor::LogFactor;
use crate::pgm::factor::layout::covers;
use crate::pgm::inference::Calibrated;
use crate::{Halt, ModelError, refuse_if};

/// A noisy marginal: counts of a clique's cells with noise of one variance.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement<'a> {
    /// What was measured.
    pub clique: Clique,
    /// The noisy counts, last attribute fastest.
    pub values: &'a [f64],
    /// The variance of each count's noise, more than 0.
    pub variance: f64,
}

impl Measurement<'_> {
    /// Refuses a measurement that does not fit the domain or is not made of numbers.
    pub(crate) fn check(&self, domain: &Domain) -> Result<(), ModelError> {
        refuse_if(!covers(domain, &self.clique), "a measurement names a column that the domain lacks")?;
        let misfit = domain.cells(&self.clique) != Some(self.values.len() as u64);
        refuse_if(misfit, "a measurement has another number of values than its clique has cells")?;
        refuse_if(
            !(self.variance > 0.0 && self.variance.is_finite()),
            "a measurement's variance is not a positive number",
        )?;
        refuse_if(self.values.iter().any(|value| !value.is_finite()), "a measured value is not a number")?;
        Ok(())
    }
}

/// The measurements of one clique as one: their mean, weighted by precision.
pub(crate) struct Combined {
    pub mean: Vec<f64>,
    /// 1 / variance of a cell of the mean; 0 without measurements.
    pub precision: f64,
}

impl Combined {
    /// What the measurements say of a clique of `cells` cells. Adds to `floor` the loss that no
    /// model avoids: how far the measurements lie from their mean.
    pub fn new(measurements: &[Measurement], clique: &Clique, cells: usize, floor: &mut f64) -> Self {
        let mine = || measurements.iter().filter(|measurement| measurement.clique == *clique);
        let precision: f64 = mine().map(|measurement| 1.0 / measurement.variance).sum();
        let mut mean = vec![0.0; cells];
        for measurement in mine() {
            let share = 1.0 / (measurement.variance * precision);
            mean.iter_mut().zip(measurement.values).for_each(|(mean, value)| *mean += share * value);
        }
        for measurement in mine() {
            let apart = mean.iter().zip(measurement.values).map(|(mean, value)| (mean - value).powi(2));
            *floor += 0.5 * apart.sum::<f64>() / measurement.variance;
        }
        Self { mean, precision }
    }
}

/// The best unbiased estimate of the total from measured marginals: their sums, weighted by
/// precision. At least 1.
///
/// A sum over `k` cells has `k` times the variance of a cell. 1 when nothing was measured.
pub(crate) fn best_total(measurements: &[Measurement]) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for measurement in measurements {
        let precision = 1.0 / (measurement.variance * measurement.values.len() as f64);
        sum += precision * measurement.values.iter().sum::<f64>();
        weight += precision;
    }
    if weight > 0.0 { (sum / weight).max(1.0) } else { 1.0 }
}

/// When a fit is done, and where it begins.
#[derive(Clone, Debug)]
pub struct Options {
    /// The total; `None` means the best unbiased combination of the measured totals.
    pub total: Option<f64>,
    /// Stop when the recent steps have lowered the loss by less than this share of it.
    pub tolerance: f64,
    /// How many steps are recent: 20 at most. Fewer stop earlier, in a slow stretch perhaps.
    pub window: usize,
    /// Stop when the loss is this low.
    pub enough: Option<f64>,
    /// Stop when the loss is this share of what noise alone would leave: half a unit for each
    /// measured cell. Fits that go on learn the noise.
    pub noise_share: Option<f64>,
    /// Stop after this many passes whatever happens.
    pub passes: u64,
    /// Ends the fit with an error, between two pieces of a pass.
    pub halt: Halt,
    /// Potentials to begin from, as [`Calibrated::potentials`] gives them: those of an earlier fit
    /// with fewer measurements. Potentials of cliques that are not measured stay as they are.
    pub start: Vec<LogFactor>,
}

impl Options {
    /// Checks the measurements, and gives the total of their fit.
    pub(crate) fn checked_total(
        domain: &Domain,
        measurements: &[Measurement],
        total: Option<f64>,
    ) -> Result<f64, ModelError> {
        measurements.iter().try_for_each(|measurement| measurement.check(domain))?;
        let total = total.unwrap_or_else(|| best_total(measurements));
        refuse_if(!(total > 0.0 && total.is_finite()), "the total of a fit is not a positive number")?;
        Ok(total)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            total: None,
            tolerance: 1e-3,
            window: 20,
            enough: None,
            noise_share: None,
            passes: 20_000,
            halt: Halt::never(),
            start: Vec::new(),
        }
    }
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The distribution.
    pub model: Calibrated,
    /// The total that turns its probabilities into counts.
    pub total: f64,
    /// Half the weighted sum of squares that is left.
    pub loss: f64,
    /// No distribution has a loss below `loss - gap`.
    pub gap: f64,
    /// Passes of inference that it took.
    pub passes: u64,
    /// Whether the fit stopped by its own rule, not at the limit of passes.
    pub converged: bool,
}
