//! Every key of a schema file in words and as a JSON Schema, for people and their editors.
//!
//! A table beside the layout: a test holds it against the keys that the layout reads, so that none
//! can be missing.

use serde_json::{Map, Value, json};

use super::layout::{ColumnFile, ColumnType, OrDiscover, VERSION};
use crate::row_form::RowFormFile;
use crate::{IgnoredColumns, LineEnd, Quotes, TextEncoding};

/// A key of a schema file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaKey {
    /// The key.
    pub name: &'static str,
    /// The types of columns that may have it; none where it stands at the top of the file.
    pub types: Vec<&'static str>,
    /// How its value is written.
    pub form: String,
    /// What it means, in a sentence or two.
    pub help: &'static str,
}

/// What may stand behind a key.
#[derive(Clone, Copy)]
enum Form {
    Version,
    Type,
    Text,
    Flag,
    /// A whole number, this or more.
    Count(i64),
    /// One of a few words.
    Word(&'static [&'static str]),
    /// A list of plain values.
    List,
    /// A list of facts: keys of the file.
    Facts,
    /// Two bounds, or the word for a release to find them.
    Range,
    /// One difference, or two bounds of it.
    Difference,
    /// A list of words, or the word for a release to find them.
    Values,
    Levels,
    /// A table of plain values.
    Lookup,
    /// Rows of plain values.
    Table,
    /// A list of columns.
    Names,
    /// Lists of columns.
    Groups,
    Discovered,
    Written,
    Columns,
    Rules,
    Anything,
}

struct Key(&'static str, Form, &'static str);

/// The keys at the top, in the order of the documentation.
const TOP: [Key; 17] = [
    Key("version", Form::Version, "The version of the file. A newer one than the program knows is refused."),
    Key("missing_tokens", Form::List, "Cells that mean \"missing\". The empty cell always does."),
    Key(
        "delimiter",
        Form::Text,
        "The mark between the fields of the data file, where the file's name does not say it.",
    ),
    Key("decimal", Form::Word(&[".", ","]), "The decimal mark of the data file, and of the rows that are written."),
    Key(
        "encoding",
        Form::Word(&TextEncoding::WORDS),
        "How the letters of the data file are encoded, and of the rows that are written. Left out: UTF-8.",
    ),
    Key(
        "unlisted",
        Form::Word(&["refuse", "ignore", "discover"]),
        "What happens to columns of the data that the schema does not list: the data is refused (as without the key), they are left out, or a release buys what has to be known of them.",
    ),
    Key("multiline", Form::Flag, "Whether quoted fields may hold line ends. Otherwise every line is a record."),
    Key(
        "grid",
        Form::Count(64),
        "Numbers and dates without bins get a code a value, up to this many codes. Model files say it; leave it out.",
    ),
    Key(
        "missing_together",
        Form::Groups,
        "Columns whose cells are missing together: in a row all cells of a group are missing, or none is.",
    ),
    Key(
        "in_order",
        Form::Groups,
        "Columns whose values rise from left to right: in a row no value of a group is larger than the next.",
    ),
    Key("order", Form::List, "The columns of the table in their order, where the file has another."),
    Key(
        "review",
        Form::Facts,
        "Facts of the whole file that a draft read from the rows, that may tell something of somebody, and that nobody has confirmed. A release refuses a file with one left.",
    ),
    Key(
        "harmless",
        Form::Facts,
        "Facts of the whole file that a draft read from the rows and that an empty form would tell. A release refuses a file with one left.",
    ),
    Key(
        "assumed",
        Form::Facts,
        "Facts of the whole file that were accepted in bulk. A release says that its guarantee assumes them to be public.",
    ),
    Key(
        "written",
        Form::Written,
        "How synthetic rows are written as text, where it is not with commas, line feeds and quotes where needed: the dialect of the table itself. A draft takes it from the header line.",
    ),
    Key("columns", Form::Columns, "The columns, one table each: [columns.NAME]."),
    Key(
        "impossible",
        Form::Rules,
        "A combination of cells that cannot occur: no such row is written. One [[impossible]] a rule, a condition a column.",
    ),
];

/// The keys of a column, in the order of the documentation.
const COLUMN: [Key; 27] = [
    Key(
        "type",
        Form::Type,
        "What the column holds. An id is never modelled, and fresh ones are written; a derived column is computed from others; an ignored column is neither read nor written; \"discover\" leaves it to a release to find out.",
    ),
    Key(
        "range",
        Form::Range,
        "Public bounds, both included. Values outside are clamped. \"discover\": a release buys them.",
    ),
    Key(
        "bins",
        Form::Count(1),
        "Near-equal bins of the range. Left out, `auto` counts the values themselves, and other methods have a bin a value up to 128 values, then 64; numbers 32.",
    ),
    Key("edges", Form::List, "Bins of your own: each begins at an edge, and the last one holds its end too."),
    Key(
        "spacing",
        Form::Word(&["even", "log"]),
        "How the bins grow: all as wide, or each wider than the one before, for long tails.",
    ),
    Key("decimals", Form::Count(0), "Decimals that are written. Left out, about a thousand steps in a bin."),
    Key(
        "spikes",
        Form::List,
        "Values with a code of their own, such as a 0 that means \"none\", inside the range or outside of it.",
    ),
    Key(
        "values",
        Form::Values,
        "The words that may occur; of a boolean, the word for false and the word for true. \"discover\": a release buys those of a category that enough rows have.",
    ),
    Key("other", Form::Text, "The word that all cells share which are not listed. It may be one of the values."),
    Key(
        "ordered",
        Form::Flag,
        "Whether the values of a category stand in an order, so that neighbours are alike and may be counted together.",
    ),
    Key("missing", Form::Flag, "Whether the column has a code for missing cells, which then stay missing."),
    Key(
        "format",
        Form::Text,
        "How the cells write dates, in % directives, or numbers, as an example with # for the digits. Left out: ISO 8601, plain numbers. The schema itself writes ISO and plain numbers.",
    ),
    Key(
        "pattern",
        Form::Text,
        "The shape of fresh ids: one run of #, which stand for digits, between fixed words. Left out: 1, 2, 3 and so on.",
    ),
    Key(
        "shared",
        Form::Text,
        "A word for a space of ids: columns with the same word have different ids in all of their cells, so that none of them points to another.",
    ),
    Key(
        "formula",
        Form::Text,
        "How a derived column follows from modelled ones in the same row. It is computed when the row is written, costs nothing, and is missing where a cell that it needs is.",
    ),
    Key(
        "lookup",
        Form::Lookup,
        "What belongs to each value of the formula, as a public table says: one value a key. Keys that it does not have give a missing cell.",
    ),
    Key(
        "depends_on",
        Form::Names,
        "Columns of which each combination has one value of this column. It is then not modelled but looked up, so that every row agrees with its table.",
    ),
    Key(
        "table",
        Form::Table,
        "What belongs to each key of a column that depends on others: cells of the key, then the value. Left out, a release buys it.",
    ),
    Key(
        "after",
        Form::Text,
        "An earlier column that this one is counted from. The model holds the difference, and each row is written with the earlier value and the difference put together.",
    ),
    Key(
        "within",
        Form::Difference,
        "Public bounds of the difference to the column that this one comes after: the largest, or both. Differences outside are clamped.",
    ),
    Key(
        "levels",
        Form::Levels,
        "Coarser levels, the finest first, which methods fall back on where values are rare: where groups of a range begin, or named groups of words.",
    ),
    Key(
        "stored",
        Form::Text,
        "How Parquet files and Arrow batches store the column, in pyarrow's words. Left out: 64-bit numbers, days, milliseconds and text.",
    ),
    Key(
        "review",
        Form::Facts,
        "Facts of the column that a draft read from the rows, that may tell something of somebody, and that nobody has confirmed. A release refuses a file with one left.",
    ),
    Key(
        "harmless",
        Form::Facts,
        "Facts of the column that a draft read from the rows and that an empty form would tell. A release refuses a file with one left.",
    ),
    Key(
        "assumed",
        Form::Facts,
        "Facts of the column that were accepted in bulk. A release says that its guarantee assumes them to be public.",
    ),
    Key(
        "discovered",
        Form::Discovered,
        "Facts that a release bought, with the noise of their counts. Releases write it; leave it out.",
    ),
    Key("note", Form::Anything, "Read over: older drafts had remarks here."),
];

/// All keys: those at the top of the file, then those of a column.
pub fn schema_keys() -> Vec<SchemaKey> {
    let top = TOP.iter().map(|key| key.told(Vec::new()));
    top.chain(COLUMN.iter().map(|key| key.told(key.types().map(ColumnType::word).collect()))).collect()
}

/// The JSON Schema (draft 7, which most editors know) of a schema file.
pub fn json_schema() -> Value {
    let all = |keys: &[Key]| -> Map<String, Value> {
        keys.iter().map(|key| (key.0.to_owned(), described(key.1.json(), key.2))).collect()
    };
    let by_type = ColumnType::ALL.iter().map(|kind| {
        let own: Vec<&str> =
            COLUMN.iter().filter(|key| key.types().any(|owner| owner == *kind)).map(|key| key.0).collect();
        json!({
            "if": { "properties": { "type": { "const": kind.word() } } },
            "then": { "propertyNames": { "enum": own } },
        })
    });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Lookalike schema file",
        "description": "What may be known about a table without looking at it. Everything here is published with a release.",
        "type": "object",
        "properties": all(&TOP),
        "additionalProperties": false,
        "definitions": {
            "plain": { "type": ["boolean", "integer", "number", "string"] },
            "column": {
                "type": "object",
                "properties": all(&COLUMN),
                "required": ["type"],
                "additionalProperties": false,
                "allOf": by_type.collect::<Vec<_>>(),
            },
        },
    })
}

fn described(mut form: Value, help: &str) -> Value {
    form["description"] = json!(help);
    form
}

impl Key {
    /// The types of columns that may have it.
    fn types(&self) -> impl Iterator<Item = ColumnType> {
        let name = self.0;
        let every = ColumnFile::OF_ALL.contains(&name) || name == "note";
        ColumnType::ALL.into_iter().filter(move |kind| every || kind.keys().contains(&name))
    }

    fn told(&self, types: Vec<&'static str>) -> SchemaKey {
        SchemaKey { name: self.0, types, form: self.1.words(), help: self.2 }
    }
}

impl Form {
    fn words(self) -> String {
        let quoted = |words: &[&str]| match words {
            [others @ .., last] => {
                let others: Vec<String> = others.iter().map(|word| format!("{word:?}")).collect();
                format!("{} or {last:?}", others.join(", "))
            }
            [] => String::new(),
        };
        match self {
            Self::Version => VERSION.to_string(),
            Self::Type => quoted(&ColumnType::WORDS),
            Self::Text => "\"...\"".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Count(least) => format!("a whole number, {least} or more"),
            Self::Word(words) => quoted(words),
            Self::List => "[..., ...]".to_owned(),
            Self::Facts => "[\"KEY\", ...]".to_owned(),
            Self::Range => "[LOW, HIGH], or \"discover\"".to_owned(),
            Self::Difference => "MOST, or [LOW, HIGH]: numbers, or \"36 hours\"".to_owned(),
            Self::Values => "[\"...\", \"...\"], or \"discover\"".to_owned(),
            Self::Levels => "[[..., ...]], or [[columns.NAME.levels]] with GROUP = [\"...\", \"...\"]".to_owned(),
            Self::Lookup => "[columns.NAME.lookup] with KEY = VALUE".to_owned(),
            Self::Table => "[[KEY, VALUE], ...]".to_owned(),
            Self::Names => "[\"COLUMN\", ...]".to_owned(),
            Self::Groups => "[[\"COLUMN\", \"COLUMN\"], ...]".to_owned(),
            Self::Discovered => "{ facts = [\"KEY\", ...], noise = 1.0, threshold = 1 }".to_owned(),
            Self::Written => format!("[written] with {}", RowFormFile::KEYS.join(", ")),
            Self::Columns => "[columns.NAME]".to_owned(),
            Self::Rules => {
                "[[impossible]] with COLUMN = \"< 15\", \"10..15\", a value, [..., ...] or { missing = true }"
                    .to_owned()
            }
            Self::Anything => "anything".to_owned(),
        }
    }

    fn json(self) -> Value {
        let plain = json!({ "$ref": "#/definitions/plain" });
        let list = json!({ "type": "array", "items": plain });
        let discover = json!({ "const": OrDiscover::<String>::WORD });
        match self {
            Self::Version => json!({ "const": VERSION }),
            Self::Type => json!({ "enum": ColumnType::WORDS }),
            Self::Text => json!({ "type": "string" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Count(least) => json!({ "type": "integer", "minimum": least }),
            Self::Word(words) => json!({ "enum": words }),
            Self::List => list,
            Self::Facts => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Range => {
                let two = json!({ "type": "array", "items": plain, "minItems": 2, "maxItems": 2 });
                json!({ "anyOf": [two, discover] })
            }
            Self::Difference => {
                let two = json!({ "type": "array", "items": plain, "minItems": 2, "maxItems": 2 });
                json!({ "anyOf": [plain, two] })
            }
            Self::Values => json!({ "anyOf": [list, discover] }),
            Self::Levels => {
                let groups = json!({ "type": "object", "additionalProperties": list.clone() });
                json!({ "type": "array", "items": { "anyOf": [list, groups] } })
            }
            Self::Lookup => json!({ "type": "object", "additionalProperties": plain }),
            Self::Table => json!({ "type": "array", "items": list }),
            Self::Names => json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
            Self::Groups => {
                let group = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2 });
                json!({ "type": "array", "items": group })
            }
            Self::Discovered => json!({
                "type": "object",
                "properties": {
                    "facts": { "type": "array", "items": { "type": "string" } },
                    "noise": { "type": "number" },
                    "threshold": { "type": "integer", "minimum": 0 },
                },
                "additionalProperties": false,
            }),
            Self::Written => json!({
                "type": "object",
                "properties": {
                    "delimiter": { "type": "string" },
                    "line_end": { "enum": LineEnd::WORDS },
                    "bom": { "type": "boolean" },
                    "encoding": { "enum": TextEncoding::WORDS },
                    "quotes": { "enum": Quotes::WORDS },
                    "missing": { "type": "string" },
                    "ignored": { "enum": IgnoredColumns::WORDS },
                },
                "additionalProperties": false,
            }),
            Self::Columns => json!({ "type": "object", "additionalProperties": { "$ref": "#/definitions/column" } }),
            Self::Rules => {
                let missing = json!({ "type": "object", "properties": { "missing": { "const": true } },
                                      "required": ["missing"], "additionalProperties": false });
                let condition = json!({ "anyOf": [plain, list, missing] });
                json!({ "type": "array", "items": { "type": "object", "additionalProperties": condition } })
            }
            Self::Anything => json!({}),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::super::layout::{Discovered, SchemaFile, Spacing, Unlisted};
    use super::*;

    /// The words that a derived reader says it expects, when it is given one that nobody has.
    fn expected<T: DeserializeOwned>(odd: Value) -> Vec<String> {
        let message = serde_json::from_value::<T>(odd).err().expect("nobody has this word").to_string();
        let (_, listed) = message.split_once("expected ").expect("a list of what it expects");
        listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    fn sorted<T: Into<String>>(words: impl IntoIterator<Item = T>) -> Vec<String> {
        let mut words: Vec<String> = words.into_iter().map(Into::into).collect();
        words.sort();
        words
    }

    #[test]
    fn no_key_and_no_word_is_missing() {
        let odd = json!({ "nobody has this key": 1 });
        assert_eq!(sorted(TOP.iter().map(|key| key.0)), sorted(expected::<SchemaFile>(odd.clone())));
        assert_eq!(sorted(COLUMN.iter().map(|key| key.0)), sorted(expected::<ColumnFile>(odd.clone())));
        let found = json_schema();
        let words = |path: &str| {
            let words = found.pointer(path).and_then(Value::as_array).expect("a list of words");
            sorted(words.iter().filter_map(Value::as_str))
        };
        let odd_word = json!("nobody has this word");
        assert_eq!(words("/properties/unlisted/enum"), sorted(expected::<Unlisted>(odd_word.clone())));
        let column = "/definitions/column/properties";
        assert_eq!(words(&format!("{column}/spacing/enum")), sorted(expected::<Spacing>(odd_word.clone())));
        assert_eq!(words(&format!("{column}/type/enum")), sorted(expected::<ColumnType>(odd_word)));
        let facts = found.pointer(&format!("{column}/discovered/properties")).and_then(Value::as_object);
        assert_eq!(sorted(facts.expect("keys").keys()), sorted(expected::<Discovered>(odd.clone())));
        let written = found.pointer("/properties/written/properties").and_then(Value::as_object);
        assert_eq!(sorted(written.expect("keys").keys()), sorted(expected::<RowFormFile>(odd)));
        assert_eq!(sorted(RowFormFile::KEYS), sorted(written.expect("keys").keys()));
        let form = "/properties/written/properties";
        assert_eq!(words(&format!("{form}/quotes/enum")), sorted(expected::<Quotes>(json!("odd"))));
        assert_eq!(words(&format!("{form}/line_end/enum")), sorted(expected::<LineEnd>(json!("odd"))));
        assert_eq!(words(&format!("{form}/ignored/enum")), sorted(expected::<IgnoredColumns>(json!("odd"))));
    }

    #[test]
    fn keys_are_told_for_the_types_that_have_them() {
        let keys = schema_keys();
        let of = |name: &str| keys.iter().rfind(|key| key.name == name).expect("a key").types.clone();
        assert_eq!(of("decimals"), ["number", "derived"]);
        assert_eq!(of("values"), ["category", "boolean"]);
        assert_eq!(of("type").len(), ColumnType::WORDS.len());
        assert!(keys.iter().all(|key| key.help.ends_with('.') && !key.form.is_empty()));
        for kind in ColumnType::ALL {
            for key in kind.keys() {
                assert!(of(key).contains(&kind.word()), "{key} of {}", kind.word());
            }
        }
    }
}
