//! Rows of which some columns are known: the others are drawn, row by row.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::blocks::{BinPlaces, PLACES, SampledBlock};
use super::plan::SamplingPlan;
use super::plan::evidence::Evidence;
use super::rng::SampleRng;
use super::with::WithReplacement;
use crate::{Halt, Model, ModelError};

/// What the bits of completed rows are for.
const COMPLETED: &str = "completed rows v1";

/// Codes that are known, one a modelled column; `None` where it is to be drawn.
type Known = Vec<Option<u32>>;

impl Model {
    /// Rows with these columns known, each with the others drawn given its own. Same model, known
    /// columns and seed: same rows on any platform and thread count.
    ///
    /// Where the model holds what is known of a row for impossible, known columns are let go for
    /// the draw, the last ones first, until it is possible; the row keeps its codes all the same.
    ///
    /// # Errors
    /// Known columns that are not the model's, codes that a column lacks, or a stop.
    pub fn complete(
        &self,
        known: &[Option<Vec<u32>>],
        rows: usize,
        seed: u64,
        halt: &Halt,
    ) -> Result<SampledBlock, ModelError> {
        let plan = self.structure().sampling_plan(self.schema(), self.rules())?;
        check(known, rows, &plan.sizes[..plan.columns.min(plan.sizes.len())])?;
        let mut alike: BTreeMap<Known, Vec<usize>> = BTreeMap::new();
        for row in 0..rows {
            alike.entry(known.iter().map(|column| Some(column.as_ref()?[row])).collect()).or_default().push(row);
        }
        let alike: Vec<(Known, Vec<usize>)> = alike.into_iter().collect();
        let drawn = alike.par_iter().enumerate().map(|(number, (known, rows))| {
            halt.check(rows.len() * plan.columns)?;
            let mut rng = SampleRng::new(seed, COMPLETED, number as u64);
            Ok(WithReplacement::new(&given(&plan, known)?).draw(rows.len(), &mut rng))
        });
        let drawn: Vec<Vec<Vec<u32>>> = drawn.collect::<Result<_, _>>()?;
        let mut columns = vec![vec![0; rows]; plan.columns];
        for ((known, rows), drawn) in alike.iter().zip(drawn) {
            for ((column, drawn), known) in columns.iter_mut().zip(drawn).zip(known) {
                rows.iter().zip(drawn).for_each(|(&row, code)| column[row] = known.unwrap_or(code));
            }
        }
        let places = BinPlaces { seed, stream: PLACES, number: 0 };
        Ok(SampledBlock { first_row: 0, rows, columns, places, settles: None })
    }
}

/// The plan given what is known, or the most of it that is possible.
fn given(plan: &SamplingPlan, known: &Known) -> Result<SamplingPlan, ModelError> {
    for taken in (0..=known.len()).rev() {
        if taken < known.len() && known[taken].is_none() {
            continue;
        }
        let evidence: Evidence = (0..plan.sizes.len())
            .map(|variable| {
                let code = known[..taken].get(variable).copied().flatten()?;
                Some((0..plan.sizes[variable]).map(|other| f64::from(u8::from(other == code))).collect())
            })
            .collect();
        let conditioned = plan.condition(&evidence)?;
        if conditioned.probability > 0.0 {
            return Ok(conditioned.sampling_plan);
        }
    }
    Err(ModelError::Impossible)
}

fn check(known: &[Option<Vec<u32>>], rows: usize, sizes: &[u32]) -> Result<(), ModelError> {
    let fits = |(column, &size): (&Option<Vec<u32>>, &u32)| {
        column.as_ref().is_none_or(|codes| codes.len() == rows && codes.iter().all(|&code| code < size))
    };
    if known.len() == sizes.len() && known.iter().zip(sizes).all(fits) {
        return Ok(());
    }
    Err(ModelError::shape("the known columns are not those of the model"))
}
