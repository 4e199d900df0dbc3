//! Coarse levels of columns, so that tables of many columns fit.

use rayon::prelude::*;

use super::cluster;
use super::drawn::FEWEST_DRAWN;
use super::ladder::Ladder;
use crate::MethodError;
use crate::graphical::CoarseLevel;
use crate::rounds::Run;

/// Tables with more columns get no coarse levels: the tree has enough to hold.
const MOST_COLUMNS: usize = 40;
/// Rows of the model that say which values are alike.
const MOST_PROFILED: f64 = 5e4;

/// Adds coarse levels of every column that has none, by what the model knows so far.
pub(super) fn add_coarse_levels(run: &mut Run, ladder: &Ladder) -> Result<(), MethodError> {
    let all = run.model.columns().domain().len();
    let sizes = run.model.columns().domain().sizes()[..run.model.columns().len()].to_vec();
    if sizes.len() > MOST_COLUMNS {
        return Ok(());
    }
    let rows = run.model.total().clamp(FEWEST_DRAWN, MOST_PROFILED) as u64;
    let drawn = run.model.drawn(rows, u64::MAX)?;
    let made: Vec<_> =
        (0..sizes.len()).into_par_iter().map(|column| cluster::levels(profiles(&drawn, &sizes, column))).collect();
    let mut levels: Vec<CoarseLevel> = Vec::new();
    // Ordered columns may have theirs already.
    for (column, groupings) in made.into_iter().enumerate().filter(|(column, _)| !ladder.has(*column)) {
        let mut from = column;
        for grouping in groupings {
            levels.push(CoarseLevel { column, from, grouping });
            from = all + levels.len() - 1;
        }
    }
    run.model.add_coarse_levels(run.curator, &levels)
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
