//! What has to be known to read an answer.

use lookalike_model::Model;
use lookalike_schema::{Clique, Schema};

use super::Answer;

/// A lean below this share of a standard error is not worth a word.
const WORTH_A_WORD: f64 = 0.25;

pub(super) fn of(answer: &Answer, model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    let schema = model.schema();
    let Some(bars) = &answer.bars else {
        notes.push(match model.measured() {
            [] => "No errors can be given: the model does not say which marginals it was made from.".to_owned(),
            _ => "No errors can be given: the question has too many parts.".to_owned(),
        });
        return notes;
    };
    if bars.gaps().iter().any(Clique::is_empty) {
        notes.push("The errors are lower bounds: nothing that was measured bears on this.".to_owned());
    } else if !bars.gaps().is_empty() {
        let mut sets: Vec<String> = bars.gaps().iter().take(3).map(|set| together(schema, set)).collect();
        let more = bars.gaps().len().saturating_sub(3);
        if more > 0 || bars.has_more_gaps() {
            sets.push("others".to_owned());
        }
        notes.push(format!(
            "The errors are lower bounds: no measurement holds {} together. How they hang together is the model's guess.",
            sets.join("; nor ")
        ));
    }
    if !bars.split().is_empty() {
        notes.push(format!(
            "The errors are lower bounds: {} was measured in groups, which are split by fixed shares.",
            together(schema, bars.split())
        ));
    }
    if !bars.is_best_fit() {
        notes.push(
            "The errors are lower bounds: this model takes each of its tables from one measurement and does not weigh them \
             against each other."
                .to_owned(),
        );
    }
    if answer.lean > WORTH_A_WORD {
        let largest = answer.cells().filter_map(|cell| cell.errors).map(|errors| errors.count).fold(0.0, f64::max);
        notes.push(format!(
            "Counts cannot be below 0, so noise lifts empty cells at the cost of the others, by up to about {} each. \
             The intervals allow for it.",
            (answer.lean * largest).ceil()
        ));
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
