//! Reading the figures of SciPy and scikit-learn that tests compare with.

use serde_json::Value;

pub(crate) fn read(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no list {key}"))
}

pub(crate) fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no number {key}"))
}

pub(crate) fn codes(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|code| code.as_u64().unwrap() as u32).collect()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Close relative to the larger, or both next to nothing.
#[track_caller]
pub(crate) fn close(found: f64, wanted: f64, relative: f64) {
    let scale = found.abs().max(wanted.abs());
    assert!((found - wanted).abs() <= relative * scale + 1e-290, "{found} instead of {wanted}");
}
