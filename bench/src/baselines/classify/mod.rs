//! Classifiers under a budget: Majority, NoPrivacy, PrivateERM and PrivateERM (Single).
//!
//! PB14 trains four classifiers on a table. Methods that make one classifier at a time share the
//! budget among them; "Single" shows what the whole budget buys for one. All are for replace-one
//! neighbours: the number of training rows is public, in the papers and here.

pub mod classifier;
mod majority;
mod no_privacy;
pub mod private_erm;
mod targets;

pub use classifier::Classifier;
pub use majority::Majority;
pub use no_privacy::NoPrivacy;
pub use private_erm::PrivateErm;
pub use targets::{ADULT, BinaryTarget, NLTCS, examples, select, split};

/// The four baselines, as PB14 sets them.
pub fn all() -> Vec<Box<dyn Classifier>> {
    vec![
        Box::new(Majority),
        Box::new(NoPrivacy::default()),
        Box::new(PrivateErm::default()),
        Box::new(PrivateErm { single: true, ..PrivateErm::default() }),
    ]
}
