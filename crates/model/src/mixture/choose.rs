//! Tree or mixture: decided by schema, cliques and memory alone, and said aloud.

use lookalike_schema::{Clique, Domain, ImpossibleRule};

use super::descend::{bytes, components_for};
use super::{MixtureFit, MixtureOptions, fit_mixture};
use crate::ModelError;
use crate::pgm::estimate::{Fit, Measurement, Options, estimate};
use crate::pgm::inference::MAX_CELLS;
use crate::pgm::tree::JunctionTree;

/// What a fit may use.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Bytes for the fit. A junction tree that needs more is not made: a mixture is fitted in its
    /// place.
    pub memory_bytes: u64,
    /// How to fit on a tree. Its total, and what stops it, are the mixture's as well.
    pub tree: Options,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { memory_bytes: 2 << 30, tree: Options::default() }
    }
}

/// Which way a fit goes, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route {
    /// Cells of the junction tree. Saturates.
    pub tree_cells: u64,
    /// Bytes that a fit on the tree takes at most. Saturates.
    pub tree_bytes: u64,
    /// Bytes that were given.
    pub memory_bytes: u64,
    /// The mixture's components; `None` when the exact tree is taken.
    pub components: Option<usize>,
}

impl Route {
    /// Whether the model is exact: the distribution that fits the measurements best.
    pub fn is_exact(&self) -> bool {
        self.components.is_none()
    }

    /// The route and its reason in one sentence.
    pub fn in_words(&self) -> String {
        match self.components {
            None => format!(
                "The model is exact: its junction tree has {} cells and its fit takes at most {} of the {} given.",
                thousands(self.tree_cells),
                size(self.tree_bytes),
                size(self.memory_bytes)
            ),
            Some(components) => format!(
                "APPROXIMATE MODEL: an exact one would need a junction tree of {} cells ({}) and {} were given, so a mixture of \
                 {components} products is fitted instead; measure fewer or smaller marginals, or allow more memory, for an \
                 exact one.",
                if self.tree_cells == u64::MAX { "more than 10^19".into() } else { thousands(self.tree_cells) },
                size(self.tree_bytes),
                size(self.memory_bytes)
            ),
        }
    }
}

/// A model fitted one way or the other.
#[derive(Clone, Debug)]
pub enum FittedModel {
    /// On a junction tree: exact.
    Tree(Fit),
    /// By a mixture: approximate.
    Mixture(MixtureFit),
}

/// Bytes that a fit on a tree takes at most: three numbers a cell of the tree and twelve a measured
/// cell.
fn tree_bytes(tree_cells: u64, measured_cells: u64) -> u64 {
    tree_cells.saturating_mul(3).saturating_add(measured_cells.saturating_mul(12)).saturating_mul(8)
}

/// The way that a fit of these cliques would go. Nothing but schema, cliques and memory decides it:
/// a method can ask before it pays.
///
/// Refuses cliques and rules that do not fit the domain, and memory that is too small even for a
/// mixture.
pub fn route(
    domain: &Domain,
    rules: &[ImpossibleRule],
    cliques: &[Clique],
    memory_bytes: u64,
) -> Result<Route, ModelError> {
    way(&JunctionTree::new(domain, cliques, rules)?, cliques, memory_bytes)
}

fn way(tree: &JunctionTree, cliques: &[Clique], memory_bytes: u64) -> Result<Route, ModelError> {
    let domain = tree.domain();
    let cells = |sum: u64, clique: &Clique| sum.saturating_add(domain.cells(clique).unwrap_or(u64::MAX));
    let measured = cliques.iter().fold(0, cells);
    let (tree_cells, tree_bytes) = (tree.cells(), tree_bytes(tree.cells(), measured));
    let route = Route { tree_cells, tree_bytes, memory_bytes, components: None };
    if tree_bytes <= memory_bytes && tree_cells <= MAX_CELLS {
        return Ok(route);
    }
    let codes = domain.sizes().iter().map(|&size| u64::from(size)).sum();
    let mut components = components_for(measured, codes);
    while bytes(components, measured, codes) > memory_bytes {
        if components <= super::descend::FEWEST {
            return Err(ModelError::shape(format!(
                "the measurements do not fit the memory given ({}), not even approximately; allow {} or measure less",
                size(memory_bytes),
                size(bytes(components, measured, codes))
            )));
        }
        components -= super::descend::FEWEST;
    }
    Ok(Route { components: Some(components), ..route })
}

/// Fits the measurements: on their junction tree when it fits the memory, else by a mixture. The
/// route says which and why; show its sentence to whoever asked for the fit.
///
/// Refuses as [`estimate()`] and [`route`] do.
pub fn fit(
    domain: &Domain,
    rules: &[ImpossibleRule],
    measurements: &[Measurement],
    options: &FitOptions,
) -> Result<(FittedModel, Route), ModelError> {
    let cliques: Vec<Clique> = measurements.iter().map(|measurement| measurement.clique.clone()).collect();
    let tree = JunctionTree::new(domain, &cliques, rules)?;
    let route = way(&tree, &cliques, options.memory_bytes)?;
    let fitted = match route.components {
        None => FittedModel::Tree(estimate(&tree, measurements, &options.tree)?),
        Some(components) => {
            let Options { total, halt, .. } = options.tree.clone();
            let options = MixtureOptions { components: Some(components), total, halt, ..MixtureOptions::default() };
            FittedModel::Mixture(fit_mixture(domain, rules, measurements, &options)?)
        }
    };
    Ok((fitted, route))
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes in the largest unit that leaves at least 1.
fn size(bytes: u64) -> String {
    if bytes == u64::MAX {
        return "more than any machine has".into();
    }
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}
