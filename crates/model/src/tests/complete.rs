//! Rows of which some columns are known: the others are drawn from the model's own conditionals.

use super::filter::{joint, models};
use super::support::chi_square_p;
use crate::{Halt, ModelError};

/// Known codes of the first and the last column, the two between to be drawn.
fn known(first: u32, last: u32, rows: usize) -> Vec<Option<Vec<u32>>> {
    vec![Some(vec![first; rows]), None, None, Some(vec![last; rows])]
}

/// For every structure: the drawn columns have the probabilities that brute force gives. 54 tests
/// of p > 1e-6, so that a false alarm has a chance of 5e-5; the control draws for another known
/// cell.
#[test]
fn drawn_columns_follow_the_known_ones() {
    const ROWS: usize = 20_000;
    let mut told_apart = false;
    for model in models() {
        let joint = joint(&model);
        for (first, last) in [(0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1)] {
            let given = |first: u32, last: u32| -> Vec<f64> {
                let mut cells = vec![0.0; 4];
                for (row, p) in joint.iter().filter(|(row, _)| row[0] == first && row[3] == last) {
                    cells[(row[1] * 2 + row[2]) as usize] += p;
                }
                let total: f64 = cells.iter().sum();
                cells.into_iter().map(|p| p / total).collect()
            };
            let expected = given(first, last);
            if expected.iter().any(|p| p.is_nan()) {
                continue;
            }
            let block = model.complete(&known(first, last, ROWS), ROWS, 7, &Halt::never()).unwrap();
            assert!(block.columns[0].iter().all(|&code| code == first));
            assert!(block.columns[3].iter().all(|&code| code == last));
            let mut counts = vec![0u64; 4];
            for (b, c) in block.columns[1].iter().zip(&block.columns[2]) {
                counts[(b * 2 + c) as usize] += 1;
            }
            assert!(chi_square_p(&counts, &expected) > 1e-6, "{counts:?} {expected:?}");
            let other = given((first + 1) % 3, last);
            told_apart |= other.iter().all(|p| *p > 0.0) && chi_square_p(&counts, &other) < 1e-6;
        }
    }
    assert!(told_apart);
}

#[test]
fn rows_keep_their_places_and_a_seed_fixes_them() {
    let model = &models()[2];
    let columns = vec![Some((0..300).map(|row| row % 3).collect()), None, None, None];
    let drawn = |seed: u64| model.complete(&columns, 300, seed, &Halt::never()).unwrap().columns;
    assert_eq!(drawn(5)[0], columns[0].clone().unwrap());
    assert_eq!(drawn(5), drawn(5));
    assert_ne!(drawn(5), drawn(6));
}

/// What the model holds for impossible is kept all the same, and the rest is drawn without it.
#[test]
fn an_impossible_row_is_filled_in_as_far_as_it_can_be() {
    let model = &models()[1];
    let known = vec![Some(vec![0; 50]), None, Some(vec![1; 50]), None];
    let block = model.complete(&known, 50, 5, &Halt::never()).unwrap();
    assert_eq!((block.columns[0][0], block.columns[2][0]), (0, 1));
    assert!(block.columns[3].iter().all(|&code| code < 3));
}

#[test]
fn what_is_not_the_models_is_refused() {
    let model = &models()[2];
    let whole = |column: Vec<u32>| vec![Some(column), None, None, None];
    for known in [whole(vec![3; 4]), whole(vec![0; 3]), vec![None; 3]] {
        assert!(matches!(model.complete(&known, 4, 1, &Halt::never()), Err(ModelError::Shape { .. })), "{known:?}");
    }
    let stop = Halt::when(|_| true);
    assert!(matches!(model.complete(&whole(vec![0; 4]), 4, 1, &stop), Err(ModelError::Halted)));
}
