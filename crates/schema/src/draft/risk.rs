//! What a column may give away, from its name and from what was remembered of its cells.

use super::profile::{COMMON, ColumnProfile};
use super::words::{has_word, words};

/// How soon a column should be looked at, the most pressing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Risk {
    /// It looks like ids, names or free text: people may be told apart by it.
    Identity,
    /// It looks like places, or like something else by which people can be found.
    QuasiIdentifier,
    /// A list with values that few rows have.
    RareValues,
    /// The ends of a range, which are somebody's.
    Extremes,
    /// No cell was seen.
    Empty,
    /// Nothing that an empty form would not tell.
    Harmless,
}

impl Risk {
    /// What a draft says of columns at this risk, at its top.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Identity => "LOOK LIKE IDS, NAMES OR FREE TEXT",
            Self::QuasiIdentifier => "LOOK LIKE QUASI-IDENTIFIERS (places, codes, birthdays)",
            Self::RareValues => "have values with few rows",
            Self::Extremes => "have a range that was read from its ends",
            Self::Empty => "have no cell that is not missing",
            Self::Harmless => "tell what an empty form would tell",
        }
    }

    pub(crate) const ALL: [Self; 6] =
        [Self::Identity, Self::QuasiIdentifier, Self::RareValues, Self::Extremes, Self::Empty, Self::Harmless];
}

/// Words for somebody's name, address or number.
const NAMES: &[&str] = &[
    "name",
    "names",
    "firstname",
    "lastname",
    "surname",
    "forename",
    "fullname",
    "username",
    "nickname",
    "email",
    "mail",
    "phone",
    "telephone",
    "tel",
    "mobile",
    "fax",
    "address",
    "street",
    "ssn",
    "passport",
    "iban",
    "employer",
    "company",
    "title",
    "author",
    "patient",
    "physician",
    "plate",
    "url",
    "ip",
];

/// Words for where somebody is or comes from, or when somebody was born.
const PLACES: &[&str] = &[
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "plz",
    "city",
    "town",
    "village",
    "municipality",
    "county",
    "district",
    "borough",
    "suburb",
    "neighborhood",
    "neighbourhood",
    "state",
    "province",
    "country",
    "nation",
    "nationality",
    "citizenship",
    "birthplace",
    "place",
    "location",
    "latitude",
    "longitude",
    "lat",
    "lon",
    "lng",
    "dob",
    "birthdate",
    "birthday",
    "born",
    "birth",
    "tract",
    "parish",
];

/// Words for what somebody wrote, at the end of a name.
const TEXTS: &[&str] = &[
    "note",
    "notes",
    "comment",
    "comments",
    "remark",
    "remarks",
    "description",
    "text",
    "diary",
    "feedback",
    "message",
    "memo",
    "narrative",
];

/// Words for an identifier, at the end of a name.
const IDS: &[&str] = &["id", "ids", "uuid", "guid", "key", "pk", "index", "ssn", "serial", "rowid"];

/// Fewer values than this are no list of names.
const FEW_NAMES: usize = 20;
/// A longer list is nobody's short list of codes.
pub(crate) const LONG_LIST: usize = 100;

/// Whether a name is that of an identifier. A column without a name is an index.
pub(crate) fn named_like_id(name: &str) -> bool {
    name.trim().is_empty() || words(name).last().is_some_and(|word| IDS.contains(&word.as_str()))
}

/// Whether a name says that somebody wrote the cells in words of their own.
pub(crate) fn named_like_text(name: &str) -> bool {
    words(name).last().is_some_and(|word| TEXTS.contains(&word.as_str()))
}

/// Whether a name is that of a time of day.
pub fn named_like_clock(name: &str) -> bool {
    has_word(name, &["time", "clock", "hhmm"])
}

/// Whether a name says that people can be found by the column.
pub(crate) fn named_like_place(name: &str) -> bool {
    has_word(name, PLACES)
}

/// Whether a column of words looks like names or ids, in words.
pub(crate) fn like_names(name: &str, profile: &ColumnProfile) -> Option<&'static str> {
    let values = profile.words.sorted();
    if !profile.words.overflowed && values.len() <= FEW_NAMES {
        return None;
    }
    let most = |is: fn(&str) -> bool| {
        let count = values.iter().filter(|value| is(value)).count();
        !values.is_empty() && count * 10 >= values.len() * 8
    };
    if named_like_id(name) || values.len() > 2 * FEW_NAMES && most(is_code) {
        return Some("LOOKS LIKE IDS");
    }
    (has_word(name, NAMES) || most(is_full_name)).then_some("LOOKS LIKE NAMES")
}

/// Letters and digits together, without a space: N14228.
fn is_code(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    value.len() >= 4 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && !value.contains(' ')
}

/// Two to four words that each begin with a capital: Ada Lovelace.
fn is_full_name(value: &str) -> bool {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.all(|letter| letter.is_lowercase() || letter == '.')
    };
    let words = value.split(' ').count();
    (2..=4).contains(&words) && value.split(' ').all(capital)
}

/// Whether the distinct cells are a short list in which every value is common: then its ends, or
/// its words, are about many rows each.
pub(crate) fn is_short_and_common(profile: &ColumnProfile) -> bool {
    let words = &profile.words;
    !words.overflowed && words.counts.len() <= FEW_NAMES && words.rare() == 0
}

/// Why a list of values may tell something, in words without a cell; `None` where every value is
/// common and the list is short.
pub(crate) fn of_values(profile: &ColumnProfile) -> Option<String> {
    let (values, rare) = (profile.words.counts.len(), profile.words.rare());
    if rare > 0 {
        let have = if rare == 1 { "has" } else { "have" };
        return Some(format!("{rare} of its {values} values {have} fewer than {COMMON} rows"));
    }
    (values > LONG_LIST).then(|| format!("a list of {values} values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ids_and_places_by_their_words() {
        for name in ["id", "customer_id", "CustomerID", "rowid", "", " "] {
            assert!(named_like_id(name), "{name:?}");
        }
        for name in ["paid", "idea", "id_type", "grid"] {
            assert!(!named_like_id(name), "{name:?}");
        }
        assert!(named_like_place("home City") && named_like_place("ZIPCode") && !named_like_place("capacity"));
        assert!(is_code("N14228") && !is_code("1234") && !is_code("ab 12"));
        assert!(is_full_name("Ada Lovelace") && is_full_name("J. R. Smith") && !is_full_name("Never married"));
    }
}
