//! A table without a column to model: all that there is to know is how many rows it has.

use lookalike_curator::{CountQuery, Curator};
use lookalike_measurement::answer;
use lookalike_model::{MeasuredClique, Model, Origin};
use lookalike_schema::Clique;

use super::Filter;
use super::ones::public_count;
use crate::{MethodError, Observer, total};

/// Spends everything on the row count, where it is not public.
pub fn empty_model(curator: &mut Curator, observer: &dyn Observer, method: &str) -> Result<Model, MethodError> {
    observer.phase("measuring");
    let count = match public_count(curator)? {
        Some(count) => count,
        None => {
            let filter = Filter::open(curator)?;
            curator.row_count(&CountQuery { noise: filter.count_noise(filter.left())? })?
        }
    };
    observer.round(1, 1);
    observer.budget(curator.share_spent());
    let variance = count.step.as_ref().map_or(0.0, answer::variance);
    let measured = vec![MeasuredClique { clique: Clique::new([]), variance }];
    let origin = Origin { method: method.into(), guarantee: "not stated".into() };
    let rows = total::estimate(Some(&count), &[]).max(0.0);
    Ok(Model::product(curator.schema().clone(), rows, Vec::new(), measured, origin)?)
}
