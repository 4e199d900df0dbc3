//! Synthesizers: the core step of each on a case small enough to check by hand, and the whole at a
//! large budget.

mod bsg;
mod dp_copula;
mod dp_wgan;
mod dual_query;
mod mwem;

use lookalike_evaluate::marginal_distances;
use lookalike_privacy::SeededNoise;
use lookalike_table::Table;

use crate::baselines::synthesizers::{BaselineSynthesizer, SynthesisTask};
use crate::marginal::{all_marginals, mean};
use crate::simulate::BooleanNetwork;
use crate::simulate::design::{Link, TableDesign};

/// Columns of several sizes that follow each other in order.
fn mixed() -> Table {
    let columns = vec![
        (4, Link::Skewed),
        (3, Link::Ordered { parent: 0, noise: 40 }),
        (5, Link::Ordered { parent: 0, noise: 90 }),
        (2, Link::Ordered { parent: 2, noise: 60 }),
    ];
    TableDesign { rows: 4_000, columns }.table(3).unwrap()
}

/// Six yes-or-no columns, each after one or two before it.
fn binary() -> Table {
    BooleanNetwork::random(6, 2, 4).table(4_000, 4).unwrap()
}

fn make(system: BaselineSynthesizer, table: &Table, epsilon: f64, seed: u64) -> Table {
    let task = SynthesisTask { table, epsilon, delta: 1e-5, rows: table.rows() as usize };
    let made = system.synthesize(&task, &mut SeededNoise::new(seed)).unwrap();
    assert_eq!((made.rows(), made.schema()), (table.rows(), table.schema()));
    made
}

/// The mean total variation distance over all marginals of `ways` columns.
fn apart(real: &Table, made: &Table, ways: usize) -> f64 {
    mean(&marginal_distances(real, made, &all_marginals(real.domain(), ways)).unwrap())
}

/// Rows without any structure: every code alike.
fn even(table: &Table) -> Table {
    let columns = table.domain().sizes().iter().map(|&size| (size, Link::Even)).collect();
    let drawn = TableDesign { rows: table.rows() as usize, columns }.table(9).unwrap();
    let codes = drawn.domain().attributes().map(|attribute| drawn.codes(attribute).unwrap()).collect();
    Table::from_columns(table.schema(), codes)
}

#[test]
fn nonsense_is_refused() {
    let table = mixed();
    let whole = SynthesisTask { table: &table, epsilon: 1.0, delta: 1e-5, rows: 10 };
    let nothing = Table::from_columns(table.schema(), vec![vec![0]; 4]);
    for system in BaselineSynthesizer::ALL {
        let refused = |task: SynthesisTask| system.synthesize(&task, &mut SeededNoise::new(1)).is_err();
        assert!(
            refused(SynthesisTask { epsilon: 0.0, ..whole }) && refused(SynthesisTask { epsilon: f64::NAN, ..whole })
        );
        assert!(refused(SynthesisTask { delta: 1.0, ..whole }));
        assert!(refused(SynthesisTask { table: &nothing, ..whole }));
    }
}

#[test]
fn the_same_bits_make_the_same_table() {
    let table = binary();
    for system in BaselineSynthesizer::ALL {
        let rows = |seed| {
            let made = make(system, &table, 1.0, seed);
            made.domain().attributes().map(|attribute| made.codes(attribute).unwrap()).collect::<Vec<_>>()
        };
        let first = rows(1);
        assert!(first == rows(1) && first != rows(2), "{}", system.name());
    }
}
