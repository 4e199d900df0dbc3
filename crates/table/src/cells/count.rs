//! Counting texts: against a permit alone.

use std::collections::BTreeMap;

use lookalike_curator::{Cancel, Cells, CuratorError, KnownValues, Permit};
use lookalike_schema::CellReader;
use lookalike_tally::{Blocks, Codes};

use super::RawCells;
use super::rare::RareTexts;
use crate::error::TableError;

/// Values that are told apart at a time, by their bytes. With more, texts are gone through several
/// times, each time for a part of the values: exact, however many there are.
const VALUE_BYTES: usize = 256 << 20;
/// Texts that are counted at a time.
const MOST_TEXTS: usize = 1 << 25;

impl RawCells {
    /// How often each text of some columns occurs, by the places of the columns.
    fn numbers(&self, places: &[usize], cancel: &Cancel) -> Result<Vec<Vec<u64>>, TableError> {
        let mut counts: Vec<Vec<u64>> =
            places.iter().map(|&place| vec![0; self.texts[place].count() as usize]).collect();
        self.store.for_each(&mut |block| {
            if cancel.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            for (&place, counts) in places.iter().zip(&mut counts) {
                match &block.columns()[place] {
                    Codes::U8(numbers) => numbers.iter().for_each(|&number| counts[usize::from(number)] += 1),
                    Codes::U16(numbers) => numbers.iter().for_each(|&number| counts[usize::from(number)] += 1),
                    Codes::U32(numbers) => numbers.iter().for_each(|&number| counts[number as usize] += 1),
                }
            }
            Ok(())
        })?;
        Ok(counts)
    }

    fn place(&self, column: usize) -> Result<usize, CuratorError> {
        let place = self.places.get(column).copied().flatten();
        place.ok_or_else(|| CuratorError::Query { what: format!("column {column} is not there") })
    }

    fn count_places(&self, queries: &[(usize, CellReader)], cancel: &Cancel) -> Result<Vec<Vec<u64>>, CuratorError> {
        let places: Vec<usize> = queries.iter().map(|(column, _)| self.place(*column)).collect::<Result<_, _>>()?;
        let mut answers = Vec::with_capacity(queries.len());
        let mut first = 0;
        while first < places.len() {
            let last = first + together(places[first..].iter().map(|&place| self.texts[place].count()));
            let counts = self.numbers(&places[first..last], cancel).map_err(refusal)?;
            for ((&place, counts), (_, reader)) in places[first..last].iter().zip(&counts).zip(&queries[first..last]) {
                let mut cells = vec![0u64; reader.cells() as usize];
                let each = |number: u32, text: &[u8]| {
                    let count = counts[number as usize];
                    if let Some(cell) = reader.place(text).filter(|_| count > 0) {
                        cells[cell as usize] += count;
                    }
                };
                self.texts[place].for_each(each).map_err(refusal)?;
                answers.push(cells);
            }
            first = last;
        }
        Ok(answers)
    }

    fn each_value(
        &self,
        column: usize,
        skipped: &[String],
        cancel: &Cancel,
        each: &mut dyn FnMut(&str, u64),
    ) -> Result<(), CuratorError> {
        let place = self.place(column)?;
        let counts = self.numbers(&[place], cancel).map_err(refusal)?.pop().unwrap_or_default();
        self.values_of(place, &counts, skipped, cancel, each)
    }

    /// Calls `each` with every distinct value of a column, where the numbers of its texts have
    /// these counts.
    fn values_of(
        &self,
        place: usize,
        counts: &[u64],
        skipped: &[String],
        cancel: &Cancel,
        each: &mut dyn FnMut(&str, u64),
    ) -> Result<(), CuratorError> {
        let texts = &self.texts[place];
        let parts = (texts.bytes() + 64 * texts.count() as usize).div_ceil(VALUE_BYTES).max(1) as u64;
        for part in 0..parts {
            if cancel.is_cancelled() {
                return Err(CuratorError::Cancelled);
            }
            let mut values: BTreeMap<String, u64> = BTreeMap::new();
            let gather = |number: u32, text: &[u8]| {
                let count = counts[number as usize];
                if count == 0 || text.is_empty() || (parts > 1 && part_of(text, parts) != part) {
                    return;
                }
                // What is no text cannot be listed in a schema.
                let Ok(text) = std::str::from_utf8(text) else { return };
                match values.get_mut(text) {
                    Some(known) => *known += count,
                    None => drop(values.insert(text.to_owned(), count)),
                }
            };
            texts.for_each(gather).map_err(refusal)?;
            let values = values.iter().filter(|(value, _)| !skipped.contains(value));
            values.for_each(|(value, &count)| each(value, count));
        }
        Ok(())
    }

    fn each_rare_value(
        &self,
        columns: &[KnownValues],
        skipped: &[String],
        cancel: &Cancel,
        each: &mut dyn FnMut(usize, &str, u64),
    ) -> Result<(), CuratorError> {
        let mut rare = Vec::with_capacity(columns.len());
        for KnownValues { column, values } in columns {
            rare.push(RareTexts::new(&self.texts, self.place(*column)?, values, skipped).map_err(refusal)?);
        }
        let mut first = 0;
        while first < rare.len() {
            let last = first + together(rare[first..].iter().map(|rare| self.texts[rare.place].count()));
            let counts = self.rare_numbers(&rare, first..last, cancel).map_err(refusal)?;
            for (place, counts) in (first..last).zip(&counts) {
                let mut one = |value: &str, count: u64| each(place, value, count);
                self.values_of(rare[place].place, counts, skipped, cancel, &mut one)?;
            }
            first = last;
        }
        Ok(())
    }

    /// For some of the columns, how many rows have each text as their rare one: that of the first
    /// of all columns in which they have one.
    fn rare_numbers(
        &self,
        rare: &[RareTexts],
        wanted: std::ops::Range<usize>,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<u64>>, TableError> {
        let size = |rare: &RareTexts| vec![0; self.texts[rare.place].count() as usize];
        let mut counts: Vec<Vec<u64>> = rare[wanted.clone()].iter().map(size).collect();
        self.store.for_each(&mut |block| {
            if cancel.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            let mut is_free = vec![true; block.rows()];
            let mut numbers = Vec::with_capacity(block.rows());
            for (at, rare) in rare[..wanted.end].iter().enumerate() {
                numbers.clear();
                block.columns()[rare.place].widen_into(&mut numbers);
                for (&number, is_free) in numbers.iter().zip(&mut is_free) {
                    if *is_free && rare.has(number) {
                        *is_free = false;
                        if at >= wanted.start {
                            counts[at - wanted.start][number as usize] += 1;
                        }
                    }
                }
            }
            Ok(())
        })?;
        Ok(counts)
    }
}

/// How many columns are counted in one pass: as many as have few texts together, and one at least.
fn together(texts: impl Iterator<Item = u32>) -> usize {
    let mut sum = 0;
    let few = texts.take_while(|&texts| {
        sum += texts as usize;
        sum <= MOST_TEXTS
    });
    few.count().max(1)
}

/// The part that a text belongs to (FNV): the same on every machine.
fn part_of(text: &[u8], parts: u64) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
        % parts
}

/// Private texts are counted against a permit, which only the curator makes, and only after the
/// charge is on disk. There is no other way to a count:
///
/// ```compile_fail,E0624
/// fn look(cells: &lookalike_table::RawCells) {
///     cells.count_places(&[], &lookalike_curator::Cancel::new());
/// }
/// ```
/// ```compile_fail,E0616
/// fn look(cells: &lookalike_table::RawCells) {
///     let texts = &cells.texts;
/// }
/// ```
/// ```compile_fail,E0277
/// fn copied<T: Clone>() {}
/// copied::<lookalike_table::RawCells>();
/// ```
/// ```compile_fail,E0277
/// fn show(cells: &lookalike_table::RawCells) -> String {
///     format!("{cells:?}")
/// }
/// ```
impl Cells for RawCells {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn count(
        &self,
        queries: &[(usize, CellReader)],
        permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<Vec<u64>>, CuratorError> {
        let counts = self.count_places(queries, cancel);
        let _used_up = permit;
        counts
    }

    fn for_each_value(
        &self,
        column: usize,
        skipped: &[String],
        permit: Permit,
        cancel: &Cancel,
        each: &mut dyn FnMut(&str, u64),
    ) -> Result<(), CuratorError> {
        let done = self.each_value(column, skipped, cancel, each);
        let _used_up = permit;
        done
    }

    fn for_each_rare_value(
        &self,
        columns: &[KnownValues],
        skipped: &[String],
        permit: Permit,
        cancel: &Cancel,
        each: &mut dyn FnMut(usize, &str, u64),
    ) -> Result<(), CuratorError> {
        let done = self.each_rare_value(columns, skipped, cancel, each);
        let _used_up = permit;
        done
    }
}

/// A table's errors hold no data by their own contract, so their words may pass.
fn refusal(error: TableError) -> CuratorError {
    match error {
        TableError::Cancelled => CuratorError::Cancelled,
        other => CuratorError::Engine { what: other.to_string() },
    }
}

#[cfg(test)]
mod tests;
