//! `release/report.html`: only what may be published.

use lookalike_measurement::Statement;
use lookalike_measurement::statement::Guarantee;
use lookalike_model::Model;
use maud::{Markup, html};
use serde_json::Value;

use crate::frame::{banner, page};
use crate::number::{short, whole};
use crate::{charges, columns};

/// The page that goes with the release. Takes what was paid for and the schema, and nothing else: it cannot show more
/// than the release does.
pub fn public_page(statement: &Statement, model: &Model) -> String {
    let body = html! {
        header {
            p.soft.small { "Lookalike · report of a release" }
            h1 { "Synthetic data: the same columns, nobody in them" }
        }
        (marks(statement))
        main {
            h2 { "The guarantee" }
            (guarantee(statement))
            h2 { "What was asked of the private rows" }
            (charges::section(statement))
            h2 { "Columns" }
            (columns::section(model))
            h2 { "How to use the data honestly" }
            (honest_use(statement, model))
            h2 { "Limits" }
            (limits())
            h2 { "How it was made" }
            (making(statement, model))
        }
    };
    page("Synthetic data: report of a release", body)
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
            Guarantee::Holds(budget) => div.promise {
                p.symbols { "ε = " (budget.epsilon.get()) ", δ = " (budget.delta.get()) }
                p { (statement.sentence()) }
            },
            Guarantee::None { .. } => p { strong { (statement.sentence()) } },
        }
        p {
            "Whoever looks at this release learns almost the same whether or not any one person's record was in the table, "
            "whatever else they know. The smaller ε, the closer to “the same”; δ is the chance that the promise fails."
        }
        p.small.soft {
            "The guarantee is the cap that was fixed before the first look. Recomputed from the noise that was used, the "
            "charges come to ε = " (format!("{:.6}", used.epsilon)) " at δ = " (used.delta) ": a check, not the guarantee. "
            @if statement.facts().charged_runs > 1 {
                "This is one of " (whole(statement.facts().charged_runs)) " charged runs that the account beside it knows of; "
                "their guarantees add up. "
            }
            "Anyone can repeat the check with " code { "lookalike verify" } " on this folder."
        }
    }
}

fn honest_use(statement: &Statement, model: &Model) -> Markup {
    let noise = statement
        .charges()
        .iter()
        .filter(|charge| !charge.step.is_free())
        .map(|charge| lookalike_measurement::answer::variance(&charge.step).sqrt())
        .fold(0.0, f64::max);
    html! {
        ul {
            li { "No row is a person. A row that looks like somebody you know does so by chance." }
            li { (model.in_words()) }
            @if noise > 0.0 {
                li {
                    "Counts carry noise: a typical error of up to ± " (short(noise)) " records in each measured cell. "
                    "Do not read anything into differences of a few times that size, nor into rare values."
                }
            }
            li {
                "The number of rows is itself an estimate (about " (whole(model.rows())) " records), or was chosen by whoever "
                "made the release. Drawing more rows from the model adds no information."
            }
            li { "Inside a bin, values are spread evenly. Details finer than the bins are not real." }
            li {
                "Standard errors and tests that take the rows for a real sample are too optimistic: they do not know of the "
                "noise. Confirm what matters on the real data, through whoever holds them."
            }
            li { "When you publish results, say that they come from synthetic data, and cite ε and δ." }
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

fn making(statement: &Statement, model: &Model) -> Markup {
    let facts = statement.facts();
    html! {
        div.scroll {
            table {
                tbody {
                    @if !facts.job.contains_key("method") { tr { th { "method" } td.wrap { (model.origin().method) } } }
                    @for (name, value) in &facts.job { tr { th { (name) } td.wrap { (plain(value)) } } }
                    @for (name, version) in &facts.software { tr { th { (name) } td.wrap { (version) } } }
                }
            }
        }
        p.small.soft {
            "In this folder: " code { "synthetic.csv" } " (or Parquet), the rows; " code { "dictionary.csv" } ", what every value means; "
            code { "model.lookalike" } ", from which more rows can be drawn free of charge; " code { "privacy.json" }
            ", the full account. Every file here may be published."
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
