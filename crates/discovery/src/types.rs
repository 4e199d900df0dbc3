//! From noisy counts of readings to a type.

use lookalike_schema::discover::{DateWriting, FoundText, READINGS, date_patterns};
use lookalike_schema::{FoundColumn, Reading, Wish};

use crate::prices::FactNoise;

/// Counts below this many deviations are taken for nothing.
const NOTHING: f64 = 2.5;
/// The part of the cells that a type must explain; the others are then missing ones.
const NUMBERS: f64 = 0.8;
const DATES: f64 = 0.8;
const TRUTHS: f64 = 0.97;

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FoundType {
    Integer,
    /// With decimals, where they are few.
    Number(Option<u8>),
    /// A pair of truth words.
    Truth(usize),
    /// A pattern or ISO 8601, and whether there is a time of day.
    Date(Option<String>, bool),
    Category,
}

impl FoundType {
    /// The type that a wish for something else states.
    pub(crate) fn stated(wish: &Wish) -> Option<Self> {
        match wish {
            Wish::Nothing | Wish::Type => None,
            Wish::Integers => Some(Self::Integer),
            Wish::Numbers => Some(Self::Number(None)),
            Wish::Dates(pattern, timed) => Some(Self::Date(pattern.clone(), *timed)),
            Wish::Values => Some(Self::Category),
        }
    }

    /// What needs no slot.
    pub(crate) fn without_slots(&self) -> Option<FoundColumn> {
        match self {
            Self::Truth(pair) => Some(FoundColumn::Boolean(Reading::truth_words(*pair).map(str::to_owned))),
            _ => None,
        }
    }
}

/// The noisy counts of one column's readings.
struct Readings<'a> {
    counts: &'a [i64],
    level: f64,
}

impl<'a> Readings<'a> {
    fn new(counts: &'a [i64], noise: &FactNoise) -> Self {
        // Where nothing stands out, the largest count has to do.
        let all = || READINGS.iter().zip(counts).filter(|(reading, _)| !matches!(reading, Reading::Missing(_)));
        let largest = all().map(|(_, &count)| count as f64).fold(f64::NEG_INFINITY, f64::max);
        Self { counts, level: (NOTHING * noise.deviation).min(largest) }
    }

    /// The sum of the counts of some readings that are not taken for nothing.
    fn sum(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        let some = READINGS.iter().zip(self.counts).filter(|(reading, _)| wanted(reading));
        some.map(|(_, &count)| count as f64).filter(|count| *count >= self.level).sum()
    }
}

/// Whether numbers have a decimal comma, over all columns, unless it is stated.
pub(crate) fn text_of(columns: &[&[i64]], noise: &FactNoise, stated: Option<u8>) -> FoundText {
    // What stands out of the noise over all columns, so that an empty table has no comma.
    let level = noise.level(1e-3 / (16.0 * columns.len().max(1) as f64));
    let marked = |wanted: u8| {
        let counts = columns.iter().flat_map(|counts| READINGS.iter().zip(*counts));
        let own = counts.filter(|(reading, count)| {
            // Three digits behind a comma may be thousands.
            let is_own = matches!(reading, Reading::Number(mark, Some(places)) if *mark == wanted && *places != 3);
            is_own && **count as f64 > level
        });
        own.map(|(_, &count)| count as f64).sum::<f64>()
    };
    let comma = stated.map_or_else(|| marked(b',') > marked(b'.'), |mark| mark == b',');
    FoundText { missing_words: Vec::new(), comma, usual_missing: usual_missing(columns, noise) }
}

/// The word that most missing cells of all columns are written as, where it stands out of the noise
/// of the sum.
fn usual_missing(columns: &[&[i64]], noise: &FactNoise) -> Option<String> {
    let sum = |place: usize| columns.iter().map(|counts| counts[place] as f64).sum::<f64>();
    let words = READINGS.iter().enumerate().filter_map(|(place, reading)| match reading {
        Reading::Missing(word) => Some((word, sum(place))),
        _ => None,
    });
    let (word, count) = words.max_by(|one, two| one.1.total_cmp(&two.1))?;
    let level = noise.level(1e-3 / READINGS.len() as f64) * (columns.len() as f64).sqrt();
    (count > level && !word.is_empty()).then(|| word.clone())
}

/// The type of a column.
pub(crate) fn type_of(counts: &[i64], noise: &FactNoise, comma: bool) -> FoundType {
    let readings = Readings::new(counts, noise);
    let present = readings.sum(|reading| !matches!(reading, Reading::Missing(_))).max(1.0);
    let own = if comma { b',' } else { b'.' };
    let numbers = readings.sum(|reading| match reading {
        Reading::Integer => true,
        Reading::Number(mark, _) => *mark == own,
        _ => false,
    });
    if numbers >= NUMBERS * present {
        return number(&readings, own, noise);
    }
    let truths = |pair: usize| readings.sum(|reading| matches!(reading, Reading::Truth(known, _) if *known == pair));
    if let Some(pair) = (0..Reading::truth_pairs()).find(|&pair| truths(pair) >= TRUTHS * present) {
        return FoundType::Truth(pair);
    }
    date(&readings, present).unwrap_or(FoundType::Category)
}

fn number(readings: &Readings<'_>, own: u8, noise: &FactNoise) -> FoundType {
    let decimals = |wanted: Option<usize>| {
        readings
            .sum(|reading| matches!(reading, Reading::Number(mark, decimals) if *mark == own && *decimals == wanted))
    };
    let level = noise.level(1e-3 / 20.0);
    let most = (1..=8).rev().find(|&places| decimals(Some(places)) > level);
    match most {
        // Powers of ten, and eight decimals or more, are those of a computation.
        _ if decimals(None) > level => FoundType::Number(None),
        Some(8) => FoundType::Number(None),
        Some(places) => FoundType::Number(Some(places as u8)),
        None => FoundType::Integer,
    }
}

fn date(readings: &Readings<'_>, present: f64) -> Option<FoundType> {
    let sure = |wanted: DateWriting| readings.sum(|reading| *reading == Reading::Date(wanted));
    let either = |wanted: DateWriting| readings.sum(|reading| *reading == Reading::EitherDate(wanted));
    // ISO 8601 with and without a time of day is one way of writing.
    let iso = [false, true].map(|timed| sure(DateWriting { pattern: None, timed }));
    if iso[0] + iso[1] >= DATES * present {
        return Some(FoundType::Date(None, iso[1] > 0.05 * present));
    }
    for writing in date_patterns().filter(|writing| writing.pattern.is_some()) {
        let swapped = writing.swapped();
        let other = swapped.map_or(0.0, sure);
        if sure(writing) + either(writing) + other >= DATES * present {
            let found = swapped.filter(|_| other > sure(writing)).unwrap_or(writing);
            return Some(FoundType::Date(found.pattern.map(str::to_owned), found.timed));
        }
    }
    None
}

/// About how many cells a column has.
pub(crate) fn rows(counts: &[i64], noise: &FactNoise) -> f64 {
    counts.iter().map(|&count| count as f64).filter(|&count| count > NOTHING * noise.deviation).sum()
}

/// About how many cells of a column are not missing, and hardly ever more: readings that nothing
/// but noise brought up are left out.
pub(crate) fn present(counts: &[i64], noise: &FactNoise) -> f64 {
    let level = noise.level(1e-3 / counts.len() as f64);
    let some = READINGS.iter().zip(counts).filter(|(reading, _)| !matches!(reading, Reading::Missing(_)));
    some.map(|(_, &count)| count as f64).filter(|count| *count > level).sum()
}

/// Words that mean "missing" in a column, beyond those that every schema knows.
pub(crate) fn missing_words(counts: &[i64], noise: &FactNoise) -> Vec<String> {
    let level = noise.level(1e-3 / counts.len() as f64);
    let words = READINGS.iter().zip(counts).filter(|(_, count)| **count as f64 > level);
    let words = words.filter_map(|(reading, _)| match reading {
        Reading::Missing(word) if !word.is_empty() => Some(word.clone()),
        _ => None,
    });
    words.collect()
}
