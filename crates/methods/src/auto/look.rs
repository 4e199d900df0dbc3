//! A look before tables are measured in earnest: is there anything beyond noise?

use lookalike_curator::{Score, ScoreQuery};

use super::purse::LOOKED_AT;
use super::rounds::Run;
use crate::MethodError;

/// An answer this many times as far from the model as noise alone would put it has shown that columns depend on one another. Less than
/// that may be what the columns' own counts had wrong.
pub(super) const LEARNT: f64 = 3.0;
/// Tables are worth measuring when they are this many times as far from the model as their noise would put them.
const WORTH: f64 = 1.0;

impl Run<'_> {
    /// When the look's place in the plan has come and no answer has taught much yet: a few times a choice as in every round, and how
    /// far the chosen table is from the model. If that is on average less than the noise of measuring it, tables are given up. More
    /// than one, because at small budgets a choice often takes a poor table.
    ///
    /// A number says it for next to nothing: a distance has a row's sensitivity, a table has it too, but in every cell as much
    /// noise as the distance has in all. Where columns are independent, tables would cost most of the budget and teach
    /// nothing that the columns' own counts do not say better.
    pub(super) fn look(&mut self) -> Result<(), MethodError> {
        let Some(look) = self.purse.look() else { return Ok(()) };
        if self.most_taught > LEARNT {
            return Ok(());
        }
        let offer = self.offer()?;
        let enough = WORTH * f64::from(LOOKED_AT);
        let (mut sum, mut best) = (0.0, f64::NEG_INFINITY);
        for _ in 0..LOOKED_AT {
            let (set, said) = self.pick(&offer, look.epsilon)?;
            let score = Score::DistanceToModel { clique: self.model.columns().asked(&set), expected: said.clone() };
            let answers = self.curator.noisy_scores(&[ScoreQuery { score, noise: look.noise }])?;
            let distance = answers.first().map_or(0.0, |answer| answer.rows());
            let ratio = distance / (offer.noise * said.values().len() as f64);
            sum += ratio;
            if ratio > best {
                // It is the next round's table: what it was chosen for still holds.
                (best, self.seen) = (ratio, Some((set, said)));
            }
            // One plain answer will do.
            if sum > enough {
                return Ok(());
            }
        }
        self.gave_up = true;
        Ok(())
    }
}
