//! All figures.

use anyhow::{Result, bail};

use super::figure::PaperFigure;
use super::{
    aau_histogram, aau_network, aau_power, aau_versus, mrf_marginals, mrf_svm, mrf_time, mrf_tuning, orders,
    pb14_marginals, pb14_score, pb14_svm, pb14_theta, pb21_nist, th_bounds, th_factor, th_lower, th_risk,
};

/// All of them, by paper.
pub const FIGURES: [PaperFigure; 19] = [
    aau_histogram::FIGURE,
    aau_network::FIGURE,
    aau_power::MIXTURE,
    aau_power::PRIVACY,
    aau_versus::FIGURE,
    orders::FIGURE,
    pb14_score::FIGURE,
    pb14_theta::FIGURE,
    pb14_marginals::FIGURE,
    pb14_svm::FIGURE,
    pb21_nist::FIGURE,
    mrf_tuning::FIGURE,
    mrf_marginals::FIGURE,
    mrf_svm::FIGURE,
    mrf_time::FIGURE,
    th_bounds::FIGURE,
    th_risk::FIGURE,
    th_lower::FIGURE,
    th_factor::FIGURE,
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
