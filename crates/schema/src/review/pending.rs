//! A marked fact as a person is asked about it.

use toml_edit::{Item, TableLike};

use super::edit::texts;
use crate::{Mark, MarkKind};

/// A fact that waits for review, with what a person needs to decide about it. Steward-only: it
/// shows what rows hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingFact {
    /// The column; `None` for a fact of the whole file.
    pub column: Option<String>,
    /// The key that words the fact.
    pub fact: String,
    /// How much it may tell.
    pub kind: MarkKind,
    /// The type of the column, as the file words it.
    pub type_name: String,
    /// The lines of the file that say it.
    pub wording: Vec<String>,
    /// Comments that the file has about the column.
    pub remarks: Vec<String>,
}

impl PendingFact {
    /// Whether the fact is the proposal to leave the column's cells out.
    pub(super) fn is_left_out(&self) -> bool {
        self.fact == "type" && matches!(self.type_name.as_str(), "id" | "ignore")
    }

    /// Whether the budget can find the fact, and is not asked to yet.
    pub fn can_be_discovered(&self) -> bool {
        self.is_of_cells() && !self.wording.iter().any(|line| line.ends_with("\"discover\""))
    }

    /// Whether the budget finds the fact, or is asked to already, or the column is left out. A
    /// rule, such as a formula over other columns, is for a person to accept.
    pub(super) fn needs_nobody(&self) -> bool {
        self.is_left_out() || (self.is_of_cells() && self.type_name != "derived")
    }

    fn is_of_cells(&self) -> bool {
        match self.fact.as_str() {
            "type" | "range" => self.column.is_some(),
            "values" => self.type_name != "boolean",
            _ => false,
        }
    }

    /// What the fact tells, and of whom.
    pub fn why(&self) -> &'static str {
        let open = self.wording.iter().any(|line| line.ends_with("\"discover\""));
        match (self.kind, self.fact.as_str(), self.type_name.as_str()) {
            (MarkKind::Harmless, ..) => {
                "An empty form would tell as much: many rows share it, or none is needed to know it."
            }
            (_, "type", "id") => "Its cells tell rows apart, so none of them is read; fresh numbers take their place.",
            (_, "type", "ignore") => "Its cells may be about one person each, so the column is left out.",
            (_, _, _) if open => {
                "The values are not listed here, since many of them are rare or look like names or ids. That it is so was \
                 seen in the rows."
            }
            (_, "range", _) => {
                "Its ends come from the smallest and the largest cell, rounded outwards. Each may be about one person."
            }
            (_, "values", _) => "Values that few rows have, names, ids and places may tell who is in the table.",
            _ => "It was read from the rows, and may tell something about them.",
        }
    }

    /// What is proposed.
    pub fn proposal(&self) -> &'static str {
        let open = self.wording.iter().any(|line| line.ends_with("\"discover\""));
        match (self.kind, self.fact.as_str()) {
            (MarkKind::Harmless, _) => "Accept it, or all harmless facts at once.",
            (_, "type") => "Accept it, unless you can describe the column from public knowledge.",
            _ if open => {
                "Accept it: the budget finds the common values. Or edit in a public list, or ignore the column."
            }
            (_, "range") => "Edit in the bounds that you knew without the rows, or discover them with the budget.",
            (_, "values") => "Edit in a public list (a code book), or discover the common values with the budget.",
            _ => "Edit in what you knew without the rows.",
        }
    }
}

/// The facts of a kind that are marked in a column's table, or in the file's own.
pub(super) fn of_table(column: Option<&str>, table: &dyn TableLike, kind: MarkKind) -> Vec<PendingFact> {
    let list = match kind {
        MarkKind::Telling => "review",
        MarkKind::Harmless => "harmless",
    };
    let pending = |fact: String| {
        let mark = Mark { column, fact: &fact, kind };
        let said = mark.keys().iter().filter_map(|key| Some((*key, table.get(key)?)));
        let wording = said.map(|(key, item)| format!("{key} = {}", one_line(item))).collect();
        let type_name = table.get("type").and_then(Item::as_str).filter(|_| column.is_some()).unwrap_or_default();
        let remarks = column.map(|_| remarks(table)).unwrap_or_default();
        PendingFact { column: column.map(str::to_owned), type_name: type_name.to_owned(), wording, remarks, kind, fact }
    };
    texts(table, list).into_iter().map(pending).collect()
}

/// A value in one line, however the file breaks it.
fn one_line(item: &Item) -> String {
    let Some(list) = item.as_array() else { return item.to_string().trim().to_owned() };
    let items: Vec<String> = list.iter().map(|item| item.to_string().trim().to_owned()).collect();
    format!("[{}]", items.join(", "))
}

/// The comments before the keys of a table.
fn remarks(table: &dyn TableLike) -> Vec<String> {
    let prefixes =
        table.iter().filter_map(|(key, _)| table.key(key)?.leaf_decor().prefix()?.as_str().map(str::to_owned));
    let lines: Vec<String> = prefixes.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    lines.iter().filter_map(|line| line.trim().strip_prefix('#')).map(|line| line.trim().to_owned()).collect()
}
