//! Lists of marginals to evaluate: `{"2": [["age", "sex"], ...], "3": [...]}`.

use std::collections::BTreeMap;

use lookalike_schema::{Clique, Schema};
use serde_json::Value;

use crate::EvaluateError;

/// Marginals by their number of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginalLists {
    /// For each number of columns, the marginals in the file's order.
    pub by_ways: BTreeMap<usize, Vec<Clique>>,
}

impl MarginalLists {
    /// Reads the JSON text and finds the columns in the schema. Errors name the list and the
    /// column.
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, EvaluateError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| refuse(format!("this is not JSON ({error})"), "see the shape in the manual"))?;
        let shape = "give an object such as {\"2\": [[\"age\", \"sex\"]]}";
        let Value::Object(lists) = value else { return Err(refuse("this is not an object", shape)) };
        let mut by_ways = BTreeMap::new();
        for (key, list) in lists {
            let ways =
                key.parse::<usize>().map_err(|_| refuse(format!("{key:?} is not a number of columns"), shape))?;
            let Value::Array(list) = list else { return Err(refuse(format!("{key:?} is not a list"), shape)) };
            let cliques = list.iter().map(|names| clique(names, ways, schema)).collect::<Result<Vec<_>, _>>()?;
            by_ways.insert(ways, cliques);
        }
        Ok(Self { by_ways })
    }
}

fn clique(names: &Value, ways: usize, schema: &Schema) -> Result<Clique, EvaluateError> {
    let found: Option<Vec<&str>> = names.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    let names = found.ok_or_else(|| refuse(format!("{names} is not a list of names"), "write [\"age\", \"sex\"]"))?;
    let find = |name: &&str| {
        let missing = || refuse(format!("the schema models no column {name:?}"), "check the name");
        schema.attribute(name).ok_or_else(missing)
    };
    let clique = Clique::new(names.iter().map(find).collect::<Result<Vec<_>, _>>()?);
    if clique.len() != ways {
        let what = format!("{} stands in list \"{ways}\" but has {} different columns", names.join(", "), clique.len());
        return Err(refuse(what, "move it to its own list"));
    }
    Ok(clique)
}

fn refuse(what: impl Into<String>, help: &str) -> EvaluateError {
    EvaluateError::Lists { what: what.into(), help: help.into() }
}
