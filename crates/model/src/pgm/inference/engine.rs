//! A schedule with its buffers: log fields in, marginals out.

use std::sync::Arc;

use lookalike_schema::Clique;

use super::pass::{CliqueState, Pass};
use super::schedule::{Above, FieldGroup, Schedule};
use crate::pgm::factor::kernel::{self, VectorLevel};
use crate::pgm::tree::JunctionTree;
use crate::{Halt, ModelError};

/// Inference on one tree with log fields on some cliques. All buffers are made once; a pass
/// allocates nothing.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub tree: Arc<JunctionTree>,
    pub schedule: Arc<Schedule>,
    pub states: Vec<CliqueState>,
    /// Fields that others lie in, with those added.
    joined: Vec<f64>,
    /// Field groups: the sums of the fields in them.
    field_groups: Vec<f64>,
    /// The marginals of fields that lie in others or in field groups. Those of other fields lie in
    /// the states.
    nested: Vec<f64>,
    level: VectorLevel,
    /// Passes that had to be repeated in log space.
    pub careful: u64,
    /// Asked before every piece of a pass.
    pub halt: Halt,
}

impl Engine {
    pub fn new(tree: Arc<JunctionTree>, cliques: &[Clique]) -> Result<Self, ModelError> {
        let schedule = Schedule::new(&tree, cliques)?;
        let states = schedule.nodes.iter().map(CliqueState::new).collect();
        let (joined, nested) = (vec![0.0; schedule.joined_cells], vec![0.0; schedule.nested_cells]);
        let field_groups = vec![0.0; schedule.field_group_cells];
        Ok(Self {
            tree,
            schedule: Arc::new(schedule),
            states,
            joined,
            field_groups,
            nested,
            level: VectorLevel::detect(),
            careful: 0,
            halt: Halt::never(),
        })
    }

    /// One pass. Returns the log of the sum over all rows of e^(sum of fields). Each field is
    /// multiplied by its scale first; no scales means 1.
    ///
    /// Refuses fields that leave no possible row, or that are not numbers; and stops when it is
    /// told to, with tables that are of no use.
    pub fn calibrate(&mut self, fields: &[f64], scales: &[f64]) -> Result<f64, ModelError> {
        let log = match self.pass(fields, scales, |pass, states| pass.run(states)) {
            Some(log) => Some(log),
            None => {
                self.halt.check(0)?;
                self.careful += 1;
                self.pass(fields, scales, |pass, states| pass.run_carefully(states))
            }
        };
        self.sum_nested();
        // A pass that was told to stop has left its tables half done.
        self.halt.check(0)?;
        log.ok_or_else(|| ModelError::shape("the potentials and the impossible rules leave no possible row"))
    }

    /// As [`Engine::calibrate`], in log space whatever the fields are.
    #[cfg(test)]
    pub fn calibrate_carefully(&mut self, fields: &[f64]) -> Option<f64> {
        let log = self.pass(fields, &[], |pass, states| pass.run_carefully(states));
        self.sum_nested();
        log
    }

    /// The largest sum of fields over all possible rows. No marginals are left afterwards.
    pub fn best(&mut self, fields: &[f64], scales: &[f64]) -> f64 {
        self.pass(fields, scales, |pass, states| pass.best(states))
    }

    /// Joins the fields and runs a pass on them.
    fn pass<T>(&mut self, fields: &[f64], scales: &[f64], run: impl FnOnce(&Pass, &mut [CliqueState]) -> T) -> T {
        self.join(fields, scales);
        let (joined, field_groups, halt) = (&self.joined[..], &self.field_groups[..], &self.halt);
        let pass = Pass { schedule: &self.schedule, fields, scales, joined, field_groups, level: self.level, halt };
        run(&pass, &mut self.states)
    }

    /// The marginal of a field's clique after a pass, laid out as the field.
    pub fn marginal(&self, number: usize) -> &[f64] {
        let field = &self.schedule.fields[number];
        match (&field.above, &field.nested) {
            (Above::Table(place), _) => &self.states[*place].table,
            (Above::Output(place, sums), _) => &self.states[*place].parts[0][sums.clone()],
            (Above::Field(..) | Above::FieldGroup(..), cells) => &self.nested[cells.clone().unwrap_or(0..0)],
        }
    }

    /// Adds every field to the larger one it lies in, and the outermost ones to their field groups:
    /// tables only see field groups and fields that are in none.
    fn join(&mut self, fields: &[f64], scales: &[f64]) {
        let scale = |number: usize| scales.get(number).copied().unwrap_or(1.0);
        for (number, field) in self.schedule.fields.iter().enumerate() {
            if let Some(cells) = &field.joined {
                let pairs = self.joined[cells.clone()].iter_mut().zip(&fields[field.cells.clone()]);
                pairs.for_each(|(sum, &log)| *sum = scale(number) * log);
            }
        }
        for (number, field) in self.schedule.fields.iter().enumerate().rev() {
            let Above::Field(larger, plan) = &field.above else { continue };
            let Some(outer) = self.schedule.fields[*larger].joined.clone() else { continue };
            if self.halt.asked(outer.len()) {
                return;
            }
            match &field.joined {
                // Larger fields come first, so they lie before this one.
                Some(own) => {
                    let (front, back) = self.joined.split_at_mut(own.start);
                    kernel::add_from(self.level, plan, 0, &mut front[outer], &back[..own.len()], 1.0);
                }
                None => {
                    let own = &fields[field.cells.clone()];
                    kernel::add_from(self.level, plan, 0, &mut self.joined[outer], own, scale(number));
                }
            }
        }
        self.field_groups.fill(0.0);
        for (number, field) in self.schedule.fields.iter().enumerate() {
            let Above::FieldGroup(field_group, plan) = &field.above else { continue };
            let field_group = &mut self.field_groups[self.schedule.field_groups[*field_group].cells.clone()];
            if self.halt.asked(field_group.len()) {
                return;
            }
            match &field.joined {
                Some(own) => kernel::add_from(self.level, plan, 0, field_group, &self.joined[own.clone()], 1.0),
                None => kernel::add_from(self.level, plan, 0, field_group, &fields[field.cells.clone()], scale(number)),
            }
        }
    }

    /// Sums the marginals of fields that lie in others or in field groups.
    fn sum_nested(&mut self) {
        let mut nested = std::mem::take(&mut self.nested);
        for field in &self.schedule.fields {
            let Some(cells) = &field.nested else { continue };
            let (front, back) = nested.split_at_mut(cells.start);
            let own = &mut back[..cells.len()];
            own.fill(0.0);
            if self.halt.asked(own.len()) {
                continue;
            }
            match &field.above {
                Above::Field(larger, plan) => {
                    let outer = match &self.schedule.fields[*larger].nested {
                        Some(outer) => &front[outer.clone()],
                        None => self.marginal(*larger),
                    };
                    kernel::add_onto(self.level, plan, 0, outer, own);
                }
                Above::FieldGroup(field_group, plan) => {
                    let FieldGroup { place, sums, .. } = &self.schedule.field_groups[*field_group];
                    kernel::add_onto(self.level, plan, 0, &self.states[*place].parts[0][sums.clone()], own);
                }
                Above::Table(_) | Above::Output(..) => {}
            }
        }
        self.nested = nested;
    }
}
