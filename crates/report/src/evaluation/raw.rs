//! Both tables in their own numbers, and what the bins alone cost.

use lookalike_evaluate::columns::shown;
use lookalike_evaluate::raw::correlate::Correlations;
use lookalike_evaluate::raw::{GroupFigures, MissingTogether, NumberSummary, RawPair, RawSummary, STRONG};
use lookalike_evaluate::{Evaluation, RawEvaluation};
use maud::{Markup, html};

use super::{SHOWN, WORST, both, names};
use crate::frame::folded;
use crate::number::{percent, place, whole};

/// Two lines of the summary: what an analyst looks for first.
pub(super) fn lines(raw: &RawEvaluation, line: &dyn Fn(&str, String, String) -> Markup) -> Markup {
    let (found, bins) = (raw.synthetic.summary(), raw.bins.summary());
    let alone = |value: Option<f64>| format!("the bins alone: {}", figure(value));
    html! {
        @if found.kolmogorov.is_some() {
            (line("KS distance of raw numbers", figure(found.kolmogorov), alone(bins.kolmogorov)))
        }
        @if found.pearson.pairs > 0 {
            (line("Strong correlations kept", figure(found.pearson.share),
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
    let line = |name: &str, of: &dyn Fn(&RawSummary) -> Option<f64>, best: &str| {
        html! { tr { td.wrap { (name) } td.n { (figure(of(&bins))) } td.n { (figure(of(&synthetic))) } td.n { (best) } } }
    };
    let mut order: Vec<_> =
        raw.bins.columns.iter().filter(|(_, column)| column.kolmogorov.unwrap_or(0.0) > 0.0).collect();
    order.sort_by(|a, b| b.1.kolmogorov.unwrap_or(0.0).total_cmp(&a.1.kolmogorov.unwrap_or(0.0)));
    html! {
        p {
            "The real table, coded by the schema and decoded again as a release would write it, against itself. "
            "That much is lost before any noise: a column or pair that is bad here needs other bins, not a larger budget."
        }
        div.scroll { table {
            thead { tr { th { "Measure" } th.n { "Bins alone" } th.n { "Synthetic" } th.n { "Best" } } }
            tbody {
                (line("KS distance of numbers, mean", &|found| found.kolmogorov, "0"))
                (line("Pearson kept, strong pairs", &|found| found.pearson.share, "1"))
                (line("Spearman kept, strong pairs", &|found| found.spearman.share, "1"))
                (line("Pearson, mean difference", &|found| found.pearson.mean_difference, "0"))
                (line("Spearman, mean difference", &|found| found.spearman.mean_difference, "0"))
                (line("Slopes of the strongest pairs, mean error", &|found| found.slope_error, "0"))
                (line("Group means, in standard deviations", &|found| found.group_means, "0"))
                (line("Correlation ratio, mean difference", &|found| found.eta_difference, "0"))
            }
        } }
        p.small.soft {
            "Strong pairs have a real correlation above " (STRONG) ", either way: kept is the mean share of it that is left."
        }
        @if !order.is_empty() {
            div.scroll { table {
                thead { tr { th { "Columns that their bins change most" } th.n { "KS" } th.n { "Sd ratio" } } }
                tbody {
                    @for (attribute, column) in order.iter().take(WORST) {
                        tr { td.wrap { (found.name(*attribute)) } td.n { (figure(column.kolmogorov)) } td.n { (figure(column.deviation_ratio())) } }
                    }
                }
            } }
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
    let lines = |order: &[usize]| {
        html! {
            div.scroll { table {
                thead { tr {
                    th { "Column" } th.n { "KS" } th.n { "Bins" } th.n { "Mean" } th.n { "Sd ratio" }
                    th.n.wide { "1%" } th.n.wide { "Median" } th.n.wide { "99%" }
                } }
                tbody { @for &index in order { (column(found, raw, index)) } }
            } }
        }
    };
    let (first, rest) = order.split_at(order.len().min(SHOWN));
    html! {
        (lines(first))
        @if !rest.is_empty() { (folded(rest.len(), "columns", lines(rest))) }
        p.small.soft {
            "Real / synthetic, the furthest off first. KS is the largest difference of the distribution functions; beside it stands what the bins "
            "alone cost. Sd ratio is the synthetic standard deviation over the real one."
        }
    }
}

fn column(found: &Evaluation, raw: &RawEvaluation, index: usize) -> Markup {
    let (attribute, figures) = &raw.synthetic.columns[index];
    let codec = found.schema.codec(*attribute);
    let two = |of: &dyn Fn(&NumberSummary) -> f64| {
        let [real, synthetic] =
            figures.spread.map(|side| side.map_or_else(|| "-".to_owned(), |side| shown(codec, of(&side))));
        both(&real, &synthetic)
    };
    html! {
        tr {
            td.wrap { (found.name(*attribute)) } td.n { (figure(figures.kolmogorov)) } td.n { (figure(raw.bins.columns[index].1.kolmogorov)) }
            td.n.both { (two(&|side| side.mean)) } td.n { (figure(figures.deviation_ratio())) }
            td.n.both.wide { (two(&|side| side.quantiles[0])) } td.n.both.wide { (two(&|side| side.quantiles[3])) }
            td.n.both.wide { (two(&|side| side.quantiles[6])) }
        }
    }
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
        html! {
            tr {
                td.wrap { (names(found, pair.first, pair.second)) } td.n.both { (three(|found| found.pearson)) }
                td.n.both { (three(|found| found.spearman)) }
            }
        }
    };
    html! {
        div.scroll { table {
            thead { tr { th { "Strong pairs that lost most" } th.n { "Pearson" } th.n { "Spearman" } } }
            tbody { @for pair in strong.iter().take(WORST) { (line(pair)) } }
        } }
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
    html! {
        h3 { "Means of groups" }
        div.scroll { table {
            thead { tr { th { "Furthest off" } th.n { "Deviations" } th { "Worst group: real / synthetic" } } }
            tbody {
                @for group in order.iter().take(WORST) {
                    tr {
                        td.wrap { (found.name(group.number)) " by " (found.name(group.category)) } td.n { (figure(group.mean_error)) }
                        td.wrap { (worst(group)) }
                    }
                }
            }
        } }
        p.small.soft { "How far group means are off, in real standard deviations of the number (root mean square over groups of 50 rows and more)." }
    }
}

fn holes(found: &Evaluation, raw: &RawEvaluation) -> Markup {
    let mut order: Vec<&MissingTogether> = raw.synthetic.missing.iter().collect();
    order.sort_by(|a, b| b.apart().total_cmp(&a.apart()));
    if order.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Missing together" }
        div.scroll { table {
            thead { tr { th { "Furthest off" } th.n { "Real" } th.n { "Synthetic" } } }
            tbody {
                @for pair in order.iter().take(WORST) {
                    tr {
                        td.wrap { (names(found, pair.first, pair.second)) } td.n { (percent(pair.share[0])) } td.n { (percent(pair.share[1])) }
                    }
                }
            }
        } }
    }
}
