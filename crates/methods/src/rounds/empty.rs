//! A table without a column to model: all that there is to know is how many rows it has.

use lookalike_curator::{CountQuery, Curator};
use lookalike_model::{Model, Origin};

use crate::budget::BudgetFilter;
use crate::{MethodError, Observer, total};

/// Spends everything on the row count, where it is not public.
pub fn empty_model(curator: &mut Curator, observer: &dyn Observer, method: &str) -> Result<Model, MethodError> {
    observer.phase("measuring");
    let count = match total::public_count(curator)? {
        Some(count) => count,
        None => {
            let filter = BudgetFilter::open(curator)?;
            let noise = filter.noise(&curator.neighbours().row_count(), filter.left())?;
            curator.row_count(&CountQuery { noise })?
        }
    };
    observer.round(1, 1);
    observer.budget(curator.share_spent());
    let measured = vec![total::coverage(&count)];
    let origin = Origin { method: method.into(), guarantee: "not stated".into() };
    let rows = total::estimate(Some(&count), &[]).max(0.0);
    Ok(Model::product(curator.schema().clone(), rows, Vec::new(), measured, origin)?)
}
