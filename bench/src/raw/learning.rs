//! Trained on synthetic rows, tested on real ones, with `evaluate`'s own models.
//!
//! They classify, so a column of numbers is predicted by its tenth of the real values. Every
//! number is cut at the quantiles of the real table, whatever bins its schema has.

use lookalike_evaluate::predict::{PredictLimits, Predicting, TargetResult};
use lookalike_evaluate::raw::RawTable;
use lookalike_evaluate::{CodedRows, EvaluationRng, ordered_columns};
use lookalike_schema::{AttrId, Schema};

use super::average::mean;
use super::tables::OpenRaw;

/// Groups of a column of numbers.
const GROUPS: usize = 64;
/// Rows of each table that models draw from, at most.
const MOST_ROWS: usize = 20_000;
/// A target that real-trained models hardly predict says nothing.
const LEAST_GAIN: f64 = 0.05;

/// The mean over targets of the share of what the best real-trained model gains over always
/// answering the commonest class, and the best synthetic-trained one does not.
pub fn learning_gap(table: &OpenRaw, synthetic: &RawTable) -> Option<f64> {
    let targets: Vec<AttrId> = table.hints.targets().filter_map(|name| table.schema.attribute(name)).collect();
    let [real, other] = coded(&table.schema, [&table.cells, synthetic]);
    let ordered = ordered_columns(&table.schema);
    let limits = PredictLimits::default();
    let predicting = Predicting { ordered: &ordered, limits: &limits, seed: 0 };
    let found = predicting.predict(&real, &other, None, &targets)?;
    mean(found.targets.iter().filter_map(gap))
}

fn gap(target: &TargetResult) -> Option<f64> {
    let (synthetic, real) = target.best()?;
    let gain = target.majority - real;
    (gain > LEAST_GAIN).then(|| (synthetic.min(target.majority) - real).max(0.0) / gain)
}

/// Both tables in codes: words as they are, numbers by quantiles of the real ones, missing cells
/// last.
fn coded(schema: &Schema, tables: [&RawTable; 2]) -> [CodedRows; 2] {
    let edges: Vec<Option<Vec<f64>>> = schema
        .domain()
        .attributes()
        .map(|attribute| {
            let is_number = schema.codec(attribute).is_numeric();
            is_number.then(|| quantiles(&tables[0].columns()[attribute.index()]))
        })
        .collect();
    let present = |attribute: AttrId| {
        let words = schema.codec(attribute).present();
        edges[attribute.index()].as_ref().map_or(words, |edges| edges.len() as u32 + 1)
    };
    let sizes: Vec<u32> = schema.domain().attributes().map(|attribute| present(attribute) + 1).collect();
    [0, 1].map(|side| {
        let code = |column: usize, cell: f64| match &edges[column] {
            _ if cell.is_nan() => sizes[column] - 1,
            Some(edges) => edges.partition_point(|&edge| edge < cell) as u32,
            None => (cell as u32).min(sizes[column] - 2),
        };
        let columns = tables[side].columns().iter().enumerate();
        let columns = columns.map(|(column, cells)| cells.iter().map(|&cell| code(column, cell)).collect()).collect();
        let mut rng = EvaluationRng::new(0, "raw learning", side as u64);
        CodedRows::new(sizes.clone(), columns).thinned(MOST_ROWS, &mut rng)
    })
}

/// The different values at equal steps of the ascending ones: upper edges of groups, but for the
/// last group.
fn quantiles(cells: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<f64> = cells.iter().copied().filter(|cell| !cell.is_nan()).collect();
    ascending.sort_unstable_by(f64::total_cmp);
    let mut edges: Vec<f64> =
        (1..GROUPS).filter_map(|step| ascending.get(step * ascending.len() / GROUPS).copied()).collect();
    edges.dedup();
    edges
}
