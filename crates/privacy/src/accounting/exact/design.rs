//! The choice of a grid: tilt, step and window. Nothing here is part of a proof; a bad choice only
//! costs tightness or time.

use super::compose::Window;
use super::pair::{Cumulant, NoisePair};
use super::quality::Quality;

/// Chances below exp(-FAINT) of what matters are left to the error bounds.
const FAINT: f64 = 21.0;
/// Where tilts are looked for.
const LN_TILTS: (f64, f64) = (-12.0, 23.0);

/// The noise of a plan, and the rho of its selections, seen through their cumulants.
pub(super) struct Design {
    groups: Vec<(NoisePair, Cumulant, f64)>,
    selection_rho: f64,
    reach: f64,
}

impl Design {
    pub(super) fn new(groups: &[(NoisePair, u32)], selection_rho: f64, reach: f64) -> Self {
        let groups = groups.iter().map(|&(pair, count)| (pair, pair.cumulant(reach), f64::from(count))).collect();
        Self { groups, selection_rho, reach }
    }

    /// The cumulant of the summed noise losses, and its derivatives.
    fn noise(&self, tilt: f64) -> [f64; 3] {
        self.groups.iter().fold([0.0; 3], |sum, (_, cumulant, count)| {
            let one = cumulant.at(tilt);
            [sum[0] + count * one[0], sum[1] + count * one[1], sum[2] + count * one[2]]
        })
    }

    /// The tilt that gives the best epsilon by moments alone (as in zCDP, with the true moments),
    /// and that epsilon.
    pub(super) fn tilt(&self, delta: f64) -> (f64, f64) {
        let epsilon = |ln_tilt: f64| {
            let tilt = ln_tilt.exp();
            let moments = self.noise(tilt)[0] + self.selection_rho * tilt * (1.0 + tilt);
            (moments - delta.ln() - tilt.ln_1p()) / tilt - (1.0 / tilt).ln_1p()
        };
        let (mut low, mut high) = LN_TILTS;
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            if epsilon(low + third) < epsilon(high - third) { high -= third } else { low += third }
        }
        let best = 0.5 * (low + high);
        (best.exp(), epsilon(best).max(0.0))
    }

    /// The window for a delta, given the tilt and the epsilon that moments promise. `None` if
    /// floats cannot hold it.
    pub(super) fn window(&self, delta: f64, tilt: f64, epsilon: f64, quality: Quality) -> Option<Window> {
        let ranges = self.groups.iter().map(|(pair, _, count)| (pair.range(self.reach), count));
        let (least, most) =
            ranges.fold((0.0, 0.0), |sum, (range, count)| (sum.0 + count * range.0, sum.1 + count * range.1));
        let [value, mean, variance] = self.noise(tilt);
        // A tilt far beyond the largest loss leaves no deviation at all.
        let deviation = variance.sqrt().max(1e-6 * (most - least));
        // Above: P(sum > K'(t)) <= exp(K(t) - t K'(t)).
        let faint_above = |step: f64| {
            let [k, slope, _] = self.noise(tilt + step);
            k - (tilt + step) * slope <= delta.ln() - FAINT
        };
        let tilt_above = tilt + smallest(1.0 / deviation, faint_above);
        // Below: the tilted chance of a sum < K'(t) is at most exp(K(t) - K(tilt) + (tilt - t)
        // K'(t)).
        let faint_below = |step: f64| {
            let [k, slope, _] = self.noise(tilt - step);
            k - value + step * slope <= -FAINT
        };
        let tilt_below = tilt - smallest(1.0 / deviation, faint_below);
        let spacing = self.groups.iter().map(|(pair, ..)| pair.spacing()).fold(0.0, f64::max);
        let low = self.noise(tilt_below)[1].max(least).min(mean);
        let high = self.noise(tilt_above)[1].min(most).max(mean);
        let margin = 0.01 * (high - low) + 0.5 * spacing.min(most - least);
        let (low, width) = (low - margin, high - low + 2.0 * margin);
        if !(width.is_normal() && width > 1e-12 * low.abs() && spacing.is_finite()) {
            return None;
        }
        let (step, size) = self.step(width, tilt, epsilon, spacing, quality);
        Some(Window { step, tilt, tilt_above, tilt_below, low, size })
    }

    /// The coarsest step that keeps the added variance within the quality, and the number of
    /// places.
    ///
    /// Splitting a loss between grid points adds variance: none if all its values are grid points,
    /// at most step^2/6 on average if they fall anywhere, and 0.8 deviation * step if the whole
    /// distribution is finer than the grid and centred on a grid point. Epsilon grows by about half
    /// of the relative growth of the variance.
    fn step(&self, width: f64, tilt: f64, epsilon: f64, spacing: f64, quality: Quality) -> (f64, usize) {
        let variance = self.noise(tilt)[2];
        let mut size = 1usize << 10;
        loop {
            let mut step = width / size as f64;
            if spacing >= step {
                // On the widest lattice of the plan, where a misfit would show most.
                step = spacing / (spacing / step).ceil();
            }
            let needed = ((width / step).ceil() as usize + 2).next_power_of_two();
            let mut added = 0.0;
            let mut astray = 0.0;
            for (pair, cumulant, count) in &self.groups {
                let lattice = pair.spacing() / step;
                if lattice > 0.5 && (lattice - lattice.round()).abs() < 1e-9 * lattice {
                    continue;
                }
                let deviation = cumulant.at(tilt)[2].sqrt();
                added += count * (step * step / 6.0).min(0.8 * deviation * step);
                astray += count;
            }
            let fits = added <= 2.0 * quality.tolerance * variance;
            // A lumpy loss has kinks in its delta, where epsilon may be off by a whole step.
            let lumpy = astray > 0.0 && spacing * spacing > 0.01 * variance;
            let fine = !lumpy || step * astray.sqrt() <= quality.tolerance * epsilon;
            if (fits && fine) || needed * self.groups.len() >= quality.places {
                return (step, needed);
            }
            size *= 2;
        }
    }
}

/// The smallest power-of-two multiple of `unit` (refined to a tenth) for which the condition holds,
/// or a huge one.
fn smallest(unit: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut high = unit;
    for _ in 0..40 {
        if holds(high) {
            break;
        }
        high *= 2.0;
    }
    let mut low = 0.5 * high;
    for _ in 0..4 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}
