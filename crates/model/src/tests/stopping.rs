//! Long work asks often enough, and stops wherever it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_schema::Domain;

use super::tree::{clique, tree_model};
use crate::halt::PIECE;
use crate::mixture::{MixtureOptions, fit_mixture};
use crate::{FitOptions, Halt, JunctionTree, Measurement, ModelError, Options, Replacement, Sampling, estimate, fit};

/// The most steps that may be announced at once: a piece of a table with some twenty fields and
/// neighbours.
const MOST_STEPS: u64 = 32 * PIECE as u64;

/// How often it was asked, and the most steps that were announced at once.
#[derive(Default)]
struct Asked {
    times: AtomicU64,
    most: AtomicU64,
}

/// Says "stop" at this question, counted from 1, and from then on.
fn stop_at(question: u64) -> (Arc<Asked>, Halt) {
    let asked = Arc::new(Asked::default());
    let seen = Arc::clone(&asked);
    let halt = Halt::when(move |steps| {
        seen.most.fetch_max(steps, Ordering::Relaxed);
        seen.times.fetch_add(1, Ordering::Relaxed) + 1 >= question
    });
    (asked, halt)
}

fn times(asked: &Asked) -> u64 {
    asked.times.load(Ordering::Relaxed)
}

/// One clique of 2^22 cells, four pieces: a pass fills it and spreads over it, so it asks eight
/// times at least.
#[test]
fn a_pass_over_a_large_table_asks_between_its_pieces() {
    let columns: Vec<u32> = (0..22).collect();
    let domain = Domain::new(vec![2; columns.len()]);
    let tree = JunctionTree::new(&domain, &[clique(&columns)], &[]).unwrap();
    assert_eq!(tree.cells(), 4 * PIECE as u64);
    let values = [60.0, 10.0, 20.0, 30.0];
    let measured = [Measurement { clique: clique(&[3, 19]), values: &values, variance: 4.0 }];
    let fitted = |halt: Halt| estimate(&tree, &measured, &Options { passes: 2, halt, ..Options::default() });
    let (asked, halt) = stop_at(u64::MAX);
    let fit = fitted(halt).unwrap();
    let all = times(&asked);
    assert!(all >= 8 * fit.passes, "{all} questions in {} passes", fit.passes);
    assert!(asked.most.load(Ordering::Relaxed) <= MOST_STEPS);
    for question in [1, 2, 3, all / 3, all / 2, all - 1, all] {
        let (_, halt) = stop_at(question);
        assert!(matches!(fitted(halt), Err(ModelError::Halted)), "question {question} of {all}");
    }
    // The fitted model asks on when it is asked for marginals.
    let before = times(&asked);
    fit.model.marginals(&[clique(&[0, 1]), clique(&[5, 21])]).unwrap();
    assert!(times(&asked) > before);
}

#[test]
fn a_mixture_stops_wherever_it_is_told_to() {
    let domain = Domain::new(vec![3; 8]);
    let sets: Vec<_> = (0..7).map(|first| clique(&[first, first + 1])).collect();
    let values: Vec<f64> = (0..9).map(|cell| 10.0 + f64::from(cell)).collect();
    let measured: Vec<Measurement> =
        sets.iter().map(|set| Measurement { clique: set.clone(), values: &values, variance: 1.0 }).collect();
    let fitted = |halt: Halt| {
        let options = MixtureOptions { steps: 25, components: Some(64), halt, ..MixtureOptions::default() };
        fit_mixture(&domain, &[], &measured, &options)
    };
    let (asked, halt) = stop_at(u64::MAX);
    fitted(halt).unwrap();
    let all = times(&asked);
    for question in [1, 2, 5, all / 2, all] {
        let (_, halt) = stop_at(question);
        assert!(matches!(fitted(halt), Err(ModelError::Halted)), "question {question} of {all}");
    }
    // The way by which methods come here hands the question on.
    let (_, halt) = stop_at(1);
    let options = FitOptions { tree: Options { halt, ..Options::default() }, ..FitOptions::default() };
    assert!(matches!(fit(&domain, &[], &measured, &options), Err(ModelError::Halted)));
}

/// Drawn without replacement, thinned and not: a block is left wherever it is told to be, and is
/// the same when it is not.
#[test]
fn drawing_rows_stops_wherever_it_is_told_to() {
    let model = tree_model(&[6, 5, 7, 4, 6], &[&[0, 1], &[1, 2], &[3, 4]], "", 3);
    for replacement in [Replacement::Without, Replacement::Thinned] {
        let sampler = model.sampler(&Sampling::new(500, 3).with(replacement)).unwrap();
        let (asked, halt) = stop_at(u64::MAX);
        let block = sampler.block_unless(0, &halt).unwrap();
        assert_eq!(block.columns, sampler.block(0).columns);
        let all = times(&asked);
        for question in 1..=all {
            let (_, halt) = stop_at(question);
            assert!(matches!(sampler.block_unless(0, &halt), Err(ModelError::Halted)), "question {question} of {all}");
        }
    }
}
