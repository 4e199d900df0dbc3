//! What is refused before anything is charged: judged from the schema and the query alone, never
//! from rows.

use lookalike_schema::{Clique, View};

use crate::CuratorError;

/// The most cells of one clique. Noise goes on every cell, so a wider marginal would not fit in
/// memory.
pub const MAX_CELLS: u64 = 1 << 28;

/// The most cells of all noisy marginals of one batch.
pub const MAX_BATCH_CELLS: u64 = 1 << 29;

/// The number of cells of a clique, when all its attributes exist and it is not too wide.
pub(crate) fn cells(view: &View, clique: &Clique) -> Result<u64, CuratorError> {
    let domain = view.domain();
    if let Some(unknown) = clique.attributes().iter().find(|attribute| attribute.index() >= domain.len()) {
        return Err(query(format!("attribute {} does not exist: there are {}", unknown.0, domain.len())));
    }
    match domain.cells(clique) {
        Some(cells) if cells <= MAX_CELLS => Ok(cells),
        _ => Err(query(format!(
            "the marginal of {} has more than {MAX_CELLS} cells; use fewer columns or coarser bins",
            view.names(clique)
        ))),
    }
}

/// The charge's label: "marginal of age, sex".
pub(crate) fn marginal_label(view: &View, clique: &Clique) -> String {
    if clique.is_empty() { ROW_COUNT.into() } else { format!("marginal of {}", view.names(clique)) }
}

/// The label of the noisy row count.
pub(crate) const ROW_COUNT: &str = "row count";
/// The label of the row count where it is public.
pub(crate) const PUBLIC_ROW_COUNT: &str = "row count (public under replace-one)";

/// A refusal that cost nothing.
pub(crate) fn query(what: String) -> CuratorError {
    CuratorError::Query { what }
}
