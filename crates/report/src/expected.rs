//! How far marginals of the release are expected to be off because of the noise. Made from the noise scales and the
//! model alone: nothing here knows the true counts.

use lookalike_measurement::Statement;
use lookalike_model::{Coverage, Model};
use lookalike_schema::{Clique, Filter};
use maud::{Markup, html};

use crate::frame::folded;
use crate::measured;
use crate::number::{percent, short, whole};

/// Measured sets shown before the rest is folded.
const SHOWN: usize = 10;
/// Sets listed at all; a page is no place for thousands.
const MOST: usize = 400;
/// Larger tables are judged by their number of cells alone.
const MOST_CELLS: u64 = 50_000;
/// Error bars look at all subsets of a set.
const MOST_COLUMNS: usize = 12;

/// One measured set of columns.
struct Line {
    clique: Clique,
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
    others.retain(|set| !model.measured().iter().any(|coverage| coverage.clique == *set));
    let name = |line: &Line| {
        let names = line.clique.attributes().iter().map(|&column| model.schema().column(column).name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let table = |lines: &[Line]| {
        html! {
            table {
                thead { tr { th { "Counted together" } th.n.wide { "Cells" } th.n { "Noise a cell" } th.n { "Distance" } } }
                tbody {
                    @for line in lines {
                        tr {
                            td.wrap { (name(line)) }
                            td.n.wide { (whole(line.cells)) }
                            td.n { "± " (short(line.noise)) }
                            td.n { (percent(line.distance)) }
                        }
                    }
                }
            }
        }
    };
    html! {
        @if lines.is_empty() { p { "No table of counts stands behind this model, so there is nothing to say." } } @else {
            p {
                "The distance of two tables is the share of records that would have to move for them to agree (total variation "
                "distance). What the noise alone is expected to do, for the tables that were measured:"
            }
            (summary(&lines))
            div.scroll { (table(&lines[..lines.len().min(SHOWN)])) }
            @if lines.len() > SHOWN {
                (folded(lines.len() - SHOWN, "measured tables", html! { div.scroll { (table(&lines[SHOWN..])) } }))
            }
            @if !others.is_empty() {
                p {
                    @match others.len() {
                        1 => "One more set of columns was counted in groups of values",
                        many => { (whole(many as u64)) " more sets of columns were counted in groups of values" }
                    }
                    " (rare values put together, levels, or bits): what the noise does to single values there is not listed."
                }
            }
            p.small.soft {
                "These figures come from the noise scales and the model, not from the real rows. They leave out what the model "
                "does not hold: a table that was not measured is filled in from its neighbours, and its error may be larger "
                "than any figure here. "
                code { "lookalike query" } " gives error bars for single counts."
            }
        }
    }
}

/// Mean and worst by the number of columns.
fn summary(lines: &[Line]) -> Markup {
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

/// Measured sets, small ones first, each once.
fn lines(model: &Model) -> Vec<Line> {
    let mut measured: Vec<&Coverage> = model.measured().iter().filter(|coverage| !coverage.clique.is_empty()).collect();
    measured.sort_by(|one, other| {
        (one.clique.len(), &one.clique)
            .cmp(&(other.clique.len(), &other.clique))
            .then(one.variance.total_cmp(&other.variance))
    });
    measured.dedup_by(|one, other| one.clique == other.clique);
    measured.truncate(MOST);
    measured.into_iter().filter_map(|coverage| line(model, coverage)).collect()
}

fn line(model: &Model, coverage: &Coverage) -> Option<Line> {
    let clique = coverage.clique.clone();
    let cells = model.schema().domain().cells(&clique)?;
    let total = model.total().max(1.0);
    let bars = (clique.len() <= MOST_COLUMNS).then(|| model.error_bars(&clique, &Filter::everything()).ok()).flatten();
    // A network stands on one measurement a table, and error bars of the best fit would flatter it.
    let bars = bars.filter(|bars| bars.is_best_fit());
    let variance = |cell: usize| bars.as_ref().map_or(coverage.variance, |bars| bars.variance(cell));
    let noise = variance(0).max(0.0).sqrt();
    let shares = if cells <= MOST_CELLS { model.marginal(&clique).ok() } else { None };
    let moved: f64 = match shares {
        Some(shares) => {
            let cell = |(cell, share): (usize, &f64)| error(share * total, variance(cell).max(0.0).sqrt());
            shares.iter().enumerate().map(cell).sum()
        }
        None => cells as f64 * error(0.0, noise),
    };
    Some(Line { clique, cells, noise, distance: (moved / 2.0 / total).clamp(0.0, 1.0) })
}

/// The expected size of the error of a count with normal noise, when a negative outcome is cut to 0.
fn error(count: f64, noise: f64) -> f64 {
    if noise <= 0.0 {
        return 0.0;
    }
    const PEAK: f64 = 0.398_942_280_401_432_7;
    let edge = count / noise;
    let density = PEAK * (-edge * edge / 2.0).exp();
    noise * (2.0 * PEAK - density) + count * upper_tail(edge)
}

/// The chance that a standard normal is above `x >= 0`, to 1e-7 (Abramowitz and Stegun 26.2.17).
fn upper_tail(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x);
    let polynomial =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    0.398_942_280_401_432_7 * (-x * x / 2.0).exp() * polynomial
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
