//! From noisy counts of readings to a type.

use lookalike_schema::Reading;
use lookalike_schema::discover::{
    DateWriting, DressWord, FoundText, NumberShape, READINGS, TimeWriting, date_patterns,
};

use crate::evidence::{BASIC, Readings};
use crate::found_type::FoundType;
use crate::prices::FactNoise;
use crate::writing::{self, Places, dressed, plain};

/// How much rarer than plain numbers and words, as a logarithm, numbers with a unit, times of day
/// and dates are: about one column in twenty. Where nothing stands out of the noise it is this that
/// decides.
const UNUSUAL: f64 = 3.0;
/// The part of the cells that a type must explain; the others are then missing ones.
const NUMBERS: f64 = 0.8;
const DATES: f64 = 0.8;
const TRUTHS: f64 = 0.97;

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
    let worn = worn - (DressWord::all().count() as f64).ln() - UNUSUAL;
    let is_time = |reading: &Reading| matches!(reading, Reading::Time(_));
    let time = readings.evidence(is_time) - (TimeWriting::all().count() as f64).ln() - UNUSUAL;
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
    Some((best.0 - all.ln() - UNUSUAL, best.1))
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
