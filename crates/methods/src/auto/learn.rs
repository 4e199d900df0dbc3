//! Choosing tables and measuring them.

use std::f64::consts::FRAC_2_PI;

use lookalike_curator::{Candidate, Expected, Score, SelectQuery};
use lookalike_privacy::Rational;
use lookalike_schema::Clique;

use super::pool;
use super::rounds::{Nearer, Offer, Run, Then};
use crate::MethodError;
use crate::planned::broken_plan;

/// What a choice takes off a table's distance: this share of the noise that measuring it would
/// bring.
const NOISE_PENALTY: f64 = 0.5;
/// Answers at most this many times as far from the model as noise and chance put them have nothing
/// else to tell. A little above one: it is the farthest tables that are chosen.
const ONLY_CHANCE: f64 = 1.1;

/// What an answer said.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    pub set: Clique,
    /// How far it was from what the model expected, in units of its noise.
    pub taught: f64,
    /// The same in units of what noise and chance together would do: rows that follow the model
    /// exactly differ from it by about the root of each count.
    beyond_chance: f64,
    /// What chance alone would do, in units of the noise of one draw.
    chance: f64,
}

impl Lesson {
    /// Whether a set looks after the next fit as it does now: what shares a pair of columns with a
    /// measured one does not.
    pub fn leaves_alone(&self, set: &Clique) -> bool {
        set.intersection(&self.set).len() < 2.min(set.len())
    }

    /// The mean of something.
    pub fn mean(lessons: &[Self], what: impl Fn(&Self) -> f64) -> f64 {
        lessons.iter().map(what).sum::<f64>() / lessons.len().max(1) as f64
    }

    /// What chance does, in units of the noise of one draw, where these answers showed nothing
    /// else.
    pub fn only_chance(lessons: &[Self]) -> Option<f64> {
        let only = Self::mean(lessons, |lesson| lesson.beyond_chance) <= ONLY_CHANCE;
        (only && !lessons.is_empty()).then(|| Self::mean(lessons, |lesson| lesson.chance))
    }
}

impl Run<'_> {
    /// Chooses a set, or two that share the round's draws, and measures them.
    pub(super) fn learn(&mut self, offer: &Offer) -> Result<Vec<Lesson>, MethodError> {
        let round = self.purse.round(self.purse.next(self.pace))?;
        let chosen = match self.seen.take() {
            Some(seen) => vec![seen],
            None => self.pick(offer, round.epsilon)?,
        };
        let times = round.times / chosen.len() as u32;
        let one_draw = offer.noise * f64::from(times).sqrt();
        let mut lessons = Vec::new();
        for (set, said) in chosen {
            let before = self.model.columns().from_asked(&set, said.values().to_vec());
            let answer = self.model.measure_mean(self.curator, &set, round.noise, times)?;
            let distance: f64 = before.iter().zip(&answer).map(|(before, after)| (before - after).abs()).sum();
            let away = |variance: f64| -> f64 {
                before.iter().map(|count| (FRAC_2_PI * count.max(0.0) + variance).sqrt()).sum()
            };
            let cells = answer.len() as f64;
            let taught = distance / (offer.noise * cells);
            self.most_taught = self.most_taught.max(taught);
            self.measured.push(set.clone());
            let beyond_chance = distance / away(offer.noise.powi(2)).max(f64::MIN_POSITIVE);
            lessons.push(Lesson { set, taught, beyond_chance, chance: away(0.0) / (one_draw * cells) });
        }
        self.tell();
        Ok(lessons)
    }

    /// Chooses one of the sets, or where that is wanted one that is close to it, or two; each with
    /// what the model says of it.
    pub(super) fn pick(&mut self, offer: &Offer, epsilon: Rational) -> Result<Vec<(Clique, Expected)>, MethodError> {
        let Offer { sets, expected, noise, then } = offer;
        let first = self.choose(sets, expected, *noise, epsilon)?;
        Ok(match then {
            Then::Done => vec![first],
            Then::Nearer(Nearer { bounds, drawn }) => {
                let around = pool::around(&self.model, &self.measured, bounds, &first.0)?;
                let expected = self.expected(drawn.as_ref(), &around)?;
                vec![self.choose(&around, &expected, *noise, epsilon)?]
            }
            Then::Another => {
                let apart = |(set, _): &(&Clique, &Expected)| set.intersection(&first.0).len() < 2;
                let others = sets.iter().zip(expected).filter(apart).map(|(set, said)| (set.clone(), said.clone()));
                let (sets, expected): (Vec<_>, Vec<_>) = others.unzip();
                if sets.is_empty() {
                    vec![first]
                } else {
                    let second = self.choose(&sets, &expected, *noise, epsilon)?;
                    vec![first, second]
                }
            }
        })
    }

    /// The table whose rows are farthest from the model, beyond the noise of measuring it: a
    /// private choice.
    fn choose(
        &mut self,
        sets: &[Clique],
        expected: &[Expected],
        noise: f64,
        epsilon: Rational,
    ) -> Result<(Clique, Expected), MethodError> {
        let columns = self.model.columns();
        let weights: Vec<f64> = sets.iter().map(|set| self.weight(set)).collect();
        let most = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let candidate = |((set, expected), weight): ((&Clique, &Expected), f64)| {
            let offset = -NOISE_PENALTY * noise * expected.values().len() as f64;
            let score = Score::DistanceToModel { clique: columns.asked(set), expected: expected.clone() };
            Candidate { score, weight: weight / most, offset }
        };
        let candidates = sets.iter().zip(expected).zip(weights).map(candidate).collect();
        let query = SelectQuery { label: "a table to measure".into(), candidates, epsilon };
        let place = self.curator.select(&query)?.index;
        let set = sets.get(place).cloned().ok_or_else(broken_plan)?;
        Ok((set, expected[place].clone()))
    }

    /// The mean weight of a set's columns.
    fn weight(&self, set: &Clique) -> f64 {
        let columns = self.model.columns();
        let sum: f64 =
            set.attributes().iter().map(|attribute| self.columns[columns.column_of(attribute.index())].weight).sum();
        sum / set.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use lookalike_schema::AttrId;

    use super::*;

    fn lesson(beyond_chance: f64, chance: f64) -> Lesson {
        Lesson { set: Clique::new([0, 1, 2].map(AttrId)), taught: 3.0, beyond_chance, chance }
    }

    #[test]
    fn only_chance_is_left_when_answers_are_no_farther_on_average() {
        assert_eq!(Lesson::only_chance(&[]), None);
        assert_eq!(Lesson::only_chance(&[lesson(0.8, 3.0), lesson(1.3, 5.0)]), Some(4.0));
        assert_eq!(Lesson::only_chance(&[lesson(0.8, 3.0), lesson(1.5, 5.0)]), None);
    }

    #[test]
    fn what_shares_a_pair_with_a_measured_set_looks_otherwise_afterwards() {
        let leaves = |set: &[u32]| lesson(1.0, 1.0).leaves_alone(&Clique::new(set.iter().map(|&one| AttrId(one))));
        assert!(leaves(&[2, 3, 4]) && leaves(&[5]) && !leaves(&[0, 2, 7]) && !leaves(&[1]));
    }
}
