//! The baseline keeps what it should at a large budget, and its counts add up.

use lookalike_evaluate::raw::{RawTable, compare_raw};
use lookalike_privacy::Budget;
use lookalike_schema::Schema;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::*;

#[test]
fn counts_are_never_negative_and_add_up() {
    let counts = onto_counts(&[90.0, -7.0, 12.0, 3.0, -2.0], &|_| true, 98.0);
    let wanted = [88.0, 0.0, 10.0, 1.0, 0.0].map(|count: f64| (count - 1.0 / 3.0).max(0.0));
    assert!(counts.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9), "{counts:?}");
    assert!((counts.iter().sum::<f64>() - 98.0).abs() < 1e-9);
}

#[test]
fn no_row_has_more_weight_than_the_bound() {
    let schema = Schema::parse("{\"a\": 50, \"b\": 50}", "test").unwrap();
    let codec = |index| schema.codec(lookalike_schema::AttrId(index));
    let columns = [0, 1].map(|index| NoisyColumn::new(CellGrid::of(codec(index)), &[1.0; 50], 50.0));
    for code in 0..50 {
        let bound = 40_000.0;
        let sums = products(&columns, &[vec![code], vec![49 - code]], bound);
        let weight = (sums[0][0].pow(2) + sums[1][1].pow(2) + 2 * sums[1][0].pow(2)) as f64;
        assert!(weight <= bound * bound, "{code}");
    }
}

#[test]
fn a_large_budget_keeps_a_correlation_and_missing_cells() {
    let text = "[columns.a]\ntype = 'number'\nrange = [-10, 10]\ndecimals = 2\nmissing = false\n\
        [columns.b]\ntype = 'integer'\nrange = [-100, 100]\nmissing = false\n\
        [columns.c]\ntype = 'boolean'\nmissing = true\n";
    let schema = Schema::parse(text, "test").unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let [mut a, mut b, mut c] = [const { Vec::new() }; 3];
    for row in 0..4000 {
        let [x, y] = normal_pair(&mut rng);
        a.push((x * 100.0).round() / 100.0);
        b.push((10.0 * (0.8 * x + 0.6 * y)).round());
        c.push(if row % 10 == 0 { f64::NAN } else { f64::from(row % 2) });
    }
    let real = RawTable::new(vec![a, b, c]);
    let made = copula_rows(&schema, &real, Budget::new(20.0, 1e-6).unwrap(), 7).unwrap();
    let found = compare_raw(&schema, &real, &made, &|| false).unwrap();
    assert!(found.rows[1].abs_diff(4000) < 20);
    let spearman = found.pairs[0].other.spearman.unwrap();
    assert!((spearman - 0.78).abs() < 0.08, "{spearman}");
    assert!((found.missing_shares[2][1] - 0.1).abs() < 0.03);
    assert!(found.summary().kolmogorov.unwrap() < 0.06);
}
