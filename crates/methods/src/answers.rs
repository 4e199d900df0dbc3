//! The noisy tables behind a model, for its error bars.

use lookalike_curator::Curator;
use lookalike_model::KeptAnswer;

use crate::MethodError;

/// Everything that the curator was asked for and answered, in terms of the schema's own columns.
///
/// # Privacy
/// Post-processing: each of them left the door when it was paid for, and may be published as it is.
pub fn answers(curator: &Curator) -> Result<Vec<KeptAnswer>, MethodError> {
    let view = curator.view();
    let table = |table: &lookalike_measurement::AnsweredMarginal| {
        KeptAnswer::of_view(view, &table.clique, &table.values, table.variance).map_err(MethodError::from)
    };
    curator.answers().marginals().map(table).collect()
}
