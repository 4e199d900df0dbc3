//! What may stand in a schema file of version 1, as plain data before it is checked. Files are read
//! into it and written from it, and the builder makes it too.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::entries::Entries;
use crate::impossible::CellCondition;
use crate::levels::LevelFile;
use crate::plain_value::PlainValue;
use crate::row_form::RowFormFile;
use crate::{Marks, TextEncoding};

/// The version that this program reads and writes.
pub(crate) const VERSION: i64 = 1;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(crate) struct SchemaFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "some_texts")]
    pub missing_tokens: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<TextEncoding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<Unlisted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiline: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub grid: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_together: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub in_order: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub order: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub review: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub harmless: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub assumed: Vec<String>,
    #[serde(skip_serializing_if = "RowFormFile::is_empty")]
    pub written: RowFormFile,
    pub columns: Entries<ColumnFile>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impossible: Vec<Entries<CellCondition>>,
}

impl SchemaFile {
    /// All keys, in the order of the documentation.
    pub(crate) const KEYS: [&str; 17] = [
        "version",
        "missing_tokens",
        "delimiter",
        "decimal",
        "encoding",
        "unlisted",
        "multiline",
        "grid",
        "missing_together",
        "in_order",
        "order",
        "review",
        "harmless",
        "assumed",
        "written",
        "columns",
        "impossible",
    ];

    /// The file in JSON.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What is done with columns of the data that the schema does not list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unlisted {
    /// The data is refused.
    Refuse,
    /// The columns are skipped.
    Ignore,
    /// All facts of the columns are bought.
    Discover,
}

/// A fact that was bought with a part of the budget, and how exactly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Discovered {
    /// The keys that were found: "type", "range", "values".
    pub facts: Vec<String>,
    /// The standard deviation of the noise on a count, in rows.
    pub noise: f64,
    /// The smallest noisy count of a value that was found. Words of a public list that goes with
    /// the column's name may be listed beside these.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threshold: Option<u64>,
}

impl Discovered {
    /// The fact of a column that depends on others: what belongs to each key.
    pub(crate) const TABLE: &str = "table";

    /// Whether words for missing cells were bought with it: those of a column's cells are, what
    /// belongs to keys tells none.
    pub(crate) fn tells_words(&self) -> bool {
        self.facts.iter().any(|fact| fact != Self::TABLE)
    }
}

/// A list, or the word "discover" in its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrDiscover<T> {
    /// The list.
    Given(Vec<T>),
    /// It is to be bought.
    Discover,
}

impl<T> OrDiscover<T> {
    /// The word of the file.
    pub(crate) const WORD: &str = "discover";

    /// The list, if there is one.
    pub(crate) fn given(&self) -> Option<&Vec<T>> {
        match self {
            Self::Given(list) => Some(list),
            Self::Discover => None,
        }
    }
}

impl<T: Serialize> Serialize for OrDiscover<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Given(list) => list.serialize(serializer),
            Self::Discover => serializer.serialize_str(Self::WORD),
        }
    }
}

impl<'de, T: From<PlainValue>> Deserialize<'de> for OrDiscover<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: From<PlainValue>> Visitor<'de> for ListVisitor<T> {
    type Value = OrDiscover<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or \"discover\"")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        match word {
            OrDiscover::<T>::WORD => Ok(OrDiscover::Discover),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<PlainValue>()? {
            list.push(T::from(item));
        }
        Ok(OrDiscover::Given(list))
    }
}

/// How a schema describes one column, before it is checked: what a file or the builder says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ColumnFile {
    #[serde(rename = "type")]
    pub(crate) kind: ColumnType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<OrDiscover<PlainValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub(crate) bins: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) edges: Option<Vec<PlainValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spacing: Option<Spacing>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub(crate) decimals: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spikes: Option<Vec<PlainValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) values: Option<OrDiscover<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ordered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shared: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formula: Option<String>,
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub(crate) lookup: Entries<PlainValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub(crate) depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<Vec<Vec<PlainValue>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) within: Option<Within>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) levels: Vec<LevelFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stored: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub(crate) review: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub(crate) harmless: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "texts")]
    pub(crate) assumed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) discovered: Option<Discovered>,
    /// Older files may have a remark for people. It is read over and never written: the schema is
    /// published, and remarks were drafted from rows.
    #[serde(skip_serializing)]
    pub(crate) note: Option<IgnoredAny>,
}

impl ColumnFile {
    /// The keys that every type of column has: the type, how it is stored, marks, and what was
    /// bought.
    pub(crate) const OF_ALL: [&str; 6] = ["type", "stored", "review", "harmless", "assumed", "discovered"];

    /// All keys that some type of column has beside those, in the order of the documentation.
    pub(crate) const KEYS: [&str; 20] = [
        "range",
        "bins",
        "edges",
        "spacing",
        "decimals",
        "spikes",
        "values",
        "other",
        "ordered",
        "missing",
        "format",
        "pattern",
        "shared",
        "formula",
        "lookup",
        "depends_on",
        "table",
        "after",
        "within",
        "levels",
    ];

    /// The facts that were read from rows.
    pub(crate) fn marks(&self) -> Marks {
        let (review, harmless, assumed) = (self.review.clone(), self.harmless.clone(), self.assumed.clone());
        Marks { review, harmless, assumed }
    }

    /// The same entry with these marks and no other.
    pub(crate) fn marked(self, Marks { review, harmless, assumed }: Marks) -> Self {
        Self { review, harmless, assumed, ..self }
    }

    /// The entry as a release may carry it: without marks and levels.
    pub(crate) fn released(self) -> Self {
        Self { levels: Vec::new(), ..self.marked(Marks::default()) }
    }

    /// An entry that says only its type.
    pub(crate) fn new(kind: ColumnType) -> Self {
        Self { kind, ..Self::default() }
    }

    /// An entry with public bounds.
    pub(crate) fn ranged(kind: ColumnType, low: impl Into<PlainValue>, high: impl Into<PlainValue>) -> Self {
        Self { range: Some(OrDiscover::Given(vec![low.into(), high.into()])), ..Self::new(kind) }
    }

    /// Marks facts of the column that were read from rows and that nobody has confirmed yet, by
    /// their keys in a schema file: "range", "values". A release of a schema with marks carries no
    /// guarantee.
    pub fn review(mut self, facts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.review.extend(facts.into_iter().map(Into::into));
        self
    }

    /// Says how Parquet files and Arrow batches store the column, in pyarrow's words:
    /// `"timestamp[us, tz=UTC]"`, `"int32 not null"`.
    pub fn stored(mut self, words: impl Into<String>) -> Self {
        self.stored = Some(words.into());
        self
    }

    /// The keys that it says.
    pub(crate) fn said(&self) -> Vec<String> {
        let said = serde_json::to_value(self).unwrap_or_default();
        said.as_object().into_iter().flat_map(|keys| keys.keys().cloned()).collect()
    }
}

/// How the bins of a range grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spacing {
    /// All bins are equally wide.
    Even,
    /// Each bin is wider than the one before, by the same factor.
    Log,
}

/// The bounds of a difference: 0 and this, or both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "neither a difference nor two bounds of one")]
pub(crate) enum Within {
    Most(PlainValue),
    Both(Vec<PlainValue>),
}

/// The word behind `type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColumnType {
    Integer,
    Number,
    Category,
    Boolean,
    Date,
    DateTime,
    Id,
    Derived,
    #[default]
    Ignore,
    Discover,
}

impl ColumnType {
    /// The file's words, in the order of the documentation.
    pub(crate) const WORDS: [&str; 10] =
        ["integer", "number", "category", "boolean", "date", "datetime", "id", "derived", "ignore", "discover"];

    /// All of them, in the same order.
    pub(crate) const ALL: [Self; 10] = [
        Self::Integer,
        Self::Number,
        Self::Category,
        Self::Boolean,
        Self::Date,
        Self::DateTime,
        Self::Id,
        Self::Derived,
        Self::Ignore,
        Self::Discover,
    ];

    /// Whether columns of this type have values of their own.
    pub(crate) fn is_modelled(self) -> bool {
        !matches!(self, Self::Id | Self::Derived | Self::Ignore | Self::Discover)
    }

    /// The file's word.
    pub(crate) fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// The keys that an entry of this type may have beside those that all types have.
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Integer => &[
                "range",
                "bins",
                "edges",
                "spacing",
                "spikes",
                "missing",
                "format",
                "depends_on",
                "table",
                "after",
                "within",
                "levels",
            ],
            Self::Number => &[
                "range",
                "bins",
                "edges",
                "spacing",
                "decimals",
                "spikes",
                "missing",
                "format",
                "depends_on",
                "table",
                "after",
                "within",
                "levels",
            ],
            Self::Category => &["values", "other", "ordered", "missing", "depends_on", "table", "levels"],
            Self::Boolean => &["values", "missing", "depends_on", "table"],
            Self::Date | Self::DateTime => {
                &["range", "bins", "edges", "format", "missing", "depends_on", "table", "after", "within", "levels"]
            }
            Self::Id => &["pattern", "shared"],
            Self::Derived => &["formula", "lookup", "decimals", "format"],
            Self::Ignore | Self::Discover => &[],
        }
    }
}

/// Words: any plain values, as the text that they have.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<PlainValue>::deserialize(deserializer)?.iter().map(PlainValue::text).collect())
}

fn some_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    texts(deserializer).map(Some)
}

/// A whole number, which other programs may write as 20.0.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    match PlainValue::deserialize(deserializer)? {
        PlainValue::Integer(value) => Ok(Some(value)),
        PlainValue::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => Ok(Some(value as i64)),
        _ => Err(D::Error::custom("not a whole number")),
    }
}
