//! The native module of the Python package: parse, call, hand over. What users see is Python, in
//! `python/lookalike`; everything that matters happens in the `lookalike` crate.
//!
//! - `engine` has rows counted that stay where they are;
//! - `kernel` works on such rows in the engine's own processes, `push_down` tells an engine how to
//!   do it in its own words;
//! - `source` takes frames in, `rows` hands them out, both through Arrow's C interface;
//! - `watch` runs long work without the interpreter's lock, and listens to Ctrl-C meanwhile;
//! - `errors` has the one map from the library's errors to Python's;
//! - the other files are the classes and functions of the module.

mod about;
mod budget;
mod engine;
mod errors;
mod fit;
mod kernel;
mod push_down;
mod release;
mod rows;
mod schema;
mod source;
mod steward;
#[cfg(feature = "test-noise")]
mod testing;
mod watch;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// The native part of `lookalike`; not to be imported by itself.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::about::{audit, cli, demo_csv, demo_schema, methods, schema_reference};
    #[pymodule_export]
    use super::budget::{ledger_close, ledger_open, ledger_show, plan};
    #[pymodule_export]
    use super::fit::fit;
    #[pymodule_export]
    use super::kernel::Kernel;
    #[pymodule_export]
    use super::push_down::{codec_rules, coding_suite};
    #[pymodule_export]
    use super::release::{Release, load_release, release_from_bytes};
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::schema::{Schema, import_book, parse_schema, schema_from_json};
    #[pymodule_export]
    use super::steward::{check, draft, evaluate};
    #[cfg(feature = "test-noise")]
    #[pymodule_export]
    use super::testing::{Recording, codes, fault};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // A module that is built to be shipped has no use for the noise of tests: it got there by a
        // feature that some other package asked for in the same build.
        if lookalike::HAS_TEST_NOISE && !cfg!(debug_assertions) {
            return Err(PyImportError::new_err("NOT PRIVATE: this module was built with the seeded noise of tests"));
        }
        // What a panic says is not printed: it might quote a cell. The hook is this module's own:
        // others have a standard library of theirs.
        std::panic::set_hook(Box::new(|_| {}));
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("HAS_TEST_NOISE", lookalike::HAS_TEST_NOISE)
    }
}
