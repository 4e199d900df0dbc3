//! What has to be known to read an answer.

use lookalike_model::Model;
use lookalike_schema::{Clique, Filter, Schema};

use super::answer::Answer;

pub(super) fn of(answer: &Answer, model: &Model, filter: &Filter) -> Vec<String> {
    let schema = model.schema();
    let mut notes = filter.notes(schema);
    let Some(bars) = &answer.bars else {
        notes.push("No errors can be given: the model does not say which marginals it was made from.".to_owned());
        return notes;
    };
    if bars.stands_on_fit() {
        notes.push(
            "The errors are lower bounds: this model was made by an older version and does not keep its noisy answers, so \
             that values which the fit made 0, or split from a group, seem too sure."
                .to_owned(),
        );
    }
    if !answer.has_bounds() {
        return notes;
    }
    if filter.is_split() {
        notes.push(
            "Nobody knows how the rows of a cut bin are spread: lines that rest on one are marked \"bound\", and the \
             interval reaches from none of its rows to all of them."
                .to_owned(),
        );
    }
    const BOUND: &str =
        "Lines marked \"bound\" were not measured: their count is the model's guess, and the interval is what";
    if bars.is_cut() {
        notes.push(format!("{BOUND} rows without the condition have, which has too many parts."));
    } else if !bars.gaps().is_empty() {
        let mut sets: Vec<String> = bars.gaps().iter().take(3).map(|set| together(schema, set)).collect();
        if bars.gaps().len() > 3 {
            sets.push("others".to_owned());
        }
        let held = match bars.gaps().iter().all(|set| set.len() == 1) {
            true => format!("no table holds {}", sets.join("; nor ")),
            false => format!("no table holds {} together", sets.join("; nor ")),
        };
        notes.push(format!("{BOUND} the measured tables leave room for ({held})."));
    } else if !bars.split().is_empty() {
        let counted = if bars.split().len() == 1 { "was" } else { "were" };
        let names = together(schema, bars.split());
        notes.push(format!("{BOUND} their group may have ({names} {counted} counted in groups of values)."));
    } else if !filter.is_split() {
        notes.push(format!("{BOUND} the measured tables leave room for."));
    }
    notes
}

/// "age, sex and income".
fn together(schema: &Schema, set: &Clique) -> String {
    let names: Vec<&str> = set.attributes().iter().map(|&a| schema.column(a).name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
