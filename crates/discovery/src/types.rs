//! From noisy counts of readings to a type.

use std::sync::LazyLock;

use lookalike_schema::discover::{DateWriting, DressWord, FoundText, NumberShape, NumberText, READINGS, date_patterns};
use lookalike_schema::{FoundColumn, Reading, Wish};

use crate::prices::FactNoise;
use crate::writing::{self, Places, Style, dressed, plain};

/// Counts below this many deviations are taken for nothing.
const NOTHING: f64 = 2.5;
/// No reading of a hundred has a count of more deviations by noise alone, but for one column in a
/// hundred.
const ANYWHERE: f64 = 3.6;
/// Nor has any of the thousands of readings of numbers with something around them more than these.
const ANYWHERE_DRESSED: f64 = 4.8;
/// The part of the cells that a type must explain; the others are then missing ones.
const NUMBERS: f64 = 0.8;
const DATES: f64 = 0.8;
const TRUTHS: f64 = 0.97;
/// How many readings there are without numbers that have something around them, which stand behind
/// these: what is held against them is not held against thousands more.
static BASIC: LazyLock<usize> =
    LazyLock::new(|| READINGS.iter().filter(|reading| !matches!(reading, Reading::Dressed(..))).count());

/// What a column is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FoundType {
    Whole(Style),
    /// With decimals, where they are few.
    Number(Option<u8>, Style),
    /// A pair of truth words.
    Truth(usize),
    /// A pattern or ISO 8601, and whether there is a time of day.
    Date(Option<String>, bool),
    /// Times of day in a format.
    Time(&'static str),
    Category,
}

impl FoundType {
    /// The type that a wish for something else states.
    pub(crate) fn stated(wish: &Wish) -> Option<Self> {
        match wish {
            Wish::Nothing | Wish::Type => None,
            Wish::Integers => Some(Self::Whole(Style::Plain)),
            Wish::Numbers => Some(Self::Number(None, Style::Plain)),
            Wish::Dates(pattern, timed) => Some(Self::Date(pattern.clone(), *timed)),
            Wish::Values => Some(Self::Category),
        }
    }

    /// How numbers are written, where it is not the plain way.
    pub(crate) fn format(&self, text: &NumberText) -> Option<String> {
        match self {
            Self::Whole(Style::Pointed) | Self::Number(_, Style::Pointed) => {
                Some(format!("#{}0", char::from(text.mark())))
            }
            Self::Whole(Style::Dressed(format)) | Self::Number(_, Style::Dressed(format)) => Some(format.clone()),
            _ => None,
        }
    }

    /// How cells are to be read, where their format was found: by one reader of numbers that have
    /// something around them, and plain ones.
    pub(crate) fn number_text(&self, mark: u8) -> Option<NumberText> {
        match self {
            Self::Whole(Style::Dressed(format)) | Self::Number(_, Style::Dressed(format)) => {
                Some(NumberText::dressed(mark, format))
            }
            _ => None,
        }
    }

    /// What needs no slot.
    pub(crate) fn without_slots(&self) -> Option<FoundColumn> {
        match self {
            Self::Truth(pair) => Some(FoundColumn::Boolean(Reading::truth_words(*pair).map(str::to_owned))),
            // Every clock has the same range.
            Self::Time(format) => Some(FoundColumn::Time((*format).to_owned())),
            _ => None,
        }
    }
}

/// The noisy counts of one column's readings.
pub(crate) struct Readings<'a> {
    pub counts: &'a [i64],
    deviation: f64,
    pub level: f64,
}

impl<'a> Readings<'a> {
    fn new(counts: &'a [i64], noise: &FactNoise) -> Self {
        // Where nothing stands out, the largest count has to do.
        let basic = || READINGS.iter().zip(&counts[..*BASIC]);
        let all = || basic().filter(|(reading, _)| !matches!(reading, Reading::Missing(_)));
        let largest = all().map(|(_, &count)| count as f64).fold(f64::NEG_INFINITY, f64::max);
        Self { counts, deviation: noise.deviation, level: (NOTHING * noise.deviation).min(largest) }
    }

    /// The counts of some readings.
    pub fn of(&self, wanted: impl Fn(&Reading) -> bool) -> impl Iterator<Item = f64> {
        let some = READINGS.iter().zip(self.counts).filter(move |(reading, _)| wanted(reading));
        some.map(|(_, &count)| count as f64)
    }

    /// The sum of the counts of some readings that are not taken for nothing.
    pub fn sum(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        self.of(wanted).filter(|count| *count >= self.level).sum()
    }

    /// Whether some readings are this part of all cells that are not missing. Others count where
    /// they are more than what the noise brings up anywhere.
    fn explain(&self, part: f64, wanted: impl Fn(&Reading) -> bool) -> bool {
        let is_other = |reading: &Reading| !matches!(reading, Reading::Missing(_)) && !wanted(reading);
        let is_dressed = |reading: &Reading| matches!(reading, Reading::Dressed(..));
        let basic = self.of(|reading| is_other(reading) && !is_dressed(reading));
        let basic: f64 = basic.filter(|count| *count > ANYWHERE * self.deviation).sum();
        let dressed = self.of(|reading| is_other(reading) && is_dressed(reading));
        let others = basic + dressed.filter(|count| *count > ANYWHERE_DRESSED * self.deviation).sum::<f64>();
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
    let dressed = noise.level(1e-3 / (READINGS.len() * columns.len().max(1)) as f64);
    let marked = |wanted: u8| {
        let counts = columns.iter().flat_map(|counts| READINGS.iter().zip(*counts));
        let own = counts.filter(|(reading, count)| {
            let (is_own, level) = match reading {
                Reading::Number(mark, Some(_)) => (*mark == wanted, level),
                // Thousands behind one mark mean decimals behind the other. Three digits behind a
                // mark may be either.
                Reading::Dressed(_, NumberShape::Grouped(mark @ (',' | '.'), _)) => (*mark as u8 != wanted, dressed),
                Reading::Dressed(_, shape) => {
                    (shape.fraction().is_some_and(|(mark, places)| mark == wanted && places < 3), dressed)
                }
                _ => (false, level),
            };
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
    let level = noise.level(1e-3 / *BASIC as f64) * (columns.len() as f64).sqrt();
    (count > level && !word.is_empty()).then(|| word.clone())
}

/// The type of a column: the likeliest one, if it explains nearly all cells.
pub(crate) fn type_of(counts: &[i64], noise: &FactNoise, comma: bool) -> FoundType {
    let readings = Readings::new(counts, noise);
    let own = if comma { b',' } else { b'.' };
    let is_plain = |reading: &Reading| matches!(plain(reading, own), Some(places) if places != Places::Thousands);
    let wears = |word: DressWord| move |reading: &Reading| dressed(reading, own, word).is_some();
    let is_number = |reading: &Reading| plain(reading, own).is_some() || wears(DressWord::NONE)(reading);
    let is_truth = |pair: usize| move |reading: &Reading| matches!(reading, Reading::Truth(known, _) if *known == pair);
    let pairs = Reading::truth_pairs();
    let truth = (0..pairs).map(|pair| (readings.evidence(is_truth(pair)), pair));
    let (truth, pair) = truth.max_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((f64::NEG_INFINITY, 0));
    let date = date(&readings);
    // A text of another encoding is one, too.
    let texts = readings.evidence(|reading| matches!(reading, Reading::Text | Reading::Undecodable));
    let text = readings.evidence(|reading| *reading == Reading::Text).max(texts);
    // Thousands and brackets are few where they are.
    let number = readings.evidence(is_plain).max(readings.evidence(is_number) - 1.0);
    let words = DressWord::all().skip(1);
    let worn = words.map(|word| (readings.evidence(wears(word)), word));
    let (worn, word) = worn.max_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((f64::NEG_INFINITY, DressWord::NONE));
    let worn = worn - (DressWord::all().count() as f64).ln();
    let is_time = |reading: &Reading| matches!(reading, Reading::Time(_));
    let time = readings.evidence(is_time);
    // One of many pairs or ways of writing dates is less likely than the one way to be a number.
    let truth = truth - (pairs as f64).ln();
    let (dated, found) = date.map_or((f64::NEG_INFINITY, None), |(evidence, found)| (evidence, found));
    let likeliest = [truth, dated, text, number, worn, time].into_iter().fold(f64::NEG_INFINITY, f64::max);
    if number >= likeliest {
        return if readings.explain(NUMBERS, is_number) {
            writing::number(&readings, own, DressWord::NONE, noise)
        } else {
            FoundType::Category
        };
    }
    if worn >= likeliest {
        // Plain numbers among them, such as 0, are read too.
        return if readings.explain(NUMBERS, |reading| wears(word)(reading) || is_number(reading)) {
            writing::number(&readings, own, word, noise)
        } else {
            FoundType::Category
        };
    }
    if time >= likeliest {
        return if readings.explain(DATES, is_time) { writing::time(&readings) } else { FoundType::Category };
    }
    if truth >= dated.max(text) {
        return if readings.explain(TRUTHS, is_truth(pair)) { FoundType::Truth(pair) } else { FoundType::Category };
    }
    found.filter(|_| dated >= text).unwrap_or(FoundType::Category)
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
    let all = |_: &Reading| true;
    let of = |counts: &&[i64]| standing_out(counts, noise, 1e-2 / columns.len().max(1) as f64, all);
    columns.iter().map(of).fold(0.0, f64::max)
}

/// About how many cells of a column are not missing, and hardly ever more: readings that nothing
/// but noise brought up are left out.
pub(crate) fn present(counts: &[i64], noise: &FactNoise) -> f64 {
    standing_out(counts, noise, 1e-3, |reading| !matches!(reading, Reading::Missing(_)))
}

/// The sum of those counts of some readings that stand out. That any one of the usual readings does
/// by noise has this chance; so has any of the others.
fn standing_out(counts: &[i64], noise: &FactNoise, chance: f64, wanted: impl Fn(&Reading) -> bool) -> f64 {
    let basic = noise.level(chance / *BASIC as f64);
    let dressed = noise.level(chance / (READINGS.len() - *BASIC) as f64);
    let counted = READINGS.iter().zip(counts).enumerate().filter(|(_, (reading, _))| wanted(reading));
    let level = |place: usize| if place < *BASIC { basic } else { dressed };
    counted
        .map(|(place, (_, &count))| (place, count as f64))
        .filter(|(place, count)| *count > level(*place))
        .map(|(_, count)| count)
        .sum()
}

/// Words that mean "missing" in a column, beyond those that every schema knows.
pub(crate) fn missing_words(counts: &[i64], noise: &FactNoise) -> Vec<String> {
    let level = noise.level(1e-3 / *BASIC as f64);
    let words = READINGS.iter().zip(counts).filter(|(_, count)| **count as f64 > level);
    let words = words.filter_map(|(reading, _)| match reading {
        Reading::Missing(word) if !word.is_empty() => Some(word.clone()),
        _ => None,
    });
    words.collect()
}

/// The part of a column's cells that are not UTF-8, where it stands out.
pub(crate) fn undecodable(counts: &[i64], noise: &FactNoise) -> Option<f64> {
    let level = noise.level(1e-3 / *BASIC as f64);
    let place = READINGS.iter().position(|reading| *reading == Reading::Undecodable)?;
    let count = counts[place] as f64;
    (count > level).then(|| count / present(counts, noise).max(count))
}
