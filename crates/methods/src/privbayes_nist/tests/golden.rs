//! The worked examples of the paper, with the values that it should have printed.

use lookalike_curator::Noise;
use lookalike_model::Halt;
use lookalike_privacy::accounting::analytic::continuous_sigma;
use lookalike_privacy::{Budget, Delta, Epsilon, Neighbours, Relation};

use crate::privbayes_nist::consistency::average::{Averaging, view};
use crate::privbayes_nist::consistency::sets::MOST_SETS;
use crate::privbayes_nist::consistency::variances::{Share, updated};
use crate::privbayes_nist::consistency::{Negatives, Variances, smallest};
use crate::privbayes_nist::hierarchy::{Hierarchy, Node};
use crate::privbayes_nist::purse::{Purse, Wants};
use crate::privbayes_nist::tables::Table;

fn close(found: f64, wanted: f64, slack: f64) {
    assert!((found - wanted).abs() <= slack, "{found} instead of {wanted}");
}

/// 98 columns, 662,000 rows, (1, 1e-9): the paper's shares with continuous Gaussians, and what
/// calibration makes of them.
#[test]
fn shares_of_the_challenge() {
    let f: f64 = continuous_sigma(1.0, 1e-9).powi(-2);
    close(f, 0.033115, 1e-6);
    let (pairs, tables) = (98.0 * 97.0 / 2.0f64, 98.0f64);
    let score = (4.0 * (pairs + 1.0) / (0.2 * f)).sqrt();
    let count = ((pairs + 1.0) / (0.2 * f)).sqrt();
    let joint = (tables / (0.8 * f)).sqrt();
    close(score, 1694.5, 0.1);
    close(count, 847.2, 0.1);
    close(joint, 60.82, 0.01);
    close(662_000.0 / (4.0 * joint), 2721.0, 1.0);

    let wants = Wants {
        score_share: 0.2,
        pairs: pairs as u32,
        tables: 98,
        neighbours: Neighbours::new(Relation::AddRemove, 1).unwrap(),
        public_rows: 0,
    };
    let budget = Budget { epsilon: Epsilon::new(1.0).unwrap(), delta: Delta::new(1e-9).unwrap() };
    let purse = Purse::forecast(wants, budget).unwrap();
    // Never less noise than continuous Gaussians would need, and hardly more.
    let near = |found: f64, wanted: f64| assert!((1.0..1.003).contains(&(found / wanted)), "{found}, {wanted}");
    near(purse.cautious_deviation().unwrap(), joint);
    let (Some(Noise::Gaussian(of_count)), Some((Noise::Gaussian(of_score), draws))) =
        (purse.count().unwrap(), purse.scores(4753).unwrap())
    else {
        panic!("not a plan of Gaussians: {purse:?}")
    };
    assert_eq!(draws, vec![1; 4753]);
    near(of_count.to_f64().sqrt(), count);
    near(of_score.to_f64().sqrt() / 4096.0, score);
}

/// Table 2 becomes table 3. Only the cells that the paper prints: the others share the rest.
#[test]
fn clipping_divides_by_the_tables_own_sum() {
    let mut ages = vec![0.04, -0.1, 0.08, 0.68];
    Negatives::Clip.remove(&mut ages);
    for (found, wanted) in ages.iter().zip([0.05, 0.0, 0.1]) {
        close(*found, wanted, 1e-12);
    }
    let mut both = vec![0.02, 0.02, -0.1, 0.0, 0.0, 0.0, 0.38, 0.38];
    Negatives::Clip.remove(&mut both);
    for (found, wanted) in both.iter().zip([0.025, 0.025, 0.0, 0.0, 0.0, 0.0]) {
        close(*found, wanted, 1e-12);
    }
    // Counts of 100 people whose noisy sum is 93.
    let mut counts = vec![1.0, 3.0, 89.0];
    Negatives::Clip.remove(&mut counts);
    close(counts[0], 1.0 / 93.0, 1e-15);
    close(counts[1], 3.0 / 93.0, 1e-15);
}

/// Age in one table, age and grade in another, with equal noise in every cell: weights 2/3 and 1/3.
#[test]
fn the_example_of_consistency() {
    let hierarchy = Hierarchy::of_groupings(vec![(4, vec![]), (2, vec![])]);
    let (age, grade) = (Node::finest(0), Node::finest(1));
    let mut tables = [
        Table { nodes: vec![age], cells: vec![0.05, 0.0, 0.1, 0.85], variance: 1.0 },
        Table { nodes: vec![age, grade], cells: vec![0.025, 0.025, 0.0, 0.0, 0.0, 0.0, 0.475, 0.475], variance: 1.0 },
    ];
    let halt = Halt::never();
    Averaging::new(&hierarchy, &tables, Variances::Measured, MOST_SETS, &halt)
        .unwrap()
        .sweep(&mut tables, &halt)
        .unwrap();
    let wanted = [0.05, 0.0, 0.2 / 3.0, 0.85 + 0.1 / 3.0];
    for table in &tables {
        for (found, wanted) in view(&hierarchy, table, &[age]).iter().zip(wanted) {
            close(*found, wanted, 1e-12);
        }
    }
    close(tables[0].cells[2], 0.0667, 5e-5);
    close(tables[1].cells[4], 0.0333, 5e-5);
    close(tables[1].cells[5], 0.0333, 5e-5);
    assert!(smallest(&tables) >= 0.0);
    // 10,000 rows: the paper's histograms, from the paper's rounding of the entry to 0.067.
    let rows = |cell: f64| (cell * 10_000.0).round();
    assert_eq!([rows(tables[0].cells[0]), rows(tables[0].cells[1])], [500.0, 0.0]);
    assert_eq!([rows(tables[1].cells[0]), rows(tables[1].cells[1])], [250.0, 250.0]);
    assert_eq!([rows(0.067), rows(0.067 / 2.0)], [670.0, 335.0]);
}

/// The mean of two tables with variances 1 and 2 has two thirds of the first's variance. Spread
/// over two cells, each table's view of age then has it.
#[test]
fn averaging_leaves_two_thirds_of_the_variance() {
    let hierarchy = Hierarchy::of_groupings(vec![(2, vec![]), (2, vec![])]);
    let (age, grade) = (Node::finest(0), Node::finest(1));
    // The procedure is linear: its response to one unit of noise in each cell gives the variance.
    let response = |table: usize, cell: usize| {
        let mut tables = [
            Table { nodes: vec![age], cells: vec![0.0; 2], variance: 1.0 },
            Table { nodes: vec![age, grade], cells: vec![0.0; 4], variance: 1.0 },
        ];
        tables[table].cells[cell] = 1.0;
        // Averaging over age alone: the empty set would move everything a little.
        let averaging =
            Averaging::over(&hierarchy, &tables, vec![vec![age]], Variances::Measured, &Halt::never()).unwrap();
        averaging.sweep(&mut tables, &Halt::never()).unwrap();
        [tables[0].cells[0], view(&hierarchy, &tables[1], &[age])[0]]
    };
    let mut variance = [0.0; 2];
    for (table, cells) in [(0, 2), (1, 4)] {
        for cell in 0..cells {
            response(table, cell).iter().zip(&mut variance).for_each(|(found, sum)| *sum += found * found);
        }
    }
    close(variance[0], 2.0 / 3.0, 1e-12);
    close(variance[1], 2.0 / 3.0, 1e-12);
}

/// Equation 3.3 on the example: a cell of either table has two thirds of the variance that it had,
/// and later sets weigh the second table by that. With w as printed the first would have a third.
#[test]
fn variances_are_updated_by_equation_3_3() {
    let share = |weight: f64, inside: f64| Share { weight, inside, variance: 1.0 };
    for found in updated(&[share(2.0 / 3.0, 1.0), share(1.0 / 3.0, 2.0)]) {
        close(found, 2.0 / 3.0, 1e-12);
    }
    let hierarchy = Hierarchy::of_groupings(vec![(4, vec![]), (2, vec![])]);
    let (age, grade) = (Node::finest(0), Node::finest(1));
    // Grade after age: 4 cells of the second table to one of the third's.
    for (variances, cell) in [(Variances::Measured, 1.0), (Variances::Updated, 2.0 / 3.0)] {
        let table = |nodes: Vec<Node>, cells: Vec<f64>| Table { nodes, cells, variance: 1.0 };
        let mut tables =
            [table(vec![age], vec![0.0; 4]), table(vec![age, grade], vec![0.0; 8]), table(vec![grade], vec![1.0, 0.0])];
        let (sets, halt) = (vec![vec![age], vec![grade]], Halt::never());
        let averaging = Averaging::over(&hierarchy, &tables, sets, variances, &halt).unwrap();
        averaging.sweep(&mut tables, &halt).unwrap();
        close(tables[2].cells[0], 4.0 * cell / (1.0 + 4.0 * cell), 1e-12);
    }
}
