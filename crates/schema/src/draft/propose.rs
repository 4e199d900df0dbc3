//! From what was remembered of a column to its entry.

use super::dates::FormatCandidate;
use super::numbers::NumberProfile;
use super::profile::ColumnProfile;
use super::risk::{self, Risk};
use super::{catalogue, nice};
use crate::Marks;
use crate::codec::calendar::{DAY, iso_text, write_iso_date, write_iso_datetime};
use crate::codec::clock::ClockUnit;
use crate::codec::{MOST_DECIMALS, usual_truth};
use crate::file::{ColumnFile, ColumnType, LARGEST_NUMBER, OrDiscover, column_is_valid};
use crate::written::written_name;

/// A column's entry with its marks, missing tokens that the file has to know for it, and words for
/// whoever reviews it.
pub(crate) struct Proposal {
    pub(crate) entry: ColumnFile,
    pub(crate) missing_tokens: Vec<String>,
    pub(crate) remarks: Vec<String>,
    pub(crate) risk: Risk,
}

/// An entry, what to say about it, and what it may give away.
struct Remarked {
    entry: ColumnFile,
    remarks: Vec<String>,
    risk: Risk,
}

/// Fewer rows than this prove nothing by being all different.
const FEW_ROWS: u64 = 20;

const NOT_UTF_8: &str =
    "SOME CELLS ARE NOT UTF-8: draft again with --encoding windows-1252 (or latin-1); proposed: ignore";

const QUASI_IDENTIFIER: &str = "QUASI-IDENTIFIER by its name: with others like it, people can be found by it";

/// Proposes an entry for a column. `comma` says that the file's decimal mark is one.
pub(crate) fn column(name: &str, profile: &ColumnProfile, comma: bool) -> Proposal {
    let typed = profile.cells - profile.soft;
    let mut missing_tokens = Vec::new();
    let mut found = if typed == 0 && profile.soft_tokens.len() <= 1 {
        Remarked { risk: Risk::Empty, ..left_out("every cell is missing; proposed: ignore") }
    } else if let Some(found) = typed_entry(name, profile, typed, comma) {
        missing_tokens.extend(profile.soft_tokens.iter().filter(|_| found.entry.kind != ColumnType::Id).cloned());
        found
    } else {
        text_entry(name, profile)
    };
    found.entry.missing = found.entry.kind.keys().contains(&"missing").then_some(true);
    if !found.entry.is_open() && !column_is_valid(&found.entry, if comma { b',' } else { b'.' }) {
        found = left_out("no type fits; describe the column by hand, or leave it out");
        missing_tokens.clear();
    }
    let Remarked { entry, remarks, risk } = found;
    let marks = marks(name, &entry, risk);
    Proposal { entry: entry.marked(marks), missing_tokens, remarks, risk }
}

/// Which facts are marked follows from the column's name and its type, which is marked itself; of
/// which kind the marks are, from what was seen.
fn marks(name: &str, entry: &ColumnFile, risk: Risk) -> Marks {
    let content = match entry.kind {
        // The range of a clock goes with its format, which the type's mark covers.
        ColumnType::Integer if entry.format.as_deref().and_then(ClockUnit::of_format).is_some() => None,
        ColumnType::Integer | ColumnType::Number => catalogue::bounds(name).is_none().then_some("range"),
        ColumnType::Date | ColumnType::DateTime => Some("range"),
        ColumnType::Category | ColumnType::Boolean => Some("values"),
        ColumnType::Id | ColumnType::Derived | ColumnType::Ignore | ColumnType::Discover => None,
    };
    let left_out = matches!(entry.kind, ColumnType::Id | ColumnType::Derived | ColumnType::Ignore);
    let facts = [("type", left_out)].into_iter().chain(content.map(|fact| (fact, risk != Risk::Harmless)));
    let (telling, harmless): (Vec<_>, Vec<_>) = facts.partition(|&(_, telling)| telling);
    let names = |facts: Vec<(&str, bool)>| facts.into_iter().map(|(fact, _)| fact.to_owned()).collect();
    Marks { review: names(telling), harmless: names(harmless), assumed: Vec::new() }
}

fn left_out(why: &str) -> Remarked {
    Remarked { entry: ColumnFile::new(ColumnType::Ignore), remarks: vec![why.to_owned()], risk: Risk::Identity }
}

fn identifier(name: &str, profile: &ColumnProfile) -> Remarked {
    let share = match (profile.words.are_unique(), profile.words.are_nearly_unique()) {
        (true, _) => "every cell is different",
        (_, true) => "nearly every cell is different",
        _ => "its name says so",
    };
    let looks = format!("LOOKS LIKE AN IDENTIFIER: {share}; proposed: id, fresh numbers that nobody had");
    let remarks = [looks].into_iter().chain(several_rows(name, profile)).collect();
    let entry = ColumnFile { pattern: profile.ids.pattern(), ..ColumnFile::new(ColumnType::Id) };
    Remarked { entry, remarks, risk: Risk::Identity }
}

/// What to do where an id has several rows: a release hides one row unless it is told whose rows
/// they are.
fn several_rows(name: &str, profile: &ColumnProfile) -> Option<String> {
    let name = written_name(name);
    profile
        .words
        .come_again()
        .then(|| format!("SEVERAL ROWS AN ID: `--unit {name} --contribution N` protects persons rather than rows"))
}

/// Truth values, dates and numbers. Cells that do not fit will be coded as missing.
fn typed_entry(name: &str, profile: &ColumnProfile, typed: u64, comma: bool) -> Option<Remarked> {
    if typed == 0 {
        return None;
    }
    if let Some(entry) = boolean(profile) {
        return Some(Remarked { entry, remarks: Vec::new(), risk: Risk::Harmless });
    }
    if let Some((candidate, swapped)) = profile.dates.best().filter(|(candidate, _)| profile.tolerates(candidate.bad)) {
        let mut found = ranged(name, profile, date(candidate));
        let ambiguous = "day and month may be the other way round: no cell tells";
        found.remarks.extend(swapped.then(|| ambiguous.to_owned()));
        return Some(found);
    }
    if let Some(format) = profile.times.format().filter(|_| profile.tolerates(profile.times.bad)) {
        return Some(clock(format.to_owned()));
    }
    let bad = profile.numbers.bad;
    if !profile.numbers.fits(comma) || !profile.tolerates(bad) {
        let (numbers, pattern) = profile.dressed(comma)?;
        let entry = ColumnFile { format: Some(pattern), ..plain_number(name, numbers) };
        return Some(ranged(name, profile, entry));
    }
    if bad == 0 && numbers_are_ids(name, profile, typed) {
        return Some(identifier(name, profile));
    }
    let mut entry = plain_number(name, &profile.numbers);
    if profile.numbers.has_one_decimal_at_least() {
        entry.format = Some(if comma { "#,0" } else { "#.0" }.to_owned());
    }
    let many = profile.words.overflowed || profile.words.counts.len() > CLOCK_NUMBERS;
    if profile.numbers.is_clock() && many && risk::named_like_clock(name) {
        return Some(clock(format!("hmm{}", entry.format.as_deref().unwrap_or_default().trim_start_matches('#'))));
    }
    Some(ranged(name, profile, entry))
}

/// A clock's numbers. Every clock has their range, so it is no fact of the rows; midnight as 2400
/// becomes 2359.
fn clock(format: String) -> Remarked {
    let last = ClockUnit::of_format(&format).map_or(0, ClockUnit::last);
    let entry = ColumnFile { format: Some(format), ..ColumnFile::ranged(ColumnType::Integer, 0, last) };
    Remarked { entry, remarks: vec!["range: that of every clock".to_owned()], risk: Risk::Harmless }
}

/// More different numbers than these, all of a clock, are no chance.
const CLOCK_NUMBERS: usize = 50;

fn plain_number(name: &str, numbers: &NumberProfile) -> ColumnFile {
    // Amounts such as 12.00 are numbers, also where all of them are whole.
    let is_amount = numbers.written_decimals().is_some_and(|decimals| decimals > 1);
    if numbers.whole && !is_amount { integer(name, numbers) } else { number(name, numbers) }
}

/// What the range of a column may give away.
fn ranged(name: &str, profile: &ColumnProfile, entry: ColumnFile) -> Remarked {
    let numeric = matches!(entry.kind, ColumnType::Integer | ColumnType::Number);
    let public = catalogue::bounds(name).filter(|_| numeric);
    let common = numeric && risk::is_short_and_common(profile);
    let place = risk::named_like_place(name);
    let risk = match public {
        _ if place => Risk::QuasiIdentifier,
        None if !common => Risk::Extremes,
        _ => Risk::Harmless,
    };
    let outside =
        public.is_some_and(|(low, high)| profile.numbers.low < low as f64 || profile.numbers.high > high as f64);
    let remarks = [
        (place, QUASI_IDENTIFIER),
        (public.is_some(), "range: public bounds, by the column's name alone"),
        (
            outside,
            "SOME CELLS LIE OUTSIDE OF ITS PUBLIC BOUNDS and would be clamped: write better ones if you know them",
        ),
    ];
    let remarks = remarks.into_iter().filter(|&(applies, _)| applies).map(|(_, remark)| remark.to_owned());
    Remarked { entry, remarks: remarks.collect(), risk }
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
    // Several spellings of one truth are words that a script may tell apart: they are listed.
    if words.iter().any(|spellings| spellings.len() > 1) {
        return None;
    }
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

fn numbers_are_ids(name: &str, profile: &ColumnProfile, typed: u64) -> bool {
    let (numbers, words) = (&profile.numbers, &profile.words);
    if !numbers.whole || typed < 3 {
        return false;
    }
    // A key that comes again is one all the same; but a short list of codes is none.
    let many = words.overflowed || words.counts.len() > risk::LONG_LIST;
    if risk::named_like_id(name) && (words.are_nearly_unique() || many) {
        return true;
    }
    let span = numbers.high - numbers.low + 1.0;
    let dense = typed >= FEW_ROWS && words.are_nearly_unique() && span <= 1.05 * typed as f64;
    let counted = typed >= 2 * FEW_ROWS && numbers.ascending;
    let fixed_length = typed >= 5 * FEW_ROWS && numbers.shortest == numbers.longest && numbers.longest >= 6;
    dense || words.are_unique() && (counted || fixed_length)
}

fn integer(name: &str, numbers: &NumberProfile) -> ColumnFile {
    let seen = || nice::whole(numbers.low_whole, numbers.high_whole);
    let (low, high) = catalogue::bounds(name).unwrap_or_else(seen);
    ColumnFile::ranged(ColumnType::Integer, low, high)
}

fn number(name: &str, numbers: &NumberProfile) -> ColumnFile {
    let bound = |value: f64| value.clamp(-LARGEST_NUMBER, LARGEST_NUMBER);
    let (low, high) = match catalogue::bounds(name) {
        Some((low, high)) => (low as f64, high as f64),
        None => nice::real(bound(numbers.low), bound(numbers.high)),
    };
    let entry = ColumnFile::ranged(ColumnType::Number, bound(low), bound(high));
    let decimals = numbers.written_decimals().unwrap_or_default().max(numbers.decimals);
    if decimals <= 6.min(usize::from(MOST_DECIMALS)) {
        let with = ColumnFile { decimals: Some(decimals as i64), ..entry.clone() };
        // Few decimals and a narrow range may not go together; then the range decides.
        return if column_is_valid(&with, b'.') { with } else { entry };
    }
    entry
}

fn text_entry(name: &str, profile: &ColumnProfile) -> Remarked {
    let (words, cells) = (&profile.words, profile.cells);
    let prose = words.prose || words.spaced * 2 > cells;
    let unique = words.are_unique() || cells >= FEW_ROWS && words.are_nearly_unique();
    if unique && !words.prose && (cells >= FEW_ROWS && !prose || risk::named_like_id(name) && cells >= 3) {
        return identifier(name, profile);
    }
    if words.unreadable {
        return left_out(NOT_UTF_8);
    }
    if words.prose || prose && (is_sparse(profile) || is_short_prose(name, profile)) {
        return left_out("LOOKS LIKE FREE TEXT OR NAMES, which cannot be synthesized; proposed: ignore");
    }
    listed(name, profile)
}

/// Whether cells of several words are remarks that come again now and then, and no list of words:
/// the common ones tell little, and nobody should read the others.
fn is_short_prose(name: &str, profile: &ColumnProfile) -> bool {
    let words = &profile.words;
    let many = words.overflowed || words.counts.len() > risk::LONG_LIST / 2 && words.rare() * 2 > words.counts.len();
    let phrases = words.phrases * 2 > profile.cells && words.are_often_new();
    many && (phrases || risk::named_like_text(name)) && risk::like_names(name, profile).is_none()
}

/// Whether more than half of the cells are different: then there is hardly a list of values.
fn is_sparse(profile: &ColumnProfile) -> bool {
    let (words, distinct) = (&profile.words, profile.words.counts.len() as u64);
    if words.overflowed {
        return words.are_nearly_unique();
    }
    let few = distinct < FEW_ROWS || !words.are_unique() && distinct <= 50;
    !few && distinct * 2 > profile.cells
}

/// A list of values, and what it may give away.
fn listed(name: &str, profile: &ColumnProfile) -> Remarked {
    let values = profile.words.sorted();
    let list = |values: OrDiscover<String>, risk, remarks| {
        let entry = ColumnFile { values: Some(values), ..ColumnFile::new(ColumnType::Category) };
        Remarked { entry, remarks, risk }
    };
    if let Some(public) = catalogue::list(name, values.iter().copied()).filter(|_| !profile.words.overflowed) {
        return list(OrDiscover::Given(public), Risk::Harmless, vec!["values: a public list, as a whole".to_owned()]);
    }
    let why = risk::of_values(profile);
    let rare = profile.words.rare();
    let looks = risk::like_names(name, profile);
    let long =
        profile.words.overflowed || is_sparse(profile) || values.len() > risk::LONG_LIST && rare * 2 > values.len();
    if long || looks.is_some() {
        let what = looks.unwrap_or("A LONG LIST, most of it rare");
        let count = if profile.words.overflowed { "too many".to_owned() } else { values.len().to_string() };
        let remark = format!("{what}: {count} values; proposed: discover, the budget finds the common ones");
        let several = several_rows(name, profile).filter(|_| risk::named_like_id(name));
        return list(OrDiscover::Discover, Risk::Identity, [remark].into_iter().chain(several).collect());
    }
    let values = OrDiscover::Given(values.into_iter().map(str::to_owned).collect());
    if risk::named_like_place(name) {
        let remarks = [QUASI_IDENTIFIER.to_owned()].into_iter().chain(why.map(|why| format!("values: {why}")));
        return list(values, Risk::QuasiIdentifier, remarks.collect());
    }
    match why {
        Some(why) => list(values, Risk::RareValues, vec![format!("values: {why}")]),
        None => list(values, Risk::Harmless, Vec::new()),
    }
}
