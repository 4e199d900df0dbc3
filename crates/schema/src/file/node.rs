//! A file's content before it is understood: TOML and JSON alike, in the file's order, repeated
//! keys refused.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::SchemaError;
use crate::impossible::Scalar;

/// One value of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Reads TOML.
    pub(crate) fn from_toml(text: &str, name: &str) -> Result<Self, SchemaError> {
        toml::from_str(text).map_err(|error| {
            let place = error.span().map_or_else(String::new, |span| {
                let before = text.get(..span.start).unwrap_or_default();
                format!(" line {}", before.matches('\n').count() + 1)
            });
            SchemaError::whole(
                format!("{name}:{place}: not a TOML file: {}", one_line(error.message())),
                "correct that place",
            )
        })
    }

    /// Reads JSON.
    pub(crate) fn from_json(text: &str, name: &str) -> Result<Self, SchemaError> {
        serde_json::from_str(text).map_err(|error| {
            SchemaError::whole(
                format!("{name}: not a JSON file: {}", one_line(&error.to_string())),
                "correct that place",
            )
        })
    }

    /// What kind of thing it is, for messages.
    pub(crate) fn described(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Scalar(Scalar::Text(_)) => "text",
            Self::Scalar(Scalar::Integer(_)) => "an integer",
            Self::Scalar(Scalar::Number(_)) => "a number",
            Self::Scalar(Scalar::Boolean(_)) => "true or false",
            Self::List(_) => "a list",
            Self::Map(_) => "a table",
        }
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How the TOML reader hands over a date.
const TOML_DATE: &str = "$__toml_private_datetime";

struct NodeVisitor;

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Boolean(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Integer(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(i64::try_from(value).map_or(Scalar::Number(value as f64), Scalar::Integer)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Text(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Scalar(Scalar::Text(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut map = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value: Node = entries.next_value()?;
            if key == TOML_DATE {
                return Ok(value);
            }
            // JSON readers usually keep the last of two equal keys in silence.
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key {key:?} stands twice")));
            }
            map.push((key, value));
        }
        Ok(Node::Map(map))
    }
}
