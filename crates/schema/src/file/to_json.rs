//! v1 structs as JSON.

use serde_json::{Map, Value, json};

use super::v1::{Entry, File, Spacing, Unlisted, VERSION};
use crate::impossible::{Condition, Rule, Scalar};
use crate::levels::LevelEntry;

/// The whole file.
pub(crate) fn value(file: &File) -> Value {
    let mut top = Map::new();
    top.insert("version".into(), json!(VERSION));
    put(&mut top, "missing_tokens", file.missing_tokens.as_ref().map(|tokens| json!(tokens)));
    put(&mut top, "delimiter", file.delimiter.as_ref().map(|text| json!(text)));
    put(&mut top, "decimal", file.decimal.as_ref().map(|text| json!(text)));
    put(&mut top, "unlisted", file.unlisted.map(|unlisted| json!(unlisted_word(unlisted))));
    put(&mut top, "multiline", file.multiline.map(|multiline| json!(multiline)));
    put(&mut top, "review", (!file.review.is_empty()).then(|| json!(file.review)));
    let columns: Map<String, Value> = file.columns.iter().map(|(name, column)| (name.clone(), entry(column))).collect();
    top.insert("columns".into(), Value::Object(columns));
    if !file.impossible.is_empty() {
        top.insert("impossible".into(), file.impossible.iter().map(rule).collect());
    }
    Value::Object(top)
}

fn put(map: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        map.insert(key.to_owned(), value);
    }
}

/// The file's word.
pub(crate) fn unlisted_word(unlisted: Unlisted) -> &'static str {
    match unlisted {
        Unlisted::Refuse => "refuse",
        Unlisted::Ignore => "ignore",
    }
}

/// The file's word.
pub(crate) fn spacing_word(spacing: Spacing) -> &'static str {
    match spacing {
        Spacing::Even => "even",
        Spacing::Log => "log",
    }
}

fn entry(entry: &Entry) -> Value {
    let scalars = |list: &Vec<Scalar>| list.iter().map(scalar).collect::<Value>();
    let mut map = Map::new();
    map.insert("type".into(), json!(entry.kind.word()));
    put(&mut map, "range", entry.range.as_ref().map(|range| range.iter().map(scalar).collect()));
    put(&mut map, "bins", entry.bins.map(|bins| json!(bins)));
    put(&mut map, "edges", entry.edges.as_ref().map(scalars));
    put(&mut map, "spacing", entry.spacing.map(|spacing| json!(spacing_word(spacing))));
    put(&mut map, "decimals", entry.decimals.map(|decimals| json!(decimals)));
    put(&mut map, "spikes", entry.spikes.as_ref().map(scalars));
    put(&mut map, "values", entry.values.as_ref().map(|values| json!(values)));
    put(&mut map, "other", entry.other.as_ref().map(|word| json!(word)));
    put(&mut map, "missing", entry.missing.map(|missing| json!(missing)));
    put(&mut map, "format", entry.format.as_ref().map(|format| json!(format)));
    put(&mut map, "levels", (!entry.levels.is_empty()).then(|| entry.levels.iter().map(level).collect()));
    put(&mut map, "review", (!entry.review.is_empty()).then(|| json!(entry.review)));
    Value::Object(map)
}

fn scalar(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Text(text) => json!(text),
        Scalar::Integer(value) => json!(value),
        Scalar::Number(value) => json!(value),
        Scalar::Boolean(value) => json!(value),
    }
}

fn level(level: &LevelEntry) -> Value {
    match level {
        LevelEntry::Cuts(cuts) => cuts.iter().map(scalar).collect(),
        LevelEntry::Groups(groups) => {
            Value::Object(groups.iter().map(|(name, members)| (name.clone(), json!(members))).collect())
        }
    }
}

fn rule(rule: &Rule) -> Value {
    let part = |(name, condition): &(String, Condition)| {
        let value = match condition {
            Condition::Missing => json!({ "missing": true }),
            Condition::One(one) => scalar(one),
            Condition::Any(any) => any.iter().map(scalar).collect(),
        };
        (name.clone(), value)
    };
    Value::Object(rule.0.iter().map(part).collect())
}
