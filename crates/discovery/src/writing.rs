//! From noisy counts of readings to how numbers and times of day are written.

use lookalike_schema::Reading;
use lookalike_schema::discover::{DressWord, NumberShape, READINGS, TimeWriting};

use crate::evidence::Readings;
use crate::found_type::{FoundType, Style};
use crate::prices::FactNoise;

/// Decimals are there from this many deviations on, where that many have this part of the numbers.
const SOME: f64 = 2.8;
const MANY: f64 = 0.25;
/// Of what a number may wear there is more, so one part of it needs this many.
const WORN: f64 = 3.6;
/// The chance that the noise brings up what plain numbers do not wear. A column of whole numbers
/// would be written with decimals or thousands by it, which is worse than to miss a few that have
/// them.
const FALSE_FORMAT: f64 = 1e-5;
/// Of two ways of writing times of day, the one with seconds is taken from this part on.
const SECONDS: f64 = 0.05;

/// What a reading says of the decimals of a number.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Places {
    Whole,
    /// Whole, with a decimal behind the mark.
    Pointed,
    /// With this many decimals.
    Some(usize),
    /// In powers of ten.
    Powers,
    /// Whole, with a mark that stands between thousands.
    Thousands,
}

/// What a reading says of a number without anything around it, in a column with this decimal mark.
pub(crate) fn plain(reading: &Reading, own: u8) -> Option<Places> {
    match reading {
        Reading::Integer => Some(Places::Whole),
        Reading::Number(mark, places) if *mark == own => Some(match places {
            Some(0) => Places::Pointed,
            Some(places) => Places::Some(*places),
            None => Places::Powers,
        }),
        Reading::Either(mark) => Some(if *mark == own { Places::Some(3) } else { Places::Thousands }),
        _ => None,
    }
}

/// What a reading says of a number with this word around it.
pub(crate) fn dressed(reading: &Reading, own: u8, word: DressWord) -> Option<(Places, NumberShape)> {
    match reading {
        Reading::Dressed(known, shape) if *known == word && shape.goes_with(own) => {
            let places = shape.fraction().filter(|(mark, _)| *mark == own);
            Some((places.map_or(Places::Whole, |(_, places)| Places::Some(usize::from(places))), *shape))
        }
        _ => None,
    }
}

/// Decimals of numbers, and how they are written. With a word around them, only what stands out
/// counts of all that numbers with this word have; so do thousands and brackets without one.
pub(crate) fn number(readings: &Readings<'_>, own: u8, word: DressWord, noise: &FactNoise) -> FoundType {
    let is_bare = word == DressWord::NONE;
    // What may be thousands counts where it stands out, too.
    let is_bare_one = |reading: &Reading| is_bare && !matches!(reading, Reading::Either(_));
    let bare = |wanted: Places| -> f64 {
        readings.of(|reading| is_bare_one(reading) && plain(reading, own) == Some(wanted)).sum()
    };
    let other = char::from(if own == b'.' { b',' } else { b'.' });
    let worn = READINGS.iter().zip(readings.counts).filter_map(|(reading, &count)| {
        let either = match reading {
            Reading::Either(mark) if *mark == own => Some((Places::Some(3), NumberShape::Plain(Some((own, 3))))),
            Reading::Either(_) => Some((Places::Whole, NumberShape::Grouped(other, None))),
            _ => None,
        };
        let is_either = is_bare && either.is_some();
        Some((dressed(reading, own, word).or(either.filter(|_| is_bare))?, count as f64, is_either))
    });
    let worn: Vec<((Places, NumberShape), f64, bool)> = worn.collect();
    let fractions = || (1..=8).map(Places::Some).chain([Places::Powers]);
    let points = || fractions().chain([Places::Pointed]);
    let sure = readings.level;
    let all: f64 = points().chain([Places::Whole]).map(bare).filter(|count| *count >= sure).sum::<f64>()
        + worn.iter().map(|(_, count, _)| *count).filter(|count| *count >= sure).sum::<f64>();
    let some = (MANY * all).max(SOME * noise.deviation);
    let bar = noise.level(1e-3 / worn.len() as f64).min(some.max(WORN * noise.deviation));
    let largest = worn.iter().map(|(_, count, _)| *count).fold(f64::NEG_INFINITY, f64::max);
    // Where nothing stands out, the largest count has to do.
    let bar = if is_bare { bar } else { bar.min(largest) };
    let strict = noise.level(FALSE_FORMAT / worn.len() as f64);
    let kept = worn.into_iter().filter(|(_, count, is_either)| {
        let is_plain = !is_bare || *is_either;
        *count >= if is_plain { bar } else { strict }
    });
    let worn: Vec<((Places, NumberShape), f64)> = kept.map(|(shape, count, _)| (shape, count)).collect();
    let count = |wanted: Places| {
        bare(wanted) + worn.iter().filter(|((places, _), _)| *places == wanted).map(|(_, count)| count).sum::<f64>()
    };
    let style = dress(&worn, own, word);
    let level = noise.level(1e-3 / 20.0).min(some);
    let whole = count(Places::Whole);
    let most = (1..=8).rev().find(|&places| count(Places::Some(places)) > level.min(bar));
    // Where none stands out, the reading with the most cells may be one.
    let largest = fractions().max_by(|&one, &two| count(one).total_cmp(&count(two))).unwrap_or(Places::Powers);
    let pointed = count(Places::Pointed);
    let is_largest = count(largest) > whole.max(pointed).max(0.0);
    let is_pointed = pointed > level && pointed > whole;
    let style = style.unwrap_or(if is_pointed { Style::Pointed } else { Style::Plain });
    let found = match largest {
        Places::Some(places) if is_largest => Some(places),
        _ => None,
    };
    match most.or(found) {
        // Powers of ten, and eight decimals or more, are those of a computation.
        _ if count(Places::Powers) > level || (is_largest && largest == Places::Powers) => {
            FoundType::Number(None, style)
        }
        Some(8) => FoundType::Number(None, style),
        Some(places) => FoundType::Number(Some(places as u8), style),
        None => FoundType::Whole(style),
    }
}

/// How numbers are written, by the readings that stand out; `None` where nothing is around them.
fn dress(worn: &[((Places, NumberShape), f64)], own: u8, word: DressWord) -> Option<Style> {
    let marked = worn.iter().filter_map(|((_, shape), count)| Some((shape.thousands(own)?, *count)));
    let mut marks: Vec<(char, f64)> = Vec::new();
    for (mark, count) in marked {
        match marks.iter_mut().find(|(known, _)| *known == mark) {
            Some((_, sum)) => *sum += count,
            None => marks.push((mark, count)),
        }
    }
    let thousands = marks.into_iter().max_by(|one, two| one.1.total_cmp(&two.1)).map(|(mark, _)| mark);
    let brackets = worn.iter().any(|((_, shape), _)| matches!(shape, NumberShape::Brackets(_)));
    let is_plain = word == DressWord::NONE && thousands.is_none() && !brackets;
    (!is_plain).then(|| Style::Dressed(word.format(thousands, brackets, own)))
}

/// How times of day are written.
pub(crate) fn time(readings: &Readings<'_>) -> FoundType {
    let sum = |wanted: &dyn Fn(&TimeWriting) -> bool| {
        readings.sum(|reading| matches!(reading, Reading::Time(writing) if wanted(writing)))
    };
    let has_seconds = sum(&|writing| writing.seconds) > SECONDS * sum(&|_| true);
    let is_short = sum(&|writing| writing.full == Some(false)) > sum(&|writing| writing.full == Some(true));
    FoundType::Time(match (has_seconds, is_short) {
        (false, false) => "hh:mm",
        (false, true) => "h:mm",
        (true, false) => "hh:mm:ss",
        (true, true) => "h:mm:ss",
    })
}
