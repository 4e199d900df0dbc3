//! What a book states of one column, as an entry of a schema file.

use serde_json::{Map, Value, json};

use crate::codec::{CalendarUnit, TimeFormat, usual_truth};
use crate::file::OrDiscover;

/// The word in the place of a fact that a release buys.
const DISCOVER: &str = OrDiscover::<String>::WORD;

/// The longest remark of a column, in letters.
const MOST_LETTERS: usize = 400;

/// A column of a book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookColumn {
    pub name: String,
    entry: Map<String, Value>,
    remarks: Vec<String>,
    /// What was not plain in the book, and how it was taken.
    doubts: Vec<String>,
}

impl BookColumn {
    /// A column of which nothing is known but its name.
    pub fn unknown(name: &str) -> Self {
        Self::typed(name, DISCOVER)
    }

    /// A column that is never modelled; fresh ids are written.
    pub fn id(name: &str) -> Self {
        Self::typed(name, "id")
    }

    /// A column that is neither read nor written.
    pub fn ignored(name: &str) -> Self {
        Self::typed(name, "ignore")
    }

    /// A column of numbers or dates with its bounds, where they are stated.
    pub fn ranged(name: &str, kind: &str, bounds: Option<[Value; 2]>) -> Self {
        Self::typed(name, kind).with("range", bounds.map_or_else(|| json!(DISCOVER), |bounds| json!(bounds)))
    }

    /// A column of words, where they are stated. Empty words are missing cells.
    pub fn category(name: &str, values: Option<Vec<String>>) -> Self {
        let stated = |values: Vec<String>| {
            let words = values.into_iter().filter(|word| !word.trim_ascii().is_empty());
            json!(words.collect::<Vec<_>>())
        };
        Self::typed(name, "category").with("values", values.map_or_else(|| json!(DISCOVER), stated))
    }

    /// A column of two words with their labels, if they have any; `None` where the words are not
    /// two. The word for false comes first, where words or labels tell it.
    pub fn boolean(name: &str, words: &[String], labels: &[String]) -> Option<Self> {
        let column = Self::typed(name, "boolean");
        match words {
            [] => Some(column),
            [first, second] => {
                let begins_with_true = told_truth(labels).or_else(|| told_truth(words));
                let [no, yes] = if begins_with_true == Some(true) { [second, first] } else { [first, second] };
                let column = column.with("values", json!([no, yes]));
                let doubt = format!(
                    "which of its two words means true is a guess: {no:?} was taken for false and {yes:?} for true"
                );
                Some(if begins_with_true.is_none() { column.doubted(&doubt) } else { column })
            }
            _ => None,
        }
    }

    /// Dates or moments in a format, where one is named. A format that cannot be read back leaves
    /// the type to be discovered.
    pub fn moments(name: &str, format: Option<&str>, bounds: Option<[Value; 2]>) -> Self {
        let has_time = format.is_none_or(|format| {
            ["%H", "%I", "%M", "%S", "%T", "%R", "%X", "%c"].iter().any(|directive| format.contains(directive))
        });
        let (kind, unit) = if has_time { ("datetime", CalendarUnit::Second) } else { ("date", CalendarUnit::Day) };
        match format.map(|format| (format, TimeFormat::pattern(format, unit))) {
            None => Self::ranged(name, kind, bounds),
            Some((format, Ok(_))) => Self::ranged(name, kind, bounds).with("format", json!(format)),
            Some((format, Err(_))) => {
                Self::unknown(name).remarked(&format!("The book's format {format:?} is none that can be read back."))
            }
        }
    }

    fn typed(name: &str, kind: &str) -> Self {
        let entry = Map::from_iter([("type".to_owned(), json!(kind))]);
        Self { name: name.to_owned(), entry, remarks: Vec::new(), doubts: Vec::new() }
    }

    /// The same with one key more.
    pub fn with(mut self, key: &str, value: Value) -> Self {
        self.entry.insert(key.to_owned(), value);
        self
    }

    /// The same with words for whoever reads the file. They are a comment, and never published.
    pub fn remarked(mut self, words: &str) -> Self {
        // A comment holds no control characters, and ends with a point by itself.
        let words: String = words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let words = words.trim().trim_end_matches('.');
        let cut = words.char_indices().nth(MOST_LETTERS).map(|(end, _)| format!("{} ..", &words[..end]));
        self.remarks.extend(Some(cut.unwrap_or_else(|| words.to_owned())).filter(|words| !words.is_empty()));
        self
    }

    /// The same with a doubt: a comment, and a word to whoever imports the book.
    pub fn doubted(mut self, words: &str) -> Self {
        self.doubts.push(words.to_owned());
        let mut letters = words.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        self.remarked(&format!("{first}{}", letters.as_str()))
    }

    /// What was not plain in the book.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// Words for whoever reads the file.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The keys that the book does not state.
    pub fn open(&self) -> Vec<&str> {
        self.entry.iter().filter(|(_, value)| *value == DISCOVER).map(|(key, _)| key.as_str()).collect()
    }

    /// The entry of the schema file. A modelled column has a missing code unless the book says that
    /// it has none: whether some cell is missing is then no fact.
    pub fn entry(&self) -> Map<String, Value> {
        let mut entry = self.entry.clone();
        let is_modelled = !["id", "ignore", DISCOVER].contains(&entry["type"].as_str().unwrap_or_default());
        if is_modelled && !entry.contains_key("missing") {
            entry.insert("missing".to_owned(), json!(true));
        }
        entry
    }
}

/// Whether the first of two words means true; `None` where they do not tell. A 1 tells beside a 0
/// only: with a 2 beside it, it is a code.
fn told_truth(words: &[String]) -> Option<bool> {
    let [first, second] = words else { return None };
    let truth = |word: &String| usual_truth(word.trim().as_bytes());
    let is_code = |word: &String| word.trim().parse::<f64>().is_ok();
    match [truth(first), truth(second)] {
        [Some(first), Some(second)] if first != second => Some(first),
        [Some(truth), None] if !is_code(first) => Some(truth),
        [None, Some(truth)] if !is_code(second) => Some(!truth),
        _ => None,
    }
}
