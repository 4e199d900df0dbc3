//! Plain values, as a schema file writes them.

use serde::{Deserialize, Deserializer, Serialize};

use crate::codec::scan::plain;

/// A plain value of a schema: a bound, an edge, a word, what a condition compares with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "not a plain value")]
pub enum PlainValue {
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Text. Dates are text in ISO form.
    Text(#[serde(deserialize_with = "text_or_date")] String),
}

/// TOML writes dates with and without quotes.
fn text_or_date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Text(String),
        Date(toml::value::Datetime),
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::Text(text) => text,
        Written::Date(date) => date.to_string(),
    })
}

impl From<PlainValue> for String {
    fn from(value: PlainValue) -> Self {
        value.text()
    }
}

impl PlainValue {
    /// The text that a cell with this value has.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(value) => value.to_string(),
            Self::Number(value) => plain(*value),
            Self::Boolean(value) => value.to_string(),
        }
    }
}
