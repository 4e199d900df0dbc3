//! A schema file under review: marked facts are accepted, changed, left to the budget or left out,
//! one by one or in bulk. Everything else of the text, comments too, stays as it is.
//!
//! Steward-only, like the drafts that it is about. Each change gives a file that can be read, or
//! leaves things as they were.

mod edit;
mod pending;
#[cfg(test)]
mod tests;

use toml_edit::{DocumentMut, Item, TableLike, Value};

use crate::{MarkKind, OpenSchema, SchemaError};
use edit::{assume, retype, set, unmark};
pub use pending::PendingFact;

/// A schema file under review.
#[derive(Clone, Debug)]
pub struct Review {
    document: DocumentMut,
    name: String,
}

impl Review {
    /// A schema file in TOML, open or not. `name` is the file's name, for messages.
    ///
    /// # Errors
    /// As for [`OpenSchema::parse`]; and a file in JSON, which has no comments to keep.
    pub fn parse(text: &str, name: &str) -> Result<Self, SchemaError> {
        OpenSchema::parse(text, name)?;
        let document: Result<DocumentMut, _> = text.strip_prefix('\u{feff}').unwrap_or(text).parse();
        let help = "write the schema in TOML: `schema draft` does";
        let document = document.map_err(|_| SchemaError::whole(format!("{name}: only TOML can be reviewed"), help))?;
        Ok(Self { document, name: name.to_owned() })
    }

    /// The text of the file as it stands now.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// The schema as it stands now.
    pub fn schema(&self) -> Result<OpenSchema, SchemaError> {
        OpenSchema::parse(&self.text(), &self.name)
    }

    /// The facts that wait for review: telling ones first, columns in the order of the file, which
    /// is by risk in a draft, and the file's own facts last.
    pub fn pending(&self) -> Vec<PendingFact> {
        let columns = self.document.get("columns").and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
        let columns = columns.filter_map(|(name, entry)| Some((Some(name), entry.as_table_like()?)));
        let tables: Vec<_> = columns.chain([(None, self.document.as_table() as &dyn TableLike)]).collect();
        let of_kind = |kind| tables.iter().flat_map(move |&(name, table)| pending::of_table(name, table, kind));
        of_kind(MarkKind::Telling).chain(of_kind(MarkKind::Harmless)).collect()
    }

    /// Takes a mark away: the fact is public knowledge as it stands.
    pub fn accept(&mut self, fact: &PendingFact) -> Result<(), SchemaError> {
        self.change(fact.column.as_deref(), |table| {
            unmark(table, &fact.fact);
            Ok(())
        })
    }

    /// Accepts all harmless facts. The file lists them as assumed public, and releases will say so.
    /// Gives their number.
    pub fn accept_harmless(&mut self) -> Result<usize, SchemaError> {
        self.in_bulk(|fact| fact.kind == MarkKind::Harmless, |_, _| Ok(()))
    }

    /// Leaves a fact to the budget, which finds it with noise during a release.
    ///
    /// # Errors
    /// A fact that cannot be discovered.
    pub fn discover(&mut self, fact: &PendingFact) -> Result<(), SchemaError> {
        self.change(fact.column.as_deref(), |table| discovered(table, fact))
    }

    /// Leaves all telling facts to the budget that it can find; columns that are left out stay
    /// left out, and marks of rules stay. Which facts were telling depends on the rows, so the
    /// file lists them as assumed public. Gives their number.
    pub fn discover_telling(&mut self) -> Result<usize, SchemaError> {
        let settled = |fact: &PendingFact| fact.kind == MarkKind::Telling && fact.needs_nobody();
        self.in_bulk(settled, |table, fact| if fact.is_left_out() { Ok(()) } else { discovered(table, fact) })
    }

    /// Leaves the fact's column out of the release.
    ///
    /// # Errors
    /// A fact of the whole file.
    pub fn ignore(&mut self, fact: &PendingFact) -> Result<(), SchemaError> {
        let Some(column) = &fact.column else {
            return Err(SchemaError::whole("only a column can be ignored", "accept the fact, or edit it"));
        };
        self.change(Some(column), |table| {
            retype(table, [("type", Value::from("ignore"))]);
            Ok(())
        })
    }

    /// Writes what was typed in the place of a fact: its value (`[0, 120]`, or `0, 120`), or
    /// several keys (`type = "integer", range = [0, 120]`).
    ///
    /// # Errors
    /// What is no value, or does not go with the rest of the column.
    pub fn edit(&mut self, fact: &PendingFact, typed: &str) -> Result<(), SchemaError> {
        self.change(fact.column.as_deref(), |table| {
            for (key, value) in edit::understood(&fact.fact, typed)? {
                match key.as_str() {
                    "type" if fact.column.is_some() => retype(table, [("type", value)]),
                    _ => set(table, &key, value),
                }
            }
            unmark(table, &fact.fact);
            Ok(())
        })
    }

    /// Changes a column's table, or the file's own, if the file can be read afterwards.
    fn change(
        &mut self,
        column: Option<&str>,
        change: impl FnOnce(&mut dyn TableLike) -> Result<(), SchemaError>,
    ) -> Result<(), SchemaError> {
        let mut changed = self.clone();
        change(changed.table(column)?)?;
        changed.schema()?;
        *self = changed;
        Ok(())
    }

    /// The same change for all of some facts, which are then assumed to be public.
    fn in_bulk(
        &mut self,
        wanted: impl Fn(&PendingFact) -> bool,
        change: impl Fn(&mut dyn TableLike, &PendingFact) -> Result<(), SchemaError>,
    ) -> Result<usize, SchemaError> {
        let mut changed = self.clone();
        let facts: Vec<PendingFact> = self.pending().into_iter().filter(wanted).collect();
        for fact in &facts {
            let table = changed.table(fact.column.as_deref())?;
            change(table, fact)?;
            unmark(table, &fact.fact);
            assume(table, &fact.fact);
        }
        changed.schema()?;
        *self = changed;
        Ok(facts.len())
    }

    /// A column's table, or the file's own.
    fn table(&mut self, column: Option<&str>) -> Result<&mut dyn TableLike, SchemaError> {
        let Some(name) = column else { return Ok(self.document.as_table_mut()) };
        let columns = self.document.get_mut("columns").and_then(Item::as_table_like_mut);
        let table = columns.and_then(|columns| columns.get_mut(name)?.as_table_like_mut());
        table.ok_or_else(|| SchemaError::column(name, "not in the file any more", "begin the review again"))
    }
}

/// Puts the word "discover" in the place of a fact.
fn discovered(table: &mut dyn TableLike, fact: &PendingFact) -> Result<(), SchemaError> {
    match fact.fact.as_str() {
        "type" if fact.column.is_some() => retype(table, [("type", Value::from("discover"))]),
        "range" => {
            // Bins and the like need to know the range; they go, and their marks with them.
            for key in ["bins", "edges", "spacing", "spikes", "levels"] {
                table.remove(key);
                unmark(table, key);
            }
            set(table, "range", Value::from("discover"));
        }
        "values" if table.get("type").and_then(Item::as_str) != Some("boolean") => {
            table.remove("levels");
            set(table, "values", Value::from("discover"));
        }
        other => {
            let what = format!("`{other}` cannot be discovered");
            return Err(SchemaError::whole(what, "accept it, or edit it"));
        }
    }
    unmark(table, &fact.fact);
    Ok(())
}
