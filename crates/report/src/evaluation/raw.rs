//! Both tables in their own numbers, and what the bins alone cost.

use lookalike_evaluate::columns::shown;
use lookalike_evaluate::raw::correlate::Correlations;
use lookalike_evaluate::raw::{GroupFigures, MissingTogether, NumberSummary, RawPair, RawSummary, STRONG};
use lookalike_evaluate::{Evaluation, RawEvaluation};
use maud::{Markup, html};

use super::shared::{SHOWN, WORST, both, names};
use crate::number::{percent, place, whole};
use crate::table::{cells, fact, first_few, table};

/// Two lines of the summary: what an analyst looks for first.
pub(super) fn lines(raw: &RawEvaluation) -> Markup {
    let (found, bins) = (raw.synthetic.summary(), raw.bins.summary());
    let alone = |value: Option<f64>| format!("the bins alone: {}", figure(value));
    html! {
        @if found.kolmogorov.is_some() {
            (fact("KS distance of raw numbers", figure(found.kolmogorov), alone(bins.kolmogorov)))
        }
        @if found.pearson.pairs > 0 {
            (fact("Strong correlations kept", figure(found.pearson.share),
                format!("Pearson, raw, {} pairs; {}", whole(found.pearson.pairs as u64), alone(bins.pearson.share))))
        }
    }
}

/// The synthetic table against the real one.
pub(super) fn section(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    html! {
        p {
            "Numbers and dates as they stand in both files, neither clamped nor binned. Missing cells are left out, pair by pair."
        }
        @if let Some(note) = raw.sample() { p.small.soft { (note) } }
        h3 { "Columns" }
        (columns(found, raw))
        @if raw.synthetic.counted_pairs().next().is_some() {
            h3 { "Correlations" }
            div.beside {
                figure { (picture(found, raw)) }
                div { (pairs(found, raw)) }
            }
        }
        (groups(found, raw))
        (holes(found, raw))
    }
}

/// The real table against itself after coding and decoding.
pub(super) fn bins(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let (bins, synthetic) = (raw.bins.summary(), raw.synthetic.summary());
    let line = |name: &str, of: fn(&RawSummary) -> Option<f64>, best: &str| {
        cells(&[&name, &figure(of(&bins)), &figure(of(&synthetic)), &best])
    };
    let measures = [
        line("KS distance of numbers, mean", |found| found.kolmogorov, "0"),
        line("Pearson kept, strong pairs", |found| found.pearson.share, "1"),
        line("Spearman kept, strong pairs", |found| found.spearman.share, "1"),
        line("Pearson, mean difference", |found| found.pearson.mean_difference, "0"),
        line("Spearman, mean difference", |found| found.spearman.mean_difference, "0"),
        line("Slopes of the strongest pairs, mean error", |found| found.slope_error, "0"),
        line("Group means, in standard deviations", |found| found.group_means, "0"),
        line("Correlation ratio, mean difference", |found| found.eta_difference, "0"),
    ];
    let mut order: Vec<_> =
        raw.bins.columns.iter().filter(|(_, column)| column.kolmogorov.unwrap_or(0.0) > 0.0).collect();
    order.sort_by(|a, b| b.1.kolmogorov.unwrap_or(0.0).total_cmp(&a.1.kolmogorov.unwrap_or(0.0)));
    let changed = order.iter().take(WORST).map(|(attribute, column)| {
        cells(&[&found.name(*attribute), &figure(column.kolmogorov), &figure(column.deviation_ratio())])
    });
    html! {
        p {
            "The real table, coded by the schema and decoded again as a release would write it, against itself. "
            "That much is lost before any noise: a column or pair that is bad here needs other bins, not a larger budget."
        }
        (table(&[("Measure", "wrap"), ("Bins alone", "n"), ("Synthetic", "n"), ("Best", "n")], measures))
        p.small.soft {
            "Strong pairs have a real correlation above " (STRONG) ", either way: kept is the mean share of it that is left."
        }
        @if !order.is_empty() {
            (table(&[("Columns that their bins change most", "wrap"), ("KS", "n"), ("Sd ratio", "n")], changed))
        }
    }
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

fn columns(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let mut order: Vec<usize> = (0..raw.synthetic.columns.len()).collect();
    let distance = |index: usize| raw.synthetic.columns[index].1.kolmogorov.unwrap_or(0.0);
    order.sort_by(|&a, &b| distance(b).total_cmp(&distance(a)));
    let titles = [
        ("Column", "wrap"),
        ("KS", "n"),
        ("Bins", "n"),
        ("Mean", "n both"),
        ("Sd ratio", "n"),
        ("1%", "n both wide"),
        ("Median", "n both wide"),
        ("99%", "n both wide"),
    ];
    let lines = |some: &[usize]| table(&titles, some.iter().map(|&index| column(found, raw, index)));
    html! {
        (first_few(&order, SHOWN, "columns", lines))
        p.small.soft {
            "Real / synthetic, the furthest off first. KS is the largest difference of the distribution functions; beside it stands what the bins "
            "alone cost. Sd ratio is the synthetic standard deviation over the real one."
        }
    }
}

fn column(found: &Evaluation, raw: &RawEvaluation, index: usize) -> Vec<Markup> {
    let (attribute, figures) = &raw.synthetic.columns[index];
    let codec = found.schema.codec(*attribute);
    let two = |of: &dyn Fn(&NumberSummary) -> f64| {
        let [real, synthetic] =
            figures.spread.map(|side| side.map_or_else(|| "-".to_owned(), |side| shown(codec, of(&side))));
        both(&real, &synthetic)
    };
    let [distance, bins, ratio] =
        [figures.kolmogorov, raw.bins.columns[index].1.kolmogorov, figures.deviation_ratio()].map(figure);
    let [low, median, high] = [0, 3, 6].map(|place| two(&|side| side.quantiles[place]));
    cells(&[&found.name(*attribute), &distance, &bins, &two(&|side| side.mean), &ratio, &low, &median, &high])
}

/// Pearson's correlation of every pair, real to the right and synthetic upwards: what is kept lies
/// on the line.
fn picture(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    const SIDE: f64 = 300.0;
    const LEFT: f64 = 34.0;
    let across = |value: f64| place(LEFT + SIDE * (value + 1.0) / 2.0);
    let up = |value: f64| place(8.0 + SIDE * (1.0 - value) / 2.0);
    let points = raw.synthetic.counted_pairs();
    html! {
        svg viewBox={ "0 0 " (place(LEFT + SIDE + 8.0)) " " (place(SIDE + 44.0)) } width=(place(LEFT + SIDE + 8.0)) role="img"
            aria-label="Pearson's correlation of every pair in both tables" {
            rect.track x=(place(LEFT)) y="8" width=(place(SIDE)) height=(place(SIDE)) {}
            @for tick in [-1.0, 0.0, 1.0] {
                text.dim x=(place(LEFT - 6.0)) y=(place(8.0 + SIDE * (1.0 - tick) / 2.0 + 4.0)) text-anchor="end" { (tick) }
                text.dim x=(across(tick)) y=(place(SIDE + 22.0)) text-anchor="middle" { (tick) }
            }
            g stroke="currentColor" stroke-opacity="0.35" {
                line x1=(across(-1.0)) y1=(up(-1.0)) x2=(across(1.0)) y2=(up(1.0)) {}
                line x1=(across(0.0)) y1=(up(-1.0)) x2=(across(0.0)) y2=(up(1.0)) stroke-dasharray="2 4" {}
                line x1=(across(-1.0)) y1=(up(0.0)) x2=(across(1.0)) y2=(up(0.0)) stroke-dasharray="2 4" {}
            }
            @for pair in points {
                @let (real, synthetic) = (pair.real.pearson.unwrap_or(0.0), pair.other.pearson.unwrap_or(0.0));
                circle.b cx=(across(real)) cy=(up(synthetic)) r="3.2" fill-opacity="0.8" {
                    title { (names(found, pair.first, pair.second)) ": " (format!("{real:.3} / {synthetic:.3}")) }
                }
            }
            text.dim x=(across(0.0)) y=(place(SIDE + 40.0)) text-anchor="middle" { "real Pearson across, synthetic upwards" }
        }
    }
}

fn pairs(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let strong = raw.synthetic.strong_pairs();
    if strong.is_empty() {
        return html! { p.soft { "No pair has a real correlation above " (STRONG) "." } };
    }
    let line = |pair: &RawPair| {
        let bins = raw.bins.pairs.iter().find(|other| (other.first, other.second) == (pair.first, pair.second));
        let three = |of: fn(&Correlations) -> Option<f64>| {
            let values = [of(&pair.real), bins.and_then(|bins| of(&bins.other)), of(&pair.other)];
            let words = values.map(|value| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}")));
            html! { @for (at, word) in words.iter().enumerate() { span { (word) @if at < 2 { " /" } } " " } }
        };
        let (pearson, spearman) = (three(|found| found.pearson), three(|found| found.spearman));
        cells(&[&names(found, pair.first, pair.second), &pearson, &spearman])
    };
    let titles = [("Strong pairs that lost most", "wrap"), ("Pearson", "n both"), ("Spearman", "n both")];
    html! {
        (table(&titles, strong.iter().take(WORST).map(|pair| line(pair))))
        p.small.soft { "Real / after the bins / synthetic." }
    }
}

fn groups(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let mut order: Vec<&GroupFigures> =
        raw.synthetic.groups.iter().filter(|group| group.mean_error.is_some()).collect();
    order.sort_by(|a, b| b.mean_error.unwrap_or(0.0).total_cmp(&a.mean_error.unwrap_or(0.0)));
    if order.is_empty() {
        return html! {};
    }
    let worst = |group: &GroupFigures| {
        group.worst.map_or_else(String::new, |worst| {
            let codec = found.schema.codec(group.number);
            let [real, synthetic] = worst.means.map(|mean| shown(codec, mean));
            format!("{}: {real} / {synthetic}", found.group_name(group.category, &worst))
        })
    };
    let rows = order.iter().take(WORST).map(|group| {
        let name = format!("{} by {}", found.name(group.number), found.name(group.category));
        cells(&[&name, &figure(group.mean_error), &worst(group)])
    });
    let titles = [("Furthest off", "wrap"), ("Deviations", "n"), ("Worst group: real / synthetic", "wrap")];
    html! {
        h3 { "Means of groups" }
        (table(&titles, rows))
        p.small.soft { "How far group means are off, in real standard deviations of the number (root mean square over groups of 50 rows and more)." }
    }
}

fn holes(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let mut order: Vec<&MissingTogether> = raw.synthetic.missing.iter().collect();
    order.sort_by(|a, b| b.apart().total_cmp(&a.apart()));
    if order.is_empty() {
        return html! {};
    }
    let rows = order.iter().take(WORST).map(|pair| {
        let [real, synthetic] = pair.share.map(percent);
        cells(&[&names(found, pair.first, pair.second), &real, &synthetic])
    });
    html! {
        h3 { "Missing together" }
        (table(&[("Furthest off", "wrap"), ("Real", "n"), ("Synthetic", "n")], rows))
    }
}
