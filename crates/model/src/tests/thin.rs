//! What keeping some of many drawn rows promises.

use super::support::chi_square_p;
use super::tree::{clique, counts, rows_of, tree_model};
use super::without::{chain, distance};
use crate::sampling::thin::Thinning;
use crate::{Halt, Model, ModelError, Replacement, SPLIT_ROWS, Sampling};

/// Eight lots of 16 rows, all of them the same but for one row that no other is like: it stays in
/// one of eight cases. A choice that went by nearness alone would nearly always leave it out, or
/// nearly never. 5,000 seeds, alpha 1e-6; the control is one in six.
#[test]
fn a_row_like_no_other_stays_as_often_as_any() {
    let sizes = [4, 3, 5, 2];
    let lot = |number: u64| -> Result<Vec<Vec<u32>>, ModelError> {
        let own = |column: usize| (0..16).map(move |row| if number == 5 && row == 3 { sizes[column] - 1 } else { 0 });
        Ok((0..4).map(|column| own(column).collect()).collect())
    };
    let mut seen = [0, 0];
    for seed in 0..5_000 {
        let thinning = Thinning::new(&sizes, &[], 16, seed).unwrap();
        let rows = thinning.rows(16, seed, 0, &lot, &Halt::never()).unwrap();
        assert!(rows.iter().all(|column| column.len() == 16));
        seen[usize::from(rows[0].contains(&3))] += 1;
    }
    assert!(chi_square_p(&seen, &[7.0 / 8.0, 1.0 / 8.0]) > 1e-6, "{seen:?}");
    assert!(chi_square_p(&seen, &[5.0 / 6.0, 1.0 / 6.0]) < 1e-6, "no power: {seen:?}");
}

/// Seven rows at a time: right on average, and whatever the place of the row. Alpha 1e-6 each; the
/// control is another model.
#[test]
fn counts_are_right_on_average_and_rows_are_exchangeable() {
    let (model, other) = (chain(), tree_model(&[6, 5, 7, 4, 6], &[&[0, 1]], "", 3));
    let (mut all, mut firsts) = (Vec::new(), Vec::new());
    for seed in 0..6_000 {
        let rows = rows_of(&model, &Sampling::new(7, seed).with(Replacement::Thinned));
        firsts.push(rows[0].clone());
        all.extend(rows);
    }
    for pair in [clique(&[0, 1]), clique(&[1, 2]), clique(&[3, 4]), clique(&[0, 4])] {
        let truth = model.marginal(&pair).unwrap();
        for rows in [&all, &firsts] {
            assert!(chi_square_p(&counts(&model, rows, &pair), &truth) > 1e-6, "{pair:?}");
        }
        assert!(chi_square_p(&counts(&model, &all, &pair), &other.marginal(&pair).unwrap()) < 1e-6, "no power");
    }
}

/// A chain of eleven columns, every third pair and triple of columns whether a draw joins them or
/// not.
fn mean_distance(model: &Model, rows: u64, seed: u64, replacement: Replacement) -> f64 {
    let rows = rows_of(model, &Sampling::new(rows, seed).with(replacement));
    let sets: Vec<_> =
        (0..9u32).flat_map(|a| [clique(&[a, a + 2]), clique(&[a, (a + 4) % 11, (a + 7) % 11])]).collect();
    sets.iter().map(|set| distance(model, &rows, set)).sum::<f64>() / sets.len() as f64
}

/// Sets that no draw joins come closer to the model; two ways of drawing the same are alike (the
/// control). Beyond a number of rows, and of columns, all that are drawn are kept.
#[test]
fn rows_come_closer_to_the_model_unless_there_are_too_many() {
    let pairs: Vec<[u32; 2]> = (0..10).map(|a| [a, a + 1]).collect();
    let pairs: Vec<&[u32]> = pairs.iter().map(|pair| pair.as_slice()).collect();
    let model = tree_model(&[4, 6, 3, 5, 8, 2, 7, 4, 6, 3, 5], &pairs, "", 2);
    let mean = |seeds: std::ops::Range<u64>, replacement| -> f64 {
        seeds.map(|seed| mean_distance(&model, 20_000, seed, replacement)).sum::<f64>() / 4.0
    };
    let (plain, again) = (mean(0..4, Replacement::Without), mean(4..8, Replacement::Without));
    let thinned = mean(0..4, Replacement::Thinned);
    assert!(thinned < 0.75 * plain && again > 0.85 * plain, "{thinned}, and {plain}, {again} as drawn");
    let sizes = model.schema().domain().sizes();
    let [most, more] = [4, 5].map(|blocks| Thinning::new(sizes, &[], blocks * SPLIT_ROWS as u64, 1));
    assert!(most.is_some() && more.is_none());
    assert!(Thinning::new(&[2; 33], &[], 1000, 1).is_none() && Thinning::new(&[2; 32], &[], 1000, 1).is_some());
    assert!(Thinning::new(&[9, 1, 1], &[], 1000, 1).is_none(), "one column has nothing to go with");
}
