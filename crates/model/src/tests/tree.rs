//! Tree models: marginals, rows, files.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Grouping};

use super::support::{chi_square_p, coded_schema, origin};
use crate::{Calibrated, JunctionTree, LogFactor, MeasuredClique, Model, Refinement, Replacement, Rules, Sampling};

pub(super) fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().map(|&attribute| AttrId(attribute)))
}

/// A number from 0 to 1 that looks random.
pub(super) fn noise(seed: u64) -> f64 {
    let mixed = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 40) as f64 / (1u64 << 24) as f64
}

/// A tree model with random potentials on the cliques.
pub(super) fn tree_model(sizes: &[u32], cliques: &[&[u32]], rules: &str, seed: u64) -> Model {
    let schema = coded_schema(sizes, rules);
    let cliques: Vec<Clique> = cliques.iter().map(|attributes| clique(attributes)).collect();
    let tree = JunctionTree::new(schema.domain(), &cliques, schema.impossible()).unwrap();
    let potential = |(place, clique): (usize, &Clique)| {
        let cells = schema.domain().cells(clique).unwrap();
        let value = |cell: u64| 3.0 * noise(seed * 1_000_003 + place as u64 * 10_007 + cell);
        LogFactor::new(schema.domain(), clique, (0..cells).map(value).collect()).unwrap()
    };
    let potentials: Vec<LogFactor> = cliques.iter().enumerate().map(potential).collect();
    let calibrated = Calibrated::new(&tree, &potentials).unwrap();
    let measured = cliques.iter().map(|clique| MeasuredClique { clique: clique.clone(), variance: 2.0 }).collect();
    Model::tree(schema, &calibrated, 1000.0, vec![], measured, origin()).unwrap()
}

/// A tree model in which every row is equally likely.
pub(super) fn flat_model(sizes: &[u32], cliques: &[&[u32]]) -> Model {
    let schema = coded_schema(sizes, "");
    let cliques: Vec<Clique> = cliques.iter().map(|attributes| clique(attributes)).collect();
    let calibrated = Calibrated::new(&JunctionTree::new(schema.domain(), &cliques, &[]).unwrap(), &[]).unwrap();
    Model::tree(schema, &calibrated, 1000.0, vec![], vec![], origin()).unwrap()
}

/// All rows of a sampling.
pub(super) fn rows_of(model: &Model, sampling: &Sampling) -> Vec<Vec<u32>> {
    let sampler = model.sampler(sampling).unwrap();
    let mut rows = Vec::new();
    for index in 0..sampler.blocks() {
        let block = sampler.block(index);
        assert_eq!(block.first_row, rows.len() as u64);
        rows.extend((0..block.rows).map(|row| block.columns.iter().map(|column| column[row]).collect::<Vec<u32>>()));
    }
    assert_eq!(rows.len() as u64, sampling.rows);
    rows
}

/// Counts of a clique's cells.
pub(super) fn counts(model: &Model, rows: &[Vec<u32>], clique: &Clique) -> Vec<u64> {
    let domain = model.schema().domain();
    let mut counts = vec![0; domain.cells(clique).unwrap() as usize];
    for row in rows {
        let step = |cell: usize, a: &AttrId| cell * domain.size(*a) as usize + row[a.index()] as usize;
        counts[clique.attributes().iter().fold(0, step)] += 1;
    }
    counts
}

fn loop_model() -> Model {
    tree_model(&[3, 2, 4, 3, 1, 2], &[&[0, 1], &[1, 2], &[2, 3], &[0, 3], &[3, 4], &[4, 5]], "", 1)
}

/// Alpha 1e-6 for each of the pairs; the control is the pairs of another model.
#[test]
fn rows_follow_the_model_both_ways() {
    let (model, other) = (loop_model(), tree_model(&[3, 2, 4, 3, 1, 2], &[&[0, 1], &[2, 3]], "", 7));
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&model, &Sampling::new(300_000, 5).with(replacement));
        let mut powerless = 0;
        for (a, b) in (0..6u32).flat_map(|a| (a + 1..6).map(move |b| (a, b))) {
            let pair = clique(&[a, b]);
            let observed = counts(&model, &rows, &pair);
            assert!(chi_square_p(&observed, &model.marginal(&pair).unwrap()) > 1e-6, "{a}, {b}, {replacement:?}");
            powerless += u32::from(chi_square_p(&observed, &other.marginal(&pair).unwrap()) > 1e-6);
        }
        assert!(powerless < 3, "{powerless} of 15 pairs would be taken for another model's");
    }
}

#[test]
fn a_tree_comes_back_whole_and_gives_the_same_rows() {
    let model = loop_model();
    let bytes = model.to_bytes();
    let again = Model::from_bytes(&bytes).unwrap();
    assert_eq!(again, model);
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again.measured(), model.measured());
    let sampling = Sampling::new(3000, 9);
    assert_eq!(rows_of(&again, &sampling), rows_of(&model, &sampling));
}

#[test]
fn coarse_columns_are_refined() {
    let rules = "[[impossible]]\nc0 = [\"v0\", \"v1\"]\nc1 = \"v2\"\n[[impossible]]\nc1 = \"v5\"\n";
    let schema = coded_schema(&[3, 6], rules);
    let found = Rules::new(&schema).unwrap();
    let wanted = Grouping::new(vec![0, 0, 0, 1, 1, 1]).unwrap();
    // Code 2 is told apart from 0 and 1; the impossible code 5 stays where it is.
    let grouping = Arc::new(found.split(1, &wanted).unwrap());
    assert_eq!(*grouping.group_of(), [0, 0, 1, 2, 2, 2]);
    let coarse = Rules::coarse(&schema, &[None, Some(grouping.clone())]).unwrap();
    let domain = lookalike_schema::Domain::new(vec![3, 3]);
    let tree = JunctionTree::new(&domain, &[clique(&[0, 1])], &coarse).unwrap();
    let calibrated = Calibrated::new(&tree, &[]).unwrap();
    let refinement = Refinement { grouping, weights: vec![1.0, 3.0, 0.0, 2.0, 2.0, 9.0] };
    let model = Model::tree(schema, &calibrated, 10.0, vec![None, Some(refinement)], vec![], origin()).unwrap();
    let joint = model.marginal(&clique(&[0, 1])).unwrap();
    let seventh = 1.0 / 7.0;
    let row = |third: f64| [seventh / 4.0, seventh * 0.75, third, seventh / 2.0, seventh / 2.0, 0.0];
    let wanted = [row(0.0), row(0.0), row(seventh)].concat();
    assert!(joint.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{joint:?}");
    let again = Model::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(again, model);
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&again, &Sampling::new(100_000, 5).with(replacement));
        assert!(rows.iter().all(|row| !again.schema().forbids(row)));
        // Alpha 1e-6.
        assert!(chi_square_p(&counts(&again, &rows, &clique(&[0, 1])), &wanted) > 1e-6);
    }
}

#[test]
fn a_tree_that_forgets_the_rules_is_refused() {
    let schema = coded_schema(&[2, 2, 2], "[[impossible]]\nc0 = \"v0\"\nc1 = \"v1\"\n");
    for cliques in [vec![clique(&[0, 1])], vec![]] {
        let tree = JunctionTree::new(schema.domain(), &cliques, &[]).unwrap();
        let calibrated = Calibrated::new(&tree, &[]).unwrap();
        assert!(Model::tree(schema.clone(), &calibrated, 1.0, vec![], vec![], origin()).is_err());
    }
}
