//! `release/report.html`: only what may be published.

use lookalike_measurement::statement::Guarantee;
use lookalike_measurement::{Statement, answer};
use maud::{Markup, html};
use serde_json::Value;

use crate::frame::{Section, banner, page};
use crate::number::{exact, short, whole};
use crate::{ReleaseKind, charges, columns, expected, graph};

/// The page that goes with the release. Takes what was paid for and the schema, and nothing else:
/// it cannot show more than the release does.
pub fn public_page<'a>(statement: &Statement, made: impl Into<ReleaseKind<'a>>) -> String {
    let made = made.into();
    let mut sections = vec![
        Section::new("guarantee", "The guarantee", guarantee(statement)),
        Section::new("budget", "What was asked of the private rows", charges::section(statement, &made)),
        Section::new("columns", "Columns", columns::section(&made)),
    ];
    if let ReleaseKind::Model(model) = made {
        sections.push(Section::new("structure", "How the columns hang together", graph::section(statement, model)));
        sections.push(Section::new("errors", "Expected errors", expected::section(statement, model)));
    }
    sections.push(Section::new("use", "How to use the data honestly", honest_use(statement, &made)));
    if holds(statement) {
        sections.push(Section::new("limits", "Limits of the guarantee", limits()));
    }
    sections.push(Section::new("making", "How it was made", making(statement, &made)));
    let headings = ["report of a release", "Synthetic data: what this release promises"];
    page("Synthetic data: report of a release", headings, marks(statement), &sections)
}

fn marks(statement: &Statement) -> Markup {
    let marks = statement.marks();
    let Guarantee::None { reasons } = statement.guarantee() else { return html! {} };
    banner(
        &marks.join(" · "),
        html! {
            p { "This release carries no promise of privacy. Do not publish it as private." }
            ul { @for reason in reasons { li { (reason) } } }
        },
    )
}

fn guarantee(statement: &Statement) -> Markup {
    let used = statement.used();
    html! {
        @match statement.guarantee() {
            Guarantee::Holds(budget) => {
                div.promise {
                    p.symbols { "ε = " (exact(budget.epsilon.get())) ", δ = " (exact(budget.delta.get())) }
                    p { (statement.sentence()) }
                    p { "In symbols, for any two such tables " i { "D" } ", " i { "D′" } " and any set " i { "S" } " of outcomes:" }
                    p.formula {
                        "Pr[" i { "M" } "(" i { "D" } ") ∈ " i { "S" } "] ≤ e" sup { (exact(budget.epsilon.get())) } " · Pr[" i { "M" }
                        "(" i { "D′" } ") ∈ " i { "S" } "]"
                        @if budget.delta.get() > 0.0 { " + " (exact(budget.delta.get())) }
                    }
                }
                p {
                    "Whoever looks at this release, whatever else they know, learns almost the same " (statement.hidden_in_words())
                    " The smaller ε, the closer to “the same”. "
                    @if budget.delta.get() > 0.0 {
                        "δ is a small allowance beside it: the probability of anything that the release could show may "
                        "differ by the factor that ε gives, and beyond that by at most δ."
                    } @else {
                        "As δ is 0, there is no allowance beside the factor that ε gives."
                    }
                }
            }
            Guarantee::None { .. } => p { strong { (statement.sentence()) } },
        }
        @if !statement.assumed_public().is_empty() {
            p {
                "The guarantee assumes that these facts are public. They were read from the table, and accepted or left to the budget "
                "in bulk, by what was seen of them: " (statement.assumed_public().join(", ")) "."
            }
        }
        p.small.soft {
            @if holds(statement) { "The guarantee is the cap that was fixed before the first look. " }
            "Recomputed from the noise that was used, the charges come to ε = " (format!("{:.6}", used.epsilon)) " at δ = "
            (exact(used.delta)) ": a check, not a guarantee. "
            @if statement.facts().charged_runs > 1 {
                "This is one of " (whole(statement.facts().charged_runs)) " charged runs that the account beside it knows of; "
                "what they cost adds up. "
            }
            "Anyone can repeat the check with " code { "lookalike verify" } " on this folder."
        }
    }
}

fn holds(statement: &Statement) -> bool {
    matches!(statement.guarantee(), Guarantee::Holds(_))
}

fn honest_use(statement: &Statement, made: &ReleaseKind<'_>) -> Markup {
    let paid = statement.charges().iter().filter(|charge| !charge.step.is_free());
    let noises = paid.map(|charge| answer::variance(&charge.step).sqrt()).filter(|&noise| noise > 0.0);
    let (least, most) = noises.fold((f64::INFINITY, 0.0), |(least, most), noise| (noise.min(least), noise.max(most)));
    html! {
        ul {
            @match made {
                ReleaseKind::Model(_) => {
                    li { "No row is a person. A row that looks like somebody you know does so by chance." }
                    li {
                        "Trust a table, a correlation or a regression as far as its columns were counted together ("
                        a href="#structure" { "the graph" } " shows which were). Everything else is the model's guess."
                    }
                }
                ReleaseKind::Rows(rows) => @for words in rows.words { li { (words) } },
            }
            @if most > 0.0 {
                li {
                    "Counts carry noise: a typical error of ± " (short(least)) @if most > least { " to ± " (short(most)) }
                    " records in whatever was measured (" a href="#budget" { "query by query" } "). Do not read anything into differences of a few times that size, nor into rare values."
                }
            }
            @match made {
                ReleaseKind::Model(model) => li {
                    "The number of rows is itself an estimate (about " (whole(model.rows())) " records), or was chosen by whoever "
                    "made the release. Drawing more rows from the model adds no information."
                },
                ReleaseKind::Rows(rows) => li {
                    "The number of rows (" (whole(rows.rows)) ") was chosen: it is not the number of records. There is no model: "
                    "every further row would cost privacy again."
                },
            }
            li { "Inside a bin, values are spread evenly. Details finer than the bins are not real." }
            li {
                "Standard errors and tests that take the rows for a real sample are too optimistic: they do not know of the "
                "noise. Confirm what matters on the real data, through whoever holds them."
            }
            li {
                "When you publish results, say that they come from synthetic data"
                @if holds(statement) { ", and cite ε and δ." } @else { " without a guarantee." }
            }
        }
    }
}

fn limits() -> Markup {
    html! {
        ul {
            li { "The guarantee is about single people (or single records). It does not hide facts about groups: that is what statistics are for." }
            li { "It covers this release. Other publications about the same people add to the risk; their ε add up." }
            li { "It takes the schema (columns, ranges, lists of values, impossible combinations) as public knowledge." }
            li { "It holds for the rows as they were given: whoever has several records is protected as far as the guarantee says so." }
        }
    }
}

fn making(statement: &Statement, made: &ReleaseKind<'_>) -> Markup {
    let facts = statement.facts();
    html! {
        div.scroll {
            table {
                tbody {
                    @if let (ReleaseKind::Model(model), false) = (made, facts.job.contains_key("method")) {
                        tr { th { "method" } td.wrap { (model.origin().method) } }
                    }
                    @for (name, value) in &facts.job { tr { th { (name) } td.wrap { (plain(value)) } } }
                    @for (name, version) in &facts.software { tr { th { (name) } td.wrap { (version) } } }
                }
            }
        }
        p.small.soft {
            "In this folder: " code { "synthetic.csv" } " (or Parquet), the rows; " code { "dictionary.csv" } ", what every value means; "
            @if let ReleaseKind::Model(_) = made {
                code { "model.lookalike" } ", from which more rows can be drawn free of charge; "
            }
            code { "privacy.json" } ", the full account. "
            @if holds(statement) { "Every file here may be published." }
        }
    }
}

/// A setting as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "not given".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::Object(settings) if settings.is_empty() => "defaults".into(),
        Value::Object(settings) => {
            settings.iter().map(|(name, value)| format!("{name} = {}", plain(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
