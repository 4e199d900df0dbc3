use lookalike_schema::{AttrId, Clique};

use super::support::{chi_square_p, coded_model};
use crate::{BLOCK_ROWS, Model, Replacement, Sampling};

fn with(rows: u64, seed: u64) -> Sampling {
    Sampling::new(rows, seed).with(Replacement::With)
}

const RULES: &str = "[[impossible]]\nc0 = \"v0\"\nc2 = [\"v1\", \"v3\"]\n[[impossible]]\nc3 = \"v2\"\nc2 = \"v0\"\n";

fn model() -> Model {
    coded_model(
        &[&[0.3, 0.7], &[0.2, 0.3, 0.5], &[0.1, 0.2, 0.3, 0.4], &[0.25, 0.25, 0.5], &[0.05, 0.15, 0.8]],
        100.0,
        RULES,
    )
}

fn rows_of(model: &Model, rows: u64, seed: u64) -> Vec<Vec<u32>> {
    let sampler = model.sampler(&with(rows, seed)).unwrap();
    let blocks: Vec<_> = (0..sampler.blocks()).map(|index| sampler.block(index)).collect();
    blocks
        .iter()
        .flat_map(|block| (0..block.rows).map(|row| block.columns.iter().map(|column| column[row]).collect()))
        .collect()
}

/// Alpha 1e-6 for each of the 10 pairs; a control with slightly other weights must fail.
#[test]
fn sampled_pairs_follow_the_model() {
    let model = model();
    let rows = rows_of(&model, 500_000, 42);
    let sizes = model.schema().domain().sizes().to_vec();
    for a in 0..5u32 {
        for b in a + 1..5 {
            let truth = model.marginal(&Clique::new([AttrId(a), AttrId(b)])).unwrap();
            let mut observed = vec![0u64; truth.len()];
            for row in &rows {
                observed[(row[a as usize] * sizes[b as usize] + row[b as usize]) as usize] += 1;
            }
            assert!(chi_square_p(&observed, &truth) > 1e-6, "{a}, {b}");
        }
    }
    let mut observed = vec![0u64; 3];
    rows.iter().for_each(|row| observed[row[1] as usize] += 1);
    assert!(chi_square_p(&observed, &[0.205, 0.3, 0.495]) < 1e-6, "the test has no power");
}

#[test]
fn impossible_rows_never_occur() {
    let model = model();
    for row in rows_of(&model, 300_000, 7) {
        assert!(!model.schema().forbids(&row), "{row:?}");
    }
}

#[test]
fn blocks_do_not_depend_on_order_or_thread() {
    let model = model();
    let sampler = model.sampler(&with(5 * BLOCK_ROWS as u64 + 17, 9)).unwrap();
    assert_eq!(sampler.blocks(), 6);
    let forward: Vec<_> = (0..6).map(|index| sampler.block(index).columns).collect();
    let backward: Vec<_> = (0..6).rev().map(|index| sampler.block(index).columns).collect();
    assert!(forward.iter().eq(backward.iter().rev()));
    let threads: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..6)
            .map(|index| {
                scope.spawn({
                    let sampler = &sampler;
                    move || sampler.block(index).columns
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(forward, threads);
    assert_ne!(forward[0], forward[1]);
    // A file brings back the same rows.
    let again = Model::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(again.sampler(&with(5 * BLOCK_ROWS as u64 + 17, 9)).unwrap().block(3).columns, forward[3]);
    assert_ne!(again.sampler(&with(5 * BLOCK_ROWS as u64 + 17, 10)).unwrap().block(3).columns, forward[3]);
}

#[test]
fn the_ends() {
    let model = model();
    let none = model.sampler(&with(0, 1)).unwrap();
    assert_eq!(none.blocks(), 0);
    assert_eq!(none.block(0).rows, 0);
    let sampler = model.sampler(&with(BLOCK_ROWS as u64 + 1, 1)).unwrap();
    let last = sampler.block(1);
    assert_eq!((last.first_row, last.rows), (BLOCK_ROWS as u64, 1));
    assert!(last.columns.iter().all(|column| column.len() == 1));
    assert_eq!(sampler.block(u64::MAX).rows, 0);
}

#[test]
fn places_inside_bins_have_a_stream_of_their_own() {
    let model = model();
    let sampler = model.sampler(&with(2 * BLOCK_ROWS as u64, 1)).unwrap();
    let places = |index| sampler.block(index).places.rng();
    let (mut one, mut same, mut other) = (places(0), places(0), places(1));
    let first = one.next_u64();
    assert_eq!(first, same.next_u64());
    assert_ne!(first, other.next_u64());
}
