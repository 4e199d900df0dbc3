//! Methods: one folder each. A method asks the curator and fits a model; it has no way to see a row.

pub mod error;
pub mod independent;
pub mod list;
pub mod method;

pub use error::MethodError;
pub use list::{MethodInfo, Parameter, methods};
pub use method::{Forecast, Method, Observer};
