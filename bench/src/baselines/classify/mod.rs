//! Classifiers under a budget: Majority, NoPrivacy, PrivateERM, PrivateERM (Single) and PrivGene.
//!
//! PB14 trains four classifiers on a table. Methods that make one classifier at a time share the
//! budget among them; "Single" shows what the whole budget buys for one. All are for replace-one
//! neighbours: the number of training rows is public, in the papers and here.

pub mod classifier;
mod majority;
pub mod priv_gene;
pub mod private_erm;
mod squared_hinge;
mod targets;

pub use classifier::Classifier;
pub use targets::{ADULT, BinaryTarget, NLTCS, examples, select, split};
