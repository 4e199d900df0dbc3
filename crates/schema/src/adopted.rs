//! Rules that a schema takes up because every row of a table keeps them, and the lines of its file
//! that they change.
//!
//! Steward-only. That the rows keep a rule is a look at them, so each comes with its mark.

use serde_json::{Map, Value, json};

use crate::file::{ColumnFile, ColumnType, body_toml};
use crate::{OpenSchema, SchemaError};

/// A rule over several columns, by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptRule {
    /// The cells of these columns are missing together.
    MissingTogether(Vec<String>),
    /// The values of these columns rise.
    InOrder(Vec<String>),
    /// A column is what a formula gives.
    Derived(String, String),
    /// A column has one value for each combination of others.
    DependsOn(String, Vec<String>),
}

impl KeptRule {
    /// The key of a schema file that says it. It is the fact that is marked, but of a derived
    /// column, whose whole type follows from the rows.
    fn key(&self) -> &'static str {
        match self {
            Self::MissingTogether(_) => "missing_together",
            Self::InOrder(_) => "in_order",
            Self::Derived(..) => "type",
            Self::DependsOn(..) => "depends_on",
        }
    }
}

impl OpenSchema {
    /// The same schema with a rule and its mark.
    ///
    /// # Errors
    /// A rule that does not go with what else is said: a formula over a column that is derived
    /// itself, or too many keys.
    pub fn adopting(&self, rule: &KeptRule) -> Result<Self, SchemaError> {
        let mut file = self.file().clone();
        let fact = rule.key().to_owned();
        match rule {
            KeptRule::MissingTogether(group) => file.missing_together.push(group.clone()),
            KeptRule::InOrder(group) => file.in_order.push(group.clone()),
            KeptRule::Derived(column, _) | KeptRule::DependsOn(column, _) => {
                let entry = file.columns.0.iter_mut().find(|(name, entry)| name == column && is_free(entry));
                let Some((_, entry)) = entry else {
                    let help = "it stays as it is";
                    return Err(SchemaError::column(column, "no column that could follow from others", help));
                };
                *entry = adopted(std::mem::take(entry), rule);
                return Self::new(file);
            }
        }
        if !file.review.contains(&fact) {
            file.review.push(fact);
        }
        Self::new(file)
    }

    /// The lines of one column in the schema's file, or nothing if it is not listed.
    pub fn column_lines(&self, column: &str) -> String {
        let entry = self.file().columns.0.iter().find(|(name, _)| name == column);
        lines(entry.map(|(name, entry)| ("columns".to_owned(), json!({ name.as_str(): entry }))))
    }

    /// The lines of keys that stand at the top of the schema's file.
    pub fn top_lines(&self, keys: &[&str]) -> String {
        let file = self.file().to_json();
        lines(keys.iter().filter_map(|&key| Some((key.to_owned(), file.get(key)?.clone()))))
    }

    /// Whether a key stands at the top of the schema's file.
    pub fn says(&self, key: &str) -> bool {
        self.file().to_json().get(key).is_some()
    }
}

/// Whether a column has values of its own that nothing else is said to give.
fn is_free(entry: &ColumnFile) -> bool {
    entry.kind.is_modelled() && entry.depends_on.is_empty() && entry.after.is_none()
}

fn adopted(entry: ColumnFile, rule: &KeptRule) -> ColumnFile {
    match rule {
        KeptRule::Derived(_, formula) => ColumnFile {
            formula: Some(formula.clone()),
            decimals: if entry.kind == ColumnType::Integer { Some(0) } else { entry.decimals },
            format: entry.format,
            stored: entry.stored,
            ..ColumnFile::new(ColumnType::Derived)
        }
        .review([rule.key()]),
        KeptRule::DependsOn(_, on) => ColumnFile {
            // Keys that no value is known of need a word.
            missing: if entry.other.is_some() { entry.missing } else { Some(true) },
            depends_on: on.clone(),
            levels: Vec::new(),
            ..entry
        }
        .review([rule.key()]),
        KeptRule::MissingTogether(_) | KeptRule::InOrder(_) => entry,
    }
}

fn lines(keys: impl IntoIterator<Item = (String, Value)>) -> String {
    let keys: Map<String, Value> = keys.into_iter().collect();
    body_toml(&Value::Object(keys), &|_| &[]).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "
in_order = [['a', 'b']]
review = ['decimal']
[columns.a]
type = 'integer'
range = [0, 9]
[columns.b]
type = 'integer'
range = [0, 9]
harmless = ['type']
[columns.'the sum']
type = 'number'
range = [0, 20]
decimals = 2
format = '$#'
stored = 'float'
";

    fn schema() -> OpenSchema {
        OpenSchema::parse(SCHEMA, "test").unwrap()
    }

    #[test]
    fn a_rule_comes_with_its_mark_and_what_is_said_already() {
        let derived = KeptRule::Derived("the sum".to_owned(), "a + b".to_owned());
        let sum = schema().adopting(&derived).unwrap();
        assert_eq!(
            sum.column_lines("the sum"),
            "[columns.\"the sum\"]\ntype = \"derived\"\ndecimals = 2\nformat = \"$#\"\nformula = \"a + b\"\nstored = \"float\"\n\
             review = [\"type\"]"
        );
        let together = KeptRule::MissingTogether(vec!["a".to_owned(), "b".to_owned()]);
        assert!(schema().adopting(&together).is_err(), "they have no code for missing cells");
        let depends = schema().adopting(&KeptRule::DependsOn("b".to_owned(), vec!["a".to_owned()]));
        assert!(depends.is_err(), "no rule may name it");
        let free = OpenSchema::parse(&SCHEMA.replace("in_order = [['a', 'b']]", ""), "test").unwrap();
        let depends = free.adopting(&KeptRule::DependsOn("b".to_owned(), vec!["a".to_owned()])).unwrap();
        let lines = depends.column_lines("b");
        assert!(
            lines.contains("\nmissing = true\ndepends_on = [\"a\"]\nreview = [\"depends_on\"]\nharmless = [\"type\"]")
        );
        let rising = free.adopting(&KeptRule::InOrder(vec!["a".to_owned(), "the sum".to_owned()])).unwrap();
        let keys = ["in_order", "review", "missing_together"];
        assert_eq!(rising.top_lines(&keys), "in_order = [[\"a\", \"the sum\"]]\nreview = [\"decimal\", \"in_order\"]");
    }

    #[test]
    fn what_follows_from_others_gives_nothing_else() {
        let derived = |column: &str, formula: &str| KeptRule::Derived(column.to_owned(), formula.to_owned());
        let sum = schema().adopting(&derived("the sum", "a + b")).unwrap();
        assert!(sum.adopting(&derived("the sum", "a * b")).is_err());
        assert!(sum.adopting(&derived("a", "\"the sum\" - b")).is_err());
        assert!(sum.adopting(&KeptRule::DependsOn("the sum".to_owned(), vec!["a".to_owned()])).is_err());
    }
}
