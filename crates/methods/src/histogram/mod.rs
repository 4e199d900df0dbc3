//! `histogram`: rows drawn from the smoothed joint table of all columns.

mod draw;
mod forecast;
mod params;
mod reach;

#[cfg(test)]
mod tests;

use lookalike_curator::{Curator, MAX_DRAWS, histogram_cells};
use lookalike_privacy::{Budget, Neighbours, Relation};
use lookalike_schema::Schema;

pub use params::HistogramParams;
use params::NAME;

use crate::settings::AreLegal;
use crate::{Forecast, Method, MethodError, MethodInfo, Observer, Outcome, Parameters, PublicFacts, Request};
pub use reach::Reach;

impl Parameters for HistogramParams {
    type Checked = Histogram;

    const METHOD: MethodInfo = MethodInfo::new::<Self>(
        NAME,
        "rows of the whole joint table, mixed with uniform ones: few columns, few rows, every row is paid for, no model",
        0.0,
    );

    fn checked(self, _: AreLegal) -> Histogram {
        Histogram { params: self }
    }
}

/// The method with checked parameters.
///
/// # Privacy
/// - Neighbours: replace-one, so that n is public.
/// - Mechanism: one query of the curator, which draws the k released rows itself: uniform over the
///   M possible cells with probability d (the smoothing), otherwise the cell of a record chosen at
///   random.
/// - Cost: k ln(1 + (1 - d) M / (n d)), pure: linear in the released rows. d is the least that the
///   budget allows, rounded up. The number of rows depends on the flags, the schema, the budget and
///   the public n alone.
/// - Source: Wasserman and Zhou 2010, as in the Aalborg report, theorem 3.1.1; the proof with
///   impossible cells is in the curator's `histogram.rs`.
/// - There is no model and no free sampling: the drawing of the rows is the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Histogram {
    params: HistogramParams,
}

impl Histogram {
    /// What the flags alone say against it.
    fn check_flags(&self, neighbours: Neighbours, budget: Budget, request: &Request) -> Result<(), MethodError> {
        let refuse = |what: String, help: &str| Err(MethodError::Setting { what, help: help.into() });
        if neighbours.relation() != Relation::ReplaceOne {
            let what = format!("method {NAME} needs a public number of rows");
            return refuse(what, "use the relation replace-one, or another method");
        }
        if !budget.is_pure() {
            return refuse(format!("method {NAME} is pure epsilon and has no use for a delta"), "leave it out");
        }
        match request.rows {
            Some(rows) if rows == 0 || rows > MAX_DRAWS => {
                refuse(format!("method {NAME} cannot draw {rows} rows"), &format!("ask for 1 to {MAX_DRAWS} rows"))
            }
            _ => Ok(()),
        }
    }
}

impl Method for Histogram {
    fn name(&self) -> &'static str {
        NAME
    }

    fn forecast(&self, facts: &PublicFacts) -> Result<Forecast, MethodError> {
        forecast::forecast(&self.params, facts)
    }

    fn allowance(
        &self,
        schema: &Schema,
        rows: u64,
        budget: Budget,
        request: &Request,
    ) -> Result<Vec<String>, MethodError> {
        Ok(Reach::choose(&self.params, histogram_cells(schema)?, rows, budget, request)?.words())
    }

    fn accept(
        &self,
        schema: &Schema,
        neighbours: Neighbours,
        budget: Budget,
        request: &Request,
    ) -> Result<(), MethodError> {
        self.check_flags(neighbours, budget, request)?;
        histogram_cells(schema)?;
        Ok(())
    }

    fn run(&self, curator: &mut Curator, request: &Request, observer: &dyn Observer) -> Result<Outcome, MethodError> {
        self.check_flags(curator.neighbours(), curator.budget(), request)?;
        draw::draw(&self.params, curator, request, observer).map(Outcome::Rows)
    }
}
