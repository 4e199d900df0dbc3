//! PrivMRF against its paper's examples and against naive enumeration, on tiny engines with the
//! seeded test stream for noise.

mod golden;
mod release;
mod sets;

use lookalike_model::Model;

use crate::MethodError;
use crate::tests::{Bench, settings};

fn fit(bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    crate::tests::fit("privmrf", bench, pairs)
}
