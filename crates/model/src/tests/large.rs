//! What drawing a large release in large blocks promises.

use super::support::chi_square_p;
use super::tree::{clique, counts, rows_of, tree_model};
use super::without::{chain, distance};
use crate::sampling::large_rows;
use crate::{Replacement, SPLIT_ROWS, Sampling};

/// More than is thinned.
const ROWS: u64 = 5 * SPLIT_ROWS as u64 + 17;

#[test]
fn a_block_has_as_many_rows_as_its_columns_leave_room_for() {
    assert_eq!([0, 1, 16, 17, 98, 600].map(large_rows), [1 << 21, 1 << 21, 1 << 21, 1 << 20, 1 << 18, SPLIT_ROWS]);
    let model = chain();
    let blocks = |replacement| model.sampler(&Sampling::new(ROWS, 1).with(replacement)).unwrap().blocks();
    assert_eq!([Replacement::Thinned, Replacement::Without].map(blocks), [1, 6]);
}

/// A cell that a draw joins is off by a row or two in the whole release, not in each block of it;
/// what no draw joins comes closer, too. The control is the same release in small blocks.
#[test]
fn a_large_release_is_closer_to_the_model_than_its_parts() {
    let model = chain();
    let mean = |replacement, sets: &[&[u32]]| -> f64 {
        let rows = rows_of(&model, &Sampling::new(ROWS, 3).with(replacement));
        sets.iter().map(|set| distance(&model, &rows, &clique(set))).sum::<f64>() / sets.len() as f64
    };
    for (sets, least) in [(&[&[0u32, 1][..], &[1, 2], &[3, 4]], 0.6), (&[&[0, 2], &[1, 4], &[0, 4]], 0.8)] {
        let [large, small] = [Replacement::Thinned, Replacement::Without].map(|replacement| mean(replacement, sets));
        assert!(large < least * small && large > 0.0, "{large} instead of {small}");
    }
}

/// A group of more rows than 16 bits number: rows that agree get their share of each cell. Alpha
/// 1e-6; the control is a model in which the third column hangs on the first.
#[test]
fn what_no_draw_joins_is_independent_given_what_joins_it() {
    let model = tree_model(&[7, 2, 5], &[&[0, 1], &[1, 2]], "", 5);
    let other = tree_model(&[7, 2, 5], &[&[0, 1], &[0, 2]], "", 5);
    let set = clique(&[0, 1, 2]);
    let rows = rows_of(&model, &Sampling::new(ROWS, 8).with(Replacement::Thinned));
    let drawn = counts(&model, &rows, &set);
    assert!(chi_square_p(&drawn, &model.marginal(&set).unwrap()) > 1e-6);
    assert!(chi_square_p(&drawn, &other.marginal(&set).unwrap()) < 1e-6, "no power");
}

#[test]
fn parts_are_the_block_cut_up_with_places_of_their_own() {
    let model = chain();
    let block = model.sampler(&Sampling::new(ROWS, 2).with(Replacement::Thinned)).unwrap().block(0);
    let parts: Vec<_> = (0..block.parts()).map(|number| block.part(number)).collect();
    assert_eq!(parts.iter().map(|part| part.rows).collect::<Vec<_>>(), [[SPLIT_ROWS; 5].as_slice(), &[17]].concat());
    for (number, part) in parts.iter().enumerate() {
        assert_eq!(part.first_row, (number * SPLIT_ROWS) as u64);
        assert_eq!(part.columns[3], block.columns[3][number * SPLIT_ROWS..][..part.rows]);
    }
    let mut words: Vec<u64> = parts.iter().map(|part| part.places.rng().next_u64()).collect();
    assert_eq!(words[0], block.places.rng().next_u64());
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 6);
}
