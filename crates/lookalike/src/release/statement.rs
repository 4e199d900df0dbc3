//! What the facade says about a statement: the guarantee in one line, and the seal of
//! `privacy.json`.

use lookalike_measurement::{Statement, statement::Guarantee};
use lookalike_privacy::Relation;

use crate::hash::sha256;

/// The guarantee in one line, or its absence: what stands in the model file, the log and on the
/// terminal.
pub(crate) fn guarantee_line(statement: &Statement) -> String {
    match statement.guarantee() {
        Guarantee::Holds(budget) => {
            let neighbours = match (statement.unit_in_words(), statement.neighbours().relation()) {
                (Some(person), _) => format!("adding or removing any one {person}"),
                (None, Relation::AddRemove) => "adding or removing any one record".to_owned(),
                (None, Relation::ReplaceOne) => "changing any one record".to_owned(),
            };
            let (epsilon, delta) = (short(budget.epsilon.get()), short(budget.delta.get()));
            let assumed = match statement.assumed_public().len() {
                0 => String::new(),
                facts => format!(", if the facts of the schema that were settled in bulk are public ({facts})"),
            };
            format!("({epsilon}, {delta})-differential privacy against {neighbours}{assumed}")
        }
        Guarantee::None { .. } => {
            let sentence = statement.sentence();
            let marks = statement.marks().into_iter().filter(|mark| !sentence.contains(mark));
            marks.map(|mark| format!("{mark}. ")).collect::<String>() + sentence
        }
    }
}

/// 0, 0.001, 1 and 1e-9 as people write them.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || (0.001..1e9).contains(&value) { format!("{value}") } else { format!("{value:e}") }
}

const SEAL_START: &str = ",\n  \"seal\": \"";
const SEAL_END: &str = "\"\n}\n";
const OPEN_END: &str = "\n}\n";

/// Adds the seal: the SHA-256 of the statement's text as it is without the seal.
///
/// It guards against accident, not against forgery: whoever changes the statement on purpose can
/// seal it anew.
pub(crate) fn seal(text: &str) -> String {
    let body = text.strip_suffix(OPEN_END).unwrap_or(text);
    format!("{body}{SEAL_START}{}{SEAL_END}", sha256(text.as_bytes()))
}

/// The statement's text without the seal, and whether the seal fits; `None` when there is no seal
/// at its end.
pub(crate) fn unseal(text: &str) -> Option<(String, bool)> {
    let (body, seal) = text.strip_suffix(SEAL_END)?.rsplit_once(SEAL_START)?;
    let open = format!("{body}{OPEN_END}");
    let fits = sha256(open.as_bytes()) == seal;
    Some((open, fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_breaks_the_seal() {
        let text = "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n";
        let sealed = seal(text);
        assert_eq!(unseal(&sealed), Some((text.to_owned(), true)));
        for place in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).unwrap();
            assert!(!unseal(&changed).is_some_and(|(_, fits)| fits), "byte {place}");
        }
        assert_eq!(unseal(text), None);
    }
}
