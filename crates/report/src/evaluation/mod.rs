//! The page of `evaluate`: all metrics on the real and the synthetic table. Steward-only, never
//! published.

mod disclosure;
mod models;
mod raw;
mod relations;

use lookalike_evaluate::marginals::{KMarginal, Ways};
use lookalike_evaluate::{Evaluation, columns::ColumnDetail, columns::shown};
use lookalike_schema::AttrId;
use maud::{Markup, html};

use crate::frame::{Section, all, contents, folded, page, steward_only};
use crate::number::{percent, short, whole};
use crate::{heat, steward};

/// Marginals in the lists of the worst.
const WORST: usize = 8;
/// Lines of a table before the rest is folded.
const SHOWN: usize = 40;

/// The page of an evaluation.
pub fn evaluation_page(found: &Evaluation) -> String {
    let mut sections = vec![
        Section::new("short", "In short", summary(found)),
        Section::new("marginals", "Sets of columns", marginals(found)),
        Section::new(
            "columns",
            "Every column",
            html! { (steward::columns(&found.schema, &found.comparison)) (details(found)) },
        ),
    ];
    if !found.pairs.pairs.is_empty() {
        sections.push(Section::new("pairs", "Pairs of columns", pairs(found)));
        sections.push(Section::new("relations", "Relations and tests", relations::section(found)));
    }
    if let Some(raw) = found.raw.as_ref().filter(|raw| !raw.synthetic.columns.is_empty()) {
        sections.insert(1, Section::new("raw", "Raw values", raw::section(found, raw)));
        sections.insert(2, Section::new("bins", "What the bins cost", raw::bins(found, raw)));
    }
    sections.push(Section::new("telling", "Telling synthetic rows from real ones", models::propensity(found)));
    sections.push(Section::new("models", "Models trained on synthetic rows", models::prediction(found)));
    sections.push(Section::new("disclosure", "Disclosure checks", disclosure::section(found)));
    let body = html! {
        header {
            p.soft.small { "Lookalike · evaluation against the real rows" }
            h1 { "How good the synthetic rows are" }
            (contents(&sections))
        }
        (steward_only())
        main { (all(&sections)) }
    };
    page("steward-only: evaluation", body)
}

fn summary(found: &Evaluation) -> Markup {
    let comparison = &found.comparison;
    let (column_floor, pair_floor) = found.floors();
    let line = |name: &str, value: String, note: String| html! { tr { th { (name) } td.n { (value) } td.wrap.soft { (note) } } };
    html! {
        div.scroll { table { tbody {
            (line("Real rows", whole(comparison.real_rows), String::new()))
            (line("Synthetic rows", whole(comparison.synthetic_rows), String::new()))
            @if let Some(rows) = found.holdout_rows { (line("Held-out real rows", whole(rows), "not used for the release".into())) }
            @if let Some(raw) = &found.raw { (raw::lines(raw, &line)) }
            (line("Distance of single columns", distance(comparison.mean_column_distance()), floor_words(comparison.mean_column_distance(), column_floor)))
            (line("Distance of pairs", distance(comparison.mean_pair_distance()), floor_words(comparison.mean_pair_distance(), pair_floor)))
            @for ways in &found.wide {
                (line(&format!("Distance of {} columns", ways.ways), distance(ways.mean()), floor_words(ways.mean(), ways.floor())))
            }
            @if !found.pairs.pairs.is_empty() {
                (line("k-marginal score, pairs", format!("{:.0}", found.pairs.score.score), subsample(&found.pairs.score)))
            }
            @if let Some(telling) = found.propensity {
                (line("Forest tells synthetic from real", format!("{:.3}", telling.forest_auc), "area under the curve: 0.5 cannot tell".into()))
            }
            @if let Some(ranking) = found.prediction.as_ref().and_then(|prediction| prediction.ranking) {
                (line("Models ranked alike", percent(ranking), "real against synthetic rows (SRA)".into()))
            }
            (line("Synthetic rows that equal a real row", percent(found.twins.match_rate()),
                format!("among real rows {} have a twin", percent(found.twins.real_rate()))))
        } } }
        p.small.soft {
            "Distance is the total variation distance: the share of rows that would have to move for the two tables to agree. "
            "0 is the same, 1 has nothing in common. The floor is the mean distance if all rows of both tables were mixed and dealt out "
            "again: what sampling alone gives. No release needs to be below it."
        }
        @for note in found.samples() { p.small.soft { (note) } }
    }
}

fn floor_words(value: f64, floor: f64) -> String {
    let times = if floor > 0.0 { format!(", {:.1} times it", value / floor) } else { String::new() };
    format!("floor {}{times}", distance(floor))
}

/// What the score means to somebody who knows samples.
fn subsample(score: &KMarginal) -> String {
    match score.subsample {
        Some(share) if share >= 0.9995 => "1000 is the same; as good as all real rows".into(),
        Some(share) => format!("1000 is the same; like a random subsample of {} of the real rows", fine_percent(share)),
        None => "1000 is the same; worse than a single real row repeated".into(),
    }
}

fn fine_percent(share: f64) -> String {
    if share >= 0.1 { format!("{:.0}%", 100.0 * share) } else { format!("{:.2}%", 100.0 * share) }
}

fn marginals(found: &Evaluation) -> Markup {
    let (_, pair_floor) = found.floors();
    let nist = &found.nist;
    let million = |score: f64| whole(score.max(0.0).round() as u64);
    html! {
        div.scroll { table {
            thead { tr { th.n { "Columns" } th.n.wide { "Sets" } th.n { "Mean distance" } th.n { "Floor" } th.n { "k-marginal" } th.n { "Like a sample of" } } }
            tbody {
                @if !found.pairs.pairs.is_empty() {
                    tr {
                        td.n { "2" } td.n.wide { (whole(found.pairs.pairs.len() as u64)) } td.n { (distance(found.comparison.mean_pair_distance())) }
                        td.n { (distance(pair_floor)) } td.n { (format!("{:.0}", found.pairs.score.score)) }
                        td.n { (found.pairs.score.subsample.map_or("-".to_owned(), fine_percent)) }
                    }
                }
                @for ways in &found.wide {
                    tr {
                        td.n { (ways.ways) } td.n.wide { (whole(ways.marginals.len() as u64)) } td.n { (distance(ways.mean())) }
                        td.n { (distance(ways.floor())) } td.n { (format!("{:.0}", ways.score.score)) }
                        td.n { (ways.score.subsample.map_or("-".to_owned(), fine_percent)) }
                    }
                }
            }
        } }
        h3 { "Furthest off" }
        div.beside { @for ways in &found.wide { div { (worst(found, ways)) } } }
        h3 { "NIST 2018 scores" }
        p.small.soft { "From 0 to 1,000,000, more is better. Floors and other tables give the scale; the scores alone do not." }
        div.scroll { table { tbody {
            tr { th { "Clustering" } td.n { (million(nist.clustering)) } td.wrap.soft { "random sets of three columns" } }
            tr { th { "Classification" } td.n { (million(nist.classification)) } td.wrap.soft { "random conditions on a third of the columns" } }
            @match nist.regression {
                Some(score) => { tr { th { "Regression" } td.n { (million(score.score)) } td.wrap.soft { "income by sex in " (whole(score.cities as u64)) " cities" } } },
                None => { tr { th { "Regression" } td.n { "-" } td.wrap.soft { "needs columns of sex, income and city: --nist" } } },
            }
        } } }
    }
}

fn worst(found: &Evaluation, ways: &Ways) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { th { (ways.ways) " columns" } th.n { "Distance" } th.n { "Floor" } } }
            tbody {
                @for marginal in ways.worst(WORST) {
                    tr { td.wrap { (found.names(marginal.clique.attributes())) } td.n { (distance(marginal.distance)) } td.n { (distance(marginal.floor)) } }
                }
            }
        } }
    }
}

/// Numbers of every column, in the words of its type.
fn details(found: &Evaluation) -> Markup {
    let lines = |columns: &[ColumnDetail]| {
        html! {
            div.scroll { table {
                thead { tr {
                    th { "Column" } th.wide { "Type" } th.n { "Distance" } th.n.wide { "Floor" } th.n { "Missing" } th.n { "Mean" }
                    th.n.wide { "Median" } th.n.wide { "KS" } th.n.wide { "Moved by" }
                } }
                tbody { @for column in columns { (detail(found, column)) } }
            } }
        }
    };
    let (first, rest) = found.columns.split_at(found.columns.len().min(SHOWN));
    html! {
        h3 { "Figures" }
        p.small.soft {
            "Real / synthetic. Values are the middles of bins. KS is the largest difference of the distribution functions; the last column how "
            "far values have to move on average, in the column's own unit."
        }
        (lines(first))
        @if !rest.is_empty() { (folded(rest.len(), "columns", lines(rest))) }
    }
}

fn detail(found: &Evaluation, column: &ColumnDetail) -> Markup {
    let codec = found.schema.codec(column.attribute);
    let both = |values: [f64; 2]| both(&shown(codec, values[0]), &shown(codec, values[1]));
    let apart = found.comparison.columns[column.attribute.index()].distance;
    html! {
        tr {
            td.wrap { (found.name(column.attribute)) }
            td.wide { (codec.kind_name()) }
            td.n { (distance(apart)) }
            td.n.wide { (distance(column.floor)) }
            td.n.both { @if let Some([real, synthetic]) = column.missing { (self::both(&percent(real), &percent(synthetic))) } }
            @match column.numbers {
                Some(numbers) => {
                    td.n.both { (both(numbers.mean)) } td.n.both.wide { (both(numbers.median)) }
                    td.n.wide { (format!("{:.3}", numbers.kolmogorov)) } td.n.wide { (short(numbers.wasserstein)) }
                },
                None => { td {} td.wide {} td.wide {} td.wide {} },
            }
        }
    }
}

/// Two figures, in a cell of class `both`: where there is no room beside each other, one goes below
/// the other, and a time below its day.
fn both(real: &str, synthetic: &str) -> Markup {
    let parts = |text: &str| -> Vec<String> { text.split('T').map(str::to_owned).collect() };
    let mut real = parts(real);
    if let Some(last) = real.last_mut() {
        last.push_str(" /");
    }
    html! { @for part in real.into_iter().chain(parts(synthetic)) { span { (part) } " " } }
}

fn pairs(found: &Evaluation) -> Markup {
    html! {
        @if found.schema.domain().len() <= heat::MOST_COLUMNS {
            figure.scroll { (heat::map(&found.schema, &found.comparison.pairs)) }
        }
        div.scroll { table {
            thead { tr { th { "Furthest off" } th.n { "Distance" } } }
            tbody {
                @for pair in found.comparison.worst_pairs(WORST) {
                    tr { td.wrap { (names(found, pair.first, pair.second)) } td.n { (distance(pair.distance)) } }
                }
            }
        } }
    }
}

fn names(found: &Evaluation, first: AttrId, second: AttrId) -> String {
    found.names(&[first, second])
}

fn distance(value: f64) -> String {
    format!("{value:.4}")
}
