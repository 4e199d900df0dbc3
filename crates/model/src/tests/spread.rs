//! What giving cells evenly to rows that agree promises: columns that no draw joins are right on
//! average, and come closer to the model than at random.

use super::mixture::mixture_model;
use super::network::small_network;
use super::support::{chi_square_p, coded_model};
use super::tree::{clique, counts, tree_model};
use super::without::{chain, distance};
use crate::sampling::spread::CellOrder;
use crate::sampling::{shares::share_bits, without::WithoutReplacement};
use crate::{Model, SPLIT_ROWS, SampleRng};

/// Rows of a model, given in this way.
pub(super) fn rows_in(way: CellOrder, model: &Model, rows: usize, seed: u64) -> Vec<Vec<u32>> {
    let sampling_plan = model.structure().sampling_plan(model.schema(), model.rules()).unwrap();
    let splitter = WithoutReplacement::all(
        std::iter::once(&sampling_plan),
        share_bits(rows.next_power_of_two().max(SPLIT_ROWS)),
        seed,
    )
    .remove(0);
    let columns = splitter.in_this_way(way, rows, &mut SampleRng::new(seed, "test", 0));
    (0..rows).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
}

/// Three columns of 3, 2 and 4 codes that are independent given the first.
fn star() -> Model {
    tree_model(&[2, 3, 2, 4], &[&[0, 1], &[0, 2], &[0, 3]], "", 4)
}

/// Independent columns.
fn product() -> Model {
    let weights: Vec<Vec<f64>> =
        [9u32, 2, 5, 16, 3, 7].iter().map(|&size| (1..=size).map(f64::from).collect()).collect();
    coded_model(&weights.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1.0, "")
}

/// The mean distance of these sets of columns from the model, over seeds.
fn mean(way: CellOrder, model: &Model, sets: &[&[u32]], rows: usize) -> f64 {
    let seeds = 12;
    let one = |seed: u64| {
        let rows = rows_in(way, model, rows, seed);
        sets.iter().map(|set| distance(model, &rows, &clique(set))).sum::<f64>() / sets.len() as f64
    };
    (0..seeds).map(one).sum::<f64>() / seeds as f64
}

/// Pairs two and three draws apart, and triples with such pairs. Shuffled cells are the control:
/// between two sets of twelve samples that were shuffled both, the ratio would be 1, give or take
/// 0.05.
#[test]
fn what_no_draw_joins_comes_closer_to_the_model_than_at_random() {
    let pairs: &[&[u32]] = &[&[0, 2], &[1, 3], &[2, 4], &[0, 3], &[1, 4]];
    let triples: &[&[u32]] = &[&[0, 1, 2], &[0, 2, 4], &[1, 2, 3], &[0, 1, 3]];
    let all: &[&[u32]] = &[&[0, 1], &[2, 3], &[1, 4], &[3, 5], &[0, 5], &[0, 2, 4]];
    let small: &[&[u32]] = &[&[1, 3], &[0, 3], &[0, 1, 3], &[0, 1, 2, 3]];
    for (name, model, sets, most) in [
        ("pairs", chain(), pairs, 0.75),
        ("triples", chain(), triples, 0.8),
        ("a star", star(), &[&[1, 2], &[1, 3], &[2, 3], &[1, 2, 3]], 0.5),
        ("independent columns", product(), all, 0.6),
        ("a network", small_network(""), small, 0.7),
        ("a mixture", mixture_model(""), &[&[0, 1], &[1, 3], &[0, 1, 3]], 0.5),
    ] {
        let (even, shuffled) =
            (mean(CellOrder::Even, &model, sets, 20_000), mean(CellOrder::Shuffled, &model, sets, 20_000));
        assert!(even < most * shuffled, "{name}: {even}, and {shuffled} at random");
    }
}

/// A column of 3,000 codes, and two that depend on it, code by code otherwise.
fn crowd() -> Model {
    tree_model(&[3_000, 7, 2], &[&[0, 1], &[0, 2]], "", 5)
}

/// Groups of a row or two: given the first column, the last one comes out as the model says within
/// about a row, and not with the noise of drawing rows one by one. The control rounds each group
/// for itself.
#[test]
fn groups_that_round_together_leave_no_noise_in_single_columns() {
    let model = crowd();
    let joint = model.marginal(&clique(&[0, 2])).unwrap();
    let off = |way: CellOrder, seed: u64| -> f64 {
        let rows = rows_in(way, &model, 3_000, seed);
        let first = counts(&model, &rows, &clique(&[0]));
        let chances = joint.chunks_exact(2).map(|cells| cells[0] / (cells[0] + cells[1]));
        let expected: f64 = first.iter().zip(chances).map(|(&rows, chance)| rows as f64 * chance).sum();
        (counts(&model, &rows, &clique(&[2]))[0] as f64 - expected).abs()
    };
    for seed in 0..6 {
        let (together, apart) = (off(CellOrder::Even, seed), off(CellOrder::Apart, seed));
        assert!(together <= 1.0 && apart > 2.0, "{together} rows, and {apart} where each rounds for itself");
    }
}

/// Nine groups of a row or two, over many seeds: each cell is right on average although groups
/// decide together. Alpha 1e-6.
#[test]
fn groups_that_round_together_are_right_on_average() {
    let (model, all) = (tree_model(&[9, 2, 7], &[&[0, 1], &[0, 2]], "", 6), clique(&[0, 1, 2]));
    let drawn: Vec<Vec<u32>> = (0..20_000).flat_map(|seed| rows_in(CellOrder::Even, &model, 14, seed)).collect();
    assert!(chi_square_p(&counts(&model, &drawn, &all), &model.marginal(&all).unwrap()) > 1e-6);
}

/// Few rows at a time, over many seeds: each cell of the joint table of all columns is right on
/// average, so that no two columns and no three follow each other. Alpha 1e-6 each (rows of a seed
/// repel each other, which only makes the statistic smaller). The controls leave out the turn, or
/// give cells in their order.
#[test]
fn every_cell_of_the_joint_table_is_right_on_average() {
    for (name, model, rows) in [("a star", star(), 11), ("a network", small_network(""), 30)] {
        let all = clique(&[0, 1, 2, 3]);
        let truth = model.marginal(&all).unwrap();
        let p = |way: CellOrder| {
            let drawn: Vec<Vec<u32>> = (0..20_000).flat_map(|seed| rows_in(way, &model, rows, seed)).collect();
            chi_square_p(&counts(&model, &drawn, &all), &truth)
        };
        assert!(p(CellOrder::Even) > 1e-6, "{name}");
        assert!(p(CellOrder::Unturned) < 1e-6, "{name}: no power against a first row that is always the same");
        assert!(p(CellOrder::AsTheyCome) < 1e-6, "{name}: no power against cells in order");
    }
}

/// Forty fair coins given one more: most draws cannot look at most columns, and along one order of
/// rows all would alternate in step. Each pair's agreements are within 6.5 standard deviations of
/// independent draws: alpha 7e-8 for all 780 pairs.
#[test]
fn coins_do_not_follow_each_other() {
    let coins = 40u32;
    let links: Vec<[u32; 2]> = (1..=coins).map(|coin| [0, coin]).collect();
    let links: Vec<&[u32]> = links.iter().map(<[u32; 2]>::as_slice).collect();
    let domain = vec![2; coins as usize + 1];
    let model = crate::tests::tree::flat_model(&domain, &links);
    let deviations = |way: CellOrder| -> Vec<f64> {
        let rows = rows_in(way, &model, SPLIT_ROWS, 3);
        let pairs = (1..=coins as usize).flat_map(|a| (a + 1..=coins as usize).map(move |b| (a, b)));
        let agree = |(a, b): (usize, usize)| rows.iter().filter(|row| row[a] == row[b]).count() as f64;
        let half = SPLIT_ROWS as f64 / 2.0;
        pairs.map(|pair| (agree(pair) - half) / (half / 2.0).sqrt()).collect()
    };
    let (even, shuffled) = (deviations(CellOrder::Even), deviations(CellOrder::Shuffled));
    let squares = |deviations: &[f64]| deviations.iter().map(|z| z * z).sum::<f64>() / deviations.len() as f64;
    let worst = even.iter().fold(0f64, |worst, z| worst.max(z.abs()));
    assert!(worst < 6.5, "{worst}");
    assert!(squares(&even) < 0.8 * squares(&shuffled), "{}, and {} at random", squares(&even), squares(&shuffled));
}

/// Rows stand in no order: neighbours and rows 100 apart agree as often as any two. Within 6
/// standard deviations, alpha 2e-9 each; the control is the same rows, sorted.
#[test]
fn rows_come_in_no_order() {
    for model in [chain(), star(), product()] {
        let mut rows = rows_in(CellOrder::Even, &model, SPLIT_ROWS, 8);
        let columns = rows[0].len();
        let deviation = |rows: &[Vec<u32>], column: usize, apart: usize| {
            let single = counts(&model, rows, &clique(&[column as u32]));
            let n = rows.len() as f64;
            let same: f64 = single.iter().map(|&count| (count as f64 / n).powi(2)).sum();
            let pairs = (rows.len() - apart) as f64;
            let agree = rows.iter().zip(&rows[apart..]).filter(|(one, two)| one[column] == two[column]).count() as f64;
            (agree - pairs * same) / (pairs * same * (1.0 - same)).sqrt()
        };
        for (column, apart) in (0..columns).flat_map(|column| [(column, 1), (column, 100)]) {
            let z = deviation(&rows, column, apart);
            assert!(z.abs() < 6.0, "column {column}, {apart} apart: {z}");
        }
        rows.sort();
        assert!(deviation(&rows, 0, 1) > 100.0, "no power");
    }
}

/// Columns with more codes than rows can be sorted by, and with one code alone.
#[test]
fn columns_that_cannot_be_sorted_by() {
    let wide = vec![1.0; 70_000];
    let model = coded_model(&[&wide, &[1.0], &[0.5, 0.5], &wide, &[0.25, 0.75]], 1.0, "");
    let rows = rows_in(CellOrder::Even, &model, 1000, 1);
    let pairs = counts(&model, &rows, &clique(&[2, 4]));
    assert!(pairs.iter().zip([125u64, 375, 125, 375]).all(|(&count, share)| count.abs_diff(share) <= 3), "{pairs:?}");
}
