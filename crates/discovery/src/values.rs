//! The values of categories.

use lookalike_curator::{Cells, KnownValues, RareQuery, ValuesQuery};
use lookalike_schema::discover::{FoundText, MOST_VALUES};
use lookalike_schema::draft::public_words;

use crate::prices::ColumnPrices;
use crate::{DiscoveryError, Run};

/// Cells that have no value that was found are taken for lost beyond this many deviations of the
/// noise of both counts: one column in a thousand gets a list that it does not need. Fewer lost
/// cells than that are not worth the noise of a few hundred words without rows.
const LOST: f64 = 3.0;

/// A list is added where this many deviations of the sum of its words' counts are lost.
const WORTH: f64 = 1.0;

/// The words of a category.
pub(crate) struct Words {
    /// Those that were found.
    pub found: Vec<String>,
    /// Those of a public list beside them.
    pub beside: Vec<String>,
    /// The part of the cells that have none of the first, where it stands out of the noise.
    pub lost: Option<f64>,
}

/// What is known of a column on the way.
struct Search {
    column: usize,
    /// About how many of its cells are not missing, where its type was asked for.
    cells: Option<f64>,
    values: Vec<String>,
    /// The noisy counts of all values together, and their variance.
    counted: f64,
    variance: f64,
}

impl Search {
    fn take(&mut self, found: Vec<(String, i64)>, prices: &ColumnPrices) {
        self.counted += found.iter().map(|(_, count)| *count as f64).sum::<f64>();
        self.variance += prices.deviation().powi(2) * found.len() as f64;
        self.values.extend(found.into_iter().map(|(value, _)| value));
    }
}

impl<C: Cells> Run<'_, C> {
    /// The words of categories, of which about `cells` are not missing. Without a threshold there
    /// are none: all cells are other ones.
    pub(crate) fn words(
        &mut self,
        columns: &[usize],
        cells: &[Option<f64>],
        text: &FoundText,
    ) -> Result<Vec<Words>, DiscoveryError> {
        let skipped = [self.open.missing_tokens(), text.missing_words.clone()].concat();
        let search = |(&column, &cells): (&usize, &Option<f64>)| Search {
            column,
            cells,
            values: Vec::new(),
            counted: 0.0,
            variance: 0.0,
        };
        let mut searches: Vec<Search> = columns.iter().zip(cells).map(search).collect();
        if let Some(prices) = self.prices.values {
            let query = |&column: &usize| ValuesQuery {
                column,
                sigma_squared: prices.sigma_squared,
                threshold: prices.threshold,
                most: MOST_VALUES,
                skipped: skipped.clone(),
            };
            let answers = self.door.values(&columns.iter().map(query).collect::<Vec<_>>())?;
            searches.iter_mut().zip(answers).for_each(|(search, found)| search.take(found.values, &prices));
        }
        if let Some(prices) = self.prices.rare.filter(|_| !columns.is_empty()) {
            self.rare(&mut searches, &prices, &skipped)?;
        }
        let words = |search: Search| {
            let lost = self.lost(&search);
            let beside = if lost.is_some() { self.public_words(&search, &skipped) } else { Vec::new() };
            let is_worth = lost.zip(search.cells).is_some_and(|(part, cells)| {
                self.prices.values.is_some_and(|prices| is_worth(part * cells, beside.len(), &prices))
            });
            let beside = if is_worth { beside } else { Vec::new() };
            Words { found: search.values, beside, lost }
        };
        Ok(searches.into_iter().map(words).collect())
    }

    /// Values that were not found yet. A row counts for one of its own: that of the column with the
    /// fewest lost cells, so that names and remarks, of which nothing can be found, leave all rows
    /// to the others.
    fn rare(
        &mut self,
        searches: &mut [Search],
        prices: &ColumnPrices,
        skipped: &[String],
    ) -> Result<(), DiscoveryError> {
        let most = searches.iter().map(|search| search.cells.unwrap_or(search.counted)).fold(0.0, f64::max);
        let lost = |search: &Search| search.cells.unwrap_or(most) - search.counted;
        searches.sort_by(|a, b| lost(a).total_cmp(&lost(b)).then(a.column.cmp(&b.column)));
        let known = |search: &Search| KnownValues { column: search.column, values: search.values.clone() };
        let query = RareQuery {
            columns: searches.iter().map(known).collect(),
            sigma_squared: prices.sigma_squared,
            threshold: prices.threshold,
            most: MOST_VALUES,
            skipped: skipped.to_vec(),
        };
        let answers = self.door.rare_values(&query)?;
        searches.iter_mut().zip(answers).for_each(|(search, found)| search.take(found.values, prices));
        searches.sort_by_key(|search| search.column);
        Ok(())
    }

    /// Words of a public list that may stand beside the values that were found of a column, where
    /// many of its cells have none of these. They follow from the column's name and from what was
    /// paid for, and no count of theirs is looked at.
    fn public_words(&self, search: &Search, skipped: &[String]) -> Vec<String> {
        if self.prices.values.is_none() {
            return Vec::new();
        }
        let mut words = public_words(&self.door.names()[search.column], &search.values);
        words.retain(|word| !skipped.contains(word));
        words
    }

    /// The part of a column's cells that have no value that was found, where it stands out.
    fn lost(&self, search: &Search) -> Option<f64> {
        let cells = search.cells.filter(|cells| *cells > 0.0)?;
        let deviation = self.prices.types.deviation.hypot(search.variance.sqrt());
        Some(cells - search.counted).filter(|lost| *lost > LOST * deviation).map(|lost| lost / cells)
    }
}

/// Whether lost cells are worth a list of this many words. A method counts words with a noise
/// that is about half of what finding them had, and together they take up to two deviations of its
/// sum from values that have rows: where that is more than what was lost, the list would do more
/// harm than good.
pub(crate) fn is_worth(lost: f64, words: usize, prices: &ColumnPrices) -> bool {
    lost > WORTH * prices.deviation() * (words as f64).sqrt()
}
