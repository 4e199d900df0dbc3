//! PrivMRF against its paper's examples and against naive enumeration, on tiny engines with the
//! seeded test stream for noise.

mod golden;
mod release;
mod sets;

use lookalike_model::Model;

use crate::tests::{Bench, Watch};
use crate::{MethodError, build};

/// Settings as `--set` gives them.
fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

fn fit(bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    build("privmrf", &settings(pairs)).unwrap().fit(&mut bench.curator, &Watch::default())
}
