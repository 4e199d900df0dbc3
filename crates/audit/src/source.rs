//! What can be audited: something that answers on either of two neighbouring tables; and how it is audited.

use lookalike_curator::Cancel;
use rayon::prelude::*;

use crate::AuditError;
use crate::bound::{ALPHA, Event, GaussianFamily, Seen, pick, spread};
use crate::stats::Rate;

/// Which of the two neighbouring tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Without the canary.
    Before,
    /// With it.
    After,
}

/// Something that answers on two neighbouring tables. What it answers is turned into whole numbers, scores, which should
/// be larger when the canary is there.
pub trait Source: Sync {
    /// The scores of `runs` independent answers: as many numbers a run as there are features.
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError>;

    /// How many numbers a run has. One of them is picked together with its threshold.
    fn features(&self) -> usize {
        1
    }

    /// How many runs make a piece of work that is worth a thread's while.
    fn piece(&self) -> usize {
        1024
    }
}

/// How many runs on each of the two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// To pick the events on.
    pub pick: usize,
    /// To test them on.
    pub test: usize,
}

impl Runs {
    /// So many to test on, and a part of them more to pick on.
    pub fn new(test: usize) -> Self {
        Self { pick: (test / 5).max(test.min(500)).max(1), test }
    }
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The lower bound of epsilon: by the form of the noise where that is known to be Gaussian, otherwise the plain one.
    pub epsilon: f64,
    /// The lower bound that holds whatever the mechanism is.
    pub plain: f64,
    /// The largest bound that this number of runs could have found.
    pub limit: f64,
    /// The rates behind [`epsilon`](Self::epsilon).
    pub seen: Seen,
    /// The event that they are about.
    pub event: Event,
    /// Which of the source's numbers it looks at.
    pub feature: usize,
}

/// Picks events on some runs and tests them on others.
pub fn audit(
    source: &dyn Source,
    family: Option<GaussianFamily>,
    delta: f64,
    runs: Runs,
    cancel: &Cancel,
    tick: &(dyn Fn(usize) + Sync),
) -> Result<Found, AuditError> {
    let plain = |hits: f64, alarms: f64| ((hits - delta).max(1e-12) / alarms).ln();
    let mut before = columns(source, Side::Before, runs.pick, cancel, tick)?;
    let mut after = columns(source, Side::After, runs.pick, cancel, tick)?;
    let mut events = vec![best(&mut before, &mut after, runs.test, &plain)];
    if family.is_some() {
        events.push(best(&mut before, &mut after, runs.test, &spread));
    }
    let before = counted(source, Side::Before, runs.test, &events, cancel, tick)?;
    let after = counted(source, Side::After, runs.test, &events, cancel, tick)?;
    let seen: Vec<Seen> = (0..events.len())
        .map(|index| {
            let rate = |hits: &[u64]| Rate { hits: hits[index], runs: runs.test as u64 };
            let (before, after) = (rate(&before), rate(&after));
            if events[index].1.after {
                Seen { hits: after, alarms: before }
            } else {
                Seen { hits: before, alarms: after }
            }
        })
        .collect();
    let ((feature, event), last) = (events[events.len() - 1], seen[seen.len() - 1]);
    let bound = |seen: Seen| family.map_or(seen.epsilon(delta, ALPHA), |family| family.epsilon(seen, delta, ALPHA));
    Ok(Found {
        epsilon: bound(last),
        plain: seen[0].epsilon(delta, ALPHA),
        limit: bound(Seen::all(runs.test as u64)),
        seen: last,
        event,
        feature,
    })
}

/// The best feature and event.
fn best(
    before: &mut [Vec<i64>],
    after: &mut [Vec<i64>],
    runs: usize,
    worth: &dyn Fn(f64, f64) -> f64,
) -> (usize, Event) {
    let mut found = (f64::NEG_INFINITY, 0, Event { after: true, threshold: 0 });
    for (feature, (before, after)) in before.iter_mut().zip(after).enumerate() {
        let (value, event) = pick(before, after, runs as u64, worth);
        if value > found.0 {
            found = (value, feature, event);
        }
    }
    (found.1, found.2)
}

/// The scores of so many runs, a vector a feature.
fn columns(
    source: &dyn Source,
    side: Side,
    runs: usize,
    cancel: &Cancel,
    tick: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Vec<i64>>, AuditError> {
    let pieces = in_pieces(source, side, runs, cancel, tick, |scores| scores)?;
    let features = source.features();
    let each = |feature: usize| pieces.iter().flatten().skip(feature).step_by(features).copied().collect();
    // A piece holds whole runs, so the features stay in step over all pieces.
    Ok((0..features).map(each).collect())
}

/// How often each event happened in so many runs.
fn counted(
    source: &dyn Source,
    side: Side,
    runs: usize,
    events: &[(usize, Event)],
    cancel: &Cancel,
    tick: &(dyn Fn(usize) + Sync),
) -> Result<Vec<u64>, AuditError> {
    let features = source.features();
    let count = |scores: Vec<i64>| -> Vec<u64> {
        let hits = |&(feature, event): &(usize, Event)| {
            scores.iter().skip(feature).step_by(features).filter(|&&score| event.holds(score)).count() as u64
        };
        events.iter().map(hits).collect()
    };
    let pieces = in_pieces(source, side, runs, cancel, tick, count)?;
    Ok((0..events.len()).map(|event| pieces.iter().map(|piece| piece[event]).sum()).collect())
}

/// Pieces of runs on all threads of the pool that this is called in.
fn in_pieces<T: Send>(
    source: &dyn Source,
    side: Side,
    runs: usize,
    cancel: &Cancel,
    tick: &(dyn Fn(usize) + Sync),
    make: impl Fn(Vec<i64>) -> T + Sync,
) -> Result<Vec<T>, AuditError> {
    let piece = source.piece().max(1);
    let one = |index: usize| {
        if cancel.is_cancelled() {
            return Err(AuditError::Interrupted);
        }
        let runs = piece.min(runs - index * piece);
        let scores = source.scores(side, runs, cancel)?;
        debug_assert_eq!(scores.len(), runs * source.features());
        tick(runs);
        Ok(make(scores))
    };
    (0..runs.div_ceil(piece)).into_par_iter().map(one).collect()
}
