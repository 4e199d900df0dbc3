//! An evaluation as a steward reads it in a terminal.

use lookalike::Evaluation;
use lookalike::metrics::columns::shown;
use lookalike::metrics::disclosure::Check;
use lookalike::metrics::evaluation::{Agreement, Correlation, LEVEL, agreements, correlations};
use lookalike::metrics::marginals::KMarginal;
use lookalike::metrics::number::{percent, whole};
use lookalike::metrics::predict::{ModelKind, TargetResult};

use super::super::layout::{Page, worst_first};
use super::raw;

/// Columns in the list; the worst are shown.
const COLUMNS: usize = 20;
/// Pairs and sets of columns in the lists of the worst.
const WORST: usize = 5;

/// The whole evaluation.
pub fn show(found: &Evaluation, width: usize) -> String {
    let mut page = Page::new(width);
    marginals(found, &mut page);
    raw::show(found, &mut page);
    columns(found, &mut page);
    relations(found, &mut page);
    telling(found, &mut page);
    models(found, &mut page);
    disclosure(found, &mut page);
    page.heading("How it was done");
    page.say(&format!("Seed {}. Coded columns, pairs and equal rows: all rows.", found.seed));
    found.samples().iter().for_each(|note| page.say(note));
    page.finish()
}

fn marginals(found: &Evaluation, page: &mut Page) {
    let comparison = &found.comparison;
    let (column_floor, pair_floor) = found.floors();
    page.heading(&format!(
        "How close: {} synthetic rows against {} real ones, {} columns",
        whole(comparison.synthetic_rows),
        whole(comparison.real_rows),
        found.columns.len()
    ));
    let line = |ways: usize, sets: usize, mean: f64, floor: f64, score: Option<&KMarginal>, worst: String| {
        let times = if floor > 0.0 { format!("{:.1}", mean / floor) } else { "-".to_owned() };
        let score = score.map_or_else(String::new, |score| format!("{:.0}", score.score));
        vec![ways.to_string(), whole(sets as u64), figure(mean), figure(floor), times, score, worst]
    };
    let worst_column = comparison.columns.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
    let worst_pair = comparison.worst_pairs(1);
    let mut lines = vec![line(
        1,
        found.columns.len(),
        comparison.mean_column_distance(),
        column_floor,
        None,
        worst_column.map_or_else(String::new, |column| found.name(column.attribute).to_owned()),
    )];
    if let Some(pair) = worst_pair.first() {
        let names = found.names(&[pair.first, pair.second]);
        let score = Some(&found.pairs.score);
        lines.push(line(2, found.pairs.pairs.len(), comparison.mean_pair_distance(), pair_floor, score, names));
    }
    for ways in &found.wide {
        let names = ways.worst(1).first().map_or_else(String::new, |worst| found.names(worst.clique.attributes()));
        lines.push(line(ways.ways, ways.marginals.len(), ways.mean(), ways.floor(), Some(&ways.score), names));
    }
    page.table(&["columns", "sets", "distance", "floor", "times", "k-marginal", "<furthest off"], lines);
    page.say(
        "Distance: total variation, the share of rows that would have to move; 0 is the same. Floor: what sampling alone gives, if all rows of \
         both tables were mixed and dealt out again. Times: distance over floor.",
    );
    comparison.lost_in_words(&found.schema).iter().for_each(|words| page.say(words));
    if !found.pairs.pairs.is_empty() {
        page.say(&format!("k-marginal score (SDNist; 1000 is the same): {}.", reading(&found.pairs.score)));
    }
    let nist = &found.nist;
    let regression = match nist.regression {
        Some(score) => {
            let cities = whole(score.cities as u64);
            format!("regression {} ({cities} cities)", whole(score.score.round() as u64))
        }
        None => "regression needs --nist SEX INCOME CITY".to_owned(),
    };
    page.say(&format!(
        "NIST 2018 scores (of 1,000,000): clustering {}, classification {}, {regression}.",
        whole(nist.clustering.max(0.0).round() as u64),
        whole(nist.classification.round() as u64)
    ));
}

fn reading(score: &KMarginal) -> String {
    let like = match score.subsample {
        Some(share) if share >= 0.9995 => "as good as all real rows".to_owned(),
        Some(share) => format!("like a random {} subsample of the real rows", percent(share)),
        None => "worse than the smallest subsample".to_owned(),
    };
    format!("pairs {:.1}, {like}; two samples of one population would have {:.1}", score.score, score.floor_score)
}

fn columns(found: &Evaluation, page: &mut Page) {
    let order = worst_first(0..found.columns.len(), |&index| found.comparison.columns[index].distance);
    let shown_columns = order.len().min(COLUMNS);
    page.heading(if shown_columns < order.len() { "Columns, the furthest off first" } else { "Columns" });
    let lost = found.comparison.lost_to_other(&found.schema);
    let line = |&index: &usize| {
        let (column, detail) = (&found.comparison.columns[index], &found.columns[index]);
        let codec = found.schema.codec(column.attribute);
        let mean = detail.numbers.map_or_else(String::new, |numbers| {
            format!("{} / {}", shown(codec, numbers.mean[0]), shown(codec, numbers.mean[1]))
        });
        let missing = detail
            .missing
            .map_or_else(String::new, |[real, synthetic]| format!("{} / {}", percent(real), percent(synthetic)));
        let furthest = detail.furthest.first().map_or_else(String::new, |&code| {
            let (real, synthetic) = (column.real[code as usize], column.synthetic[code as usize]);
            format!("{}: {} / {}", codec.label(code), percent(real), percent(synthetic))
        });
        let is_lost = lost.iter().any(|lost| lost.attribute == column.attribute && lost.is_all);
        let furthest = if is_lost { "LOST: no value is listed".to_owned() } else { furthest };
        vec![
            found.name(column.attribute).to_owned(),
            codec.kind_name().to_owned(),
            figure(column.distance),
            figure(detail.floor),
            mean,
            missing,
            furthest,
        ]
    };
    let heads = ["<column", "<type", "distance", "floor", "<mean", "<missing", "<most wrong"];
    page.table(&heads, order.iter().take(shown_columns).map(line));
    page.say("Real / synthetic.");
    if shown_columns < order.len() {
        page.say(&format!("{} more columns: --json or --html.", order.len() - shown_columns));
    }
}

fn relations(found: &Evaluation, page: &mut Page) {
    if found.pairs.pairs.is_empty() {
        return;
    }
    page.heading("Relations between columns");
    let measures = correlations(&found.pairs.pairs);
    let line = |measure: &Correlation| {
        let (first, second, real, synthetic) = measure.worst;
        vec![
            measure.measure.to_owned(),
            whole(measure.pairs as u64),
            format!("{:.4}", measure.mean_difference),
            found.names(&[first, second]),
            format!("{real:.3} / {synthetic:.3}"),
        ]
    };
    let heads = ["<measure", "pairs", "mean difference", "<furthest off", "<real / synthetic"];
    page.table(&heads, measures.iter().map(line));
    let pairs = found.comparison.worst_pairs(WORST);
    let lines = pairs.iter().map(|pair| vec![found.names(&[pair.first, pair.second]), figure(pair.distance)]);
    page.table(&["<pairs furthest off", "distance"], lines);
    page.heading(&format!(
        "Would a researcher conclude the same? (tests of pairs at a level of {:.0}%)",
        100.0 * LEVEL
    ));
    let line = |test: Agreement| {
        vec![
            test.test.to_owned(),
            whole(test.pairs as u64),
            test.share().map_or("-".to_owned(), percent),
            whole(test.lost as u64),
            whole(test.invented as u64),
        ]
    };
    page.table(&["<test", "pairs", "same", "lost", "invented"], agreements(&found.pairs.pairs).map(line));
}

fn telling(found: &Evaluation, page: &mut Page) {
    page.heading("Telling synthetic rows from real ones");
    let Some(telling) = found.propensity else {
        return page.say("There are too few rows for it.");
    };
    page.say(&format!(
        "Logistic regression on single columns: pMSE {:.5}, {:.1} times what rows dealt out at random give ((k - 1) c (1 - c) / N, k = {} \
         weights).",
        telling.pmse, telling.ratio, telling.weights
    ));
    page.say(&format!(
        "Random forest, which also sees relations: area under the curve {:.3} on rows its trees have not seen (0.5 +/- {:.3} cannot tell, 1 \
         always).",
        telling.forest_auc, telling.auc_error
    ));
}

fn models(found: &Evaluation, page: &mut Page) {
    page.heading("Models: wrong answers on real rows, trained on real / on synthetic rows");
    let Some(prediction) = &found.prediction else {
        return page.say("There are too few rows or columns to train anything.");
    };
    let line = |target: &TargetResult| {
        let star = if target.grouped { "*" } else { "" };
        let mut line = vec![
            found.name(target.target).to_owned(),
            format!("{}{star}", target.classes),
            format!("{:.3}", target.majority),
        ];
        line.extend(target.models.iter().map(|model| format!("{:.3} / {:.3}", model.real, model.synthetic)));
        line.push(format!("{:.3}", gap(target)));
        line
    };
    let names = ModelKind::ALL.map(ModelKind::name);
    let heads: Vec<&str> = ["<target", "classes", "majority"].into_iter().chain(names).chain(["U"]).collect();
    page.table(&heads, prediction.targets.iter().map(line));
    if prediction.targets.iter().any(|target| target.grouped) {
        page.say("* values were grouped into classes.");
    }
    if !prediction.constant.is_empty() {
        page.say(&format!(
            "Left out, with a single class in the real rows: {}.",
            found.names(&prediction.constant).replace(" × ", ", ")
        ));
    }
    if prediction.targets.is_empty() {
        return;
    }
    page.say("U: risk gap, the difference of both trainings' wrong answers on the real training rows, of logistic regression.");
    if let Some(ranking) = prediction.ranking {
        page.say(&format!("Pairs of models that real and synthetic rows rank alike (SRA): {}.", percent(ranking)));
    }
}

/// That of logistic regression: a forest knows its training rows by heart, which says nothing about
/// the release.
fn gap(target: &TargetResult) -> f64 {
    target.models.iter().find(|model| model.model == ModelKind::Logistic).map_or(0.0, |model| model.risk_gap)
}

fn disclosure(found: &Evaluation, page: &mut Page) {
    page.heading("Disclosure checks (they look for accidents; the guarantee is the release's statement)");
    for check in Check::ALL {
        page.say(&format!("{}: {}", check.words().name, found.finding(check)));
        page.under(check.words().limit);
    }
}

fn figure(value: f64) -> String {
    format!("{value:.4}")
}
