//! Cells of a file in memory: all rows, or some of them.

use lookalike_schema::{AttrId, Schema};
use lookalike_table::{RawFile, ReadWatch, Table, TableError};

use crate::EvaluationRng;

/// Cells as they stand in a file, one vector a column in the schema's order; a NaN is a missing
/// cell, a word is its code. Opened for the steward, or synthetic: no `Debug`.
pub struct RawTable {
    columns: Vec<Vec<f64>>,
    rows: usize,
}

impl RawTable {
    /// A table of these columns.
    ///
    /// # Panics
    /// When they differ in length.
    pub fn new(columns: Vec<Vec<f64>>) -> Self {
        let rows = columns.first().map_or(0, Vec::len);
        assert!(columns.iter().all(|column| column.len() == rows), "all columns have the same number of rows");
        Self { columns, rows }
    }

    /// Reads the modelled columns of a schema: all rows, or those at these places, which ascend.
    ///
    /// # Errors
    /// When the file cannot be read, does not fit the schema, or the watch asked to stop.
    pub fn read(
        file: &RawFile,
        schema: &Schema,
        places: Option<&[u64]>,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        let attributes: Vec<AttrId> = schema.domain().attributes().collect();
        let columns = read_columns(file, schema, &attributes, places, watch)?;
        Ok(Self::new(columns))
    }

    /// What would be written for the codes of these rows: each cell coded by the schema and decoded
    /// again.
    ///
    /// # Errors
    /// When the codes cannot be read back.
    pub fn decoded(table: &Table, places: Option<&[u64]>, seed: u64) -> Result<Self, TableError> {
        let attributes = table.domain().attributes();
        let columns = attributes.map(|attribute| decoded_column(table, attribute, places, seed));
        Ok(Self::new(columns.collect::<Result<_, _>>()?))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The cells of each column.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }
}

/// Reads some columns of a file in one pass.
pub(crate) fn read_columns(
    file: &RawFile,
    schema: &Schema,
    attributes: &[AttrId],
    places: Option<&[u64]>,
    watch: &dyn ReadWatch,
) -> Result<Vec<Vec<f64>>, TableError> {
    let names: Vec<&str> = attributes.iter().map(|&attribute| schema.column(attribute).name.as_str()).collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); attributes.len()];
    let (mut first, mut next) = (0u64, 0usize);
    file.for_each_block(&names, watch, &mut |block| {
        let end = first + block.rows as u64;
        match places {
            None => columns.iter_mut().zip(&block.columns).for_each(|(out, cells)| out.extend_from_slice(cells)),
            Some(places) => {
                let here = places[next..].partition_point(|&place| place < end);
                for (out, cells) in columns.iter_mut().zip(&block.columns) {
                    out.extend(places[next..next + here].iter().map(|&place| cells[(place - first) as usize]));
                }
                next += here;
            }
        }
        first = end;
        Ok(())
    })?;
    Ok(columns)
}

/// One column decoded from its codes. The places inside bins follow from the seed and the column
/// alone.
pub(crate) fn decoded_column(
    table: &Table,
    attribute: AttrId,
    places: Option<&[u64]>,
    seed: u64,
) -> Result<Vec<f64>, TableError> {
    let codec = table.schema().codec(attribute);
    let mut rng = EvaluationRng::new(seed, "decoded cells", u64::from(attribute.0));
    let mut cell = |code: u32| codec.raw_decoded(code, rng.bits()).unwrap_or(f64::NAN);
    let codes = table.codes(attribute)?;
    Ok(match places {
        None => codes.into_iter().map(cell).collect(),
        Some(places) => places.iter().map(|&place| cell(codes[place as usize])).collect(),
    })
}
