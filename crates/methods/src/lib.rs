//! Methods: one folder each. A method asks the curator and fits a model (or, for
//! [`histogram`], has rows drawn); it has no way to see a row.
//!
//! To add one: a folder here, one line in [`list`], one page in `docs/methods/`.

pub mod aim;
pub mod answers;
pub mod auto;
pub mod bounds;
pub mod error;
pub mod graphical;
pub mod histogram;
pub mod independent;
pub mod list;
pub mod method;
pub mod mst;
pub mod one_way;
pub mod pb_pgm;
pub mod planned;
pub mod privbayes;
pub mod privbayes_nist;
pub mod privmrf;
pub mod project;
pub mod settings;
pub mod total;
pub mod workload;

pub use answers::answers;
pub use error::MethodError;
pub use list::{MethodInfo, Parameter, Parameters, build, methods};
pub use method::{Forecast, Method, Observer, Outcome, PaidRows, Request};

#[cfg(test)]
mod tests;
