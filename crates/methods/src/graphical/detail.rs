//! Detail of columns whose bins nobody stated: measured in several slots on the schema's own grid,
//! and held as groups that a table's noise can carry.

use lookalike_curator::{Curator, Noise};
use lookalike_model::Model;
use lookalike_schema::Schema;

use super::merge::MOST_RUNS;
use super::one_way_marginals::{descends, season_times};
use super::{Merging, OneWayMarginals};
use crate::MethodError;

/// The most codes of such a column.
pub const GRID: u32 = 262_144;
/// The fewest groups that it is held as.
const FEWEST_RUNS: f64 = 4.0;
/// A column of this many values is measured as often as one that goes down from slot to slot.
const USUAL_VALUES: f64 = 12.0;
/// Others by the power of their values with which the sum of all columns' errors is least.
const TIMES_POWER: f64 = 2.0 / 3.0;
/// The fewest times, and the most as a multiple of the slots.
const FEWEST_TIMES: u32 = 3;
const MOST_SLOTS: u32 = 4;

/// How such columns are measured and held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Columns with more ordered values than that are.
    pub values: u32,
    /// Where a column has more ordered values than that, and nobody stated its bins, every column
    /// is measured in slots, and those of more ordered values are held as runs of them.
    pub level_values: u32,
    /// The slots of each column's own counts.
    pub slots: u32,
    /// A table of two of them as held has a mean count of this many times its mean noise.
    pub usefulness: f64,
}

impl Detail {
    /// None: every column is measured once, value by value.
    pub const OFF: Self = Self { values: u32::MAX, level_values: u32::MAX, slots: 1, usefulness: 20.0 };
    /// What `auto` has.
    pub const ON: Self = Self { values: 12, level_values: 2, slots: 6, usefulness: 20.0 };

    /// A method's switch.
    pub const fn when(on: bool) -> Self {
        if on { Self::ON } else { Self::OFF }
    }

    /// How often every column is measured: once where none goes down from slot to slot. Where
    /// epsilons add, the noise of every slot grows with their number.
    pub fn slots(&self, schema: &Schema, is_pure: bool) -> u32 {
        let least = self.values.min(self.level_values);
        let any = schema.domain().attributes().any(|attribute| descends(schema, attribute, least));
        match (any, is_pure) {
            (false, _) => 1,
            (true, false) => self.slots,
            (true, true) => self.slots.div_ceil(2),
        }
    }

    /// How often each column is measured where columns are in this many slots: once a slot where it
    /// goes down from slot to slot, else by its number of values, since the errors of all of them
    /// add up.
    pub fn times(&self, schema: &Schema, slots: u32) -> Vec<u32> {
        let times = |attribute| match descends(schema, attribute, self.values) {
            true => slots,
            false if slots < 2 => 1,
            false => {
                let values = f64::from(schema.codec(attribute).size());
                let wanted = f64::from(slots) * (values / USUAL_VALUES).powf(TIMES_POWER);
                (wanted.round() as u32).clamp(FEWEST_TIMES.min(slots), MOST_SLOTS * slots)
            }
        };
        schema.domain().attributes().map(times).collect()
    }

    /// The marginals that measuring every column in this many slots takes.
    pub fn marginals(&self, schema: &Schema, slots: u32) -> usize {
        let down = schema.domain().attributes().filter(|&attribute| descends(schema, attribute, self.values));
        let recurring: usize = down.map(|attribute| schema.codec(attribute).recurring().len()).sum();
        self.times(schema, slots).iter().sum::<u32>() as usize + season_times(slots) * recurring
    }

    /// Measures every column in this many slots.
    ///
    /// # Privacy
    /// The cost is that of [`Curator::marginals`] for as many as [`marginals`](Self::marginals)
    /// says.
    pub fn measure(&self, curator: &mut Curator, noise: Noise, slots: u32) -> Result<OneWayMarginals, MethodError> {
        let times = self.times(curator.schema(), slots);
        OneWayMarginals::descend(curator, noise, slots, &times, self.values)
    }

    /// So few groups that tables with this mean noise carry them, where columns are measured in
    /// this many slots.
    pub fn held(&self, merging: Merging, slots: u32, rows: f64, mean_noise: f64) -> Merging {
        let runs = (rows / (self.usefulness * mean_noise)).sqrt();
        let most_runs = runs.clamp(FEWEST_RUNS, f64::from(MOST_RUNS)) as u32;
        let run_values = if slots > 1 { self.values.min(self.level_values) } else { u32::MAX };
        Merging { most_runs, run_values, ..merging }
    }

    /// The model, in which values inside groups follow the other columns.
    pub fn filled(model: Model, slots: u32) -> Result<Model, MethodError> {
        if slots > 1 { Ok(model.with_copula()?) } else { Ok(model) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More values, more counts; a column that goes down from slot to slot has one a slot, and
    /// where there are no slots all have one.
    #[test]
    fn columns_are_counted_by_their_values() {
        let words: Vec<String> = (0..200).map(|word| format!("'{word}'")).collect();
        let text = format!(
            "grid = {GRID}\n[columns.a]\ntype = 'category'\nvalues = ['x', 'y']\n\
             [columns.b]\ntype = 'integer'\nrange = [1, 12]\n[columns.c]\ntype = 'integer'\nrange = [0, 9999]\n\
             [columns.d]\ntype = 'category'\nvalues = [{}]\n",
            words.join(", ")
        );
        let schema = Schema::parse(&text, "test").unwrap();
        assert_eq!(Detail::ON.times(&schema, 6), [3, 6, 6, 24]);
        assert_eq!(Detail::ON.marginals(&schema, 6), 39);
        assert_eq!(Detail::ON.times(&schema, 3), [3, 3, 3, 12]);
        assert_eq!(Detail::OFF.times(&schema, 1), [1; 4]);
    }
}
