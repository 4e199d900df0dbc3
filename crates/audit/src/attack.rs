//! What can be audited: something that answers on either of two neighbouring tables; and how it is
//! audited.

use lookalike_curator::Cancel;
use rayon::prelude::*;

use crate::AuditError;
use crate::bound::{ALPHA, Discriminant, Event, GaussianFamily, Seen, pick, spread};
use crate::stats::Rate;

/// Which of the two neighbouring tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Without the canary.
    Before,
    /// With it.
    After,
}

/// Something that answers on two neighbouring tables. What it answers is turned into whole numbers,
/// scores, which should be larger when the canary is there.
pub trait Auditable: Sync {
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
pub struct RunCounts {
    /// To pick the events on.
    pub pick: usize,
    /// To test them on.
    pub test: usize,
}

impl RunCounts {
    /// `test` runs to test on, and a part of that number more to pick on.
    pub fn new(test: usize) -> Self {
        Self { pick: (test / 5).max(test.min(500)).max(1), test }
    }
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct EpsilonBound {
    /// The lower bound of epsilon: by the form of the noise where that is known to be Gaussian,
    /// otherwise the plain one.
    pub epsilon: f64,
    /// The lower bound that holds whatever the mechanism is.
    pub plain: f64,
    /// The largest bound that this number of runs could have found.
    pub limit: f64,
    /// The rates behind [`epsilon`](Self::epsilon).
    pub seen: Seen,
    /// The event that they are about.
    pub event: Event,
    /// Which of the source's numbers it looks at; one beyond the last is the number that is made of
    /// all of them.
    pub feature: usize,
}

/// Picks events on some runs and tests them on others.
pub fn audit(
    source: &dyn Auditable,
    family: Option<GaussianFamily>,
    delta: f64,
    runs: RunCounts,
    cancel: &Cancel,
    tick: &(dyn Fn(usize) + Sync),
) -> Result<EpsilonBound, AuditError> {
    let plain = |hits: f64, alarms: f64| ((hits - delta).max(1e-12) / alarms).ln();
    let before = in_pieces(source, Side::Before, runs.pick, cancel, tick, |scores| scores)?.concat();
    let after = in_pieces(source, Side::After, runs.pick, cancel, tick, |scores| scores)?.concat();
    let view = RunFeatures::learn(source.features(), &before, &after);
    let (mut before, mut after) = (view.columns(&before), view.columns(&after));
    let mut events = vec![best(&mut before, &mut after, runs.test, &plain)];
    if family.is_some() {
        events.push(best(&mut before, &mut after, runs.test, &spread));
    }
    let count = |scores: Vec<i64>| view.counted(&scores, &events);
    let sums = |pieces: Vec<Vec<u64>>| -> Vec<u64> {
        (0..events.len()).map(|event| pieces.iter().map(|piece| piece[event]).sum()).collect()
    };
    let before = sums(in_pieces(source, Side::Before, runs.test, cancel, tick, count)?);
    let after = sums(in_pieces(source, Side::After, runs.test, cancel, tick, count)?);
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
    Ok(EpsilonBound {
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

/// What is seen of a run: its numbers, and where there are several, one more that is made of all of
/// them.
struct RunFeatures {
    features: usize,
    together: Option<Discriminant>,
}

impl RunFeatures {
    /// The number that is made of all is learned on every second run, so that the others tell
    /// fairly what it is worth.
    fn learn(features: usize, before: &[i64], after: &[i64]) -> Self {
        let half = |scores: &[i64]| -> Vec<i64> { scores.chunks(features).step_by(2).flatten().copied().collect() };
        let together = (features > 1).then(|| Discriminant::learn(&half(before), &half(after), features)).flatten();
        Self { features, together }
    }

    fn number(&self, run: &[i64], feature: usize) -> i64 {
        match &self.together {
            Some(together) if feature == self.features => together.score(run),
            _ => run[feature],
        }
    }

    /// A vector a number.
    fn columns(&self, scores: &[i64]) -> Vec<Vec<i64>> {
        let each = |feature: usize| scores.chunks(self.features).map(|run| self.number(run, feature)).collect();
        let mut columns: Vec<Vec<i64>> = (0..self.features).map(each).collect();
        if self.together.is_some() {
            // The runs that it was learned on would flatter it.
            let others = scores.chunks(self.features).skip(1).step_by(2);
            columns.push(others.map(|run| self.number(run, self.features)).collect());
        }
        columns
    }

    /// How often each event happened.
    fn counted(&self, scores: &[i64], events: &[(usize, Event)]) -> Vec<u64> {
        let hits = |&(feature, event): &(usize, Event)| {
            scores.chunks(self.features).filter(|run| event.holds(self.number(run, feature))).count() as u64
        };
        events.iter().map(hits).collect()
    }
}

/// Pieces of runs on all threads of the pool that this is called in.
fn in_pieces<T: Send>(
    source: &dyn Auditable,
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
