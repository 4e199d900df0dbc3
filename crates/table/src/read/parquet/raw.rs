//! Values of a Parquet file as numbers, neither clamped nor binned. Steward-only, see
//! `read/raw.rs`.

use lookalike_schema::{Codec, Schema, TypedCell};
use rayon::prelude::*;

use super::{ParquetFile, damaged, guarded, nested};
use crate::TableError;
use crate::read::ReadWatch;
use crate::read::raw::{RawBlock, raw_codecs, raw_slots};
use crate::read::split::UNWANTED;

/// Values to take at a time, over all columns: 64 MiB of them.
const VALUES: usize = 1 << 23;

impl ParquetFile {
    /// Calls `each` with blocks of these columns, in row order.
    pub(in crate::read) fn for_each_raw_block(
        &self,
        schema: &Schema,
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let names = self.names();
        let schema = schema.arranged(&names)?;
        let codecs = raw_codecs(&schema, columns);
        // The leaves that are read, and where their values go.
        let (mut leaves, mut places) = (Vec::new(), Vec::new());
        for ((name, leaf), slot) in self.columns.iter().zip(raw_slots(&names, columns)) {
            if slot != UNWANTED {
                leaves.push(leaf.ok_or_else(|| nested(name))?);
                places.push(slot as usize);
            }
        }
        let step = (VALUES / columns.len().max(1)).clamp(1 << 10, 1 << 18);
        self.for_each_stretch(&leaves, step, watch, |rows, cursors| {
            let read = cursors.par_iter_mut().zip(&places).map(|(cursor, &place)| {
                guarded(&self.name, || {
                    let mut values = Vec::with_capacity(rows);
                    let count = cursor.read(rows, |value| values.push(number(value, codecs[place])))?;
                    Ok((place, count, values))
                })
            });
            let read: Vec<(usize, usize, Vec<f64>)> = read.collect::<Result<_, _>>()?;
            let mut block = RawBlock { rows, columns: vec![Vec::new(); columns.len()] };
            for (place, count, values) in read {
                if count != rows {
                    return Err(damaged(&self.name));
                }
                block.columns[place] = values;
            }
            block.columns.iter_mut().for_each(|values| values.resize(rows, f64::NAN));
            each(block)
        })
    }
}

/// The number that a stored value is; a NaN when it is missing.
fn number(value: TypedCell<'_>, codec: Option<&Codec>) -> f64 {
    let Some(codec) = codec else { return f64::NAN };
    codec.raw(value).unwrap_or(f64::NAN)
}
