//! What was charged: a bar of the budget and a table.

use lookalike_measurement::statement::Charge;
use lookalike_measurement::{Statement, answer};
use maud::{Markup, html};

use crate::frame::folded;
use crate::number::{percent, place, short};

/// Lines shown before the rest is folded.
const SHOWN: usize = 8;
/// More pieces than this in the bar are drawn as one.
const MOST_PIECES: usize = 60;

/// Equal charges in a row, with their cost together in the unit that the whole statement is shown in.
struct Line<'a> {
    charge: &'a Charge,
    copies: usize,
    cost: f64,
}

impl Line<'_> {
    fn label(&self) -> String {
        match self.copies {
            1 => self.charge.label.clone(),
            copies => format!("{} ({copies} queries)", self.charge.label),
        }
    }
}

pub(crate) fn section(statement: &Statement) -> Markup {
    let charges = statement.charges();
    // Epsilons add only when every charge has one and the whole budget is pure; otherwise rho is the common unit.
    let pure = statement.used().delta == 0.0 && charges.iter().all(|charge| charge.step.pure_epsilon().is_some());
    let cost = |charge: &Charge| match (charge.step.is_free(), pure) {
        (true, _) => 0.0,
        (false, true) => charge.step.pure_epsilon().unwrap_or(0.0),
        (false, false) => charge.step.rho(),
    };
    let equal = charges.chunk_by(|one, other| one == other);
    let lines: Vec<Line<'_>> = equal
        .map(|equal| {
            let (charge, copies) = (&equal[0], equal.len());
            Line { charge, copies, cost: copies as f64 * cost(charge) }
        })
        .collect();
    let total: f64 = lines.iter().map(|line| line.cost).sum();
    let unit = if pure { "epsilon" } else { "rho" };
    html! {
        @if lines.is_empty() { p { "Nothing was asked of the private rows." } } @else {
            p {
                "Every look at the private rows was paid for before it was taken. "
                "There were " (crate::number::whole(charges.len() as u64)) " queries; the bar shows what each one cost."
            }
            @if total > 0.0 { (bar(&lines, total)) }
            div.scroll { (table(&lines[..lines.len().min(SHOWN)], total, unit)) }
            @if lines.len() > SHOWN {
                (folded(lines.len() - SHOWN, "queries", html! { div.scroll { (table(&lines[SHOWN..], total, unit)) } }))
            }
            p.small.soft {
                @if charges.iter().any(|charge| answer::variance(&charge.step) > 0.0) {
                    "Noise is the typical error (one standard deviation) of each count, in records. "
                }
                @if pure { "Costs are pure epsilons, which add." } @else {
                    "Costs are in rho (zero-concentrated differential privacy), a common measure; "
                    "the guarantee above is computed from all of them together."
                }
            }
        }
    }
}

fn bar(lines: &[Line<'_>], total: f64) -> Markup {
    const WIDTH: f64 = 800.0;
    let mut pieces: Vec<(String, f64)> = Vec::new();
    for line in lines.iter().filter(|line| line.cost > 0.0) {
        match pieces.len() {
            MOST_PIECES => {
                if let Some(last) = pieces.last_mut() {
                    *last = ("all others".into(), last.1 + line.cost);
                }
            }
            _ => pieces.push((line.label(), line.cost)),
        }
    }
    let starts: Vec<f64> = pieces
        .iter()
        .scan(0.0, |sum, (_, cost)| {
            let start = *sum;
            *sum += cost;
            Some(start)
        })
        .collect();
    html! {
        figure {
            svg.wide viewBox="0 0 800 26" preserveAspectRatio="none" height="26" role="img" aria-label="The budget by query" {
                @for (index, ((label, cost), start)) in pieces.iter().zip(&starts).enumerate() {
                    g {
                        title { (label) ": " (percent(cost / total)) }
                        rect.gap.a fill-opacity=(if index % 2 == 0 { "1" } else { "0.6" }) x=(place(WIDTH * start / total)) y="0" height="26"
                            width=(place(WIDTH * cost / total)) {}
                    }
                }
            }
        }
    }
}

fn table(lines: &[Line<'_>], total: f64, unit: &str) -> Markup {
    html! {
        table {
            thead { tr { th { "Query" } th.wide { "Mechanism" } th.n { "Noise" } th.n { "Cost (" (unit) ")" } th.n { "Share" } } }
            tbody {
                @for line in lines {
                    tr {
                        td.wrap { (line.label()) }
                        td.wide { (mechanism(line.charge)) }
                        td.n { (noise(line.charge)) }
                        td.n { (short(line.cost)) }
                        td.n { @if total > 0.0 { (percent(line.cost / total)) } @else { "-" } }
                    }
                }
            }
        }
    }
}

fn mechanism(charge: &Charge) -> &'static str {
    if charge.step.is_free() { "public" } else { answer::mechanism(&charge.step) }
}

fn noise(charge: &Charge) -> String {
    let variance = answer::variance(&charge.step);
    if charge.step.is_free() || variance == 0.0 { "-".into() } else { format!("± {}", short(variance.sqrt())) }
}
