//! Which marginals are measured, and what becomes of them.

use lookalike_measurement::NoisyMarginal;
use lookalike_model::{Conditional, Factor, MeasuredClique, permuted, project};
use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::params::Negatives;
use super::search::Pair;
use crate::budget::broken_plan;
use crate::{MethodError, maximal};

/// The tables of a network that no other one contains, each once, in the network's order.
pub(super) fn maximal(pairs: &[Pair]) -> Vec<Clique> {
    maximal::maximal(&pairs.iter().map(Pair::clique).collect::<Vec<_>>(), Clique::attributes)
}

/// `count` tables, or more if there are more: what is left over is measured once more, the largest
/// tables first, where noise does most harm.
pub(super) fn with_repeats(cliques: Vec<Clique>, count: usize, domain: &Domain) -> Vec<Clique> {
    let mut by_size: Vec<&Clique> = cliques.iter().collect();
    by_size.sort_by_key(|clique| std::cmp::Reverse(domain.cells(clique)));
    let more = count.saturating_sub(cliques.len());
    let again: Vec<Clique> = by_size.into_iter().cycle().take(more).cloned().collect();
    cliques.into_iter().chain(again).collect()
}

/// What was measured of one table: the mean of its answers.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub clique: Clique,
    pub values: Vec<f64>,
    pub variance: f64,
}

/// One table for each clique, from all its answers. They have the same noise, so the plain mean is
/// the best.
pub(crate) fn averaged(marginals: &[NoisyMarginal]) -> Vec<Measured> {
    let mut tables: Vec<(Measured, f64)> = Vec::new();
    for marginal in marginals {
        let answers = marginal.values.iter().map(|&value| value as f64);
        match tables.iter_mut().find(|(table, _)| table.clique == marginal.clique) {
            Some((table, times)) => {
                *times += 1.0;
                table.values.iter_mut().zip(answers).for_each(|(sum, value)| *sum += value);
            }
            None => {
                let (clique, variance) = (marginal.clique.clone(), marginal.variance());
                tables.push((Measured { clique, values: answers.collect(), variance }, 1.0));
            }
        }
    }
    let mean = |(mut table, times): (Measured, f64)| {
        table.values.iter_mut().for_each(|sum| *sum /= times);
        table.variance /= times;
        table
    };
    tables.into_iter().map(mean).collect()
}

/// The nearest counts, or what is left of negative ones when they are cut to 0.
pub(super) fn mended(
    table: &Measured,
    negatives: Negatives,
    rows: f64,
    domain: &Domain,
    rules: &[ImpossibleRule],
) -> Vec<f64> {
    let possible = possible(&table.clique, domain, rules);
    match negatives {
        Negatives::L2 => project::onto_counts(&table.values, &|cell| possible[cell], rows),
        Negatives::Clamp => project::clipped(&table.values, &|cell| possible[cell], rows),
    }
}

/// Which cells of a clique break no rule that speaks of the clique's columns alone.
fn possible(clique: &Clique, domain: &Domain, rules: &[ImpossibleRule]) -> Vec<bool> {
    let shape = domain.shape(clique);
    let cells: usize = shape.iter().map(|&size| size as usize).product();
    let mut possible = vec![true; cells];
    for rule in rules.iter().filter(|rule| rule.parts.iter().all(|(attribute, _)| clique.contains(*attribute))) {
        let covers: Vec<Option<Vec<bool>>> = clique
            .attributes()
            .iter()
            .zip(&shape)
            .map(|(attribute, &size)| {
                let (_, codes) = rule.parts.iter().find(|(part, _)| part == attribute)?;
                Some((0..size).map(|code| codes.binary_search(&code).is_ok()).collect())
            })
            .collect();
        for (cell, possible) in possible.iter_mut().enumerate() {
            let mut rest = cell;
            let broken = covers.iter().zip(&shape).rev().all(|(covered, &size)| {
                let code = rest % size as usize;
                rest /= size as usize;
                covered.as_ref().is_none_or(|covered| covered[code])
            });
            *possible &= !broken;
        }
    }
    possible
}

/// The table of a pair, from the smallest mended table that contains it: summed over what the pair
/// lacks, parents first and the attribute itself last.
///
/// Sums over fewer cells carry less noise, so the smallest is the best one. A combination of
/// parents without weight is left to the model, which gives it the shape of the attribute in this
/// very table: its noisy marginal.
pub(super) fn conditional(
    pair: &Pair,
    tables: &[(Clique, Vec<f64>)],
    domain: &Domain,
) -> Result<Conditional, MethodError> {
    let wanted = pair.clique();
    let holders = tables.iter().filter(|(clique, _)| wanted.is_subset(clique));
    let smallest = holders.min_by_key(|(clique, _)| domain.cells(clique).unwrap_or(u64::MAX));
    let (clique, values) = smallest.ok_or_else(broken_plan)?;
    let sums = Factor::new(domain, clique, values.clone())?.sum_onto(&wanted);
    let shape: Vec<usize> = domain.shape(&wanted).iter().map(|&size| size as usize).collect();
    let place = |attribute: &AttrId| wanted.attributes().binary_search(attribute).map_err(|_| broken_plan());
    let order = pair.parents.iter().chain([&pair.child]).map(place).collect::<Result<Vec<usize>, _>>()?;
    let parents = pair.parents.iter().map(|&parent| (parent, None)).collect();
    let weights = permuted(sums.values(), &shape, &order);
    Ok(Conditional { child: pair.child, refinement: None, parents, weights })
}

/// What the model says it rests on: tables of the schema's own columns. Tables of bits say little
/// about columns.
pub(crate) fn coverage(tables: &[Measured], own: usize) -> Vec<MeasuredClique> {
    let is_own = |table: &&Measured| table.clique.attributes().iter().all(|attribute| attribute.index() < own);
    let coverage = |table: &Measured| MeasuredClique { clique: table.clique.clone(), variance: table.variance };
    tables.iter().filter(is_own).map(coverage).collect()
}
