//! Rows of which some columns are out of reach: they were looked at for facts of the schema, and
//! are no columns of what comes after.

use lookalike_schema::{AttrId, Clique, Derived, Schema};

use crate::check;
use crate::{Cancel, CountTable, Counts, CuratorError, Permit};

/// An engine's counts of a part of its columns.
pub(crate) struct Narrowed {
    inner: Box<dyn Counts>,
    /// The engine's own number of each column that is left. They ascend, so that tables have the
    /// same cells in the same order.
    kept: Vec<AttrId>,
    /// How many columns the engine has.
    all: u32,
}

impl Narrowed {
    /// The columns of `left` among those of `whole`, which the engine counts.
    ///
    /// # Errors
    /// A column of another name or with other codes, or another order.
    pub fn new(inner: Box<dyn Counts>, whole: &Schema, left: &Schema) -> Result<Self, CuratorError> {
        let place = |attribute: AttrId| {
            let found = whole.attribute(&left.column(attribute).name)?;
            (whole.codec(found) == left.codec(attribute)).then_some(found)
        };
        let kept: Option<Vec<AttrId>> = left.domain().attributes().map(place).collect();
        let ascending = |kept: &Vec<AttrId>| kept.windows(2).all(|pair| pair[0] < pair[1]);
        let kept =
            kept.filter(ascending).ok_or_else(|| check::query("these are not columns of the rows".to_owned()))?;
        Ok(Self { inner, kept, all: whole.domain().len() as u32 })
    }

    /// The engine's number of a column: one that is left, or a derived one behind them.
    fn own(&self, attribute: AttrId) -> AttrId {
        let behind = attribute.index().checked_sub(self.kept.len());
        behind.map_or_else(|| self.kept[attribute.index()], |behind| AttrId(self.all + behind as u32))
    }
}

impl Counts for Narrowed {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let clique = |clique: &Clique| Clique::new(clique.attributes().iter().map(|&attribute| self.own(attribute)));
        let cliques: Vec<Clique> = cliques.iter().map(clique).collect();
        let derived: Vec<Derived> =
            derived.iter().map(|column| Derived { base: self.own(column.base), ..column.clone() }).collect();
        self.inner.count(&cliques, &derived, permit, cancel)
    }
}
