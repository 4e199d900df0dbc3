//! Coarser copies of columns, so that tables of many columns fit.

use rayon::prelude::*;

use super::cluster;
use super::drawn::FEWEST_DRAWN;
use super::rounds::Run;
use crate::MethodError;
use crate::graphical::Copy;

/// Tables with more columns get no copies: the tree has enough to hold.
const MOST_COPIED: usize = 40;
/// Rows of the model that say which values are alike.
const MOST_PROFILED: f64 = 5e4;

impl Run<'_> {
    /// Coarser copies of every column, by what the model knows so far.
    pub fn add_copies(&mut self) -> Result<(), MethodError> {
        let sizes = self.model.columns().domain().sizes().to_vec();
        if self.gave_up || sizes.len() > MOST_COPIED {
            return Ok(());
        }
        let rows = self.model.total().clamp(FEWEST_DRAWN, MOST_PROFILED) as u64;
        let drawn = self.model.drawn(rows, u64::MAX)?;
        let made: Vec<_> =
            (0..sizes.len()).into_par_iter().map(|column| cluster::levels(profiles(&drawn, &sizes, column))).collect();
        let mut copies: Vec<Copy> = Vec::new();
        for (column, levels) in made.into_iter().enumerate() {
            let mut from = column;
            for grouping in levels {
                copies.push(Copy { column, from, grouping });
                from = sizes.len() + copies.len() - 1;
            }
        }
        self.model = self.model.clone().with_copies(self.curator, &copies)?;
        Ok(())
    }
}

/// For each value of a column, how often it goes with each value of each other column.
fn profiles(drawn: &[Vec<u32>], sizes: &[u32], column: usize) -> Vec<Vec<f64>> {
    let values = sizes[column] as usize;
    let mut profiles = vec![Vec::new(); values];
    for (other, &size) in sizes.iter().enumerate().filter(|&(other, _)| other != column) {
        let size = size as usize;
        let mut table = vec![0.0; values * size];
        let pairs = drawn[column].iter().zip(&drawn[other]);
        pairs.for_each(|(&own, &other)| table[own as usize * size + other as usize] += 1.0);
        profiles.iter_mut().zip(table.chunks(size)).for_each(|(profile, row)| profile.extend_from_slice(row));
    }
    profiles
}
