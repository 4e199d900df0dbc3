//! Facts of a schema that nobody can state in public, bought with a part of a release's budget:
//! types, bounds, words that mean "missing", and the values of categories.
//!
//! 1. **Types.** One noisy marginal a column over a fixed list of readings of a cell. The likeliest
//!    type is taken, if it explains nearly all cells.
//! 2. **A first slot.** Numbers: their magnitudes, signed powers of two.
//!    Dates: their years. The range holds all cells that stand out of the noise, and the next ones
//!    beside them where the noise may hide somebody.
//! 3. **A second slot.** Numbers among finer edges at both ends of that range, and those that may
//!    stand for something else; months of the years;
//!    of whole numbers whose name and size are a clock's, whether they are clock numbers. Bounds
//!    that are public by a column's name are taken, unless cells stand out beyond them.
//! 4. **Values.** A category spends both slots on one threshold query.
//! 5. **Rare values** of all categories, in one more query of which a row is counted once: for a
//!    value that was not found, in the column that has lost the fewest cells. Where many cells
//!    still have no value, a public list that the column's name allows is put beside them, free of
//!    charge.
//!
//! Tables of columns that depend on others ([`learn`]) are bought of coded rows, by marginals.
//!
//! What is bought depends on nothing but the header, the open facts of the schema and answers that
//! were paid for; what a column does not use is not spent elsewhere. Everything here sees noisy
//! answers alone: it is outside the door, and what it decides is post-processing.

mod bounds;
mod evidence;
mod found;
mod found_type;
mod lookups;
mod notes;
mod numbers;
mod prices;
mod spikes;
mod stands_out;
mod types;
mod values;
mod writing;

#[cfg(test)]
mod tests;

use lookalike_curator::{CellCurator, CellQuery, Cells, CuratorError, Noise};
use lookalike_privacy::{DiscoveryCost, PrivacyError};
use lookalike_schema::discover::FoundText;
use lookalike_schema::draft::{named_like_clock, public_bounds};
use lookalike_schema::{CellReader, Discovered, FoundColumn, OpenSchema, Schema, SchemaError, Wish};

use bounds::{Named, SecondLook};
use found::{Beyond, Found};
use found_type::FoundType;
pub use lookups::{FoundTables, TablePrice, learn};
pub use prices::{ColumnPrices, Prices};

/// Why nothing was discovered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// The door refused or failed.
    #[error(transparent)]
    Curator(#[from] CuratorError),
    /// The scales cannot be had.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// What was found is no schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// What discovery found. All of it was paid for, and may be published.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The schema, in the header's order.
    pub schema: Schema,
    /// What was lost, and public lists that were added, one line each.
    pub notes: Vec<String>,
}

/// Buys what is open. `total` is what the door allows, `share_of_tau` follows from it.
///
/// # Errors
/// Refusals of the door, and its faults.
pub fn discover<C: Cells>(
    door: &mut CellCurator<C>,
    open: &OpenSchema,
    total: DiscoveryCost,
    is_pure: bool,
) -> Result<Findings, DiscoveryError> {
    let names = door.names().to_vec();
    let wishes = open.wishes(&names)?;
    let prices = Prices::new(&wishes, door.neighbours(), total, is_pure)?;
    let contribution = door.neighbours().contribution();
    let mut run = Run { door, open, prices: &prices };
    let FoundTypes { types, text, cells, rows, undecodable } = run.types(&wishes)?;
    let FoundColumns { found, added, beyond, lost } = run.columns(&wishes, &types, &text, &cells)?;
    let mut notes = notes::of(&names, &found, &lost);
    notes.extend(notes::of_ranges(&names, &beyond));
    let first = rows.and_then(|rows| notes::of_rows(rows, &prices, contribution, !notes.is_empty()));
    let first = first.or_else(|| notes::of_columns(&found, &beyond));
    notes.extend(notes::of_lists(&names, &added));
    notes.splice(0..0, notes::of_letters(&names, &undecodable).into_iter().chain(first));
    Ok(Findings { schema: open.filled(&names, &found, &text)?, notes })
}

/// What readings tell.
struct FoundTypes {
    /// Of each column of the header.
    types: Vec<Option<FoundType>>,
    text: FoundText,
    /// About how many cells of each column are not missing, where its type was asked for.
    cells: Vec<Option<f64>>,
    /// About how many rows there are, where a type was asked for.
    rows: Option<f64>,
    /// The columns of which some cells are not UTF-8, and about which part of them.
    undecodable: Vec<(usize, f64)>,
}

/// What slots tell.
struct FoundColumns {
    /// Of each column of the header.
    found: Vec<Found>,
    /// How many words of a public list stand beside those that were found.
    added: Vec<usize>,
    /// What is beyond the range of a column.
    beyond: Vec<(usize, Beyond)>,
    /// The part of a category's cells of which no value was found.
    lost: Vec<(usize, f64)>,
}

struct Run<'a, C> {
    door: &'a mut CellCurator<C>,
    open: &'a OpenSchema,
    prices: &'a Prices,
}

impl<C: Cells> Run<'_, C> {
    /// The types of the columns that have none, what is known of the others, and what the file
    /// looks like.
    fn types(&mut self, wishes: &[Wish]) -> Result<FoundTypes, DiscoveryError> {
        let asked: Vec<usize> = (0..wishes.len()).filter(|&column| wishes[column] == Wish::Type).collect();
        let noise = self.prices.types;
        let queries: Vec<CellQuery> = asked
            .iter()
            .map(|&column| CellQuery { column, reader: CellReader::Readings, noise: noise.noise })
            .collect();
        let answers = self.door.count(&queries)?;
        let readings: Vec<&[i64]> = answers.iter().map(|answer| answer.values.as_slice()).collect();
        let text = types::text_of(&readings, &noise, self.open.decimal());
        let mut types: Vec<Option<FoundType>> = wishes.iter().map(FoundType::stated).collect();
        let mut cells = vec![None; wishes.len()];
        for (&column, readings) in asked.iter().zip(&readings) {
            types[column] = Some(types::type_of(readings, &noise, text.comma));
            cells[column] = Some(types::present(readings, &noise));
        }
        let mut text = text;
        for (&column, readings) in asked.iter().zip(&readings) {
            let is_typed = types[column].as_ref().is_some_and(|found| *found != FoundType::Category);
            for word in types::missing_words(readings, &noise) {
                if is_typed && !text.missing_words.contains(&word) {
                    text.missing_words.push(word);
                }
            }
        }
        let rows = (!readings.is_empty()).then(|| types::rows(&readings, &noise));
        let undecodable = asked.iter().zip(&readings);
        let undecodable = undecodable
            .filter_map(|(&column, readings)| Some((column, types::undecodable(readings, &noise)?)))
            .collect();
        Ok(FoundTypes { types, text, cells, rows, undecodable })
    }

    /// The bounds and values of all columns.
    fn columns(
        &mut self,
        wishes: &[Wish],
        types: &[Option<FoundType>],
        text: &FoundText,
        cells: &[Option<f64>],
    ) -> Result<FoundColumns, DiscoveryError> {
        let mark = self.open.decimal().unwrap_or(if text.comma { b',' } else { b'.' });
        let mut found: Vec<Option<FoundColumn>> = types.iter().map(|found| found.as_ref()?.without_slots()).collect();
        let ranged: Vec<(usize, &FoundType)> =
            types.iter().enumerate().filter_map(|(column, found)| Some((column, found.as_ref()?))).collect();
        let names = self.door.names().to_vec();
        let numbers = |column: usize| {
            let found = types[column].as_ref().and_then(|found| found.number_text(mark));
            found.unwrap_or_else(|| self.open.number_text(&names[column], mark))
        };
        let first: Vec<(usize, CellReader)> = ranged
            .iter()
            .filter_map(|&(column, found)| Some((column, bounds::first_reader(found, numbers(column))?)))
            .collect();
        let Prices { first: noise, second: finer, .. } = *self.prices;
        let answers = self.count(&first, noise.noise)?;
        let mut second = Vec::new();
        for ((column, _), answer) in first.iter().zip(&answers) {
            if let Some(found) = &types[*column] {
                let look = SecondLook::new(found, named(&names[*column]), numbers(*column), answer, [&noise, &finer]);
                second.push((*column, look));
            }
        }
        let readers: Vec<(usize, CellReader)> = second.iter().map(|(column, look)| (*column, look.reader())).collect();
        let answers = self.count(&readers, finer.noise)?;
        let mut beyond = Vec::new();
        for ((column, look), answer) in second.iter().zip(&answers) {
            if let Some(kind) = &types[*column] {
                let range = look.found(kind, named(&names[*column]), answer, &finer);
                beyond.push((*column, range.beyond));
                found[*column] = Some(range.column);
            }
        }
        let categories: Vec<usize> =
            ranged.iter().filter(|(_, found)| **found == FoundType::Category).map(|(column, _)| *column).collect();
        let cells: Vec<Option<f64>> = categories.iter().map(|&column| cells[column]).collect();
        let (mut added, mut lost) = (vec![0; wishes.len()], Vec::new());
        for (&column, words) in categories.iter().zip(self.words(&categories, &cells, text)?) {
            added[column] = words.beside.len();
            lost.extend(words.lost.filter(|_| words.beside.is_empty()).map(|part| (column, part)));
            found[column] = Some(FoundColumn::Category([words.found, words.beside].concat()));
        }
        let told = |(column, found): (usize, Option<FoundColumn>)| {
            found.map(|found| {
                let discovered = self.discovered(&wishes[column], &found);
                (found, discovered)
            })
        };
        Ok(FoundColumns { found: found.into_iter().enumerate().map(told).collect(), added, beyond, lost })
    }

    fn count(&mut self, readers: &[(usize, CellReader)], noise: Noise) -> Result<Vec<Vec<i64>>, DiscoveryError> {
        let query =
            |(column, reader): &(usize, CellReader)| CellQuery { column: *column, reader: reader.clone(), noise };
        let answers = self.door.count(&readers.iter().map(query).collect::<Vec<_>>())?;
        Ok(answers.into_iter().map(|answer| answer.values).collect())
    }

    /// How exactly a column's facts are known.
    fn discovered(&self, wish: &Wish, found: &FoundColumn) -> Discovered {
        let fact = match found {
            FoundColumn::Category(_) => Some("values"),
            FoundColumn::Boolean(_) | FoundColumn::Time(_) => None,
            _ => Some("range"),
        };
        let spikes = match found {
            FoundColumn::Integer(.., spikes) => !spikes.is_empty(),
            FoundColumn::Number(.., spikes) => !spikes.is_empty(),
            _ => false,
        };
        let spikes = spikes.then_some("spikes");
        let own = (*wish == Wish::Type).then_some("type").into_iter();
        let facts = own.chain(fact).chain(spikes).map(str::to_owned).collect();
        let values = self.prices.values.filter(|_| fact == Some("values"));
        let noise = match (&values, fact) {
            (Some(values), _) => values.deviation(),
            (None, Some(_)) => self.prices.first.deviation,
            (None, None) => self.prices.types.deviation,
        };
        let threshold = values.and_then(|_| self.prices.smallest_threshold());
        Discovered { facts, noise: rounded(noise), threshold }
    }
}

/// What is public by a column's name alone.
fn named(name: &str) -> Named {
    Named { bounds: public_bounds(name), clock: named_like_clock(name) }
}

/// Three digits that count.
fn rounded(value: f64) -> f64 {
    let unit = 10f64.powi(2 - value.abs().max(1e-300).log10().floor() as i32);
    (value * unit).round() / unit
}
