//! Drawing with replacement: every row by itself.

use super::alias::Alias;
use super::plan::{ConditionalDraw, Parent, SamplingPlan};
use super::rng::SampleRng;
use crate::pgm::factor::layout::strides;

/// A sampling plan with an alias table for each parent cell.
pub(super) struct WithReplacement {
    sizes: Vec<u32>,
    columns: usize,
    draws: Vec<OneDraw>,
}

struct OneDraw {
    parents: Vec<(Parent, usize)>,
    /// Each child with its stride in the joint cell.
    children: Vec<(usize, u32)>,
    rows: Vec<Option<(Vec<u32>, Alias)>>,
}

impl WithReplacement {
    pub fn new(sampling_plan: &SamplingPlan) -> Self {
        let draws = sampling_plan.draws.iter().map(|draw| OneDraw::new(draw, &sampling_plan.sizes)).collect();
        Self { sizes: sampling_plan.sizes.clone(), columns: sampling_plan.columns, draws }
    }

    pub fn draw(&self, rows: usize, rng: &mut SampleRng) -> Vec<Vec<u32>> {
        let mut columns = vec![Vec::new(); self.sizes.len()];
        for draw in &self.draws {
            let mut cells = vec![0u32; rows];
            for (row, cell) in cells.iter_mut().enumerate() {
                let key = draw
                    .parents
                    .iter()
                    .map(|(parent, stride)| stride * parent.sees(columns[parent.variable][row] as usize));
                // Parent cells without weight are never reached: conditioning has seen to it.
                if let Some((names, alias)) = &draw.rows[key.sum::<usize>()] {
                    *cell = names[alias.draw(rng) as usize];
                }
            }
            for &(child, stride) in &draw.children {
                columns[child] = cells.iter().map(|cell| cell / stride % self.sizes[child]).collect();
            }
        }
        columns.truncate(self.columns);
        columns
    }
}

impl OneDraw {
    fn new(draw: &ConditionalDraw, sizes: &[u32]) -> Self {
        let parents = draw.parents.iter().cloned().zip(draw.strides(sizes)).collect();
        let shape: Vec<usize> = draw.children.iter().map(|&child| sizes[child] as usize).collect();
        let steps = strides(&shape).into_iter().map(|stride| stride as u32);
        let row = |row: usize| {
            let (cells, weights) = draw.weights.row(row);
            Alias::of_weights(weights).map(|alias| (cells.to_vec(), alias))
        };
        Self {
            parents,
            children: draw.children.iter().copied().zip(steps).collect(),
            rows: (0..draw.weights.rows()).map(row).collect(),
        }
    }
}

/// Rows of several sampling plans, each row of one that is drawn for it.
pub(super) fn mixed(
    parts: &[WithReplacement],
    shares: Option<&Alias>,
    rows: usize,
    rng: &mut SampleRng,
) -> Vec<Vec<u32>> {
    if let [one] = parts {
        return one.draw(rows, rng);
    }
    let Some(shares) = shares else { return Vec::new() };
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    (0..rows).for_each(|row| takers[shares.draw(rng) as usize].push(row));
    let mut columns = vec![vec![0u32; rows]; parts.first().map_or(0, |part| part.columns)];
    for (part, rows) in parts.iter().zip(&takers) {
        let own = part.draw(rows.len(), rng);
        for (column, own) in columns.iter_mut().zip(&own) {
            rows.iter().zip(own).for_each(|(&row, &code)| column[row] = code);
        }
    }
    columns
}
