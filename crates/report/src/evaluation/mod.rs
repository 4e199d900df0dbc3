//! The page of `evaluate`: all metrics on the real and the synthetic table. Steward-only, never
//! published.

mod disclosure;
mod models;
mod raw;
mod relations;
mod shared;

use lookalike_evaluate::marginals::{KMarginal, MarginalDistance, Ways};
use lookalike_evaluate::{Evaluation, columns::ColumnDetail, columns::shown};
use maud::{Markup, html};

use crate::frame::{Section, page, steward_only};
use crate::number::{distance, percent, short, whole};
use crate::table::{cells, fact, facts, first_few, table};
use crate::{heat, steward};
use shared::{SHOWN, WORST, both, names};

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
    let headings = ["evaluation against the real rows", "How good the synthetic rows are"];
    page("steward-only: evaluation", headings, steward_only(), &sections)
}

fn summary(found: &Evaluation) -> Markup {
    let comparison = &found.comparison;
    let (column_floor, pair_floor) = found.floors();
    html! {
        (steward::lost(&found.schema, comparison))
        div.scroll { table { tbody {
            (fact("Real rows", whole(comparison.real_rows), String::new()))
            (fact("Synthetic rows", whole(comparison.synthetic_rows), String::new()))
            @if let Some(rows) = found.holdout_rows { (fact("Held-out real rows", whole(rows), "not used for the release")) }
            @if let Some(raw) = &found.raw { (raw::lines(raw)) }
            (fact("Distance of single columns", distance(comparison.mean_column_distance()), floor_words(comparison.mean_column_distance(), column_floor)))
            (fact("Distance of pairs", distance(comparison.mean_pair_distance()), floor_words(comparison.mean_pair_distance(), pair_floor)))
            @for ways in &found.wide {
                (fact(&format!("Distance of {} columns", ways.ways), distance(ways.mean()), floor_words(ways.mean(), ways.floor())))
            }
            @if !found.pairs.pairs.is_empty() {
                (fact("k-marginal score, pairs", format!("{:.0}", found.pairs.score.score), subsample(&found.pairs.score)))
            }
            @if let Some(telling) = found.propensity {
                (fact("Forest tells synthetic from real", format!("{:.3}", telling.forest_auc), "area under the curve: 0.5 cannot tell"))
            }
            @if let Some(ranking) = found.prediction.as_ref().and_then(|prediction| prediction.ranking) {
                (fact("Models ranked alike", percent(ranking), "real against synthetic rows (SRA)"))
            }
            (fact("Synthetic rows that equal a real row", percent(found.twins.match_rate()),
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
    let row = |columns: usize, sets: usize, mean: f64, floor: f64, score: &KMarginal| {
        let sample = score.subsample.map_or("-".to_owned(), fine_percent);
        let (sets, score) = (whole(sets as u64), format!("{:.0}", score.score));
        cells(&[&columns, &sets, &distance(mean), &distance(floor), &score, &sample])
    };
    let pairs = Some(&found.pairs).filter(|pairs| !pairs.pairs.is_empty());
    let mean = found.comparison.mean_pair_distance();
    let pairs = pairs.map(|pairs| row(2, pairs.pairs.len(), mean, pair_floor, &pairs.score));
    let wide =
        found.wide.iter().map(|ways| row(ways.ways, ways.marginals.len(), ways.mean(), ways.floor(), &ways.score));
    let rows = pairs.into_iter().chain(wide);
    let titles = [
        ("Columns", "n"),
        ("Sets", "n wide"),
        ("Mean distance", "n"),
        ("Floor", "n"),
        ("k-marginal", "n"),
        ("Like a sample of", "n"),
    ];
    html! {
        (table(&titles, rows))
        h3 { "Furthest off" }
        div.beside { @for ways in &found.wide { div { (worst(found, ways)) } } }
        h3 { "NIST 2018 scores" }
        p.small.soft { "From 0 to 1,000,000, more is better. Floors and other tables give the scale; the scores alone do not." }
        (facts([
            fact("Clustering", million(nist.clustering), "random sets of three columns"),
            fact("Classification", million(nist.classification), "random conditions on a third of the columns"),
            match nist.regression {
                Some(score) => {
                    let cities = format!("income by sex in {} cities", whole(score.cities as u64));
                    fact("Regression", million(score.score), cities)
                }
                None => fact("Regression", "-", "needs columns of sex, income and city"),
            },
        ]))
    }
}

fn worst(found: &Evaluation, ways: &Ways) -> Markup {
    let title = format!("{} columns", ways.ways);
    let row = |marginal: &MarginalDistance| {
        let names = found.names(marginal.clique.attributes());
        cells(&[&names, &distance(marginal.distance), &distance(marginal.floor)])
    };
    let worst = ways.worst(WORST);
    table(&[(&title, "wrap"), ("Distance", "n"), ("Floor", "n")], worst.into_iter().map(row))
}

/// Numbers of every column, in the words of its type.
fn details(found: &Evaluation) -> Markup {
    let titles = [
        ("Column", "wrap"),
        ("Type", "wide"),
        ("Distance", "n"),
        ("Floor", "n wide"),
        ("Missing", "n both"),
        ("Mean", "n both"),
        ("Median", "n both wide"),
        ("KS", "n wide"),
        ("Moved by", "n wide"),
    ];
    html! {
        h3 { "Figures" }
        p.small.soft {
            "Real / synthetic. Values are the middles of bins. KS is the largest difference of the distribution functions; the last column how "
            "far values have to move on average, in the column's own unit."
        }
        (first_few(&found.columns, SHOWN, "columns", |some| table(&titles, some.iter().map(|one| detail(found, one)))))
    }
}

fn detail(found: &Evaluation, column: &ColumnDetail) -> Vec<Markup> {
    let codec = found.schema.codec(column.attribute);
    let both = |values: [f64; 2]| both(&shown(codec, values[0]), &shown(codec, values[1]));
    let apart = found.comparison.columns[column.attribute.index()].distance;
    let missing = column.missing.map(|[real, synthetic]| self::both(&percent(real), &percent(synthetic)));
    let (name, kind, missing) = (found.name(column.attribute), codec.kind_name(), missing.unwrap_or_default());
    let mut row = cells(&[&name, &kind, &distance(apart), &distance(column.floor), &missing]);
    match column.numbers {
        Some(numbers) => {
            let (apart, moved) = (format!("{:.3}", numbers.kolmogorov), short(numbers.wasserstein));
            row.extend(cells(&[&both(numbers.mean), &both(numbers.median), &apart, &moved]));
        }
        None => row.extend(cells(&[&"", &"", &"", &""])),
    }
    row
}

fn pairs(found: &Evaluation) -> Markup {
    let worst = found.comparison.worst_pairs(WORST).into_iter();
    let rows = worst.map(|pair| cells(&[&names(found, pair.first, pair.second), &distance(pair.distance)]));
    html! {
        @if found.schema.domain().len() <= heat::MOST_COLUMNS {
            figure.scroll { (heat::map(&found.schema, &found.comparison.pairs)) }
        }
        (table(&[("Furthest off", "wrap"), ("Distance", "n")], rows))
    }
}
