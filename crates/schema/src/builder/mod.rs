//! A schema in Rust instead of a file.
//!
//! Whatever a [schema file](crate::file) can say, the builder can say too, and
//! [`build`](SchemaBuilder::build) refuses with the same errors.
//! ```
//! use lookalike_schema::{Boolean, Category, CellCondition, Date, Id, Integer, Schema};
//!
//! let schema = Schema::builder()
//!     .column("person", Id)
//!     .column("age", Integer::range(0, 99).bins(20).missing(true))
//!     .column("education", Category::of(["none", "primary", "secondary"]).other("elsewhere"))
//!     .column("born", Date::range("1920-01-01", "2024-12-31").format("%d/%m/%Y"))
//!     .column("married", Boolean::words("no", "yes"))
//!     .impossible([("age", CellCondition::below(15)), ("married", CellCondition::is("yes"))])
//!     .build()?;
//! assert_eq!(Schema::parse(&schema.to_toml(), "schema.toml")?, schema);
//! # Ok::<(), lookalike_schema::SchemaError>(())
//! ```

mod columns;
#[cfg(test)]
mod tests;
mod values;

pub use columns::{Boolean, Category, Computed, Date, DateTime, Id, Ignore, Integer, LookedUp, Number};

use crate::entries::Entries;
use crate::file::{ColumnFile, SchemaFile, Unlisted, build_schema};
use crate::row_form::RowFormFile;
use crate::{CellCondition, RowForm, Schema, SchemaError};

/// Describes a table column by column. See the [module](self) for an example.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaBuilder {
    file: SchemaFile,
}

impl Schema {
    /// Begins a schema without columns.
    pub fn builder() -> SchemaBuilder {
        SchemaBuilder::default()
    }
}

impl SchemaBuilder {
    /// Appends a column: an [`Integer`], [`Number`], [`Category`], [`Boolean`], [`Date`],
    /// [`DateTime`], [`Id`], [`LookedUp`], [`Computed`] or
    /// [`Ignore`].
    pub fn column(mut self, name: impl Into<String>, column: impl Into<ColumnFile>) -> Self {
        self.file.columns.0.push((name.into(), column.into()));
        self
    }

    /// Says that no row can meet all of these conditions. A public fact, such as that no child is
    /// married: synthetic rows never meet them either.
    pub fn impossible(mut self, rule: impl IntoIterator<Item = (impl Into<String>, CellCondition)>) -> Self {
        self.file
            .impossible
            .push(Entries(rule.into_iter().map(|(name, condition)| (name.into(), condition)).collect()));
        self
    }

    /// Says that in a row all cells of these columns are missing, or none is. A public fact, such
    /// as that a flight that never left has neither a delay nor a time in the air.
    pub fn missing_together(mut self, group: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.file.missing_together.push(group.into_iter().map(Into::into).collect());
        self
    }

    /// Says that in a row none of these columns is larger than the next. A public fact, such as
    /// that nobody leaves before he comes.
    pub fn in_order(mut self, group: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.file.in_order.push(group.into_iter().map(Into::into).collect());
        self
    }

    /// Cells that mean "missing" instead of the usual ones (`NA`, `null` and others). The empty
    /// cell always does.
    pub fn missing_tokens(mut self, tokens: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.file.missing_tokens = Some(tokens.into_iter().map(Into::into).collect());
        self
    }

    /// What stands between the fields of delimited text. It is guessed when nothing is said.
    pub fn delimiter(mut self, delimiter: char) -> Self {
        self.file.delimiter = Some(delimiter.into());
        self
    }

    /// The decimal mark of numbers in text: a point, or a comma. The default is a point.
    pub fn decimal(mut self, mark: char) -> Self {
        self.file.decimal = Some(mark.into());
        self
    }

    /// What is done with columns of the data that the schema does not list. The default is to
    /// refuse the data.
    pub fn unlisted(mut self, unlisted: Unlisted) -> Self {
        self.file.unlisted = Some(unlisted);
        self
    }

    /// Whether quoted fields of a text file may hold line ends. By default every line is a record.
    pub fn multiline(mut self, multiline: bool) -> Self {
        self.file.multiline = Some(multiline);
        self
    }

    /// How synthetic rows are written as text. By default with commas, line feeds, and quotes where
    /// needed.
    pub fn written(mut self, form: &RowForm) -> Self {
        self.file.written = RowFormFile::of(form);
        self
    }

    /// Marks facts of the whole file that were read from rows and that nobody has confirmed yet, by
    /// their keys in a schema file: "decimal", "missing_tokens".
    pub fn review(mut self, facts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.file.review.extend(facts.into_iter().map(Into::into));
        self
    }

    /// Checks all of it.
    ///
    /// # Errors
    /// Whatever a schema file would be refused for, with the column's name: a reversed range, a
    /// repeated value, a name that stands twice, a rule about a column that is not there.
    pub fn build(self) -> Result<Schema, SchemaError> {
        build_schema(self.file)
    }
}
