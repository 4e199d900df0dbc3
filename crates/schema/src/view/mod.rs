//! The columns that can be asked for: the schema's own, and those derived from them.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::error::{Mistake, refuse_if};
use crate::schema::MOST_COLUMNS;
use crate::{AttrId, Clique, Derived, Domain, Schema, SchemaError};

/// A schema's columns with derived ones behind them. Attributes below [`own`](Self::own) are the
/// schema's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    names: Vec<String>,
    own: usize,
    /// What was derived, with bases that are the schema's own.
    derived: Vec<Derived>,
    domain: Domain,
}

impl View {
    /// The schema's own columns, and nothing derived yet.
    pub fn new(schema: &Schema) -> Self {
        let domain = schema.domain().clone();
        let names = domain.attributes().map(|attribute| schema.column(attribute).name.clone()).collect();
        Self { names, own: domain.len(), derived: Vec::new(), domain }
    }

    /// Appends derived columns and says which attributes they got. A base is one of the schema's
    /// own columns or any column that was derived before, also earlier in the same list.
    ///
    /// # Errors
    /// A base that does not exist, a grouping of more or fewer codes than the base has, too many
    /// columns. Nothing is then appended.
    pub fn derive(&mut self, columns: &[Derived]) -> Result<Vec<AttrId>, SchemaError> {
        let mut longer = self.clone();
        let attributes = columns.iter().map(|column| longer.append(column)).collect::<Result<_, _>>()?;
        *self = longer;
        Ok(attributes)
    }

    fn append(&mut self, column: &Derived) -> Result<AttrId, SchemaError> {
        let (base, codes) = (column.base, column.grouping.codes());
        let at = |mistake: Mistake| mistake.at(&column.name);
        let what = format!("derived from attribute {}, where there are {}", base.0, self.domain.len());
        refuse_if(base.index() >= self.domain.len(), what, "derive from a column that exists").map_err(at)?;
        let (name, size) = (self.name(base), self.domain.size(base));
        let what = format!("groups {codes} codes of column {name:?}, which has {size}");
        refuse_if(codes != size as usize, what, "give each code of the column its group").map_err(at)?;
        let what = format!("more than {MOST_COLUMNS} columns with the derived ones");
        refuse_if(self.domain.len() >= MOST_COLUMNS, what, "derive fewer columns").map_err(at)?;
        // Whoever counts need not know that a column was derived in two steps.
        let resolved = match base.index().checked_sub(self.own) {
            None => column.clone(),
            Some(place) => {
                let first = &self.derived[place];
                let grouping = first.grouping.then(&column.grouping)?;
                Derived { base: first.base, grouping: Arc::new(grouping), name: column.name.clone() }
            }
        };
        let attribute = AttrId(self.domain.len() as u32);
        self.domain.push(column.grouping.groups());
        self.names.push(column.name.clone());
        self.derived.push(resolved);
        Ok(attribute)
    }

    /// The number of columns that are the schema's own.
    pub fn own(&self) -> usize {
        self.own
    }

    /// The derived columns in attribute order; the first has attribute [`own`](Self::own). Every
    /// base is the schema's own.
    pub fn derived(&self) -> &[Derived] {
        &self.derived
    }

    /// The sizes of all columns, the schema's own and the derived ones.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The name of a column.
    pub fn name(&self, attribute: AttrId) -> &str {
        &self.names[attribute.index()]
    }

    /// The names of a clique's columns: "age, sex".
    pub fn names(&self, clique: &Clique) -> String {
        let names: Vec<&str> = clique.attributes().iter().map(|&attribute| self.name(attribute)).collect();
        names.join(", ")
    }
}
