//! One column of the table.

use crate::{After, Codec, Dependent, Discovered, Formula, IdPattern, Levels, Marks, StoredType};

/// A column as the schema describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The header's word, exactly.
    pub name: String,
    /// What is done with the column.
    pub role: Role,
    /// Coarser levels that the schema gives for a modelled column.
    pub levels: Levels,
    /// Facts that `schema draft` read from the data ("type", "range", "values", ...).
    pub marks: Marks,
    /// Facts that a release bought with a part of its budget.
    pub discovered: Option<Discovered>,
    /// The shape of fresh ids; plain numbers where there is none.
    pub pattern: Option<IdPattern>,
    /// The word of columns whose ids are all different from each other's.
    pub shared: Option<String>,
    /// How Parquet files and Arrow batches store the column, where the schema says it.
    pub stored: Option<StoredType>,
    /// What a modelled column comes after, where it is held as its difference to that one. Its
    /// codec is then the one of the difference.
    pub after: Option<After>,
}

impl Column {
    /// The codec of a modelled column.
    pub fn codec(&self) -> Option<&Codec> {
        match &self.role {
            Role::Modelled(codec) => Some(codec),
            Role::Dependent(_) | Role::Id | Role::Derived(_) | Role::Ignored => None,
        }
    }

    /// The codec of a column whose cells are written by their codes: a modelled one, or one that
    /// depends on others. Of a column that is held as a difference it is that of its own values.
    pub fn written_codec(&self) -> Option<&Codec> {
        self.after.as_ref().map(After::own).or(self.role.written_codec())
    }

    /// The word of the schema file for the column's type.
    pub fn type_name(&self) -> &'static str {
        match &self.role {
            Role::Modelled(codec) => self.written_codec().unwrap_or(codec).kind_name(),
            Role::Dependent(dependent) => dependent.codec().kind_name(),
            Role::Id => "id",
            Role::Derived(_) => "derived",
            Role::Ignored => "ignore",
        }
    }
}

/// What is done with a column.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // a table has few columns, nearly all of them modelled: a box would save nothing
pub enum Role {
    /// Coded, measured and synthesized.
    Modelled(Codec),
    /// Not modelled; looked up by other cells of the row when it is written. Read only by the
    /// release that finds its table.
    Dependent(Dependent),
    /// Never read; fresh ids are written, from 1 on.
    Id,
    /// Never read; computed from other columns of the row when it is written.
    Derived(Formula),
    /// Not read; left out of what is written, or empty there.
    Ignored,
}

impl Role {
    /// See [`Column::written_codec`].
    pub(crate) fn written_codec(&self) -> Option<&Codec> {
        match self {
            Self::Modelled(codec) => Some(codec),
            Self::Dependent(dependent) => Some(dependent.codec()),
            Self::Id | Self::Derived(_) | Self::Ignored => None,
        }
    }
}
