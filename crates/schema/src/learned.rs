//! Schemas with columns whose tables a release is still to find: how their rows are read, and what
//! the schema is once they are found.

use crate::{Codec, Column, Dependent, Discovered, Role, Schema, SchemaError};

/// What was found of a column that depends on others.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTable {
    /// The column.
    pub column: String,
    /// The code that belongs to each key, in the order of [`Dependent::on`], the last column
    /// fastest; `None` where nothing stood out.
    pub codes: Vec<Option<u32>>,
    /// How exactly it is known.
    pub discovered: Discovered,
}

impl Schema {
    /// The columns whose tables are still to be found.
    pub fn to_be_learned(&self) -> impl Iterator<Item = (&Column, &Dependent)> {
        self.columns().iter().filter_map(|column| match &column.role {
            Role::Dependent(dependent) if dependent.table().is_none() => Some((column, dependent)),
            _ => None,
        })
    }

    /// Whether the table of some column is still to be found.
    pub fn learns(&self) -> bool {
        self.to_be_learned().next().is_some()
    }

    /// The same columns as rows are coded for a release that finds their tables: those too have
    /// codes, and stand among the attributes.
    pub fn for_learning(&self) -> Result<Self, SchemaError> {
        let mut columns = self.columns().to_vec();
        for column in &mut columns {
            if let Role::Dependent(dependent) = &column.role
                && dependent.table().is_none()
            {
                column.role = Role::Modelled(dependent.codec().clone());
            }
        }
        Self::new(columns, self.settings().clone())
    }

    /// The schema with what was found.
    ///
    /// # Errors
    /// None, where codes of the columns were found, one a key.
    pub fn learned(&self, found: Vec<FoundTable>) -> Result<Self, SchemaError> {
        let mut columns = self.columns().to_vec();
        for FoundTable { column: name, codes, discovered } in found {
            let own = |name: &String| self.columns().iter().find(|other| other.name == *name);
            let Some(column) = columns.iter_mut().find(|column| column.name == name) else { continue };
            if let Role::Dependent(dependent) = &column.role {
                let around: Vec<&Codec> = dependent.on().iter().filter_map(|name| own(name)?.codec()).collect();
                column.role = Role::Dependent(dependent.with_codes(&codes, &around));
                column.discovered = Some(discovered);
            }
        }
        Self::new(columns, self.settings().clone())
    }
}
