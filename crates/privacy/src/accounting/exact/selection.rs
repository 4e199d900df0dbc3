//! Selections by the exponential mechanism, in exact composition.
//!
//! # Privacy
//! The exponential mechanism with parameter e has losses in an interval of length e. Of all such
//! mechanisms the worst are those with two losses, t with probability p and t - e with 1 - p, for
//! some t in [0, e], where p = (1 - exp(t - e)) / (1 - exp(-e)) makes both distributions sum to 1
//! (Dong, Durfee, Rogers 2020). Exchanging the two tables turns t into e - t, so both directions
//! are covered. The adversary chooses t knowing the loss so far, hence the backward recursion, from
//! the last selection to the first:
//!
//! `D(s) = max over t of p D'(s - t) + (1 - p) D'(s - t + e)`, from `D0(s) = max(0, 1 - exp(s))`.
//!
//! Each D is nonincreasing, and convex in x = exp(s): both hold for D0, for D' of a shifted
//! argument, for means and for maxima. Only grid values are kept, each at or above the true one,
//! and everything between them is bounded from above:
//! - D' between two points lies below the chord in x. Below the grid the chord goes to x = 0, where
//!   D = 1. Above the grid D is at most what zCDP gives at its end;
//! - for t between t1 and t2, put y = exp(t). The chords of D' over [s - t2, s - t1] and over [s -
//!   t2 + e, s - t1 + e] are linear in 1/y and p is linear in y, so the bound is A + B y + C/y with
//!   known values F1 and F2 at the ends. If C >= 0 it is convex and the ends bound it. If not, it
//!   exceeds the line between F1 and F2 by
//!   |C| (y - y1)(y2 - y) / (y y1 y2) <= 4 V w (1 - w), with w the share of the way from y1 to y2 and
//!   V = |C| (y2 - y1)^2 / (4 y1^2 y2), and the maximum of a parabola is known.
//!
//! No interval of t is left out: intervals are halved until the bound is at most a whisker above a
//! value that is attained, or the interval is one grid step.

use super::profile::{Nothing, Profile};
use super::quality::Quality;
use crate::accounting::directed::{UNIT, add_up, sum_up, up};
use crate::accounting::zcdp;
use crate::{Epsilon, Rho};

/// The most and the fewest grid steps in one selection's epsilon.
const STEPS: (usize, usize) = (4096, 4);
/// More intervals than this take too long even on the coarsest grid.
const MOST_LOOKS: f64 = 5e6;
/// Intervals looked at for one grid point, about.
const LOOKS: usize = 14;
/// What the intervals of t that are given up early may add over all selections, relative to delta.
const WHISKER: f64 = 1e-6;

/// The delta of some selections as a function of epsilon, on a grid.
pub(super) struct SelectionDeltas {
    low: f64,
    step: f64,
    values: Vec<f64>,
    /// A bound of all that lies above the grid.
    beyond: f64,
    /// The sums of epsilon and of rho. At the first and beyond, the profile is 0.
    total: f64,
    rho: f64,
}

impl SelectionDeltas {
    /// Selections with these epsilons, in the order of the plan, for deltas about `delta`.
    /// `None` when there are too many for a useful grid in a useful time.
    pub(super) fn new(epsilons: &[f64], delta: f64, quality: Quality) -> Option<Self> {
        let total = sum_up(epsilons.iter().copied());
        let rho = sum_up(epsilons.iter().map(|&epsilon| up(epsilon * epsilon / 8.0)));
        // Above `top` there is less than a millionth of delta; below `-bottom` chords are as good
        // as the truth.
        let top = zcdp::epsilon_at(rho, 1e-6 * delta).min(total);
        let bottom = (4.0 * (2.0 * rho).sqrt()).min(total);
        // The selections that weigh most get a whole number of steps.
        let reference = heaviest(epsilons);
        let mut steps = STEPS.0;
        let looks = |steps: usize| (top + bottom) / reference * (steps * epsilons.len() * LOOKS) as f64;
        while steps > STEPS.1 && looks(steps) > quality.looks {
            steps /= 2;
        }
        if looks(steps) > MOST_LOOKS {
            return None;
        }
        let step = reference / steps as f64;
        let (below, above) = ((bottom / step).ceil() as usize + 1, (top / step).ceil() as usize + 1);
        let low = -(below as f64) * step;
        let values = (0..=below + above).map(|index| up(Nothing.at(low + index as f64 * step))).collect();
        let mut selections = Self { low, step, values, beyond: 0.0, total: 0.0, rho: 0.0 };
        let whisker = WHISKER / epsilons.len() as f64;
        for &epsilon in epsilons.iter().rev() {
            selections = selections.before(epsilon, whisker);
        }
        Some(selections)
    }

    /// The profile when one more selection comes first.
    fn before(&self, epsilon: f64, whisker: f64) -> Self {
        let level = RecursionLevel::new(self, epsilon);
        let mut start = level.last / 2;
        let values = (0..self.values.len())
            .map(|place| {
                let (value, best) = level.largest(place, start, whisker);
                start = best;
                up(value).min(1.0)
            })
            .collect();
        let total = add_up(self.total, epsilon);
        let rho = add_up(self.rho, up(epsilon * epsilon / 8.0));
        let beyond = if self.end() >= total { 0.0 } else { zcdp_delta(rho, self.end()) };
        Self { values, beyond, total, rho, ..*self }
    }
}

/// The epsilon whose selections together have the largest sum of squares.
fn heaviest(epsilons: &[f64]) -> f64 {
    let mut sorted = epsilons.to_vec();
    sorted.sort_by(f64::total_cmp);
    let equal = sorted.chunk_by(|a, b| a == b).map(|chunk| (chunk.len() as f64 * chunk[0] * chunk[0], chunk[0]));
    equal.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, epsilon)| epsilon)
}

fn zcdp_delta(rho: f64, epsilon: f64) -> f64 {
    match (Rho::new(rho), Epsilon::new(epsilon)) {
        (Ok(rho), Ok(epsilon)) => zcdp::delta_of_rho(rho, epsilon),
        _ => 1.0,
    }
}

impl Profile for SelectionDeltas {
    fn at(&self, epsilon: f64) -> f64 {
        // The grid points are multiples of the step; where they and epsilon are rounded, a little
        // further down is safe.
        let epsilon = epsilon - 8.0 * UNIT * (epsilon.abs() - self.low);
        let place = (epsilon - self.low) / self.step;
        if place < 0.0 {
            return up(1.0 - (1.0 - self.values[0]) * (epsilon - self.low).exp()).min(1.0);
        }
        let index = place as usize;
        if epsilon >= self.total {
            return 0.0;
        }
        if index + 1 >= self.values.len() {
            return self.beyond;
        }
        let share = (((place - index as f64) * self.step).exp_m1() / self.step.exp_m1()).clamp(0.0, 1.0);
        up(self.values[index] * (1.0 - share) + self.values[index + 1] * share)
    }

    fn ln_largest_tilted(&self, tilt: f64, from: f64) -> f64 {
        if from >= self.total {
            return f64::NEG_INFINITY;
        }
        // D(s) is at most delta at s of rho-zCDP, for the order 1 + tilt too, where exp(tilt s)
        // cancels.
        let terms = [self.rho * tilt * (1.0 + tilt), -tilt * (1.0 / tilt).ln_1p(), -tilt.ln_1p()];
        terms.iter().sum::<f64>() + 1e-9 * (1.0 + terms[0])
    }

    fn end(&self) -> f64 {
        self.low + (self.values.len() - 1) as f64 * self.step
    }
}

/// One step of the recursion: what is needed for all grid points alike.
///
/// t takes the values 0, step, 2 step, ... below epsilon, and epsilon itself, numbered from 0 to
/// `last`.
struct RecursionLevel {
    last: usize,
    /// p of each t.
    chances: Vec<f64>,
    /// D' at `s - last * step` for the lowest s of the grid, and on from there.
    stay: Vec<f64>,
    /// The same of D' moved by epsilon.
    moved: Vec<f64>,
    /// D' at `s - epsilon`, for each s of the grid.
    back: Vec<f64>,
    /// (exp(width) - 1) / (4 (1 - exp(-epsilon))) for an interval of t of this many steps ...
    bulges: Vec<f64>,
    /// ... and for one that begins at this many steps and ends at epsilon.
    last_bulges: Vec<f64>,
    /// exp(-epsilon).
    kappa: f64,
}

impl RecursionLevel {
    fn new(after: &SelectionDeltas, epsilon: f64) -> Self {
        let last = (epsilon / after.step * (1.0 - 1e-12)).ceil().max(1.0) as usize;
        let denominator = -(-epsilon).exp_m1();
        let time = |index: usize| if index == last { epsilon } else { index as f64 * after.step };
        let bulge = |width: f64| up(up(width.exp_m1() / (4.0 * denominator)));
        let place = |index: usize| after.low + (index as f64 - last as f64) * after.step;
        let count = after.values.len() + last;
        let stay = |index: usize| if index >= last { after.values[index - last] } else { after.at(place(index)) };
        Self {
            last,
            chances: (0..=last).map(|index| -(time(index) - epsilon).exp_m1() / denominator).collect(),
            stay: (0..count).map(stay).collect(),
            moved: (0..count).map(|index| after.at(place(index) + epsilon)).collect(),
            back: (last..count).map(|index| after.at(place(index) - epsilon)).collect(),
            bulges: (0..=last).map(|index| bulge(index as f64 * after.step)).collect(),
            last_bulges: (0..=last).map(|index| bulge((epsilon - time(index)).max(0.0))).collect(),
            kappa: (-epsilon).exp(),
        }
    }

    /// D' at `s - t` and at `s - t + epsilon`, for the grid point `place` and the t of `index`.
    fn parts(&self, place: usize, index: usize) -> (f64, f64) {
        if index == self.last {
            return (self.back[place], self.stay[place + self.last]);
        }
        let at = place + self.last - index;
        (self.stay[at], self.moved[at])
    }

    /// The expression at one t.
    fn value(&self, place: usize, index: usize) -> f64 {
        let (stay, moved) = self.parts(place, index);
        self.chances[index] * stay + (1.0 - self.chances[index]) * moved
    }

    /// A bound for all t between two of them, whose values are known.
    fn bound(&self, place: usize, (first, first_value): (usize, f64), (last, last_value): (usize, f64)) -> f64 {
        let (near, far) = (self.parts(place, first), self.parts(place, last));
        let falls = (far.0 - near.0) - self.kappa * (far.1 - near.1);
        let bulge = falls * if last == self.last { self.last_bulges[first] } else { self.bulges[last - first] };
        let apart = (first_value - last_value).abs();
        if apart >= 4.0 * bulge {
            return first_value.max(last_value);
        }
        0.5 * (first_value + last_value) + bulge + apart * apart / (16.0 * bulge)
    }

    /// An upper bound of the maximum over t, and the index of the best value seen. `start` is where
    /// it is expected.
    fn largest(&self, place: usize, start: usize, whisker: f64) -> (f64, usize) {
        let point = |index: usize| (index, self.value(place, index));
        let (before, after) = (start.saturating_sub(1), (start + 1).min(self.last));
        let points = [point(0), point(before), point(start), point(after), point(self.last)];
        let mut best = points.into_iter().fold(points[2], |best, point| if point.1 > best.1 { point } else { best });
        // The neighbourhood of `start` is taken first: its bound is part of the result, so that
        // other intervals can be given up as soon as theirs is no larger.
        let mut largest = best.1 * (1.0 + whisker);
        let mut waiting = [(points[0], points[0]); 64];
        let mut count = 0;
        for (first, last) in [(0, 1), (3, 4), (1, 2), (2, 3)] {
            if points[first].0 < points[last].0 {
                waiting[count] = (points[first], points[last]);
                count += 1;
            }
        }
        while count > 0 {
            count -= 1;
            let (first, last) = waiting[count];
            let bound = self.bound(place, first, last);
            if bound <= largest {
                continue;
            }
            if last.0 - first.0 == 1 {
                largest = bound;
                continue;
            }
            let middle = point((first.0 + last.0) / 2);
            if middle.1 > best.1 {
                best = middle;
                largest = largest.max(best.1 * (1.0 + whisker));
            }
            (waiting[count], waiting[count + 1]) = ((first, middle), (middle, last));
            count += 2;
        }
        // The last factor covers rounding: of the sums, and of t in p, which is like a move of s by
        // as much; D may change by a factor of 1 + 2 (selections) / step for such a move, which is
        // far less than this.
        (largest * (1.0 + 0.1 * whisker), best.0)
    }
}
