//! What was charged: the budget as a picture, and a table of the queries.

use lookalike_measurement::statement::Charge;
use lookalike_measurement::{Statement, answer};
use maud::{Markup, html};

use crate::ReleaseKind;
use crate::budget::{self, CostUnit};
use crate::number::{percent, short, whole};
use crate::table::{cells, first_few, table};

/// Lines shown before the rest is folded.
const SHOWN: usize = 8;

/// Equal charges in a row, with their cost together in the unit that the whole statement is shown
/// in.
struct ChargeLine<'a> {
    charge: &'a Charge,
    copies: usize,
    cost: f64,
}

impl ChargeLine<'_> {
    fn label(&self) -> String {
        match self.copies {
            1 => self.charge.label.clone(),
            copies => format!("{} ({copies} queries)", self.charge.label),
        }
    }
}

pub(crate) fn section(statement: &Statement, made: &ReleaseKind<'_>) -> Markup {
    let charges = statement.charges();
    // Epsilons add only when every charge has one and the whole budget is pure; otherwise rho is
    // the common unit.
    let pure = statement.used().delta == 0.0 && charges.iter().all(|charge| charge.step.pure_epsilon().is_some());
    let unit = CostUnit { pure };
    let equal = charges.chunk_by(|one, other| one == other);
    let lines: Vec<ChargeLine<'_>> = equal
        .map(|equal| {
            let (charge, copies) = (&equal[0], equal.len());
            ChargeLine { charge, copies, cost: copies as f64 * unit.cost(charge) }
        })
        .collect();
    let total: f64 = lines.iter().map(|line| line.cost).sum();
    html! {
        @if lines.is_empty() { p { "Nothing was asked of the private rows." } } @else {
            p {
                "Every look at the private rows was paid for before it was taken: "
                @match charges.len() {
                    1 => "one query in all.",
                    many => { (whole(many as u64)) " queries in all." }
                }
                @if total > 0.0 { " The bar shows what share of the cost each kind of step took." }
            }
            @if total > 0.0 { (budget::picture(charges, made.schema(), unit)) }
            h3 { "Query by query" }
            (first_few(&lines, SHOWN, "queries", |lines| queries(lines, total, unit)))
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

fn queries(lines: &[ChargeLine<'_>], total: f64, unit: CostUnit) -> Markup {
    let cost = format!("Cost ({})", unit.name());
    let columns = [("Query", "wrap"), ("Mechanism", "wide"), ("Noise", "n"), (&cost, "n"), ("Share", "n")];
    let share = |line: &ChargeLine<'_>| if total > 0.0 { percent(line.cost / total) } else { "-".into() };
    let row = |line: &ChargeLine<'_>| {
        let (mechanism, noise) = (mechanism(line.charge), noise(line.charge));
        cells(&[&line.label(), &mechanism, &noise, &short(line.cost), &share(line)])
    };
    table(&columns, lines.iter().map(row))
}

fn mechanism(charge: &Charge) -> &'static str {
    if charge.step.is_free() { "public" } else { answer::mechanism(&charge.step) }
}

fn noise(charge: &Charge) -> String {
    let variance = answer::variance(&charge.step);
    if charge.step.is_free() || variance == 0.0 { "-".into() } else { format!("± {}", short(variance.sqrt())) }
}
