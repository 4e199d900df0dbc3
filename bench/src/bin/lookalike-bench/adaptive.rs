//! A method that measures round by round: fits that grow against fits from scratch.

use anyhow::{Context, Result};
use lookalike_model::{Fitter, JunctionTree, Measurement, Options, estimate};
use lookalike_schema::{AttrId, Clique, Domain};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;

use super::instances::{count, hidden_three, normal};
use super::meter::{emit, spent};

/// Sizes of the columns, as a census table has them.
const SIZES: [u32; 14] = [74, 9, 100, 16, 16, 7, 15, 6, 5, 2, 99, 20, 42, 2];
const ROWS: usize = 50_000;
const SIGMA: f64 = 40.0;

/// Rounds that each measure the pair or triple that the model gets most wrong, among random
/// candidates whose tree stays small enough.
pub fn run(rounds: usize, most_cells: u64) -> Result<()> {
    let domain = Domain::new(SIZES.to_vec());
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let table = hidden_three(&SIZES, ROWS, &mut rng);
    let options = Options { total: Some(ROWS as f64), ..Options::default() };
    let mut fitter = Fitter::new(&domain, &[], options.clone())?;
    let mut measured: Vec<(Clique, Vec<f64>)> = Vec::new();
    let measure = |clique: Clique, rng: &mut ChaCha8Rng| -> Result<(Clique, Vec<f64>)> {
        let mut values = count(&domain, &table, &clique)?;
        values.iter_mut().for_each(|value| *value += SIGMA * normal(rng));
        Ok((clique, values))
    };
    for attribute in domain.attributes() {
        measured.push(measure(Clique::single(attribute), &mut rng)?);
    }
    let (mut grown, mut scratch, mut passes) = (0.0, 0.0, (0, 0));
    let mut queries = 0.0;
    let mut warm = None;
    for round in 0..=rounds {
        if round > 0 {
            let candidates = candidates(&fitter, &domain, most_cells, &mut rng)?;
            let (found, cost) = spent(|| fitter.marginals(&candidates));
            queries += cost.cpu;
            let mut worst = (0.0, 0);
            for (place, (clique, model)) in candidates.iter().zip(found?).enumerate() {
                let counts = count(&domain, &table, clique)?;
                let apart = counts.iter().zip(model.values()).map(|(count, p)| (count - ROWS as f64 * p).abs());
                // As adaptive methods do: a large clique also takes in more noise.
                let gain = apart.sum::<f64>() - 0.8 * SIGMA * counts.len() as f64;
                if place == 0 || gain > worst.0 {
                    worst = (gain, place);
                }
            }
            measured.push(measure(candidates[worst.1].clone(), &mut rng)?);
        }
        let fresh: Vec<_> = if round == 0 { measured.clone() } else { measured[measured.len() - 1..].to_vec() };
        let (refit, cost) = spent(|| -> Result<_> {
            for (clique, values) in fresh {
                fitter.add(clique, values, SIGMA * SIGMA)?;
            }
            Ok(fitter.refit()?)
        });
        let refit = refit?;
        let (whole, again) = spent(|| -> Result<_> {
            let cliques: Vec<Clique> = measured.iter().map(|(clique, _)| clique.clone()).collect();
            let tree = JunctionTree::new(&domain, &cliques, &[])?;
            Ok(estimate(&tree, &as_measured(&measured), &options)?)
        });
        let whole = whole?;
        grown += cost.cpu;
        scratch += again.cpu;
        passes = (passes.0 + refit.passes, passes.1 + whole.passes);
        emit(json!({
            "bench": "estimation", "what": "round", "round": round, "clique": measured.last().map(|m| m.0.len()),
            "tree_cells": fitter.tree().cells(), "cpu_ms": cost.cpu * 1e3, "passes": refit.passes, "parts": refit.parts,
            "fitted": refit.fitted, "loss_over_full": refit.loss / whole.loss, "scratch_cpu_ms": again.cpu * 1e3,
            "scratch_passes": whole.passes,
        }));
        warm = Some(whole.loss);
    }
    let (full, cost) = spent(|| fitter.finish());
    emit(json!({
        "bench": "estimation", "what": "adaptive run", "rounds": rounds, "cpu_seconds": grown, "passes": passes.0,
        "scratch_cpu_seconds": scratch, "scratch_passes": passes.1, "ratio": scratch / grown, "query_cpu_seconds": queries,
        "last_full_fit_cpu_seconds": cost.cpu, "last_loss_over_scratch": full?.loss / warm.context("no round")?,
    }));
    Ok(())
}

/// All pairs and forty random triples, as far as the tree stays small enough.
fn candidates(fitter: &Fitter, domain: &Domain, most: u64, rng: &mut ChaCha8Rng) -> Result<Vec<Clique>> {
    let columns = domain.len() as u32;
    let mut all: Vec<Clique> =
        (0..columns).flat_map(|a| (0..a).map(move |b| Clique::new([AttrId(a), AttrId(b)]))).collect();
    all.extend((0..40).map(|_| Clique::new((0..3).map(|_| AttrId(rng.next_u32() % columns)))));
    all.retain(|clique| clique.len() > 1 && domain.cells(clique).is_some_and(|cells| cells <= 20_000));
    let mut fits = Vec::new();
    for clique in all {
        if fitter.has_room_for(&clique, most)? {
            fits.push(clique);
        }
    }
    Ok(fits)
}

fn as_measured(measured: &[(Clique, Vec<f64>)]) -> Vec<Measurement<'_>> {
    let all = measured.iter();
    all.map(|(clique, values)| Measurement { clique: clique.clone(), values, variance: SIGMA * SIGMA }).collect()
}
