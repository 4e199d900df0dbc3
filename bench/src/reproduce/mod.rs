//! The papers' figures, again: a table of numbers, a picture, and a sentence on whether each
//! finding was seen.
//!
//! One file a figure. Studies run on public or generated tables. Where a study repeats a mechanism
//! many thousand times it draws from a seeded generator in floating point, so that its figures can
//! be had again; nothing here makes a release.

mod aau_histogram;
mod aau_network;
mod aau_power;
mod binary;
mod mrf;
mod mrf_svm;
mod pb14_marginals;
mod pb14_score;
mod pb14_svm;
mod pb14_theta;
mod pb21_nist;
mod published;
mod source_tables;
mod study;
mod th_bounds;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub use study::{StudySettings, StudySize};

use study::Study;

/// A paper's figure that can be had again.
pub struct PaperFigure {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Where it stands.
    pub from: &'static str,
    run: fn(&StudySettings) -> Result<Study>,
}

impl PaperFigure {
    /// Runs the study.
    pub fn run(&self, settings: &StudySettings) -> Result<Study> {
        (self.run)(settings).with_context(|| self.name.to_owned())
    }
}

const fn figure(
    name: &'static str,
    about: &'static str,
    from: &'static str,
    run: fn(&StudySettings) -> Result<Study>,
) -> PaperFigure {
    PaperFigure { name, about, from, run }
}

/// All of them.
pub const FIGURES: [PaperFigure; 14] = [
    figure(
        "aau-histogram",
        "power of Spearman's test on rows of a smoothed histogram",
        "Aalborg report, figures 3.1-3.2",
        aau_histogram::run,
    ),
    figure(
        "aau-network",
        "private networks against the greedy one",
        "Aalborg report, figures 4.1-4.2",
        aau_network::run,
    ),
    figure(
        "aau-mixture",
        "power of Pearson's test against the network's share of the budget",
        "Aalborg report, figures 4.3-4.6",
        aau_power::mixture,
    ),
    figure(
        "aau-privacy",
        "power of Pearson's test against the budget, as published and mended",
        "Aalborg report, figures 4.7-4.9",
        aau_power::privacy,
    ),
    figure(
        "pb14-score",
        "quality of networks chosen by F and by mutual information",
        "PrivBayes 2014, figure 2",
        pb14_score::run,
    ),
    figure("pb14-theta", "error of marginals against theta", "PrivBayes 2014, figure 3", pb14_theta::run),
    figure(
        "pb14-marginals",
        "error of marginals against epsilon, with four baselines",
        "PrivBayes 2014, figure 4",
        pb14_marginals::run,
    ),
    figure(
        "pb14-svm",
        "misclassification of four targets against epsilon, with four baselines",
        "PrivBayes 2014, figure 5",
        pb14_svm::run,
    ),
    figure(
        "pb21-nist",
        "the three scores of the NIST challenge against epsilon, three ways of making rows",
        "PrivBayes 2021, figure 2",
        pb21_nist::run,
    ),
    figure("mrf-tuning", "error of PrivMRF against theta, t and k", "PrivMRF 2021, figures 1-3", mrf::tuning),
    figure(
        "mrf-marginals",
        "error of marginals of PrivMRF, PB-PGM and PrivBayes against epsilon",
        "PrivMRF 2021, figure 4",
        mrf::marginals,
    ),
    figure("mrf-svm", "misclassification over all columns against epsilon", "PrivMRF 2021, figure 5", mrf_svm::run),
    figure("mrf-time", "seconds of PrivMRF against epsilon", "PrivMRF 2021, figure 6", mrf::time),
    figure(
        "th-bounds",
        "measured errors of given networks against the worst-case bounds",
        "Statistical theory, theorems 4.1-4.3",
        th_bounds::run,
    ),
];

/// The figure of this name. The error lists the names.
pub fn find(name: &str) -> Result<&'static PaperFigure> {
    match FIGURES.iter().find(|figure| figure.name == name) {
        Some(figure) => Ok(figure),
        None => {
            let names: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
            bail!("no figure is called {name:?}; there are {}", names.join(", "))
        }
    }
}

/// Writes `NAME.csv` and `NAME.svg` into a folder, which is made if need be; gives their paths.
pub fn write(name: &str, study: &Study, folder: &Path) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    let place = |ending: &str| folder.join(format!("{name}.{ending}"));
    let (csv, svg) = (place("csv"), place("svg"));
    for (path, text) in [(&csv, study.table.csv().as_str()), (&svg, study.svg().as_str())] {
        std::fs::write(path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok([csv, svg])
}

#[cfg(test)]
mod tests;
