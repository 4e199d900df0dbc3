//! Methods: one folder each. A method asks the curator and fits a model (or, for
//! [`histogram`], has rows drawn); it has no way to see a row.
//!
//! [`budget`] turns shares of a budget into noise, [`rounds`] has the loop of choosing, measuring
//! and fitting, over which a method is a policy, and [`settings`] reads and checks parameters.
//!
//! To add one: a folder here, one line in [`list`], one page in `docs/methods/`; or one file in a
//! program of one's own (`examples/own_method.rs`).
//!
//! ```
//! use lookalike_methods::{Method, Parameters, PublicFacts, aim::AimParams, methods};
//! use lookalike_privacy::{Budget, Neighbours, Relation};
//! use lookalike_schema::{Category, Integer, Schema};
//!
//! let schema = Schema::builder()
//!     .column("age", Integer::range(0, 99).bins(10))
//!     .column("sex", Category::of(["F", "M"]))
//!     .build()?;
//! let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
//! let aim = AimParams { rounds: Some(20.0), ..AimParams::default() }.build()?;
//! // What a budget would buy, from public facts alone.
//! let [poor, rich] = [0.1, 10.0].map(|epsilon| {
//!     let budget = Budget::new(epsilon, 1e-9).expect("a budget");
//!     aim.forecast(&PublicFacts { schema: &schema, rows: 1000, neighbours, budget })
//! });
//! assert!(rich?.tvd1 < poor?.tvd1);
//! assert_eq!(methods()[0].name, "auto");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod aim;
pub mod answers;
pub mod auto;
pub mod budget;
pub mod error;
pub mod graphical;
pub mod histogram;
pub mod independent;
pub mod list;
mod maximal;
pub mod method;
pub mod mst;
pub mod one_way;
pub mod parameters;
pub mod pb_pgm;
pub mod privbayes;
pub mod privbayes_nist;
pub mod privmrf;
pub mod request;
pub mod rounds;
pub mod settings;
pub mod total;
pub mod workload;

pub use answers::answers;
pub use error::MethodError;
pub use list::{build, methods};
pub use method::{Forecast, Method, Observer, Outcome, PaidRows, PublicFacts, TableReach};
pub use request::Request;
pub use settings::{MethodInfo, Parameter, Parameters, Rule};

#[cfg(test)]
mod tests;
