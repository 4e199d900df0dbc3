//! A schedule with its buffers: log fields in, marginals out.

use std::sync::Arc;

use lookalike_schema::Clique;

use super::pass::{Pass, State};
use super::schedule::{Above, Schedule};
use crate::ModelError;
use crate::factor::kernel::{self, Level};
use crate::tree::Tree;

/// Inference on one tree with log fields on some cliques. All buffers are made once; a pass allocates nothing.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub tree: Arc<Tree>,
    pub schedule: Arc<Schedule>,
    pub states: Vec<State>,
    /// Fields with those inside them added.
    combined: Vec<f64>,
    /// The marginals of the fields' cliques after a pass, laid out as the fields.
    pub marginals: Vec<f64>,
    level: Level,
    /// Passes that had to be repeated in log space.
    pub careful: u64,
}

impl Engine {
    pub fn new(tree: Arc<Tree>, cliques: &[Clique]) -> Result<Self, ModelError> {
        let schedule = Schedule::new(&tree, cliques)?;
        let states = schedule.nodes.iter().map(State::new).collect();
        let (combined, marginals) = (vec![0.0; schedule.field_cells], vec![0.0; schedule.field_cells]);
        Ok(Self { tree, schedule: Arc::new(schedule), states, combined, marginals, level: Level::detect(), careful: 0 })
    }

    /// One pass. Returns the log of the sum over all rows of e^(sum of fields). Each field is multiplied by its scale
    /// first; no scales means 1.
    ///
    /// Refuses fields that leave no possible row, or that are not numbers.
    pub fn calibrate(&mut self, fields: &[f64], scales: &[f64]) -> Result<f64, ModelError> {
        self.combine(fields, scales);
        let pass = Pass { schedule: &self.schedule, fields: &self.combined, level: self.level };
        let log = match pass.run(&mut self.states) {
            Some(log) => log,
            None => {
                self.careful += 1;
                pass.run_carefully(&mut self.states)
                    .ok_or_else(|| ModelError::shape("the potentials and the impossible rules leave no possible row"))?
            }
        };
        self.gather();
        Ok(log)
    }

    /// The largest sum of fields over all possible rows. The tables hold no marginals afterwards.
    pub fn best(&mut self, fields: &[f64], scales: &[f64]) -> f64 {
        self.combine(fields, scales);
        Pass { schedule: &self.schedule, fields: &self.combined, level: self.level }.best(&mut self.states)
    }

    /// The fields of the last pass, those inside others added.
    #[cfg(test)]
    pub fn combined(&self) -> &[f64] {
        &self.combined
    }

    /// Adds every field to the larger one it lies in, so that tables only see the outermost.
    fn combine(&mut self, fields: &[f64], scales: &[f64]) {
        self.combined.copy_from_slice(fields);
        for (field, &scale) in self.schedule.fields.iter().zip(scales) {
            self.combined[field.cells.clone()].iter_mut().for_each(|cell| *cell *= scale);
        }
        for field in self.schedule.fields.iter().rev() {
            if let Above::Field(larger, plan) = &field.above {
                let outer = self.schedule.fields[*larger].cells.clone();
                let (front, back) = self.combined.split_at_mut(field.cells.start);
                kernel::add_from(self.level, plan, 0, &mut front[outer], &back[..field.cells.len()]);
            }
        }
    }

    /// Copies the marginals of the fields' cliques out of the tables.
    fn gather(&mut self) {
        for field in &self.schedule.fields {
            let (front, back) = self.marginals.split_at_mut(field.cells.start);
            let cells = &mut back[..field.cells.len()];
            match &field.above {
                Above::Table(place) => cells.copy_from_slice(&self.states[*place].table),
                Above::Output(place, sums) => cells.copy_from_slice(&self.states[*place].parts[0][sums.clone()]),
                Above::Field(larger, plan) => {
                    cells.fill(0.0);
                    kernel::add_onto(self.level, plan, 0, &front[self.schedule.fields[*larger].cells.clone()], cells);
                }
            }
        }
    }
}
