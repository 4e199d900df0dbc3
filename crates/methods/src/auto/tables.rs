//! Round by round the table that the model gets most wrong.

use lookalike_schema::{AttrId, Clique};

use super::candidates::{self, Bounds};
use super::drawn::{self, Drawn};
use super::signal_test::find_signal;
use super::state::{State, scaled};
use crate::MethodError;
use crate::graphical::GrowingModel;
use crate::rounds::{
    ChosenClique, MeasurementOutcome, Policy, Round, RoundOffer, Run, SecondChoice, WeightedCandidate,
};

/// Where a round has one choice, the sets of this number of further rounds are drawn with its own.
const AHEAD: u64 = 3;
/// If a round may choose from at most this number of sets, all are counted at once.
const MOST_FORESEEN: usize = 2_000;

/// Rounds until no more than `until` slots are left.
pub(super) struct TableRounds<'a, 'b> {
    pub state: &'a mut State<'b>,
    until: u32,
    /// What the rounds before the next fit choose from; `None` after a fit.
    offer: Option<Offer>,
    /// The tables that are still chosen before the next fit.
    batch: u32,
}

/// What a choice is made from.
struct Offer {
    candidates: Vec<WeightedCandidate>,
    /// The mean noise of measuring one.
    noise: f64,
    then: Then,
}

/// What a second choice is for, where there is to be one.
enum Then {
    /// There is none.
    Done,
    /// A set that is close to the first and better, within these bounds; and the model's rows to
    /// compare such sets with.
    Nearer(Bounds, Option<Drawn>),
    /// Another table, which shares the draws of noise.
    Another,
}

impl<'a, 'b> TableRounds<'a, 'b> {
    pub fn new(state: &'a mut State<'b>, until: u32) -> Self {
        Self { state, until, offer: None, batch: 0 }
    }

    /// What a round chooses from.
    fn offer(&self, run: &mut Run) -> Result<Offer, MethodError> {
        let drawn_before = run.soon.pop_front().unwrap_or_default();
        let (offer, ahead) = self.make_offer(run, drawn_before)?;
        if !ahead.is_empty() {
            run.foresee(ahead.iter().flatten());
            run.soon.extend(ahead.into_iter().skip(1));
        }
        Ok(offer)
    }

    /// The offer, and where new sets were drawn for it what is worth counting with them: first what
    /// is of use to this round, then what the next ones are to choose from.
    fn make_offer(&self, run: &Run, drawn_before: Vec<Clique>) -> Result<(Offer, Vec<Vec<Clique>>), MethodError> {
        let (state, model) = (&*self.state, &run.model);
        let shares = state.shares_draws();
        let noise = state.schedule.mean_noise(state.pace)? * if shares { f64::sqrt(2.0) } else { 1.0 };
        let bounds = state.bounds(run, noise);
        // The curator, and all that holds it, stays on one thread.
        let (measured, number) = (&run.measured[..], state.fits);
        let find = || match candidates::still(model, measured, &bounds, drawn_before)? {
            old if !old.is_empty() => Ok((old, true)),
            _ => sets(model, measured, &bounds).map(|new| (new, false)),
        };
        let (sets, rows) = rayon::join(find, || Drawn::worth_it(model, number));
        let ((sets, is_old), rows) = (sets?, rows?);
        let expected = drawn::expected(model, rows.as_ref(), &sets, number)?;
        let candidates = state.weigh(model.columns(), sets, expected, noise);
        let is_alone = shares || state.schedule.choices() < 2;
        let ahead = match is_old {
            true => Vec::new(),
            false => self.ahead(run, &bounds, if is_alone { AHEAD } else { 0 })?,
        };
        let then = match state.schedule.choices() {
            ..2 => Then::Done,
            _ if shares => Then::Another,
            _ => Then::Nearer(bounds, rows),
        };
        Ok((Offer { candidates, noise, then }, ahead))
    }

    /// The whole table, if it is small beside its rows; else all sets that there are, if they are
    /// few, and what the next `rounds` rounds are to choose from.
    fn ahead(&self, run: &Run, bounds: &Bounds, rounds: u64) -> Result<Vec<Vec<Clique>>, MethodError> {
        if let Some(whole) = candidates::whole(run.model.columns(), run.model.total()) {
            return Ok(vec![vec![whole]]);
        }
        let all = candidates::all(run.model.columns(), bounds, MOST_FORESEEN).unwrap_or_default();
        let later = (1..=rounds).map(|more| {
            let later = Bounds { round: bounds.round + more, ..*bounds };
            candidates::candidates(&run.model, &run.measured, &later)
        });
        std::iter::once(Ok(all)).chain(later).collect()
    }

    /// When the signal test's place in the plan has come and no answer has stood out yet: whether
    /// tables are worth measuring.
    fn test_signal(&mut self, run: &mut Run) -> Result<(), MethodError> {
        let Some(price) = self.state.schedule.signal_test() else { return Ok(()) };
        if run.most_error_to_noise > self.state.params.signal_known {
            return Ok(());
        }
        let offer = self.offer(run)?;
        let (candidates, mean_noise) = (scaled(offer.candidates.clone()), offer.noise);
        self.offer = Some(offer);
        self.state.found = find_signal(run, self, &candidates, (price, mean_noise), self.state)?;
        self.state.gave_up = self.state.found.is_none();
        self.offer = None;
        Ok(())
    }
}

impl Policy for TableRounds<'_, '_> {
    const LABEL: &'static str = "a table to measure";

    fn next(&mut self, run: &mut Run) -> Result<Option<Round>, MethodError> {
        if self.offer.is_none() {
            if self.state.schedule.slots() <= self.until || self.state.gave_up {
                return Ok(None);
            }
            self.test_signal(run)?;
            if self.state.gave_up {
                return Ok(None);
            }
            self.offer = Some(self.offer(run)?);
            self.batch = self.state.batch();
        }
        let Some(offer) = &self.offer else { return Ok(None) };
        let (price, draws) = self.state.schedule.round(self.state.pace, offer.noise)?;
        let offer = match self.state.found.take() {
            Some(found) => RoundOffer::Chosen(found),
            None => RoundOffer::Choice(scaled(offer.candidates.clone()), price),
        };
        Ok(Some(Round { offer, draws: Some(draws), progress: self.state.progress() }))
    }

    fn second(&self, run: &Run, first: &ChosenClique) -> Result<SecondChoice, MethodError> {
        let Some(Offer { candidates, noise, then }) = &self.offer else { return Ok(SecondChoice::Omitted) };
        Ok(match then {
            Then::Done => SecondChoice::Omitted,
            Then::Nearer(bounds, rows) => {
                let around = candidates::around(&run.model, &run.measured, bounds, &first.clique)?;
                let expected = drawn::expected(&run.model, rows.as_ref(), &around, self.state.fits)?;
                let weighed = self.state.weigh(run.model.columns(), around, expected, *noise);
                let later = Bounds { round: bounds.round + 1, ..*bounds };
                let next = match run.soon.is_empty() {
                    true => candidates::candidates(&run.model, &run.measured, &later)?,
                    false => Vec::new(),
                };
                SecondChoice::Instead(scaled(weighed), next)
            }
            Then::Another => {
                let apart = |it: &&WeightedCandidate| it.clique.intersection(&first.clique).len() < 2;
                SecondChoice::Beside(scaled(candidates.iter().filter(apart).cloned()))
            }
        })
    }

    fn learn(&mut self, _run: &Run, _chosen: &[ChosenClique], outcomes: &[MeasurementOutcome]) -> bool {
        self.batch -= 1;
        let Some(offer) = &mut self.offer else { return true };
        offer.candidates.retain(|it| outcomes.iter().all(|outcome| outcome.leaves_alone(&it.clique)));
        self.batch == 0 || self.state.schedule.slots() == 0 || offer.candidates.is_empty()
    }

    fn fitted(&mut self, _run: &Run, outcomes: &[MeasurementOutcome]) -> Result<(), MethodError> {
        self.offer = None;
        self.state.fitted(outcomes);
        Ok(())
    }
}

/// The sets that a round chooses from.
fn sets(model: &GrowingModel, measured: &[Clique], bounds: &Bounds) -> Result<Vec<Clique>, MethodError> {
    // When everything that fits has been measured, the best is to measure it better.
    for measured in [measured, &[]] {
        let found = candidates::candidates(model, measured, bounds)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok((0..model.columns().len()).map(|column| Clique::single(AttrId(column as u32))).collect())
}
