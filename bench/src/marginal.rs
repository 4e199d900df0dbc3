//! Exact marginals of public tables, and which sets of columns there are.

use anyhow::{Context, Result, bail};
use lookalike_schema::{AttrId, Clique, Domain};
use lookalike_table::{CellCounts, Table};

/// Exact counts of marginals, every cell, the last column fastest. Refuses a marginal of more than
/// 2^24 cells: from the schema.
pub fn exact(table: &Table, marginals: &[Clique]) -> Result<Vec<Vec<i64>>> {
    let dense = |(counts, clique): (CellCounts, &Clique)| match counts {
        CellCounts::Dense(cells) => Ok(cells.into_iter().map(|count| count as i64).collect()),
        CellCounts::Sparse(_) => {
            let cells = table.domain().cells(clique).context("too many cells")?;
            bail!("a marginal of {cells} cells is too large to write out")
        }
    };
    table.count(marginals, &|| false)?.into_iter().zip(marginals).map(dense).collect()
}

/// The exact counts of one marginal as numbers to compute with.
pub fn masses(table: &Table, marginal: &Clique) -> Result<Vec<f64>> {
    let counts = exact(table, std::slice::from_ref(marginal))?.pop().unwrap_or_default();
    Ok(counts.into_iter().map(|count| count as f64).collect())
}

/// All sets of `ways` columns, in lexicographic order.
pub fn all_marginals(domain: &Domain, ways: usize) -> Vec<Clique> {
    let columns: Vec<AttrId> = domain.attributes().collect();
    subsets(&columns, ways).into_iter().map(Clique::new).collect()
}

/// All subsets of this size, in lexicographic order.
pub fn subsets<T: Clone>(of: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let beginning = |index: usize| {
        let rest = subsets(&of[index + 1..], size - 1).into_iter();
        rest.map(move |rest| std::iter::once(of[index].clone()).chain(rest).collect())
    };
    (0..of.len()).flat_map(beginning).collect()
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of a mean; 0 of fewer than two values.
pub fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}
