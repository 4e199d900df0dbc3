//! Probabilistic graphical models: from noisy marginals to one distribution on a junction tree.
//!
//! - [`factor`]: dense arrays over a clique, in linear and in log space, and the vector loops over
//!   them;
//! - [`tree`]: junction trees, made at once or grown clique by clique;
//! - [`inference`]: the marginals of all tree cliques in one pass each way, and of any other
//!   columns;
//! - [`estimate`](mod@estimate): the distribution that fits noisy marginals best.

pub(crate) mod estimate;
pub(crate) mod factor;
pub(crate) mod inference;
pub(crate) mod tree;
