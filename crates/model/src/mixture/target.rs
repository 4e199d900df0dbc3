//! The measurements in the layout of the descent, and rough shapes of the columns.

use lookalike_schema::{Clique, Domain};

use crate::ModelError;
use crate::pgm::estimate::{Combined, Measurement};
use crate::pgm::factor::Factor;
use crate::pgm::factor::layout::{permuted, shape};
use crate::pgm::inference::distinct;

/// A rough probability is at least this share of a uniform one: a column's start must not rule
/// anything out.
const LEAST_SHARE: f64 = 0.02;

/// One measured clique. Several measurements of it are one, weighted by their precisions.
pub(super) struct MixtureTarget {
    /// First code among all codes and size of each column, the largest column last.
    pub columns: Vec<(usize, usize)>,
    /// Mean counts.
    pub counts: Vec<f64>,
    /// 1 / variance of the mean.
    pub weight: f64,
    /// The slope of the loss at each cell, after a forward pass.
    pub slopes: Vec<f32>,
}

/// Checks the measurements and brings them together. Returns the loss that no model avoids as well.
pub(super) fn targets(
    domain: &Domain,
    starts: &[usize],
    measurements: &[Measurement],
) -> Result<(Vec<MixtureTarget>, f64), ModelError> {
    let cliques = distinct(measurements.iter().map(|measurement| measurement.clique.clone()));
    let mut floor = 0.0;
    let mut targets = Vec::with_capacity(cliques.len());
    for clique in cliques.iter().filter(|clique| !clique.is_empty()) {
        let cells = domain.cells(clique).map_or(0, |cells| cells as usize);
        let Combined { mean, precision } = Combined::new(measurements, clique, cells, &mut floor);
        let shape = shape(domain, clique);
        let mut order: Vec<usize> = (0..shape.len()).collect();
        order.sort_by_key(|&axis| (shape[axis], axis));
        let columns = order.iter().map(|&axis| (starts[clique.attributes()[axis].index()], shape[axis])).collect();
        let counts = permuted(&mean, &shape, &order);
        targets.push(MixtureTarget { columns, slopes: vec![0.0; counts.len()], counts, weight: precision });
    }
    Ok((targets, floor))
}

/// Each column's rough probabilities, from the measurement that tells its counts most exactly;
/// uniform when none does.
pub(super) fn bases(domain: &Domain, measurements: &[Measurement]) -> Result<Vec<Vec<f64>>, ModelError> {
    let mut bases = Vec::with_capacity(domain.len());
    for attribute in domain.attributes() {
        let size = domain.size(attribute) as usize;
        let noise = |measurement: &Measurement| measurement.variance * measurement.values.len() as f64;
        let best = measurements
            .iter()
            .filter(|measurement| measurement.clique.contains(attribute))
            .min_by(|one, two| noise(one).total_cmp(&noise(two)));
        let mut base = match best {
            None => vec![1.0; size],
            Some(best) => {
                let table = Factor::new(domain, &best.clique, best.values.to_vec())?;
                table.sum_onto(&Clique::single(attribute)).into_values()
            }
        };
        let sum: f64 = base.iter().map(|count| count.max(0.0)).sum();
        let least = LEAST_SHARE / size as f64;
        base.iter_mut().for_each(|count| *count = if sum > 0.0 { count.max(0.0) / sum } else { 1.0 }.max(least));
        let sum: f64 = base.iter().sum();
        base.iter_mut().for_each(|p| *p /= sum);
        bases.push(base);
    }
    Ok(bases)
}
