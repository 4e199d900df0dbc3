//! What drawing without replacement promises.

use lookalike_schema::Clique;
use rayon::prelude::*;

use super::network::small_network;
use super::spread::rows_in;
use super::support::{chi_square_p, coded_model, coded_schema};
use super::tree::{clique, counts, rows_of, tree_model};
use crate::sampling::spread::CellOrder;
use crate::structure::Structure;
use crate::{Model, Replacement, Rules, SPLIT_ROWS, Sampling};

pub(super) fn chain() -> Model {
    tree_model(&[6, 5, 7, 4, 6], &[&[0, 1], &[1, 2], &[2, 3], &[3, 4]], "", 2)
}

pub(super) fn distance(model: &Model, rows: &[Vec<u32>], clique: &Clique) -> f64 {
    let truth = model.marginal(clique).unwrap();
    let drawn = counts(model, rows, clique);
    let share = |count: &u64| *count as f64 / rows.len() as f64;
    drawn.iter().zip(truth).map(|(count, p)| (share(count) - p).abs()).sum::<f64>() / 2.0
}

#[test]
fn every_cell_is_the_floor_or_the_ceiling_of_its_expectation() {
    let rules = "[[impossible]]\nc1 = \"v0\"\nc2 = [\"v1\", \"v2\"]\n";
    for (model, rows) in [
        (chain(), 1000),
        (chain(), SPLIT_ROWS as u64),
        (tree_model(&[4, 3, 5, 2], &[&[0, 1, 2], &[2, 3]], rules, 9), 777),
    ] {
        let Structure::Tree(tree) = model.structure() else { panic!("not a tree") };
        let rows = rows_of(&model, &Sampling::new(rows, 3).with(Replacement::Without));
        for (number, own) in tree.parts().cliques.iter().enumerate() {
            let shared =
                tree.parts().above[number].map_or(clique(&[]), |above| own.intersection(&tree.parts().cliques[above]));
            let (groups, drawn) = (counts(&model, &rows, &shared), counts(&model, &rows, own));
            let (whole, cells) = (model.marginal(&shared).unwrap(), model.marginal(own).unwrap());
            for (cell, (&count, p)) in drawn.iter().zip(cells).enumerate() {
                let group = place(&model, own, &shared, cell);
                let expected = if whole[group] > 0.0 { groups[group] as f64 * p / whole[group] } else { 0.0 };
                let (low, high) = ((expected - 1e-6).floor(), (expected + 1e-6).ceil());
                assert!((low..=high).contains(&(count as f64)), "{count} instead of {expected}");
            }
        }
    }
}

/// The cell of a smaller clique under a cell of a larger one.
fn place(model: &Model, large: &Clique, small: &Clique, mut cell: usize) -> usize {
    let domain = model.schema().domain();
    let (mut place, mut stride) = (0, 1);
    for &attribute in large.attributes().iter().rev() {
        let size = domain.size(attribute) as usize;
        if small.contains(attribute) {
            place += cell % size * stride;
            stride *= size;
        }
        cell /= size;
    }
    place
}

/// Seven rows at a time, over 20,000 seeds: right on average, and whatever the place of the row.
/// Rows of a seed repel each other, which only makes the statistic smaller. Alpha 1e-6 each; the
/// control is another model.
#[test]
fn counts_are_right_on_average_and_rows_are_exchangeable() {
    let (model, other) = (chain(), tree_model(&[6, 5, 7, 4, 6], &[&[0, 1]], "", 3));
    let (mut all, mut firsts, mut lasts) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..20_000 {
        let rows = rows_of(&model, &Sampling::new(7, seed).with(Replacement::Without));
        firsts.push(rows[0].clone());
        lasts.push(rows[6].clone());
        all.extend(rows);
    }
    for pair in [clique(&[0, 1]), clique(&[1, 2]), clique(&[3, 4]), clique(&[0, 4])] {
        let truth = model.marginal(&pair).unwrap();
        for rows in [&all, &firsts, &lasts] {
            assert!(chi_square_p(&counts(&model, rows, &pair), &truth) > 1e-6, "{pair:?}");
            assert!(chi_square_p(&counts(&model, rows, &pair), &other.marginal(&pair).unwrap()) < 1e-6, "no power");
        }
    }
}

/// Pairs that are not neighbours are as good as in rows drawn one by one or better, and no farther
/// than chance allows (alpha 1e-6 each). The control gives the cells of a group in their order, as
/// some rounding samplers do.
#[test]
fn distant_pairs_follow_the_model() {
    let model = chain();
    let rows = rows_of(&model, &Sampling::new(SPLIT_ROWS as u64, 5).with(Replacement::Without));
    let single = rows_of(&model, &Sampling::new(SPLIT_ROWS as u64, 5).with(Replacement::With));
    let in_order = rows_in(CellOrder::AsTheyCome, &model, SPLIT_ROWS, 5);
    let mut biased = 0;
    for (a, b) in (0..5u32).flat_map(|a| (a + 1..5).map(move |b| (a, b))) {
        let pair = clique(&[a, b]);
        let truth = model.marginal(&pair).unwrap();
        assert!(chi_square_p(&counts(&model, &rows, &pair), &truth) > 1e-6, "{a}, {b}");
        let (ours, theirs) = (distance(&model, &rows, &pair), distance(&model, &single, &pair));
        assert!(ours < 1.3 * theirs, "{a}, {b}: {ours}, and {theirs} with replacement");
        assert!(b > a + 1 || ours < 0.1 * theirs, "neighbours {a}, {b}: {ours}");
        biased += u32::from(b > a + 1 && chi_square_p(&counts(&model, &in_order, &pair), &truth) < 1e-6);
    }
    assert_eq!(biased, 6, "in the order of cells, distant pairs must be off");
}

/// The shape of a fit of census data: 15 columns, pairs and triples, 45,000 rows. The measured
/// cliques come five times closer to the model than in rows drawn one by one.
#[test]
fn measured_cliques_come_five_times_closer_than_with_replacement() {
    let sizes = [16, 7, 16, 16, 16, 7, 14, 6, 5, 2, 8, 15, 16, 41, 2];
    let cliques: [&[u32]; 20] = [
        &[0, 12],
        &[1, 6, 9],
        &[2, 13],
        &[3, 13],
        &[3, 4],
        &[8, 13],
        &[7, 9, 14],
        &[5, 7, 14],
        &[5, 7, 9],
        &[7, 10, 14],
        &[6, 7, 9],
        &[7, 11, 14],
        &[10, 11, 14],
        &[3, 6, 9],
        &[0, 5, 7],
        &[0, 5],
        &[3, 6],
        &[5, 7],
        &[7, 14],
        &[11, 14],
    ];
    let model = tree_model(&sizes, &cliques, "", 6);
    let mut means = Vec::new();
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&model, &Sampling::new(45_000, 8).with(replacement));
        let distances = cliques.iter().map(|attributes| distance(&model, &rows, &clique(attributes)));
        means.push(distances.sum::<f64>() / cliques.len() as f64);
    }
    assert!(means[0] > 5.0 * means[1], "{means:?}");
}

#[test]
fn rows_do_not_depend_on_the_threads() {
    for (model, replacement) in [
        (chain(), Replacement::Without),
        (small_network(""), Replacement::Without),
        (chain(), Replacement::Thinned),
        (small_network(""), Replacement::Thinned),
    ] {
        let sampler = model.sampler(&Sampling::new(3 * SPLIT_ROWS as u64 + 5, 4).with(replacement)).unwrap();
        let drawn = |threads: usize| -> Vec<Vec<Vec<u32>>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (0..sampler.blocks()).into_par_iter().map(|index| sampler.block(index).columns).collect())
        };
        let one = drawn(1);
        assert_eq!(one.len(), 4);
        assert!(one == drawn(4));
        assert!(one[0] != one[1]);
    }
}

#[test]
fn the_ends() {
    let models = [
        chain(),
        tree_model(&[1, 1, 3], &[&[0, 1], &[1, 2]], "", 1),
        tree_model(&[1], &[], "", 1),
        small_network(""),
        coded_model(&[&[1.0], &[0.5, 0.5]], 1.0, ""),
    ];
    for model in models {
        for replacement in [Replacement::With, Replacement::Without, Replacement::Thinned] {
            let sampler = model.sampler(&Sampling::new(0, 1).with(replacement)).unwrap();
            assert_eq!((sampler.blocks(), sampler.block(0).rows), (0, 0));
            let rows = rows_of(&model, &Sampling::new(1, 1).with(replacement));
            let sizes = model.schema().domain().sizes();
            assert!(rows[0].iter().zip(sizes).all(|(code, size)| code < size));
            let sampler = model.sampler(&Sampling::new(sampler.block_rows() as u64 + 1, 1).with(replacement)).unwrap();
            let last = sampler.block(1);
            assert_eq!((last.first_row, last.rows), (sampler.block_rows() as u64, 1));
            assert_eq!(sampler.block(u64::MAX).rows, 0);
        }
    }
}

/// 40,000 codes beside three: more cells than rows. Alpha 1e-6; the control moves 1 percent of the
/// weight.
#[test]
fn a_wide_column() {
    let size = 40_000;
    let model = tree_model(&[3, size], &[&[0, 1]], "", 1);
    let pair = clique(&[0, 1]);
    let truth = model.marginal(&pair).unwrap();
    let rows = rows_of(&model, &Sampling::new(4 * SPLIT_ROWS as u64, 2).with(Replacement::Without));
    let observed = counts(&model, &rows, &pair);
    let halves =
        |cells: &[f64]| -> Vec<f64> { cells.chunks(size as usize / 2).map(|half| half.iter().sum()).collect() };
    let drawn: Vec<u64> = observed.chunks(size as usize / 2).map(|half| half.iter().sum()).collect();
    assert!(chi_square_p(&drawn, &halves(&truth)) > 1e-6);
    let moved: Vec<f64> =
        truth.iter().enumerate().map(|(cell, p)| p * if cell / 20_000 % 2 == 0 { 1.02 } else { 0.98 }).collect();
    assert!(chi_square_p(&drawn, &halves(&moved)) < 1e-6, "no power");
    // Each block gives a cell the floor or the ceiling of its share of that block.
    for (count, p) in observed.iter().zip(&truth) {
        let share = SPLIT_ROWS as f64 * p;
        assert!((4.0 * share.floor()..=4.0 * share.ceil()).contains(&(*count as f64)));
    }
}

/// Rules are worked out on the network's own order, tangled ones too.
#[test]
fn impossible_rows_never_occur() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc2 = [\"v1\", \"v3\"]\n[[impossible]]\nc3 = \"v2\"\nc2 = \"v0\"\n[[impossible]]\nc1 = \"v1\"\nc3 = \"v0\"\nc0 = \"v1\"\n";
    let schema = coded_schema(&[2, 3, 4, 3, 3], rules);
    assert!(Rules::new(&schema).is_ok());
    let tree = tree_model(&[2, 3, 4, 3, 3], &[&[0, 1], &[3, 4], &[1, 2]], rules, 3);
    let product = coded_model(
        &[&[0.3, 0.7], &[0.2, 0.3, 0.5], &[0.1, 0.2, 0.3, 0.4], &[0.25, 0.25, 0.5], &[0.05, 0.15, 0.8]],
        100.0,
        rules,
    );
    for model in [tree, product] {
        for replacement in [Replacement::With, Replacement::Without, Replacement::Thinned] {
            for row in rows_of(&model, &Sampling::new(100_000, 7).with(replacement)) {
                assert!(!model.schema().forbids(&row), "{row:?}");
            }
        }
    }
}
