//! The columns of the release: type, codes, and the share of each in the model or the rows.

use lookalike_schema::{Codec, Column, Dependent, Role};
use maud::{Markup, html};

use crate::ReleaseKind;
use crate::chart::{BarSeries, bars};
use crate::number::whole;
use crate::table::{cells, first_few, table};

/// Pictures shown before the rest is folded.
const SHOWN: usize = 12;
/// Labels listed for a column; the dictionary has them all.
const LISTED: u32 = 40;

pub(crate) fn section(made: &ReleaseKind<'_>) -> Markup {
    let schema = made.schema();
    let attributes: Vec<_> = schema.domain().attributes().collect();
    let picture = |attribute| {
        let (shares, labels) = made.shares(attribute);
        let label = |place: usize| labels.get(place).cloned().unwrap_or_default();
        let is_uneven = schema.codec(attribute).is_on_grid() && shares.len() < schema.domain().size(attribute) as usize;
        let name = &schema.column(attribute).name;
        html! {
            figure {
                h3 { (name) }
                @if is_uneven { p.small.soft { "in the ranges that were counted together; they are not equally wide" } }
                (bars(&format!("Shares of {name} in {}", made.holder()), &label, &[BarSeries { shares: &shares, class: "a", word: "share" }]))
            }
        }
    };
    let row = |column: &Column| {
        let (kind, codes, values): (&str, String, Markup) = match &column.role {
            Role::Modelled(codec) => (column.type_name(), whole(u64::from(codec.size())), values(codec)),
            Role::Dependent(dependent) => (dependent.codec().kind_name(), "-".into(), looked_up(dependent)),
            Role::Id => ("id", "-".into(), html! { "fresh numbers from 1; they point to nobody" }),
            Role::Derived(formula) => {
                ("derived", "-".into(), html! { "computed in every row: " code { (formula.text()) } })
            }
            Role::Ignored => ("left out", "-".into(), html! { "not read and not written" }),
        };
        cells(&[&column.name, &kind, &codes, &values])
    };
    html! {
        (table(&[("Column", "wrap"), ("Type", ""), ("Codes", "n"), ("Values", "wrap")], schema.columns().iter().map(row)))
        @if !schema.impossible().is_empty() {
            p {
                @match schema.impossible().len() {
                    1 => "The schema calls one combination of values impossible; no row of the release has it.",
                    count => { "The schema calls " (whole(count as u64)) " combinations of values impossible; no row of the release has any." }
                }
            }
        }
        @if !attributes.is_empty() {
            h3 { "What " (made.holder()) " hold" @if matches!(made, ReleaseKind::Model(_)) { "s" } " of each column" }
            (first_few(&attributes, SHOWN, "columns", |some| html! {
                div.grid { @for &attribute in some { (picture(attribute)) } }
            }))
        }
    }
}

fn values(codec: &Codec) -> Markup {
    if !codec.is_on_grid() || codec.present() <= LISTED {
        return listed(codec);
    }
    let missing = codec.missing_code().map_or_else(String::new, |code| format!(", {}", codec.label(code)));
    html! { (codec.label_of(0, codec.present() - 1)) (missing) }
}

fn listed(codec: &Codec) -> Markup {
    let size = codec.size();
    let list = |codes: std::ops::Range<u32>| codes.map(|code| codec.label(code)).collect::<Vec<_>>().join(", ");
    html! {
        @if size <= 6 { (list(0..size)) } @else {
            details {
                summary { (codec.label(0)) ", …, " (codec.label(size - 1)) }
                (list(0..size.min(LISTED)))
                @if size > LISTED { " and " (whole(u64::from(size - LISTED))) " more, all in " code { "dictionary.csv" } }
            }
        }
    }
}

/// A column that is looked up in every row.
fn looked_up(dependent: &Dependent) -> Markup {
    let known = dependent.table().map_or(0, <[_]>::len) as u64;
    html! {
        "one value for each combination of " (dependent.on().join(", ")) ": " (whole(known)) " of "
        (whole(dependent.keys())) " are known; it is looked up in every row"
    }
}
