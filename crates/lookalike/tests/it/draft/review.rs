//! A review that makes the marked facts of two drafts equal, and what tells the drafts apart after
//! it.

use lookalike::{Mark, MarkKind, OpenSchema, Schema};
use toml::{Table, Value};

/// The lists of marks, one a kind.
const KINDS: [&str; 2] = ["review", "harmless"];

/// The marks of the file, or of a column. Of which kind one is depends on the rows, so nothing may
/// depend on it.
fn marks(table: &Table) -> Vec<String> {
    let facts = KINDS.into_iter().filter_map(|kind| table.get(kind)?.as_array()).flatten();
    facts.filter_map(|fact| fact.as_str().map(str::to_owned)).collect()
}

/// The keys that marks cover.
fn covered(marks: &[String]) -> Vec<String> {
    let keys = |fact: &String| {
        let mark = Mark { column: None, fact, kind: MarkKind::Telling };
        mark.keys().iter().map(|key| (*key).to_owned()).collect::<Vec<_>>()
    };
    marks.iter().flat_map(keys).collect()
}

/// `table` as it is when whoever reviewed it wrote what stands in `model` for every fact that is
/// marked in both. What is not marked is left as it was drafted, and so is a fact that only one of
/// the two marks: nobody was asked about it there.
fn reviewed_like(name: &str, model: &Table, table: &Table) -> Table {
    let of_model = marks(model);
    let common: Vec<String> = marks(table).into_iter().filter(|fact| of_model.contains(fact)).collect();
    let retyped = common.iter().any(|fact| fact == "type") && model.get("type") != table.get("type");
    let mut out = table.clone();
    if retyped {
        // Another type has other facts: those of the old one go, and those of the new one are
        // written anew.
        covered(&marks(table)).iter().for_each(|key| drop(out.remove(key)));
    }
    for key in covered(if retyped { &of_model } else { &common }) {
        match model.get(&key) {
            Some(value) => out.insert(key, value.clone()),
            None => out.remove(&key),
        };
    }
    if retyped {
        // `missing = true` is no fact: it follows from the type.
        match ["id", "ignore"].contains(&out["type"].as_str().unwrap()) {
            true => out.remove("missing"),
            false => out.insert("missing".to_owned(), true.into()),
        };
        // Nor are the public bounds of a name: they follow from it and from the type.
        if name == "age" && !of_model.iter().any(|fact| fact == "range") {
            match out["type"].as_str().unwrap() {
                "integer" => drop(out.insert("range".to_owned(), vec![0, 120].into())),
                "number" => drop(out.insert("range".to_owned(), vec![0.0, 120.0].into())),
                _ => drop(out.remove("range")),
            }
        }
    }
    KINDS.iter().for_each(|kind| drop(out.remove(*kind)));
    out
}

fn columns(file: &Table) -> &Table {
    file["columns"].as_table().unwrap()
}

/// The same for a whole file.
pub fn file_reviewed_like(model: &Table, file: &Table) -> Table {
    let mut out = reviewed_like("", model, file);
    let column = |(name, column): (&String, &Value)| {
        let column = column.as_table().unwrap();
        let reviewed =
            columns(model).get(name).and_then(Value::as_table).map(|model| reviewed_like(name, model, column));
        (name.clone(), Value::Table(reviewed.unwrap_or_else(|| column.clone())))
    };
    out.insert("columns".to_owned(), Value::Table(columns(file).iter().map(column).collect()));
    out
}

fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
}

/// The one schema that two drafts are when their marked facts are made equal and their marks
/// removed; what tells them apart otherwise. Each of the two is the model of the other once.
pub fn one_schema(one: &Table, two: &Table) -> Result<[Schema; 2], String> {
    // With something in the place of facts that are to be discovered.
    let schema = |file: &Table| -> Result<Schema, String> {
        let open = OpenSchema::parse(&file.to_string(), "reviewed").and_then(|open| open.stand_in());
        open.map_err(|error| format!("{error}: {file}"))?.ok_or_else(|| "no columns".to_owned())
    };
    // The text has columns by risk; the schema has them in the header's order.
    let names = |file: &Table| file["order"].clone();
    if names(one) != names(two) {
        return Err(format!("{:?} and {:?}", names(one), names(two)));
    }
    let mut found = Vec::new();
    for (model, other) in [(one, two), (two, one)] {
        let (first, second) = (file_reviewed_like(model, model), file_reviewed_like(model, other));
        if first != second {
            return Err(format!("{first}\nand\n{second}"));
        }
        let (first, second) = (schema(&first)?, schema(&second)?);
        assert!(first.unreviewed().is_empty() && second.unreviewed().is_empty());
        if without_comments(&first.to_toml()) != without_comments(&second.to_toml())
            || first.to_json() != second.to_json()
        {
            return Err(format!("{}\nand\n{}", first.to_json(), second.to_json()));
        }
        found.push([first, second]);
    }
    Ok(found.swap_remove(0))
}

/// The drafted file with a mark left out, wherever it stands.
pub fn leaving_out(fact: &str, file: &Table) -> Table {
    let strip = |table: &mut Table| {
        for kind in KINDS {
            if let Some(Value::Array(facts)) = table.get_mut(kind) {
                facts.retain(|marked| marked.as_str() != Some(fact));
            }
        }
    };
    let mut out = file.clone();
    strip(&mut out);
    if let Some(Value::Table(columns)) = out.get_mut("columns") {
        columns.iter_mut().for_each(|(_, column)| strip(column.as_table_mut().unwrap()));
    }
    out
}
