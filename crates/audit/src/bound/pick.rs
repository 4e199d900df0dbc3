//! Which event to test: picked on runs of its own, so that the test is not tuned to the runs that
//! it is made on.

use super::Event;
use crate::stats::normal_quantile;

/// At most this many thresholds are tried.
const THRESHOLDS: usize = 400;

/// The standard errors that the picked event should be able to lose in the test.
const MARGIN: f64 = 4.9;

/// The standard errors by which a share on the picking runs may be luck: the best of many events is
/// a lucky one.
const LUCK: f64 = 3.0;

/// What it is worth, and the event that promises the largest bound in a test of `runs` runs a side,
/// judged from scores on the two tables.
///
/// `worth` says what an event with these bounds of TPR and FPR is worth. Nothing here has to be
/// exact: a poor choice makes a low bound, never a false one.
pub fn pick(before: &mut [i64], after: &mut [i64], runs: u64, worth: &dyn Fn(f64, f64) -> f64) -> (f64, Event) {
    before.sort_unstable();
    after.sort_unstable();
    let mut best = (f64::NEG_INFINITY, Event { after: true, threshold: 0 });
    for threshold in thresholds(before, after) {
        let below = |scores: &[i64]| scores.partition_point(|&score| score < threshold) as f64 / scores.len() as f64;
        let (lower, upper) = (below(before), below(after));
        for (speaks_for_after, hits, alarms) in [(true, 1.0 - upper, 1.0 - lower), (false, lower, upper)] {
            let least = shrunk(hits, before.len() as u64, runs).0;
            let most = shrunk(alarms, after.len() as u64, runs).1;
            // Where so few runs promise nothing, the event that tells the tables apart best is
            // still worth a try.
            let worth = worth(least, most);
            let value = if worth > 0.0 { worth } else { hits - alarms - 2.0 };
            if value > best.0 {
                best = (value, Event { after: speaks_for_after, threshold });
            }
        }
    }
    best
}

/// Every score that occurs, or evenly many of them.
fn thresholds(before: &[i64], after: &[i64]) -> Vec<i64> {
    let mut all: Vec<i64> = before.iter().chain(after).copied().collect();
    all.sort_unstable();
    // Ranks, so that the tails are there too; then each score once.
    let step = (all.len() / THRESHOLDS).max(1);
    let mut some: Vec<i64> = if all.windows(2).filter(|pair| pair[0] != pair[1]).count() < THRESHOLDS {
        all
    } else {
        all.into_iter().step_by(step).collect()
    };
    some.dedup();
    some
}

/// What the bounds of a rate will be, about, in a test of `runs` runs: with the chance of a first
/// hit that was not seen.
fn shrunk(share: f64, seen: u64, runs: u64) -> (f64, f64) {
    let share = (share * seen as f64 + 0.5) / (seen as f64 + 1.0);
    let (runs, seen) = (runs as f64, seen as f64);
    let spread = (share * (1.0 - share)).sqrt() * (MARGIN / runs.sqrt() + LUCK / seen.sqrt());
    let floor = MARGIN * MARGIN / (2.0 * runs) + LUCK / seen;
    ((share - spread - floor).max(0.0), (share + spread + floor).min(1.0))
}

/// How far apart the two tables look on a Gaussian scale: what the bound for Gaussian noise goes
/// by.
pub fn spread(hits: f64, alarms: f64) -> f64 {
    normal_quantile(hits) - normal_quantile(alarms)
}
