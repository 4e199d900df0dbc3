//! The levels of a schema's columns, given or automatic, as derived columns.

use std::sync::Arc;

use super::automatic::GROUP_WIDTH;
use crate::{AttrId, Derived, Grouping, Schema};

impl Schema {
    /// The coarser levels of a column as derived columns, the finest first: those of the schema, or
    /// else neighbours put together [`GROUP_WIDTH`] at a time until at most its square remain. None
    /// for a column that has no more values than that.
    ///
    /// All of them are made from the column itself, not from one another.
    pub fn coarser(&self, attribute: AttrId) -> Vec<Derived> {
        let column = self.column(attribute);
        let groupings: Vec<Arc<Grouping>> = if column.levels.is_empty() {
            self.codec(attribute).neighbour_levels(GROUP_WIDTH).into_iter().map(Arc::new).collect()
        } else {
            column.levels.as_slice().iter().map(|level| level.grouping().clone()).collect()
        };
        let derived = |(place, grouping)| Derived {
            base: attribute,
            grouping,
            name: format!("{} (level {})", column.name, place + 1),
        };
        groupings.into_iter().enumerate().map(derived).collect()
    }
}
