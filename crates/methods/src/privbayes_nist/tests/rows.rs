//! Rows that the method's models give.

use lookalike_model::{Conditional, Model, Origin, Replacement, Sampling};
use lookalike_privacy::Relation;
use lookalike_schema::{AttrId, Clique};

use super::release::fit_with;
use crate::privbayes_nist::stepping::whole;
use crate::tests::{bench, budget, chained, schema};

fn drawn(model: &Model, rows: u64, replacement: Option<Replacement>) -> Vec<Vec<u32>> {
    let sampling = Sampling { replacement, ..Sampling::new(rows, 5) };
    let sampler = model.sampler(&sampling).unwrap();
    let mut columns = vec![Vec::new(); model.schema().domain().len()];
    for index in 0..sampler.blocks() {
        for (column, part) in columns.iter_mut().zip(sampler.block(index).columns) {
            column.extend(part);
        }
    }
    columns
}

/// The largest difference between the counts of two columns' rows and what the model says of them.
fn miss(model: &Model, columns: &[Vec<u32>], a: u32, b: u32) -> f64 {
    let sizes = model.schema().domain().sizes();
    let rows = columns[0].len() as f64;
    let mut counts = model.marginal(&Clique::new([AttrId(a), AttrId(b)])).unwrap();
    counts.iter_mut().for_each(|share| *share *= rows);
    for (x, y) in columns[a as usize].iter().zip(&columns[b as usize]) {
        counts[(x * sizes[b as usize] + y) as usize] -= 1.0;
    }
    counts.iter().fold(0.0, |most, miss| most.max(miss.abs()))
}

/// Tables of two columns: the histogram of each is met to within the rounding of at most two
/// tables. Rows drawn one by one are tens of rows off: the control.
#[test]
fn without_replacement_histograms_are_met() {
    let sizes = [6, 6, 6];
    let cap = budget(1.0, 1e-6);
    let mut bench = bench(&schema(&sizes, ""), 20_000, chained(&sizes, 20_000), cap, Relation::AddRemove, 11);
    // Two columns fit into a table, three do not.
    let model = fit_with(&mut bench, &[("cell-factor", "30")]).unwrap();
    assert!(model.in_words().contains("at most 1 others"), "{}", model.in_words());
    assert_eq!(model.replacement(), Replacement::Without);
    for (replacement, met) in [(Replacement::Without, true), (Replacement::With, false)] {
        let columns = drawn(&model, 20_000, Some(replacement));
        for (a, b) in [(0, 1), (1, 2)] {
            let miss = miss(&model, &columns, a, b);
            assert!(if met { miss <= 8.0 } else { miss > 15.0 }, "{replacement:?}: {miss} on {a}, {b}");
        }
    }
}

#[test]
fn the_mode_is_the_models() {
    let sizes = [3, 3];
    for (word, wanted) in [("with-replacement", Replacement::With), ("without-replacement", Replacement::Without)] {
        let mut bench =
            bench(&schema(&sizes, ""), 500, chained(&sizes, 500), budget(1.0, 1e-6), Relation::AddRemove, 2);
        assert_eq!(fit_with(&mut bench, &[("sampling", word)]).unwrap().replacement(), wanted);
    }
}

/// Tables 3 and 4 of the paper on Markov random fields: noisy counts are rounded to the nearest
/// whole number that is not negative, and every cell becomes that many rows.
#[test]
fn rounded_counts_become_the_papers_rows() {
    let counts = whole(&[-0.2, 2.9, -0.3, 2.2, 1.7, 0.2, 0.8, -0.1], 1.0);
    assert_eq!(counts, [0, 3, 0, 2, 2, 0, 1, 0]);
    let cells: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let conditional = |child: u32| {
        let parents = (0..child).map(|parent| (AttrId(parent), None)).collect();
        let weights = cells.chunks_exact(4 >> child).map(|cells| cells.iter().sum()).collect();
        Conditional { child: AttrId(child), refinement: None, parents, weights }
    };
    let origin = Origin { method: "test".into(), guarantee: "none".into() };
    let conditionals = (0..3).map(conditional).collect();
    let model = Model::network(schema(&[2, 2, 2], ""), &[], conditionals, 8.0, Vec::new(), origin).unwrap();
    let columns = drawn(&model, 8, Some(Replacement::Without));
    let mut rows: Vec<[u32; 3]> = (0..8).map(|row| [0, 1, 2].map(|column: usize| columns[column][row])).collect();
    rows.sort_unstable();
    let [aab, abb, baa, bba] = [[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 0]];
    assert_eq!(rows, [aab, aab, aab, abb, abb, baa, baa, bba]);
}

/// Columns with hundreds of codes, from a hostile budget up to a generous one; and rules that every
/// row of the table breaks.
#[test]
fn wide_columns_and_rules_give_possible_rows() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = [\"v0\", \"v1\", \"v2\"]\n[[impossible]]\nc2 = \"v1\"\n";
    let schema = schema(&[2, 400, 3, 300], rules);
    let columns = vec![vec![0; 900], vec![1; 900], vec![1; 900], (0..900).map(|row| row % 300).collect()];
    for (epsilon, delta) in [(0.05, 1e-9), (1.0, 1e-9), (50.0, 1e-9), (1.0, 0.0)] {
        for sampling in ["without-replacement", "with-replacement", "inconsistent"] {
            let mut bench = bench(&schema, 900, columns.clone(), budget(epsilon, delta), Relation::AddRemove, 6);
            let model = fit_with(&mut bench, &[("sampling", sampling)]).unwrap();
            let rows = drawn(&model, 3000, None);
            let breaks = |row: usize| (rows[0][row] == 0 && rows[1][row] <= 2) || rows[2][row] == 1;
            assert!(!(0..3000).any(breaks), "{epsilon}, {sampling}");
        }
    }
}

/// A wide column whose halves follow a small one: the relation is held through the coarse level,
/// the codes through the column's own table.
#[test]
fn a_wide_column_keeps_its_relations_and_its_shape() {
    let sizes = [2, 600];
    let rows = 30_000;
    let first: Vec<u32> = (0..rows).map(|row| (row % 2) as u32).collect();
    // Only every third code occurs; the lower half goes with 0.
    let second = (0..rows).map(|row| 300 * (row % 2) as u32 + 3 * ((row / 2) % 100) as u32).collect();
    let cap = budget(1.0, 1e-6);
    let mut bench = bench(&schema(&sizes, ""), rows, vec![first, second], cap, Relation::AddRemove, 8);
    // 600 x 2 cells are too many for a table, the 38 groups of 16 are not.
    let model = fit_with(&mut bench, &[("cell-factor", "15")]).unwrap();
    let joint = model.marginal(&Clique::new([AttrId(0), AttrId(1)])).unwrap();
    let astray: f64 = (0..600).map(|code| if code < 296 { joint[600 + code] } else { 0.0 }).sum();
    assert!(astray < 0.05, "{astray}");
    let fine = model.marginal(&Clique::single(AttrId(1))).unwrap();
    let rare: f64 = (0..600).filter(|code| code % 3 != 0).map(|code| fine[code]).sum();
    assert!(rare < 0.1, "{rare}");
}
