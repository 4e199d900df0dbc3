//! How far marginals of the release are expected to be off because of the noise. Made from
//! the noisy answers that the model keeps, and the model: nothing here knows the true counts.

use lookalike_measurement::Statement;
use lookalike_model::{KeptAnswer, MOST_WORK as MOST_WORK_OF_ONE, Model};
use lookalike_schema::{Clique, Domain, Filter};
use maud::{Markup, html};
use statrs::function::erf::erfc;

use crate::measured;
use crate::number::{percent, short, whole};
use crate::table::{cells, first_few, table};

/// Measured sets shown before the rest is folded.
const SHOWN: usize = 10;
/// Sets listed at all; a page is no place for thousands.
const MOST: usize = 400;
/// Larger tables are judged by their number of cells alone.
const MOST_CELLS: u64 = 50_000;
/// Additions for the error bars of all sets together, so that a page of hundreds takes seconds. A
/// set that has too few for its part shows the noise of its own answer, which is a little larger.
const MOST_WORK: f64 = 4e9;

/// One measured set of columns.
struct MeasuredLine {
    clique: Clique,
    /// Columns that were counted in groups of values.
    grouped: Clique,
    cells: u64,
    /// The typical error of a cell, in records.
    noise: f64,
    /// The expected distance, 0 to 1.
    distance: f64,
}

pub(crate) fn section(statement: &Statement, model: &Model) -> Markup {
    let lines = lines(model);
    let mut others = measured::sets(statement, model.schema());
    others.sort();
    others.dedup();
    others.retain(|set| !lines.iter().any(|line| line.clique == *set));
    let name = |line: &MeasuredLine| {
        let name = |&column: &lookalike_schema::AttrId| {
            let groups = if line.grouped.contains(column) { " (groups)" } else { "" };
            format!("{}{groups}", model.schema().column(column).name)
        };
        line.clique.attributes().iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let row = |line: &MeasuredLine| {
        let noise = format!("± {}", short(line.noise));
        cells(&[&name(line), &whole(line.cells), &noise, &percent(line.distance)])
    };
    let columns = [("Counted together", "wrap"), ("Cells", "n wide"), ("Noise a cell", "n"), ("Distance", "n")];
    html! {
        @if lines.is_empty() { p { "No table of counts stands behind this model, so there is nothing to say." } } @else {
            p {
                "The distance of two tables is the share of records that would have to move for them to agree (total variation "
                "distance). What the noise alone is expected to do, for the tables that were measured:"
            }
            (summary(&lines))
            (first_few(&lines, SHOWN, "measured tables", |lines| table(&columns, lines.iter().map(row))))
            @if !others.is_empty() {
                p {
                    @match others.len() {
                        1 => "One more set of columns was counted",
                        many => { (whole(many as u64)) " more sets of columns were counted" }
                    }
                    ", too large to be listed here."
                }
            }
            p.small.soft {
                "The noise of a cell is the standard error of its count, from all tables that tell about it. Groups are rare "
                "values put together, or ranges: of a single value in them only the limits of its group can be told. "
                "These figures come from the noise and the model, not from the real rows. They leave out what the model "
                "does not hold: a table that was not measured is filled in from its neighbours, and its error may be larger "
                "than any figure here. "
                code { "lookalike query" } " gives error bars for single counts."
            }
        }
    }
}

/// Mean and worst by the number of columns.
fn summary(lines: &[MeasuredLine]) -> Markup {
    let widest = lines.iter().map(|line| line.clique.len()).max().unwrap_or(0);
    let sized = |columns: usize| -> Vec<f64> {
        lines.iter().filter(|line| line.clique.len() == columns).map(|line| line.distance).collect()
    };
    html! {
        ul {
            @for columns in 1..=widest {
                @let found = sized(columns);
                @if !found.is_empty() {
                    li {
                        @match columns { 1 => "single columns", 2 => "pairs", many => { (many) " columns together" } }
                        " (" (whole(found.len() as u64)) "): "
                        strong { (percent(found.iter().sum::<f64>() / found.len() as f64)) } " on average, "
                        (percent(found.iter().copied().fold(0.0, f64::max))) " at worst"
                    }
                }
            }
        }
    }
}

/// Measured sets, small ones first.
fn lines(model: &Model) -> Vec<MeasuredLine> {
    let domain = model.schema().domain();
    let mut answers: Vec<&KeptAnswer> = model.answers().iter().filter(|answer| !answer.axes().is_empty()).collect();
    answers.sort_by_cached_key(|answer| (answer.axes().len(), answer.columns(), answer.values().len()));
    // Of a column that was counted slot by slot the widest cells say how far it is off; the others
    // are parts of them.
    let is_part = |answer: &KeptAnswer, before: &KeptAnswer| {
        let [axis] = answer.axes() else { return false };
        answer.columns() == before.columns() && model.schema().codec(axis.column).is_on_grid()
    };
    answers.dedup_by(|answer, before| is_part(answer, before));
    answers.truncate(MOST);
    let work = (MOST_WORK / answers.len().max(1) as f64).min(MOST_WORK_OF_ONE);
    // One after the other: a marginal of a large model may take as much memory as the model.
    answers.into_iter().filter_map(|answer| line(model, domain, answer, work)).collect()
}

fn line(model: &Model, domain: &Domain, answer: &KeptAnswer, work: f64) -> Option<MeasuredLine> {
    let clique = answer.columns();
    let total = model.total().max(1.0);
    let cells = answer.values().len();
    // Groups have the noise of their answer; the bars are of single values.
    let bars = if answer.is_grouped() { None } else { model.error_bars(&clique, &Filter::everything(), work).ok() };
    let own = answer.variance().sqrt();
    let noise = |cell: usize| bars.as_ref().and_then(|bars| bars.count(cell, 0.0).error).unwrap_or(own);
    let fine = domain.cells(&clique).unwrap_or(u64::MAX);
    // Single values of groups are costly to have from a large model, and the groups' own counts say
    // enough.
    let shares = if fine <= MOST_CELLS && bars.is_some() { model.marginal(&clique).ok() } else { None };
    let moved: f64 = match shares {
        Some(shares) => shares.iter().enumerate().map(|(cell, share)| error(share * total, noise(cell))).sum(),
        None => answer.values().iter().map(|count| error(count.max(0.0), own)).sum(),
    };
    // The noise that is shown stands for all cells: their root mean square.
    let squares: f64 = (0..cells).map(|cell| noise(cell).powi(2)).sum();
    let grouped = Clique::new(answer.axes().iter().filter(|axis| axis.grouping.is_some()).map(|axis| axis.column));
    Some(MeasuredLine {
        clique,
        grouped,
        cells: cells as u64,
        noise: (squares / cells.max(1) as f64).sqrt(),
        distance: (moved / 2.0 / total).clamp(0.0, 1.0),
    })
}

/// The expected size of the error of a count with normal noise, when a negative outcome is cut to
/// 0.
fn error(count: f64, noise: f64) -> f64 {
    if noise <= 0.0 {
        return 0.0;
    }
    const PEAK: f64 = 0.398_942_280_401_432_7;
    let edge = count / noise;
    let density = PEAK * (-edge * edge / 2.0).exp();
    // The chance that a standard normal is above the edge.
    let above = 0.5 * erfc(edge * std::f64::consts::FRAC_1_SQRT_2);
    noise * (2.0 * PEAK - density) + count * above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_cut_normal() {
        // Integrated by the midpoint rule in steps of 1e-3 noises.
        let slow = |count: f64, noise: f64| -> f64 {
            let at = |step: i32| (f64::from(step) + 0.5) * 1e-3;
            let part = |z: f64| (noise * z).max(-count).abs() * (-z * z / 2.0).exp() * 0.398_942_280_401_432_7 * 1e-3;
            (-9_000..9_000).map(at).map(part).sum()
        };
        for (count, noise) in [(0.0, 1.0), (0.3, 1.0), (5.0, 2.0), (1e4, 70.0), (3.0, 50.0)] {
            let (fast, slow) = (error(count, noise), slow(count, noise));
            assert!((fast - slow).abs() < 1e-5 * noise, "{count} {noise}: {fast} {slow}");
        }
        assert_eq!(error(10.0, 0.0), 0.0);
    }
}
