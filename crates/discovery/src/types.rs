//! From noisy counts of readings to a type.

use lookalike_schema::discover::{DateWriting, FoundText, NumberText, READINGS, date_patterns};
use lookalike_schema::{FoundColumn, Reading, Wish};

use crate::prices::FactNoise;

/// Counts below this many deviations are taken for nothing.
const NOTHING: f64 = 2.5;
/// No reading of a hundred has a count of more deviations by noise alone, but for one column in a
/// hundred.
const ANYWHERE: f64 = 3.6;
/// Decimals are there from this many deviations on, where that many have this part of the numbers.
const SOME: f64 = 2.8;
const MANY: f64 = 0.25;
/// The part of the cells that a type must explain; the others are then missing ones.
const NUMBERS: f64 = 0.8;
const DATES: f64 = 0.8;
const TRUTHS: f64 = 0.97;

/// Whether whole numbers are written with a decimal behind the mark: 517.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    Always,
    Never,
}

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FoundType {
    Whole(Point),
    /// With decimals, where they are few.
    Number(Option<u8>, Point),
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
            Wish::Integers => Some(Self::Whole(Point::Never)),
            Wish::Numbers => Some(Self::Number(None, Point::Never)),
            Wish::Dates(pattern, timed) => Some(Self::Date(pattern.clone(), *timed)),
            Wish::Values => Some(Self::Category),
        }
    }

    /// How numbers are written, where it is not the plain way.
    pub(crate) fn format(&self, text: &NumberText) -> Option<String> {
        match self {
            Self::Whole(Point::Always) | Self::Number(_, Point::Always) => {
                Some(format!("#{}0", char::from(text.mark())))
            }
            _ => None,
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
    deviation: f64,
    level: f64,
}

impl<'a> Readings<'a> {
    fn new(counts: &'a [i64], noise: &FactNoise) -> Self {
        // Where nothing stands out, the largest count has to do.
        let all = || READINGS.iter().zip(counts).filter(|(reading, _)| !matches!(reading, Reading::Missing(_)));
        let largest = all().map(|(_, &count)| count as f64).fold(f64::NEG_INFINITY, f64::max);
        Self { counts, deviation: noise.deviation, level: (NOTHING * noise.deviation).min(largest) }
    }

    /// The counts of some readings.
    fn of(&self, wanted: impl Fn(&Reading) -> bool) -> impl Iterator<Item = f64> {
        let some = READINGS.iter().zip(self.counts).filter(move |(reading, _)| wanted(reading));
        some.map(|(_, &count)| count as f64)
    }

    /// The sum of the counts of some readings that are not taken for nothing.
    fn sum(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        self.of(wanted).filter(|count| *count >= self.level).sum()
    }

    /// Whether some readings are this part of all cells that are not missing. Others count where
    /// they are more than what the noise brings up anywhere.
    fn explain(&self, part: f64, wanted: impl Fn(&Reading) -> bool) -> bool {
        let others = self.of(|reading| !matches!(reading, Reading::Missing(_)) && !wanted(reading));
        let others: f64 = others.filter(|count| *count > ANYWHERE * self.deviation).sum();
        let own = self.sum(wanted);
        own > 0.0 && own >= part * (own + others)
    }

    /// How much likelier the counts are where some of these readings, a few or all, have cells and
    /// all others have none, than where none has any: a logarithm, less that of the number of ways
    /// to choose them. A reading that the noise brought up does not win over two of one type that
    /// have half of the cells each.
    fn evidence(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        let mut counts: Vec<f64> = self.of(wanted).map(|count| count.max(0.0) / self.deviation).collect();
        counts.sort_by(|one, two| two.total_cmp(one));
        let all = counts.len() as f64;
        let (mut best, mut sum) = (f64::NEG_INFINITY, 0.0);
        for (place, count) in counts.iter().enumerate() {
            let place = place as f64;
            sum += count * count / 2.0 - ((all - place) / (place + 1.0)).ln() - f64::from(u8::from(place > 0.0));
            best = best.max(sum);
        }
        best
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

/// The type of a column: the likeliest one, if it explains nearly all cells.
pub(crate) fn type_of(counts: &[i64], noise: &FactNoise, comma: bool) -> FoundType {
    let readings = Readings::new(counts, noise);
    let own = if comma { b',' } else { b'.' };
    let is_number = |reading: &Reading| match reading {
        Reading::Integer => true,
        Reading::Number(mark, _) => *mark == own,
        _ => false,
    };
    let is_truth = |pair: usize| move |reading: &Reading| matches!(reading, Reading::Truth(known, _) if *known == pair);
    let pairs = Reading::truth_pairs();
    let truth = (0..pairs).map(|pair| (readings.evidence(is_truth(pair)), pair));
    let (truth, pair) = truth.max_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((f64::NEG_INFINITY, 0));
    let date = date(&readings);
    let text = readings.evidence(|reading| *reading == Reading::Text);
    let number = readings.evidence(is_number);
    // One of many pairs or ways of writing dates is less likely than the one way to be a number.
    let truth = truth - (pairs as f64).ln();
    let (dated, found) = date.map_or((f64::NEG_INFINITY, None), |(evidence, found)| (evidence, found));
    if number >= truth.max(dated).max(text) {
        return if readings.explain(NUMBERS, is_number) {
            self::number(&readings, own, noise)
        } else {
            FoundType::Category
        };
    }
    if truth >= dated.max(text) {
        return if readings.explain(TRUTHS, is_truth(pair)) { FoundType::Truth(pair) } else { FoundType::Category };
    }
    found.filter(|_| dated >= text).unwrap_or(FoundType::Category)
}

fn number(readings: &Readings<'_>, own: u8, noise: &FactNoise) -> FoundType {
    let decimals = |wanted: Option<usize>| {
        readings
            .of(|reading| matches!(reading, Reading::Number(mark, decimals) if *mark == own && *decimals == wanted))
            .sum::<f64>()
    };
    let whole: f64 = readings.of(|reading| *reading == Reading::Integer).sum();
    let fractions = || (1..=8).map(Some).chain([None]);
    let all: f64 = readings.sum(|reading| matches!(reading, Reading::Number(mark, _) if *mark == own)) + whole.max(0.0);
    let level = noise.level(1e-3 / 20.0).min((MANY * all).max(SOME * noise.deviation));
    let most = (1..=8).rev().find(|&places| decimals(Some(places)) > level);
    // Where none stands out, the reading with the most cells may be one.
    let largest = fractions().max_by(|&one, &two| decimals(one).total_cmp(&decimals(two))).unwrap_or_default();
    let pointed = decimals(Some(0));
    let is_largest = decimals(largest) > whole.max(pointed).max(0.0);
    let point = if pointed > level && pointed > whole { Point::Always } else { Point::Never };
    match most.or(largest.filter(|_| is_largest)) {
        // Powers of ten, and eight decimals or more, are those of a computation.
        _ if decimals(None) > level || (is_largest && largest.is_none()) => FoundType::Number(None, point),
        Some(8) => FoundType::Number(None, point),
        Some(places) => FoundType::Number(Some(places as u8), point),
        None => FoundType::Whole(point),
    }
}

/// The likeliest way of writing dates, with what speaks for it; without a type where it does not
/// explain nearly all cells.
fn date(readings: &Readings<'_>) -> Option<(f64, Option<FoundType>)> {
    let is = |wanted: DateWriting| move |reading: &Reading| *reading == Reading::Date(wanted);
    let sure = |wanted: DateWriting| readings.sum(is(wanted));
    // ISO 8601 with and without a time of day, and with other marks before that, is one way of
    // writing: for columns that have several of them.
    let is_iso = |reading: &Reading| matches!(reading, Reading::Date(writing) if writing.is_like_iso());
    let timed =
        readings.sum(|reading| matches!(reading, Reading::Date(writing) if writing.is_like_iso() && writing.timed));
    let iso = FoundType::Date(None, timed > 0.05 * readings.sum(is_iso));
    let as_iso = (readings.evidence(is_iso), Some(iso).filter(|_| readings.explain(DATES, is_iso)));
    let patterns = date_patterns().filter(|writing| writing.pattern.is_some()).map(|writing| {
        let swapped = writing.swapped();
        let fits = move |reading: &Reading| {
            *reading == Reading::EitherDate(writing)
                || is(writing)(reading)
                || swapped.is_some_and(|swapped| is(swapped)(reading))
        };
        let found = swapped.filter(|swapped| sure(*swapped) > sure(writing)).unwrap_or(writing);
        let found = FoundType::Date(found.pattern.map(str::to_owned), found.timed);
        (readings.evidence(fits), Some(found).filter(|_| readings.explain(DATES, fits)))
    });
    let all = date_patterns().count() as f64;
    let best = std::iter::once(as_iso).chain(patterns).reduce(|one, two| if two.0 > one.0 { two } else { one })?;
    Some((best.0 - all.ln(), best.1))
}

/// About how many rows there are: as many as the column with the most cells that stand out has.
/// None where nothing but noise brought them up.
pub(crate) fn rows(columns: &[&[i64]], noise: &FactNoise) -> f64 {
    let level = noise.level(1e-2 / (READINGS.len() * columns.len().max(1)) as f64);
    let of = |counts: &&[i64]| counts.iter().map(|&count| count as f64).filter(|&count| count > level).sum::<f64>();
    columns.iter().map(of).fold(0.0, f64::max)
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
