//! From a tree to v1 structs: shapes are checked here, and every unknown key is named.

use super::node::Node;
use super::v1::{Entry, EntryKind, File, Spacing, Unlisted, VERSION};
use crate::SchemaError;
use crate::error::Mistake;
use crate::impossible::{Condition, Rule, Scalar};
use crate::levels::LevelEntry;
use crate::nearest::suggestion;

const TOP_KEYS: [&str; 9] =
    ["version", "missing_tokens", "delimiter", "decimal", "unlisted", "multiline", "review", "columns", "impossible"];

/// Older files may have a remark for people. It is read over: the schema is published, and remarks
/// were drafted from rows.
const NOTE: &str = "note";

/// Reads the whole file.
pub(crate) fn file(node: &Node) -> Result<File, SchemaError> {
    let Node::Map(entries) = node else {
        return Err(SchemaError::whole("the file is no table of keys", "begin with [columns.NAME]"));
    };
    check_version(entries)?;
    let mut file = File {
        missing_tokens: None,
        delimiter: None,
        decimal: None,
        unlisted: None,
        multiline: None,
        review: vec![],
        columns: vec![],
        impossible: vec![],
    };
    for (key, value) in entries {
        let whole = |fault: Mistake| SchemaError::whole(fault.what, fault.help);
        match key.as_str() {
            "version" => {}
            "missing_tokens" => file.missing_tokens = Some(texts(key, value).map_err(whole)?),
            "delimiter" => file.delimiter = Some(text(key, value).map_err(whole)?),
            "decimal" => file.decimal = Some(text(key, value).map_err(whole)?),
            "unlisted" => file.unlisted = Some(unlisted(key, value).map_err(whole)?),
            "multiline" => file.multiline = Some(truth(key, value).map_err(whole)?),
            "review" => file.review = texts(key, value).map_err(whole)?,
            "columns" => file.columns = columns(value)?,
            "impossible" => file.impossible = rules(value)?,
            _ => {
                let near = suggestion(key, TOP_KEYS);
                return Err(SchemaError::whole(
                    format!("unknown key {key:?}{near}"),
                    format!("the keys are {}; a column is [columns.NAME]", TOP_KEYS.join(", ")),
                ));
            }
        }
    }
    Ok(file)
}

fn check_version(entries: &[(String, Node)]) -> Result<(), SchemaError> {
    match entries.iter().find(|(key, _)| key == "version") {
        None => Ok(()),
        Some((_, Node::Scalar(Scalar::Integer(VERSION)))) => Ok(()),
        Some((_, Node::Scalar(Scalar::Integer(newer)))) if *newer > VERSION => Err(SchemaError::whole(
            format!("the file is of version {newer}, and this program reads version {VERSION}"),
            "use a newer lookalike",
        )),
        Some(_) => Err(SchemaError::whole("`version` is not a version", format!("write version = {VERSION}"))),
    }
}

fn columns(node: &Node) -> Result<Vec<(String, Entry)>, SchemaError> {
    let Node::Map(columns) = node else {
        return Err(SchemaError::whole(
            format!("`columns` is {}", node.described()),
            "make it a table with one entry a column: [columns.NAME]",
        ));
    };
    columns.iter().map(|(name, node)| Ok((name.clone(), entry(node).map_err(|fault| fault.at(name))?))).collect()
}

fn entry(node: &Node) -> Result<Entry, Mistake> {
    let Node::Map(fields) = node else {
        return Err(Mistake::new(
            format!("the entry is {}", node.described()),
            "make it a table with a type: [columns.NAME] type = \"...\"",
        ));
    };
    let kind = match fields.iter().find(|(key, _)| key == "type") {
        Some((key, value)) => kind(&text(key, value)?)?,
        None => return Err(Mistake::new("no `type`", format!("give one of {}", kind_words()))),
    };
    let mut entry = Entry::new(kind);
    for (key, value) in fields {
        if !["type", "review", NOTE].contains(&key.as_str()) && !kind.keys().contains(&key.as_str()) {
            return Err(unknown_key(key, kind));
        }
        match key.as_str() {
            "range" => entry.range = Some(range(value)?),
            "bins" => entry.bins = Some(integer(key, value)?),
            "edges" => entry.edges = Some(scalars(key, value)?),
            "spacing" => entry.spacing = Some(spacing(key, value)?),
            "decimals" => entry.decimals = Some(integer(key, value)?),
            "spikes" => entry.spikes = Some(scalars(key, value)?),
            "values" => entry.values = Some(scalars(key, value)?.iter().map(Scalar::text).collect()),
            "other" => entry.other = Some(text(key, value)?),
            "missing" => entry.missing = Some(truth(key, value)?),
            "format" => entry.format = Some(text(key, value)?),
            "levels" => entry.levels = levels(value)?,
            "review" => entry.review = texts(key, value)?,
            _ => {}
        }
    }
    Ok(entry)
}

fn kind_words() -> String {
    EntryKind::ALL.map(EntryKind::word).join(", ")
}

fn kind(word: &str) -> Result<EntryKind, Mistake> {
    if let Some(kind) = EntryKind::ALL.into_iter().find(|kind| kind.word() == word) {
        return Ok(kind);
    }
    let free_text = ["text", "string", "str", "free text", "freetext", "varchar", "object"];
    if free_text.contains(&word.to_ascii_lowercase().as_str()) {
        return Err(Mistake::new(
            format!("type {word:?}: free text cannot be synthesized, since any of it may tell who wrote it"),
            "use \"category\" with a public list of values, \"id\" for fresh numbers, or \"ignore\" to leave it out",
        ));
    }
    let near = suggestion(word, EntryKind::ALL.map(EntryKind::word));
    Err(Mistake::new(format!("unknown type {word:?}{near}"), format!("the types are {}", kind_words())))
}

fn unknown_key(key: &str, kind: EntryKind) -> Mistake {
    let own = || ["type", "review"].iter().chain(kind.keys()).copied();
    let near = suggestion(key, own());
    let elsewhere = EntryKind::ALL.into_iter().any(|other| other.keys().contains(&key));
    let what = if elsewhere {
        format!("the key {key:?} has no meaning for type {:?}", kind.word())
    } else {
        format!("unknown key {key:?}{near}")
    };
    let help = match (key, kind) {
        ("other", EntryKind::Boolean) => "use type = \"category\" for more than two words".to_owned(),
        ("other", EntryKind::Integer | EntryKind::Number) => {
            "say missing = true to give unreadable cells a code of their own".to_owned()
        }
        _ => format!("its keys are {}", own().collect::<Vec<_>>().join(", ")),
    };
    Mistake::new(what, help)
}

fn text(key: &str, node: &Node) -> Result<String, Mistake> {
    match node {
        Node::Scalar(Scalar::Text(text)) => Ok(text.clone()),
        _ => Err(Mistake::new(format!("`{key}` is {}", node.described()), "write it as text in quotes")),
    }
}

fn texts(key: &str, node: &Node) -> Result<Vec<String>, Mistake> {
    Ok(scalars(key, node)?.iter().map(Scalar::text).collect())
}

fn integer(key: &str, node: &Node) -> Result<i64, Mistake> {
    match node {
        Node::Scalar(Scalar::Integer(value)) => Ok(*value),
        Node::Scalar(Scalar::Number(value)) if value.fract() == 0.0 && value.abs() < 1e15 => Ok(*value as i64),
        _ => Err(Mistake::new(format!("`{key}` is {}", node.described()), "write a whole number")),
    }
}

fn truth(key: &str, node: &Node) -> Result<bool, Mistake> {
    match node {
        Node::Scalar(Scalar::Boolean(value)) => Ok(*value),
        _ => Err(Mistake::new(format!("`{key}` is {}", node.described()), "write true or false, without quotes")),
    }
}

fn scalars(key: &str, node: &Node) -> Result<Vec<Scalar>, Mistake> {
    let Node::List(items) = node else {
        return Err(Mistake::new(format!("`{key}` is {}", node.described()), "write a list: [..., ...]"));
    };
    let scalar = |item: &Node| match item {
        Node::Scalar(scalar) => Ok(scalar.clone()),
        _ => Err(Mistake::new(format!("`{key}` has {} in it", item.described()), "list plain values")),
    };
    items.iter().map(scalar).collect()
}

fn range(node: &Node) -> Result<[Scalar; 2], Mistake> {
    let wrong = || Mistake::new("`range` is not two bounds", "write range = [LOW, HIGH]");
    let bounds = scalars("range", node).map_err(|_| wrong())?;
    bounds.try_into().map_err(|_| wrong())
}

/// Levels in either form; which one fits the column is checked with its codes.
fn levels(node: &Node) -> Result<Vec<LevelEntry>, Mistake> {
    let help = "write levels = [[..., ...]] with the values at which groups begin, or [[columns.NAME.levels]] with GROUP = [\"...\"]";
    let Node::List(levels) = node else {
        return Err(Mistake::new(format!("`levels` is {}", node.described()), help));
    };
    let level = |(place, node): (usize, &Node)| {
        let at = |fault: Mistake| Mistake::new(format!("level {}: {}", place + 1, fault.what), fault.help);
        match node {
            Node::List(_) => scalars("levels", node).map(LevelEntry::Cuts).map_err(at),
            Node::Map(groups) => {
                let groups = groups.iter().map(|(name, members)| Ok((name.clone(), texts(name, members)?)));
                groups.collect::<Result<_, _>>().map(LevelEntry::Groups).map_err(at)
            }
            _ => Err(at(Mistake::new(format!("is {}", node.described()), help))),
        }
    };
    levels.iter().enumerate().map(level).collect()
}

fn spacing(key: &str, node: &Node) -> Result<Spacing, Mistake> {
    match text(key, node)?.as_str() {
        "even" => Ok(Spacing::Even),
        "log" => Ok(Spacing::Log),
        word => Err(Mistake::new(format!("unknown spacing {word:?}"), "write \"even\" or \"log\"")),
    }
}

fn unlisted(key: &str, node: &Node) -> Result<Unlisted, Mistake> {
    match text(key, node)?.as_str() {
        "refuse" => Ok(Unlisted::Refuse),
        "ignore" => Ok(Unlisted::Ignore),
        word => Err(Mistake::new(format!("unlisted = {word:?} is unknown"), "write \"refuse\" or \"ignore\"")),
    }
}

fn rules(node: &Node) -> Result<Vec<Rule>, SchemaError> {
    let wrong = |node: &Node| {
        SchemaError::whole(
            format!("`impossible` is {}", node.described()),
            "write each rule as [[impossible]] with a condition a column",
        )
    };
    let Node::List(rules) = node else { return Err(wrong(node)) };
    let rule = |node: &Node| match node {
        Node::Map(conditions) => {
            let parts = conditions.iter().map(|(name, node)| {
                let condition = condition(node).map_err(|fault| fault.at(name))?;
                Ok((name.clone(), condition))
            });
            parts.collect::<Result<_, _>>().map(Rule)
        }
        _ => Err(wrong(node)),
    };
    rules.iter().map(rule).collect()
}

fn condition(node: &Node) -> Result<Condition, Mistake> {
    // A NaN is not equal to itself and JSON cannot write it: as text it can only be a category's
    // word.
    let scalar = |scalar: Scalar| match scalar {
        Scalar::Number(value) if !value.is_finite() => Scalar::Text(scalar.text()),
        _ => scalar,
    };
    match node {
        Node::Scalar(one) => Ok(Condition::One(scalar(one.clone()))),
        Node::List(_) => Ok(Condition::Any(scalars("impossible", node)?.into_iter().map(scalar).collect())),
        Node::Map(fields) if matches!(fields.as_slice(), [(key, Node::Scalar(Scalar::Boolean(true)))] if key == "missing") => {
            Ok(Condition::Missing)
        }
        _ => Err(Mistake::new(
            format!("an [[impossible]] condition is {}", node.described()),
            "write it as \"< 15\", a value, a list of values, or { missing = true }",
        )),
    }
}
