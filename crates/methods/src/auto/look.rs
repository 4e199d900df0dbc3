//! A look before tables are measured in earnest: is there anything beyond noise?

use lookalike_curator::{Expected, Score, ScoreQuery};
use lookalike_schema::Clique;

use super::purse::LOOKED_AT;
use super::rounds::Run;
use crate::MethodError;
use crate::planned::broken_plan;

/// An answer this many times as far from the model as noise alone would put it has shown that
/// columns depend on one another. Less than that may be what the columns' own counts had wrong.
pub(super) const LEARNT: f64 = 3.0;
/// Tables are worth measuring when they are this many times as far from the model as their noise
/// would put them. Giving up where there is something costs more than going on where there is
/// nothing.
const WORTH: f64 = 0.8;

impl Run<'_> {
    /// When the look's place in the plan has come and no answer has taught much yet: a few times a
    /// choice as in every round, and how far the chosen table is from the model. If that is, beyond
    /// what the columns' own noise explains, on average less than the noise of measuring it, tables
    /// are given up. More than one, because at small budgets a choice often takes a poor table.
    ///
    /// A number says it for next to nothing: a distance has a row's sensitivity, a table has it
    /// too, but in every cell as much noise as the distance has in all. Where columns are
    /// independent, tables would cost most of the budget and teach nothing that the columns' own
    /// counts do not say better.
    pub(super) fn look(&mut self) -> Result<(), MethodError> {
        let Some(look) = self.purse.look() else { return Ok(()) };
        if self.most_taught > LEARNT {
            return Ok(());
        }
        let offer = self.offer()?;
        let enough = WORTH * f64::from(LOOKED_AT);
        let (mut sum, mut best) = (0.0, f64::NEG_INFINITY);
        for _ in 0..LOOKED_AT {
            let picked = self.pick(&offer, look.epsilon)?;
            let (set, said) = picked.into_iter().next().ok_or_else(broken_plan)?;
            let score = Score::DistanceToModel { clique: self.model.columns().asked(&set), expected: said.clone() };
            let answers = self.curator.noisy_scores(&[ScoreQuery { score, noise: look.noise }])?;
            let distance = answers.first().map_or(0.0, |answer| answer.rows());
            // What stands out beyond the columns' own noise; independent errors add up by their
            // squares.
            let beyond = (distance.max(0.0).powi(2) - self.by_columns(&set, &said).powi(2)).max(0.0).sqrt();
            let ratio = beyond / (offer.noise * said.values().len() as f64);
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

    /// How far a table of unrelated columns would be from the model because the columns' own counts
    /// are noisy. A cell is as much too large as its values are: each by its noise, in proportion
    /// to the cell's part of it.
    fn by_columns(&self, set: &Clique, said: &Expected) -> f64 {
        let columns = self.model.columns();
        let cells = columns.from_asked(set, said.values().to_vec());
        let mut variances = vec![0.0; cells.len()];
        let mut stride = cells.len();
        for attribute in set.attributes() {
            let size = columns.domain().size(*attribute) as usize;
            stride /= size;
            let code = |cell: usize| cell / stride % size;
            let mut counts = vec![0.0; size];
            cells.iter().enumerate().for_each(|(cell, count)| counts[code(cell)] += count);
            let variance = self.columns[columns.column_of(attribute.index())].variance;
            for (cell, sum) in variances.iter_mut().enumerate() {
                let count = counts[code(cell)];
                *sum += if count > 0.0 { (cells[cell] / count).powi(2) * variance } else { 0.0 };
            }
        }
        variances.into_iter().map(|variance| (std::f64::consts::FRAC_2_PI * variance).sqrt()).sum()
    }
}
