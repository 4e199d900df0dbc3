//! The budget as a picture: what share of it each kind of step took.

use lookalike_measurement::statement::Charge;
use lookalike_schema::Schema;
use maud::{Markup, html};

use crate::measured::{PREFIX, parse};
use crate::number::{percent, place, whole};

/// How the cost of charges is told: epsilons where they add, else rho.
#[derive(Clone, Copy)]
pub(crate) struct CostUnit {
    pub(crate) pure: bool,
}

impl CostUnit {
    pub(crate) fn name(self) -> &'static str {
        if self.pure { "epsilon" } else { "rho" }
    }

    pub(crate) fn cost(self, charge: &Charge) -> f64 {
        match (charge.step.is_free(), self.pure) {
            (true, _) => 0.0,
            (false, true) => charge.step.pure_epsilon().unwrap_or(0.0),
            (false, false) => charge.step.rho(),
        }
    }
}

/// What a charge was for, in the order in which kinds are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ChargeKind {
    Rows,
    Columns,
    Tables,
    Scores,
    Choices,
    Drawing,
}

impl ChargeKind {
    const ALL: [Self; 6] = [Self::Rows, Self::Columns, Self::Tables, Self::Scores, Self::Choices, Self::Drawing];

    /// Told from the step, and from the label that the curator gives a query.
    fn of(charge: &Charge, schema: &Schema) -> Self {
        let is_column = |name: &str| parse(name, schema).is_some_and(|columns| columns.len() == 1);
        match (lookalike_measurement::answer::mechanism(&charge.step), charge.label.strip_prefix(PREFIX)) {
            ("private selection", _) => Self::Choices,
            ("smoothed histogram", _) => Self::Drawing,
            (_, Some(name)) if is_column(name) => Self::Columns,
            (_, Some(_)) => Self::Tables,
            _ if charge.label == "row count" => Self::Rows,
            _ => Self::Scores,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Rows => "counting the rows",
            Self::Columns => "counts of single columns",
            Self::Tables => "counts of several columns together",
            Self::Scores => "scores of how columns hang together",
            Self::Choices => "choosing what to measure",
            Self::Drawing => "drawing the rows",
        }
    }

    /// The class of its colour: `c1` to `c6`.
    fn colour(self) -> String {
        format!("c{}", self as usize + 1)
    }
}

/// A kind's part of the whole.
struct BudgetPart {
    kind: ChargeKind,
    queries: u64,
    share: f64,
    start: f64,
}

fn parts(charges: &[Charge], schema: &Schema, unit: CostUnit) -> Vec<BudgetPart> {
    let total: f64 = charges.iter().map(|charge| unit.cost(charge)).sum();
    let mut start = 0.0;
    let part = |kind: ChargeKind| {
        let mine = charges.iter().filter(|charge| !charge.step.is_free() && ChargeKind::of(charge, schema) == kind);
        let (queries, cost) = mine.fold((0, 0.0), |(count, cost), charge| (count + 1, cost + unit.cost(charge)));
        let part = BudgetPart { kind, queries, share: cost / total, start };
        start += part.share;
        part
    };
    ChargeKind::ALL.into_iter().map(part).filter(|part| part.queries > 0).collect()
}

/// A bar, and under it what its pieces are. The same in words for whoever has no picture.
pub(crate) fn picture(charges: &[Charge], schema: &Schema, unit: CostUnit) -> Markup {
    const WIDTH: f64 = 800.0;
    let parts = parts(charges, schema, unit);
    let told = |part: &BudgetPart| format!("{} {}", percent(part.share), part.kind.words());
    let words = format!("The budget by kind of step: {}", parts.iter().map(told).collect::<Vec<_>>().join(", "));
    html! {
        figure {
            svg.bar viewBox="0 0 800 34" preserveAspectRatio="none" height="34" role="img" aria-label=(words) {
                @for part in &parts {
                    g {
                        title { (told(part)) }
                        rect.gap.(part.kind.colour()) x=(place(WIDTH * part.start)) y="0" height="34"
                            width=(place(WIDTH * part.share)) {}
                    }
                }
            }
            ul.legend {
                @for part in &parts {
                    li {
                        span.key.(part.kind.colour()) {}
                        strong { (percent(part.share)) } " " (part.kind.words()) " "
                        span.soft { "(" (whole(part.queries)) @if part.queries == 1 { " query)" } @else { " queries)" } }
                    }
                }
            }
        }
    }
}
