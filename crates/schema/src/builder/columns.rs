//! The kinds of columns.

use crate::entries::Entries;
use crate::file::{ColumnFile, ColumnType, OrDiscover, Spacing};
use crate::levels::LevelFile;
use crate::plain_value::PlainValue;

fn integers(values: impl IntoIterator<Item = i64>) -> Vec<PlainValue> {
    values.into_iter().map(PlainValue::Integer).collect()
}

fn numbers(values: impl IntoIterator<Item = impl Into<f64>>) -> Vec<PlainValue> {
    values.into_iter().map(|value| PlainValue::Number(value.into())).collect()
}

fn texts(values: impl IntoIterator<Item = impl Into<String>>) -> Vec<PlainValue> {
    values.into_iter().map(|value| PlainValue::Text(value.into())).collect()
}

/// Whole numbers in a public range. Values outside are clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct Integer(ColumnFile);

impl Integer {
    /// Whole numbers from `low` to `high`, both included.
    pub fn range(low: i64, high: i64) -> Self {
        Self(ColumnFile::ranged(ColumnType::Integer, low, high))
    }

    /// Cuts the range into this number of near-equal bins. By default there is one bin a
    /// value up to 128 values, and 64 bins beyond; a method that chooses the detail itself codes
    /// every value.
    pub fn bins(mut self, bins: u32) -> Self {
        self.0.bins = Some(bins.into());
        self
    }

    /// Cuts the range at these values instead: a bin begins at each of them. The ends of the range
    /// may be among them.
    pub fn edges(mut self, edges: impl IntoIterator<Item = i64>) -> Self {
        self.0.edges = Some(integers(edges));
        self
    }

    /// Says how the bins grow: [`Spacing::Log`] is for long tails.
    pub fn spacing(mut self, spacing: Spacing) -> Self {
        self.0.spacing = Some(spacing);
        self
    }

    /// Gives these values a code of their own, whatever the bins: zero, or a legal maximum.
    pub fn spikes(mut self, spikes: impl IntoIterator<Item = i64>) -> Self {
        self.0.spikes = Some(integers(spikes));
        self
    }

    /// Says how cells are written, as an example with # for the digits: `$#,###`, `#%`, `(#)`,
    /// `#.0`, or `hmm`, `hh:mm` or `hh:mm:ss` for a clock.
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.0.format = Some(format.into());
        self
    }

    /// Adds a coarser level, the finest first: the values at which its groups begin.
    pub fn level(mut self, cuts: impl IntoIterator<Item = i64>) -> Self {
        self.0.levels.push(LevelFile::Cuts(integers(cuts)));
        self
    }

    /// Gives missing cells a code of their own. Without it they get that of the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl From<Integer> for ColumnFile {
    fn from(column: Integer) -> Self {
        column.0
    }
}

/// Real numbers in a public range. Values outside are clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(ColumnFile);

impl Number {
    /// Numbers from `low` to `high`, both included.
    pub fn range(low: impl Into<f64>, high: impl Into<f64>) -> Self {
        Self(ColumnFile::ranged(ColumnType::Number, low.into(), high.into()))
    }

    /// Cuts the range into this number of near-equal bins. The default is 32; a method
    /// that chooses the detail itself codes every value that can be written.
    pub fn bins(mut self, bins: u32) -> Self {
        self.0.bins = Some(bins.into());
        self
    }

    /// Cuts the range at these values instead: a bin begins at each of them. The ends of the range
    /// may be among them.
    pub fn edges(mut self, edges: impl IntoIterator<Item = impl Into<f64>>) -> Self {
        self.0.edges = Some(numbers(edges));
        self
    }

    /// Says how the bins grow: [`Spacing::Log`] is for long tails.
    pub fn spacing(mut self, spacing: Spacing) -> Self {
        self.0.spacing = Some(spacing);
        self
    }

    /// Gives these values a code of their own, whatever the bins: zero, or a legal maximum.
    pub fn spikes(mut self, spikes: impl IntoIterator<Item = impl Into<f64>>) -> Self {
        self.0.spikes = Some(numbers(spikes));
        self
    }

    /// Says how cells are written, as an example with # for the digits: `$#,###`, `#%`, `(#)`,
    /// `#.0`.
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.0.format = Some(format.into());
        self
    }

    /// Says how many decimals are written, at most 15. By default about a thousand different
    /// numbers lie in a bin.
    pub fn decimals(mut self, decimals: u8) -> Self {
        self.0.decimals = Some(decimals.into());
        self
    }

    /// Adds a coarser level, the finest first: the values at which its groups begin.
    pub fn level(mut self, cuts: impl IntoIterator<Item = impl Into<f64>>) -> Self {
        self.0.levels.push(LevelFile::Cuts(numbers(cuts)));
        self
    }

    /// Gives missing cells a code of their own. Without it they get that of the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl From<Number> for ColumnFile {
    fn from(column: Number) -> Self {
        column.0
    }
}

/// Days in a public range. Values outside are clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct Date(ColumnFile);

impl Date {
    /// Days from `low` to `high`, both included and in ISO form: `2024-03-31`.
    pub fn range(low: impl Into<String>, high: impl Into<String>) -> Self {
        Self(ColumnFile::ranged(ColumnType::Date, low.into(), high.into()))
    }

    /// Days that follow an earlier column by this at most, such as `"30 days"`. The model holds the
    /// difference, and bins are those of the difference.
    pub fn after(column: impl Into<String>, within: impl Into<String>) -> Self {
        Self(ColumnFile::following(ColumnType::Date, column.into(), within.into()))
    }

    /// Cuts the range into this number of near-equal bins. By default there is one bin a
    /// value up to 128 values, and 64 bins beyond; a method that chooses the detail itself codes
    /// every value.
    pub fn bins(mut self, bins: u32) -> Self {
        self.0.bins = Some(bins.into());
        self
    }

    /// Cuts the range at these values instead: a bin begins at each of them. The ends of the range
    /// may be among them.
    pub fn edges(mut self, edges: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.0.edges = Some(texts(edges));
        self
    }

    /// Says how cells are written, in the directives of `strptime`. The default is ISO 8601.
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.0.format = Some(format.into());
        self
    }

    /// Adds a coarser level, the finest first: the values at which its groups begin.
    pub fn level(mut self, cuts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.0.levels.push(LevelFile::Cuts(texts(cuts)));
        self
    }

    /// Gives missing cells a code of their own. Without it they get that of the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl From<Date> for ColumnFile {
    fn from(column: Date) -> Self {
        column.0
    }
}

/// Moments without a time zone in a public range. Values outside are clamped.
#[derive(Clone, Debug, PartialEq)]
pub struct DateTime(ColumnFile);

impl DateTime {
    /// Moments from `low` to `high`, both included and in ISO form: `2024-03-31T10:30:00`.
    pub fn range(low: impl Into<String>, high: impl Into<String>) -> Self {
        Self(ColumnFile::ranged(ColumnType::DateTime, low.into(), high.into()))
    }

    /// Moments that follow an earlier column by this at most, such as `"2 hours"`. The model holds
    /// the difference, and bins are those of the difference.
    pub fn after(column: impl Into<String>, within: impl Into<String>) -> Self {
        Self(ColumnFile::following(ColumnType::DateTime, column.into(), within.into()))
    }

    /// Cuts the range into this number of near-equal bins. By default there is one bin a
    /// value up to 128 values, and 64 bins beyond; a method that chooses the detail itself codes
    /// every value.
    pub fn bins(mut self, bins: u32) -> Self {
        self.0.bins = Some(bins.into());
        self
    }

    /// Cuts the range at these values instead: a bin begins at each of them. The ends of the range
    /// may be among them.
    pub fn edges(mut self, edges: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.0.edges = Some(texts(edges));
        self
    }

    /// Says how cells are written, in the directives of `strptime`. The default is ISO 8601.
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.0.format = Some(format.into());
        self
    }

    /// Adds a coarser level, the finest first: the values at which its groups begin.
    pub fn level(mut self, cuts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.0.levels.push(LevelFile::Cuts(texts(cuts)));
        self
    }

    /// Gives missing cells a code of their own. Without it they get that of the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl From<DateTime> for ColumnFile {
    fn from(column: DateTime) -> Self {
        column.0
    }
}

/// Listed words.
#[derive(Clone, Debug, PartialEq)]
pub struct Category(ColumnFile);

impl Category {
    /// The words that may occur, in the order of their codes.
    pub fn of(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let values = Some(OrDiscover::Given(values.into_iter().map(Into::into).collect()));
        Self(ColumnFile { values, ..ColumnFile::new(ColumnType::Category) })
    }

    /// The word that all unlisted cells share. It may be one of the listed ones.
    pub fn other(mut self, word: impl Into<String>) -> Self {
        self.0.other = Some(word.into());
        self
    }

    /// Says that the values stand in an order, so that neighbours may be counted together.
    pub fn ordered(mut self) -> Self {
        self.0.ordered = Some(true);
        self
    }

    /// Adds a coarser level, the finest first: named groups of values, or of groups of the level
    /// before. What no group lists stays as it is.
    pub fn level<Name: Into<String>, Member: Into<String>>(
        mut self,
        groups: impl IntoIterator<Item = (Name, impl IntoIterator<Item = Member>)>,
    ) -> Self {
        let groups = groups.into_iter().map(|(name, members)| (name.into(), texts(members)));
        self.0.levels.push(LevelFile::Groups(Entries(groups.collect())));
        self
    }

    /// Gives missing cells a code of their own. Without it they get that of unlisted words, or of
    /// the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl From<Category> for ColumnFile {
    fn from(column: Category) -> Self {
        column.0
    }
}

/// Two words. The default is `false` and `true`; usual words such as `no` and `yes` are read too.
#[derive(Clone, Debug, PartialEq)]
pub struct Boolean(ColumnFile);

impl Boolean {
    /// The word for false and the word for true.
    pub fn words(no: impl Into<String>, yes: impl Into<String>) -> Self {
        let values = Some(OrDiscover::Given(vec![no.into(), yes.into()]));
        Self(ColumnFile { values, ..ColumnFile::new(ColumnType::Boolean) })
    }

    /// Gives missing cells a code of their own. Without it they get that of the first value.
    pub fn missing(mut self, missing: bool) -> Self {
        self.0.missing = Some(missing);
        self
    }
}

impl Default for Boolean {
    fn default() -> Self {
        Self(ColumnFile::new(ColumnType::Boolean))
    }
}

impl From<Boolean> for ColumnFile {
    fn from(column: Boolean) -> Self {
        column.0
    }
}

/// A column with one value for each combination of a few others.
///
/// It is not modelled but looked up, so that every row agrees with its table. A release buys the
/// table unless [`table`](Self::table) states it.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedUp(ColumnFile);

impl LookedUp {
    /// A column of this kind that depends on these columns. It needs a word for keys that no value
    /// is known of: `missing(true)`, or of a category `other`.
    pub fn on(names: impl IntoIterator<Item = impl Into<String>>, column: impl Into<ColumnFile>) -> Self {
        Self(ColumnFile { depends_on: names.into_iter().map(Into::into).collect(), ..column.into() })
    }

    /// States what belongs to each key, as is publicly known: cells of the key, then the value.
    pub fn table<R: IntoIterator<Item = PlainValue>>(mut self, rows: impl IntoIterator<Item = R>) -> Self {
        self.0.table = Some(rows.into_iter().map(|row| row.into_iter().collect()).collect());
        self
    }
}

impl From<LookedUp> for ColumnFile {
    fn from(column: LookedUp) -> Self {
        column.0
    }
}

/// An identifier: never read, and fresh numbers from 1 are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id;

impl Id {
    /// Fresh ids of a shape: one run of `#` stands for digits, as in `N#####`.
    pub fn pattern(self, pattern: impl Into<String>) -> ColumnFile {
        ColumnFile { pattern: Some(pattern.into()), ..self.into() }
    }

    /// Ids that are different from those of all columns with the same word.
    pub fn shared(self, space: impl Into<String>) -> ColumnFile {
        ColumnFile { shared: Some(space.into()), ..self.into() }
    }
}

impl From<Id> for ColumnFile {
    fn from(_: Id) -> Self {
        Self::new(ColumnType::Id)
    }
}

/// A column that follows from others in the same row: never read, and computed when it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    formula: String,
    lookup: Vec<(String, PlainValue)>,
    decimals: Option<i64>,
    format: Option<String>,
}

impl Computed {
    /// The formula, as a schema file words it: `price * pieces`.
    pub fn by(formula: impl Into<String>) -> Self {
        Self { formula: formula.into(), lookup: Vec::new(), decimals: None, format: None }
    }

    /// Takes what the formula gives for a key of a public table, and writes its value.
    pub fn looked_up(self, table: impl IntoIterator<Item = (impl Into<String>, impl Into<PlainValue>)>) -> Self {
        let lookup = table.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Self { lookup, ..self }
    }

    /// Decimals of a number, where its parts do not tell them.
    pub fn decimals(self, decimals: u8) -> Self {
        Self { decimals: Some(decimals.into()), ..self }
    }

    /// How days or moments are written, as in `%d/%m/%Y`, or numbers, as in `$#,###`.
    pub fn format(self, pattern: impl Into<String>) -> Self {
        Self { format: Some(pattern.into()), ..self }
    }
}

impl From<Computed> for ColumnFile {
    fn from(Computed { formula, lookup, decimals, format }: Computed) -> Self {
        let lookup = Entries(lookup);
        Self { formula: Some(formula), lookup, decimals, format, ..Self::new(ColumnType::Derived) }
    }
}

/// A column that is not read, and left out of what is written or empty there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ignore;

impl From<Ignore> for ColumnFile {
    fn from(_: Ignore) -> Self {
        Self::new(ColumnType::Ignore)
    }
}
