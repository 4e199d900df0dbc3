//! The papers' figures, again: measured values, a picture, and a verdict on each finding.
//!
//! - [`recorder`]: runs the trials of a study that are not recorded yet, and records them.
//! - [`results`]: what was measured, run by run, in a file of lines.
//! - [`verdict`]: seen, not seen, cannot tell, by one stated test.
//! - [`page`]: `docs/reproduction.md` and its pictures, from results alone.
//!
//! One file a figure: what the paper says, how its trials are run, and how results are read.
//! Studies run on public or generated tables. Their noise comes from seeds where the program is
//! built with the feature `seeded`, so that their figures can be had again; nothing here makes a
//! release.

mod aau_histogram;
mod aau_network;
mod aau_power;
mod aau_versus;
mod as_published;
mod binary;
mod coverage_rows;
mod figure;
mod list;
mod mrf_contenders;
mod mrf_marginals;
mod mrf_svm;
mod mrf_time;
mod mrf_tuning;
mod orders;
mod page;
mod pb14_marginals;
mod pb14_score;
mod pb14_svm;
mod pb14_theta;
mod pb21_nist;
mod published;
mod recorder;
mod results;
mod settings;
mod source_tables;
mod study;
mod th_bounds;
mod th_factor;
mod th_lower;
mod th_risk;
mod verdict;

pub use figure::{PaperFigure, write};
pub use list::{FIGURES, find};
pub use page::write_page;
pub use results::results_file;
pub use settings::{StudySettings, StudySize};

#[cfg(test)]
mod tests;
