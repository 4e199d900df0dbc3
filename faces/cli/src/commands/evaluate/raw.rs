//! Both tables in their own numbers, as a steward reads it in a terminal.

use lookalike::Evaluation;
use lookalike::metrics::RawEvaluation;
use lookalike::metrics::columns::shown;
use lookalike::metrics::number::{percent, whole};
use lookalike::metrics::raw::{GroupFigures, MissingTogether, NumberSummary, RawPair, RawSummary, STRONG};

use super::super::layout::{Page, worst_first};

/// Columns, pairs and groups in the lists of the worst.
const WORST: usize = 5;

pub fn show(found: &Evaluation, page: &mut Page) {
    let Some(raw) = &found.raw else { return };
    if raw.synthetic.columns.is_empty() && raw.synthetic.missing.is_empty() {
        return;
    }
    page.heading("Raw values: the cells as they stand in the files, not their bins");
    summary(raw, page);
    columns(found, raw, page);
    pairs(found, raw, page);
    groups(found, raw, page);
    holes(found, raw, page);
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// What the bins cost beside what the release costs.
fn summary(raw: &RawEvaluation, page: &mut Page) {
    let (bins, synthetic) = (raw.bins.summary(), raw.synthetic.summary());
    let line = |name: String, of: &dyn Fn(&RawSummary) -> Option<f64>, best: &str| {
        vec![name, figure(of(&bins)), figure(of(&synthetic)), best.to_owned()]
    };
    let strong = |pairs: usize| format!("{} pairs above {STRONG}", whole(pairs as u64));
    let lines = [
        line("KS distance of numbers, mean".into(), &|found| found.kolmogorov, "0"),
        line(format!("Pearson kept, {}", strong(synthetic.pearson.pairs)), &|found| found.pearson.share, "1"),
        line(format!("Spearman kept, {}", strong(synthetic.spearman.pairs)), &|found| found.spearman.share, "1"),
        line("Spearman, mean difference".into(), &|found| found.spearman.mean_difference, "0"),
        line("slopes of the strongest pairs, error".into(), &|found| found.slope_error, "0"),
        line("group means, off by deviations".into(), &|found| found.group_means, "0"),
        line("correlation ratio, mean difference".into(), &|found| found.eta_difference, "0"),
    ];
    let lines = lines.into_iter().filter(|line| line[2] != "-");
    page.table(&["<measure", "what the bins cost", "synthetic", "best"], lines);
    page.say(
        "What the bins cost: the real table, coded by the schema and decoded again, against itself. That much is lost before any noise.",
    );
}

fn columns(found: &Evaluation, raw: &RawEvaluation, page: &mut Page) {
    let distance = |index: &usize| raw.synthetic.columns[*index].1.kolmogorov.unwrap_or(0.0);
    let line = |index: usize| {
        let (attribute, figures) = &raw.synthetic.columns[index];
        let codec = found.schema.codec(*attribute);
        let [real, synthetic] = figures.spread;
        let both = |of: &dyn Fn(&NumberSummary) -> f64| {
            let side = |side: Option<NumberSummary>| side.map_or("-".to_owned(), |side| shown(codec, of(&side)));
            format!("{} / {}", side(real), side(synthetic))
        };
        vec![
            found.name(*attribute).to_owned(),
            figure(figures.kolmogorov),
            figure(raw.bins.columns[index].1.kolmogorov),
            both(&|side| side.mean),
            figure(figures.deviation_ratio()),
            both(&|side| side.quantiles[3]),
            both(&|side| side.quantiles[6]),
        ]
    };
    let worst = worst_first(0..raw.synthetic.columns.len(), distance).into_iter().take(WORST);
    let heads = ["<furthest off", "KS", "bins", "<mean", "sd ratio", "<median", "<99%"];
    if page.table(&heads, worst.map(line)) {
        page.say("Real / synthetic. Bins: the KS distance that the bins alone cost. Sd ratio: synthetic standard deviation over the real one.");
    }
}

fn pairs(found: &Evaluation, raw: &RawEvaluation, page: &mut Page) {
    let line = |pair: &RawPair| {
        let bins = raw.bins.pairs.iter().find(|other| (other.first, other.second) == (pair.first, pair.second));
        let three = |of: fn(&lookalike::metrics::raw::correlate::Correlations) -> Option<f64>| {
            let bins = bins.and_then(|bins| of(&bins.other));
            [of(&pair.real), bins, of(&pair.other)].map(figure).join(" / ")
        };
        vec![found.names(&[pair.first, pair.second]), three(|found| found.pearson), three(|found| found.spearman)]
    };
    let strong = raw.synthetic.strong_pairs().into_iter().take(WORST);
    if page.table(&["<strong pairs that lost most", "<Pearson", "<Spearman"], strong.map(line)) {
        page.say("Real / after the bins / synthetic.");
    }
}

fn groups(found: &Evaluation, raw: &RawEvaluation, page: &mut Page) {
    let known = raw.synthetic.groups.iter().filter(|group| group.mean_error.is_some());
    let line = |group: &GroupFigures| {
        let worst = group.worst.map_or_else(String::new, |worst| {
            let codec = found.schema.codec(group.number);
            let [real, synthetic] = worst.means.map(|mean| shown(codec, mean));
            format!("{}: {real} / {synthetic}", found.group_name(group.category, &worst))
        });
        vec![format!("{} by {}", found.name(group.number), found.name(group.category)), figure(group.mean_error), worst]
    };
    let worst = worst_first(known, |group| group.mean_error.unwrap_or(0.0)).into_iter().take(WORST);
    let heads = ["<means of groups furthest off", "deviations", "<worst group: real / synthetic"];
    page.table(&heads, worst.map(line));
}

fn holes(found: &Evaluation, raw: &RawEvaluation, page: &mut Page) {
    let apart = raw.synthetic.missing.iter().filter(|pair| pair.apart() > 0.0);
    let line = |pair: &MissingTogether| {
        let [real, synthetic] = pair.share.map(percent);
        vec![found.names(&[pair.first, pair.second]), format!("{real} / {synthetic}")]
    };
    let worst = worst_first(apart, |pair| pair.apart()).into_iter().take(WORST);
    page.table(&["<missing together", "<real / synthetic"], worst.map(line));
}
