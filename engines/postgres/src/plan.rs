//! Whether each row of a query depends on one row of its table alone, by the server's own plan.
//!
//! Neighbours are rows of the result. With a join, an aggregate, a window, a sample or a LIMIT, one
//! person's row decides about other people's rows of the result, and the guarantee would say
//! nothing about that person. So only plans of steps that pass rows on one by one are taken, and
//! any other step is refused, also one that nobody here has heard of.

use std::collections::BTreeSet;

use postgres::{Client, SimpleQueryMessage};
use serde_json::Value;

use crate::fail::Failure;

/// Steps that pass rows on, each by itself.
const PASS_ON: [&str; 20] = [
    "Seq Scan",
    "Index Scan",
    "Index Only Scan",
    "Bitmap Heap Scan",
    "Bitmap Index Scan",
    "BitmapAnd",
    "BitmapOr",
    "Tid Scan",
    "Tid Range Scan",
    "Subquery Scan",
    "Foreign Scan",
    "Values Scan",
    "Append",
    "Merge Append",
    "Result",
    "Gather",
    "Gather Merge",
    "Sort",
    "Incremental Sort",
    "Materialize",
];

const HELP: &str = "make a table of it that you vouch for, with rows that are each of one person";

/// The plan of a query, which is not run.
pub(crate) fn explained(client: &mut Client, query: &str) -> Result<Value, Failure> {
    let explain = format!("EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) {query}");
    let messages = client.simple_query(&explain).map_err(|error| Failure::asking(&error))?;
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    serde_json::from_str(&rows.collect::<Vec<_>>().join("\n")).map_err(|_| Failure::garbled())
}

/// Refuses a plan whose rows are not each of one row.
pub(crate) fn check(client: &mut Client, explained: &Value) -> Result<(), Failure> {
    let mut called = BTreeSet::new();
    check_step(&explained[0]["Plan"], &mut called)?;
    let called: Vec<&str> = called.iter().map(String::as_str).collect();
    let volatile = "SELECT 1 FROM pg_catalog.pg_proc WHERE provolatile = 'v' AND proname = ANY($1) LIMIT 1";
    match client.query_opt(volatile, &[&called]).map_err(|error| Failure::asking(&error))? {
        Some(_) => Err(Failure::mistake(
            "the query calls a volatile function, so that its rows may be others each time",
            "leave it out, or declare a function of your own IMMUTABLE",
        )),
        None => Ok(()),
    }
}

fn check_step(step: &Value, called: &mut BTreeSet<String>) -> Result<(), Failure> {
    let kind = step["Node Type"].as_str().unwrap_or_default();
    let is_inside = matches!(step["Parent Relationship"].as_str(), Some("InitPlan" | "SubPlan"));
    if !PASS_ON.contains(&kind) || is_inside {
        let what = match kind {
            _ if is_inside => "a query inside the query",
            "Limit" => "LIMIT or OFFSET",
            "Sample Scan" => "TABLESAMPLE",
            "WindowAgg" => "a window function",
            "Nested Loop" | "Hash Join" | "Merge Join" => "a join, or a test against other rows",
            "Aggregate" | "Group" | "Unique" | "SetOp" => "an aggregate, DISTINCT or a set of rows",
            "ProjectSet" | "Function Scan" | "Table Function Scan" => "a function that makes rows",
            "LockRows" => "FOR UPDATE",
            _ => "a step whose rows may depend on each other",
        };
        return Err(Failure::mistake(format!("the query has {what}, so that rows may depend on other people"), HELP));
    }
    for (name, value) in step.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("Plans", Value::Array(steps)) => steps.iter().try_for_each(|step| check_step(step, called))?,
            (_, Value::String(text)) => functions(text, called),
            (_, Value::Array(texts)) => texts.iter().filter_map(Value::as_str).for_each(|text| functions(text, called)),
            _ => {}
        }
    }
    Ok(())
}

/// Names before an opening parenthesis, outside of texts.
fn functions(expression: &str, called: &mut BTreeSet<String>) {
    let mut name = String::new();
    let mut signs = expression.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\'' => {
                // A doubled quote ends the text and begins the next.
                signs.by_ref().find(|&sign| sign == '\'');
                name.clear();
            }
            '"' => {
                name.clear();
                while let Some(sign) = signs.next() {
                    match (sign, signs.peek()) {
                        ('"', Some('"')) => name.extend(signs.next()),
                        ('"', _) => break,
                        (sign, _) => name.push(sign),
                    }
                }
            }
            '(' => {
                if !name.is_empty() {
                    called.insert(std::mem::take(&mut name));
                }
            }
            sign if sign.is_alphanumeric() || sign == '_' || sign == '$' => name.push(sign),
            _ => name.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn called(expression: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        functions(expression, &mut found);
        found.into_iter().collect()
    }

    #[test]
    fn calls_are_found_outside_of_texts() {
        assert_eq!(called("(random() > '0.5'::double precision)"), ["random"]);
        assert_eq!(called("lower(public.\"Odd \"\"One\"(t.a))"), ["Odd \"One", "lower"]);
        assert!(called("(a = 'it''s random('::text)").is_empty());
        assert_eq!(called("(b)::numeric(10,2)"), ["numeric"]);
    }

    #[test]
    fn only_steps_that_pass_rows_on_are_taken() {
        let taken = |plan: &Value| check_step(plan, &mut BTreeSet::new()).is_ok();
        let scan = json!({"Node Type": "Seq Scan", "Output": ["a"]});
        assert!(taken(&scan));
        assert!(taken(&json!({"Node Type": "Append", "Plans": [scan, scan]})));
        for kind in ["Limit", "Aggregate", "Hash Join", "Sample Scan", "WindowAgg", "CTE Scan", "Something New", ""] {
            assert!(!taken(&json!({"Node Type": kind, "Plans": [scan]})), "{kind}");
        }
        let inner = json!({"Node Type": "Seq Scan", "Parent Relationship": "SubPlan"});
        assert!(!taken(&json!({"Node Type": "Seq Scan", "Plans": [inner]})));
    }
}
