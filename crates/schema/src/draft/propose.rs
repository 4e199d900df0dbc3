//! From what was remembered of a column to its entry.

use super::dates::Candidate;
use super::nice;
use super::watch::{NumberWatch, Watch};
use crate::codec::calendar::{DAY, write_iso_date, write_iso_datetime};
use crate::codec::{MOST_DECIMALS, scan, usual_truth};
use crate::file::{Entry, EntryKind, LARGEST_NUMBER, Spacing, entry_is_valid};
use crate::impossible::Scalar;

/// A column's entry, missing tokens that the file has to know for it, and words for whoever reviews
/// it.
pub(crate) struct Proposal {
    pub(crate) entry: Entry,
    pub(crate) missing_tokens: Vec<&'static str>,
    pub(crate) remark: Option<&'static str>,
}

/// An entry and what to say about it.
type Remarked = (Entry, Option<&'static str>);

const LIKE_AN_ID: &str = "looks like an identifier: every cell is different";
const LIKE_PROSE: &str = "looks like free text, which cannot be synthesized; to keep it, use type = \"category\" with a \
                          public list of values and `other`";

/// Fewer rows than this prove nothing by being all different.
const FEW_ROWS: u64 = 20;
/// A value with this share of the rows gets a code of its own in a wide column: one in so many.
const SPIKE_SHARE: u64 = 20;
/// The most spikes that are proposed.
const MOST_SPIKES: usize = 8;
/// Bins of a long-tailed column.
const TAIL_BINS: i64 = 32;

/// Proposes an entry for a column. `comma` says that the file's decimal mark is one.
pub(crate) fn column(name: &str, watch: &Watch, comma: bool) -> Proposal {
    let typed = watch.cells - watch.soft;
    let mut missing_tokens = Vec::new();
    let (mut entry, mut remark) = if typed == 0 && watch.soft_tokens.len() <= 1 {
        (Entry::new(EntryKind::Ignore), Some("every cell is missing"))
    } else if let Some((entry, remark)) = typed_entry(name, watch, typed, comma) {
        missing_tokens.extend(watch.soft_tokens.iter().copied().filter(|_| entry.kind != EntryKind::Id));
        (entry, remark)
    } else {
        text_entry(name, watch)
    };
    entry.missing = entry.kind.keys().contains(&"missing").then_some(true);
    if !entry_is_valid(&entry) {
        (entry, remark) = (Entry::new(EntryKind::Ignore), Some("no type fits; describe the column by hand"));
        missing_tokens.clear();
    }
    entry.review = facts(entry.kind).iter().map(|fact| (*fact).to_owned()).collect();
    Proposal { entry, missing_tokens, remark }
}

/// The facts that a draft reads for a column of this type. All of them are marked, also those whose
/// keys are not there.
fn facts(kind: EntryKind) -> &'static [&'static str] {
    match kind {
        EntryKind::Integer => &["type", "range", "bins", "spikes"],
        EntryKind::Number => &["type", "range", "bins", "decimals", "spikes"],
        EntryKind::Category | EntryKind::Boolean => &["type", "values"],
        // Dates are cut by the default alone, which follows from the range.
        EntryKind::Date | EntryKind::DateTime => &["type", "range", "format"],
        EntryKind::Id | EntryKind::Ignore => &["type"],
    }
}

/// Truth values, dates and numbers. Cells that do not fit will be coded as missing.
fn typed_entry(name: &str, watch: &Watch, typed: u64, comma: bool) -> Option<Remarked> {
    if typed == 0 {
        return None;
    }
    if let Some(entry) = boolean(watch) {
        return Some((entry, None));
    }
    if let Some((candidate, swapped)) = watch.dates.best().filter(|(candidate, _)| watch.tolerates(candidate.bad)) {
        return Some((date(candidate), swapped.then_some("day and month may be the other way round: no cell tells")));
    }
    let bad = watch.numbers.bad;
    if !watch.numbers.fits(comma) || !watch.tolerates(bad) {
        return None;
    }
    if bad == 0 && numbers_are_ids(name, watch, typed) {
        return Some((Entry::new(EntryKind::Id), Some(LIKE_AN_ID)));
    }
    Some((if watch.numbers.whole { integer(watch) } else { number(watch) }, None))
}

/// Words such as yes and no; 0 and 1 stay integers.
fn boolean(watch: &Watch) -> Option<Entry> {
    if !watch.truths {
        return None;
    }
    let mut words: [Vec<String>; 2] = [vec![], vec![]];
    for word in watch.words.counts.keys() {
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
    Some(Entry { values: Some(values), ..Entry::new(EntryKind::Boolean) })
}

fn date(candidate: &Candidate) -> Entry {
    let (low, high) = nice::dates(candidate.low.div_euclid(DAY), candidate.high.div_euclid(DAY));
    let text = |write: fn(i64, &mut Vec<u8>), value: i64| {
        let mut out = Vec::new();
        write(value, &mut out);
        Scalar::Text(String::from_utf8_lossy(&out).into_owned())
    };
    let timed_pattern = candidate.pattern.is_some_and(|pattern| pattern.contains("%H"));
    let mut entry = if candidate.timed || timed_pattern {
        let range = [text(write_iso_datetime, low * DAY), text(write_iso_datetime, high * DAY + DAY - 1)];
        Entry { range: Some(range), ..Entry::new(EntryKind::DateTime) }
    } else {
        Entry { range: Some([text(write_iso_date, low), text(write_iso_date, high)]), ..Entry::new(EntryKind::Date) }
    };
    entry.format = candidate.pattern.map(str::to_owned);
    entry
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

fn numbers_are_ids(name: &str, watch: &Watch, typed: u64) -> bool {
    let numbers = &watch.numbers;
    if !numbers.whole || !watch.words.unique || typed < 2 {
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

fn integer(watch: &Watch) -> Entry {
    let numbers = &watch.numbers;
    let (low, high) = nice::whole(numbers.low_whole, numbers.high_whole);
    let mut entry =
        Entry { range: Some([Scalar::Integer(low), Scalar::Integer(high)]), ..Entry::new(EntryKind::Integer) };
    if i128::from(high) - i128::from(low) < crate::file::FEW_VALUES as i128 {
        return entry;
    }
    entry.spikes = spikes(watch, |value| Scalar::Integer(value as i64));
    spread(&mut entry, numbers, low as f64, high as f64);
    entry
}

fn number(watch: &Watch) -> Entry {
    let numbers = &watch.numbers;
    let bound = |value: f64| value.clamp(-LARGEST_NUMBER, LARGEST_NUMBER);
    let (low, high) = nice::real(bound(numbers.low), bound(numbers.high));
    let (low, high) = (bound(low), bound(high));
    let mut entry = Entry { range: Some([Scalar::Number(low), Scalar::Number(high)]), ..Entry::new(EntryKind::Number) };
    entry.spikes = spikes(watch, Scalar::Number);
    spread(&mut entry, numbers, low, high);
    if numbers.decimals <= 6.min(usize::from(MOST_DECIMALS)) {
        let with = Entry { decimals: Some(numbers.decimals as i64), ..entry.clone() };
        // Few decimals and narrow bins may not go together; then the bins decide.
        return if entry_is_valid(&with) { with } else { entry };
    }
    entry
}

/// A long tail gets bins that grow.
fn spread(entry: &mut Entry, numbers: &NumberWatch, low: f64, high: f64) {
    let median = numbers.positive_median();
    if low >= 0.0 && median > 0.0 && high / median >= 20.0 {
        entry.spacing = Some(Spacing::Log);
        entry.bins = Some(TAIL_BINS);
    }
}

/// Values that stand out of a wide column: usually zero.
fn spikes(watch: &Watch, scalar: impl Fn(f64) -> Scalar) -> Option<Vec<Scalar>> {
    let needed = (watch.cells / SPIKE_SHARE).max(FEW_ROWS / 2);
    let mut heavy: Vec<(u64, f64)> = Vec::new();
    if watch.words.overflowed {
        heavy.push((watch.numbers.zeros, 0.0));
    }
    for (word, &count) in &watch.words.counts {
        let mark = if watch.numbers.is_comma() { b',' } else { b'.' };
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
    (!heavy.is_empty()).then(|| heavy.into_iter().map(|(_, value)| scalar(value)).collect())
}

fn text_entry(name: &str, watch: &Watch) -> Remarked {
    let (words, cells) = (&watch.words, watch.cells);
    let prose = words.prose || words.spaced * 2 > cells;
    if words.unique && !words.prose && (cells >= FEW_ROWS && !prose || id_name(name) && cells >= 3) {
        return (Entry::new(EntryKind::Id), Some(LIKE_AN_ID));
    }
    let distinct = words.counts.len() as u64;
    let repeated = !words.unique && (distinct <= 50 || distinct * 2 <= cells);
    if words.overflowed || !(repeated || distinct < FEW_ROWS) {
        return (Entry::new(EntryKind::Ignore), Some(LIKE_PROSE));
    }
    // Sorted, so that neither frequency nor the order of the rows shows.
    let mut values: Vec<String> = words.counts.keys().map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    values.sort_unstable();
    (Entry { values: Some(values), ..Entry::new(EntryKind::Category) }, None)
}
