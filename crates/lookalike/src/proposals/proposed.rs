//! From rules that were seen to blocks that are ready to be pasted into a schema file.

use lookalike_schema::{KeptRule, OpenSchema};

/// A rule that every row keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRule {
    /// What was seen, in words.
    pub seen: String,
    /// What a schema would say, the best wording first.
    pub wordings: Vec<KeptRule>,
}

/// A part of a schema file with rules that every row keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedRule {
    /// What was seen, in words.
    pub seen: Vec<String>,
    /// Where the lines go.
    pub place: String,
    /// The lines, with all that the file says at their place.
    pub toml: String,
}

/// What a schema file would say of rules that were seen: one block for the top of the file, and one
/// a column. All of them can be pasted together, since rules that do not go with the schema, or
/// with others before them, are left out.
///
/// Steward-only.
pub fn propose_rules(schema: &OpenSchema, seen: &[SeenRule]) -> Vec<ProposedRule> {
    let mut adopted = Adopted { schema: schema.clone(), columns: Vec::new(), keys: Vec::new(), top: Vec::new() };
    seen.iter().for_each(|rule| adopted.take(rule));
    adopted.blocks(schema)
}

/// A schema with the rules that it took up so far.
struct Adopted<'a> {
    schema: OpenSchema,
    /// Columns that now follow from others, with what was seen of each. No group may name them.
    columns: Vec<(String, &'a str)>,
    /// Columns that others depend on, whose cells must not be put in order.
    keys: Vec<String>,
    /// Keys at the top of the file that were changed, with what was seen.
    top: Vec<(&'static str, &'a str)>,
}

impl<'a> Adopted<'a> {
    /// Takes a rule up, in the first wording that goes with the others.
    fn take(&mut self, rule: &'a SeenRule) {
        for wording in rule.wordings.iter().map(|wording| self.without_taken(wording)) {
            // The schema would refuse it too, but would be built anew for that, and of columns that
            // follow from each other there may be thousands of such rules.
            if let KeptRule::DependsOn(column, on) = &wording
                && on.iter().chain([column]).any(|name| self.follows(name))
            {
                continue;
            }
            let Ok(schema) = self.schema.adopting(&wording) else { continue };
            self.schema = schema;
            match wording {
                KeptRule::MissingTogether(_) => self.top.push(("missing_together", &rule.seen)),
                KeptRule::InOrder(_) => self.top.push(("in_order", &rule.seen)),
                KeptRule::Derived(column, _) => self.columns.push((column, &rule.seen)),
                KeptRule::DependsOn(column, on) => {
                    self.columns.push((column, &rule.seen));
                    self.keys.extend(on);
                }
            }
            return;
        }
    }

    fn follows(&self, name: &String) -> bool {
        self.columns.iter().any(|(column, _)| column == name)
    }

    /// A group without the columns that it may not name any more.
    fn without_taken(&self, wording: &KeptRule) -> KeptRule {
        let rest = |names: &[String], is_taken: &dyn Fn(&String) -> bool| {
            names.iter().filter(|name| !is_taken(name)).cloned().collect()
        };
        match wording {
            KeptRule::MissingTogether(names) => KeptRule::MissingTogether(rest(names, &|name| self.follows(name))),
            KeptRule::InOrder(names) => {
                KeptRule::InOrder(rest(names, &|name| self.follows(name) || self.keys.contains(name)))
            }
            other => other.clone(),
        }
    }

    fn blocks(&self, before: &OpenSchema) -> Vec<ProposedRule> {
        let mut blocks = Vec::new();
        if !self.top.is_empty() {
            let mut keys: Vec<&str> = self.top.iter().map(|(key, _)| *key).collect();
            keys.dedup();
            keys.push("review");
            let stated: Vec<String> =
                keys.iter().filter(|key| before.says(key)).map(|key| format!("`{key}`")).collect();
            let instead = match stated.as_slice() {
                [] => String::new(),
                stated => format!(", instead of what it says of {}", stated.join(" and ")),
            };
            let mut toml = self.schema.top_lines(&keys);
            if keys.contains(&"in_order") {
                toml += "\n# Differences are kept better where a bound is known, in the later column: \
                         after = \"EARLIER\", within = ...";
            }
            blocks.push(ProposedRule {
                seen: self.top.iter().map(|(_, seen)| (*seen).to_owned()).collect(),
                place: format!("at the top of the file, before the first table{instead}"),
                toml,
            });
        }
        for (column, seen) in &self.columns {
            let mut toml = self.schema.column_lines(column);
            let table = toml.lines().next().unwrap_or_default().to_owned();
            if toml.contains("\ndepends_on = ") {
                toml += "\n# A public table may be stated too, and then costs nothing: table = [[KEY, VALUE], ...]";
            }
            let (seen, place) = (vec![(*seen).to_owned()], format!("instead of all lines of {table}"));
            blocks.push(ProposedRule { seen, place, toml });
        }
        blocks
    }
}
