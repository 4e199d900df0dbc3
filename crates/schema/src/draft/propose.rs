//! From what was remembered of a column to its entry.

use super::dates::FormatCandidate;
use super::nice;
use super::profile::{ColumnProfile, NumberProfile};
use crate::codec::calendar::{DAY, iso_text, write_iso_date, write_iso_datetime};
use crate::codec::{MOST_DECIMALS, scan, usual_truth};
use crate::file::{ColumnFile, ColumnType, LARGEST_NUMBER, OrDiscover, Spacing, column_is_valid};
use crate::plain_value::PlainValue;

/// A column's entry, missing tokens that the file has to know for it, and words for whoever reviews
/// it.
pub(crate) struct Proposal {
    pub(crate) entry: ColumnFile,
    pub(crate) missing_tokens: Vec<&'static str>,
    pub(crate) remark: Option<&'static str>,
}

/// An entry and what to say about it.
type Remarked = (ColumnFile, Option<&'static str>);

const LIKE_AN_ID: &str = "looks like an identifier: every cell is different";
const LIKE_PROSE: &str = "looks like free text, which cannot be synthesized; to keep it, use type = \"category\" with a \
                          public list of values and `other`";

/// Fewer rows than this prove nothing by being all different.
const FEW_ROWS: u64 = 20;
/// A value with one in this many rows gets a code of its own in a wide column.
const SPIKE_SHARE: u64 = 20;
/// The most spikes that are proposed.
const MOST_SPIKES: usize = 8;
/// Bins of a long-tailed column.
const TAIL_BINS: i64 = 32;

/// Proposes an entry for a column. `comma` says that the file's decimal mark is one.
pub(crate) fn column(name: &str, profile: &ColumnProfile, comma: bool) -> Proposal {
    let typed = profile.cells - profile.soft;
    let mut missing_tokens = Vec::new();
    let (mut entry, mut remark) = if typed == 0 && profile.soft_tokens.len() <= 1 {
        (ColumnFile::new(ColumnType::Ignore), Some("every cell is missing"))
    } else if let Some((entry, remark)) = typed_entry(name, profile, typed, comma) {
        missing_tokens.extend(profile.soft_tokens.iter().copied().filter(|_| entry.kind != ColumnType::Id));
        (entry, remark)
    } else {
        text_entry(name, profile)
    };
    entry.missing = entry.kind.keys().contains(&"missing").then_some(true);
    if !column_is_valid(&entry) {
        (entry, remark) = (ColumnFile::new(ColumnType::Ignore), Some("no type fits; describe the column by hand"));
        missing_tokens.clear();
    }
    entry.review = facts(entry.kind).iter().map(|fact| (*fact).to_owned()).collect();
    Proposal { entry, missing_tokens, remark }
}

/// The facts that a draft reads for a column of this type. All of them are marked, also those whose
/// keys are not there.
fn facts(kind: ColumnType) -> &'static [&'static str] {
    match kind {
        ColumnType::Integer => &["type", "range", "bins", "spikes"],
        ColumnType::Number => &["type", "range", "bins", "decimals", "spikes"],
        ColumnType::Category | ColumnType::Boolean => &["type", "values"],
        // Dates are cut by the default alone, which follows from the range.
        ColumnType::Date | ColumnType::DateTime => &["type", "range", "format"],
        ColumnType::Id | ColumnType::Ignore | ColumnType::Discover => &["type"],
    }
}

/// Truth values, dates and numbers. Cells that do not fit will be coded as missing.
fn typed_entry(name: &str, profile: &ColumnProfile, typed: u64, comma: bool) -> Option<Remarked> {
    if typed == 0 {
        return None;
    }
    if let Some(entry) = boolean(profile) {
        return Some((entry, None));
    }
    if let Some((candidate, swapped)) = profile.dates.best().filter(|(candidate, _)| profile.tolerates(candidate.bad)) {
        return Some((date(candidate), swapped.then_some("day and month may be the other way round: no cell tells")));
    }
    let bad = profile.numbers.bad;
    if !profile.numbers.fits(comma) || !profile.tolerates(bad) {
        return None;
    }
    if bad == 0 && numbers_are_ids(name, profile, typed) {
        return Some((ColumnFile::new(ColumnType::Id), Some(LIKE_AN_ID)));
    }
    Some((if profile.numbers.whole { integer(profile) } else { number(profile) }, None))
}

/// Words such as yes and no; 0 and 1 stay integers.
fn boolean(profile: &ColumnProfile) -> Option<ColumnFile> {
    if !profile.truths {
        return None;
    }
    let mut words: [Vec<String>; 2] = [vec![], vec![]];
    for word in profile.words.counts.keys() {
        if let Some(truth) = usual_truth(word) {
            words[usize::from(truth)].push(String::from_utf8_lossy(word).into_owned());
        }
    }
    let pair = crate::codec::usual_pair(words.iter().flatten().map(String::as_str))?;
    if pair == ["0", "1"] {
        return None;
    }
    // One spelling of each is kept; of several spellings, or none, the usual one is written.
    let spelled = |seen: &[String], usual: &str| if let [word] = seen { word.clone() } else { usual.to_owned() };
    let values = vec![spelled(&words[0], pair[0]), spelled(&words[1], pair[1])];
    Some(ColumnFile { values: Some(OrDiscover::Given(values)), ..ColumnFile::new(ColumnType::Boolean) })
}

fn date(candidate: &FormatCandidate) -> ColumnFile {
    let (low, high) = nice::dates(candidate.low.div_euclid(DAY), candidate.high.div_euclid(DAY));
    let timed_pattern = candidate.pattern.is_some_and(|pattern| pattern.contains("%H"));
    let entry = if candidate.timed || timed_pattern {
        let text = |seconds| iso_text(write_iso_datetime, seconds);
        ColumnFile::ranged(ColumnType::DateTime, text(low * DAY), text(high * DAY + DAY - 1))
    } else {
        let text = |days| iso_text(write_iso_date, days);
        ColumnFile::ranged(ColumnType::Date, text(low), text(high))
    };
    ColumnFile { format: candidate.pattern.map(str::to_owned), ..entry }
}

/// Whether a name is that of an identifier.
fn id_name(name: &str) -> bool {
    let lower = name.trim().to_ascii_lowercase();
    let last = lower.rsplit(['_', ' ', '-', '.']).next().unwrap_or_default();
    let camel = name.len() > 2 && (name.ends_with("Id") || name.ends_with("ID"));
    camel
        || lower.is_empty()
        || ["id", "ids", "uuid", "guid", "key", "pk", "index", "ssn", "serial", "rowid"].contains(&last)
}

fn numbers_are_ids(name: &str, profile: &ColumnProfile, typed: u64) -> bool {
    let numbers = &profile.numbers;
    if !numbers.whole || !profile.words.unique || typed < 2 {
        return false;
    }
    if id_name(name) && typed >= 3 {
        return true;
    }
    let span = numbers.high - numbers.low + 1.0;
    let dense = typed >= FEW_ROWS && span <= 1.05 * typed as f64;
    let counted = typed >= 2 * FEW_ROWS && numbers.ascending;
    let fixed_length = typed >= 5 * FEW_ROWS && numbers.shortest == numbers.longest && numbers.longest >= 6;
    dense || counted || fixed_length
}

fn integer(profile: &ColumnProfile) -> ColumnFile {
    let numbers = &profile.numbers;
    let (low, high) = nice::whole(numbers.low_whole, numbers.high_whole);
    let mut entry = ColumnFile::ranged(ColumnType::Integer, low, high);
    if i128::from(high) - i128::from(low) < crate::file::FEW_VALUES as i128 {
        return entry;
    }
    entry.spikes = spikes(profile, |value| PlainValue::Integer(value as i64));
    spread(&mut entry, numbers, low as f64, high as f64);
    entry
}

fn number(profile: &ColumnProfile) -> ColumnFile {
    let numbers = &profile.numbers;
    let bound = |value: f64| value.clamp(-LARGEST_NUMBER, LARGEST_NUMBER);
    let (low, high) = nice::real(bound(numbers.low), bound(numbers.high));
    let (low, high) = (bound(low), bound(high));
    let mut entry = ColumnFile::ranged(ColumnType::Number, low, high);
    entry.spikes = spikes(profile, PlainValue::Number);
    spread(&mut entry, numbers, low, high);
    if numbers.decimals <= 6.min(usize::from(MOST_DECIMALS)) {
        let with = ColumnFile { decimals: Some(numbers.decimals as i64), ..entry.clone() };
        // Few decimals and narrow bins may not go together; then the bins decide.
        return if column_is_valid(&with) { with } else { entry };
    }
    entry
}

/// A long tail gets bins that grow.
fn spread(entry: &mut ColumnFile, numbers: &NumberProfile, low: f64, high: f64) {
    let median = numbers.positive_median();
    if low >= 0.0 && median > 0.0 && high / median >= 20.0 {
        entry.spacing = Some(Spacing::Log);
        entry.bins = Some(TAIL_BINS);
    }
}

/// Values that stand out of a wide column: usually zero.
fn spikes(profile: &ColumnProfile, plain: impl Fn(f64) -> PlainValue) -> Option<Vec<PlainValue>> {
    let needed = (profile.cells / SPIKE_SHARE).max(FEW_ROWS / 2);
    let mut heavy: Vec<(u64, f64)> = Vec::new();
    if profile.words.overflowed {
        heavy.push((profile.numbers.zeros, 0.0));
    }
    for (word, &count) in &profile.words.counts {
        let mark = if profile.numbers.is_comma() { b',' } else { b'.' };
        if let Some(value) = scan::number(word, mark).filter(|value| value.is_finite()) {
            heavy.push((count, value + 0.0));
        }
    }
    // "0" and "0.0" are one number.
    heavy.sort_by(|a, b| a.1.total_cmp(&b.1));
    heavy.dedup_by(|next, first| {
        let same = next.1 == first.1;
        first.0 += if same { next.0 } else { 0 };
        same
    });
    heavy.retain(|&(count, _)| count >= needed);
    heavy.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    heavy.truncate(MOST_SPIKES);
    heavy.sort_by(|a, b| a.1.total_cmp(&b.1));
    (!heavy.is_empty()).then(|| heavy.into_iter().map(|(_, value)| plain(value)).collect())
}

fn text_entry(name: &str, profile: &ColumnProfile) -> Remarked {
    let (words, cells) = (&profile.words, profile.cells);
    let prose = words.prose || words.spaced * 2 > cells;
    if words.unique && !words.prose && (cells >= FEW_ROWS && !prose || id_name(name) && cells >= 3) {
        return (ColumnFile::new(ColumnType::Id), Some(LIKE_AN_ID));
    }
    let distinct = words.counts.len() as u64;
    let repeated = !words.unique && (distinct <= 50 || distinct * 2 <= cells);
    if words.overflowed || !(repeated || distinct < FEW_ROWS) {
        return (ColumnFile::new(ColumnType::Ignore), Some(LIKE_PROSE));
    }
    // Sorted, so that neither frequency nor the order of the rows shows.
    let mut values: Vec<String> = words.counts.keys().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    values.sort_unstable();
    (ColumnFile { values: Some(OrDiscover::Given(values)), ..ColumnFile::new(ColumnType::Category) }, None)
}
