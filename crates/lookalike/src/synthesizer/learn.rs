//! The part of a run in which the tables of columns that depend on others are bought.

use lookalike_curator::{Counts, Curator};
use lookalike_discovery::learn;
use lookalike_privacy::{Ledger, NoiseBits};
use lookalike_schema::Schema;

use super::KnownSchema;
use super::check::CheckedRun;
use crate::error::Error;

impl CheckedRun<'_> {
    /// How the method codes rows, with the columns whose tables are to be found among them.
    pub(super) fn coding(&self, schema: &Schema) -> Result<Schema, Error> {
        Ok(self.chosen.method.coding(schema)?.for_learning()?)
    }

    /// The door over coded rows, behind which columns stand that are modelled. What others depend
    /// on is bought first.
    pub(super) fn door(
        &self,
        counts: Box<dyn Counts>,
        coded: Schema,
        ledger: Ledger,
        noise: Box<dyn NoiseBits>,
    ) -> Result<Curator, Error> {
        let names: Vec<String> = coded.columns().iter().map(|column| column.name.clone()).collect();
        let mut curator = Curator::new(coded, counts, ledger, noise, self.cancel.clone());
        #[cfg(feature = "test-noise")]
        self.testing.put_recording(&mut curator);
        let KnownSchema::Stated(stated) = &self.schema else { return Ok(curator) };
        if !stated.learns() {
            return Ok(curator);
        }
        self.observer.phase("finding what belongs to each key");
        let schema = self.chosen.method.coding(stated)?.arranged(&names)?;
        let total = curator.commit_discovery(self.discover_share)?;
        let found = learn(&mut curator, &schema, total)?;
        found.notes.iter().for_each(|note| self.observer.note(note));
        Ok(curator.narrowed(found.schema)?)
    }
}
