//! One look before tables are measured in earnest: is there anything beyond noise?

use lookalike_curator::{Score, ScoreQuery};

use super::rounds::Run;
use crate::MethodError;

/// An answer this many times as far from the model as noise alone would put it has shown that columns depend on one another. Less than
/// that may be what the columns' own counts had wrong.
const LEARNT: f64 = 3.0;
/// A table is worth measuring when it is this many times as far from the model as its noise would put it.
const WORTH: f64 = 1.0;
/// And so many standard deviations of the look itself, which tell in small tables.
const MARGIN: f64 = 1.5;

impl Run<'_> {
    /// When the look's place in the plan has come and no answer has taught much yet: a choice as in every round, and how far the
    /// chosen table is from the model. If that is less than the noise of measuring it, tables are given up.
    ///
    /// One number says it for next to nothing: a distance has a row's sensitivity, a table has it too, but in every cell as much
    /// noise as the distance has in all. Where columns are independent, tables would cost most of the budget and teach
    /// nothing that the columns' own counts do not say better.
    pub(super) fn look(&mut self) -> Result<(), MethodError> {
        let Some(look) = self.purse.look() else { return Ok(()) };
        if self.most_taught > LEARNT {
            return Ok(());
        }
        let noise = self.purse.mean_noise(self.pace)?;
        let bounds = self.bounds(noise);
        let sets = self.candidates(&bounds)?;
        let drawn = self.drawn()?;
        let expected = self.expected(drawn.as_ref(), &sets)?;
        let (set, said) = self.pick(&sets, &expected, noise, Some((drawn.as_ref(), &bounds)), look.epsilon)?;
        let score = Score::DistanceToModel { clique: self.model.columns().asked(&set), expected: said.clone() };
        let answers = self.curator.noisy_scores(&[ScoreQuery { score, noise: look.noise }])?;
        let usual = WORTH * noise * said.values().len() as f64;
        self.gave_up = answers.first().is_none_or(|answer| answer.rows() <= usual + MARGIN * answer.variance().sqrt());
        // It is the next round's table: what it was chosen for still holds.
        self.seen = Some((set, said));
        Ok(())
    }
}
