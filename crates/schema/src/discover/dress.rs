//! Readings of numbers with something around them, such as $1,234.50, (12) and 14%.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::codec::number_format::Dress;

/// What stands before numbers in many files, as it stands there.
const BEFORE: [&str; 15] =
    ["$", "€", "£", "¥", "₹", "US$", "R$", "$ ", "€ ", "£ ", "USD ", "EUR ", "GBP ", "CHF ", "kr "];

/// What stands behind them, with a space between and without. Whoever has another unit states the
/// format.
const BEHIND: [&str; 33] = [
    "%", "€", "kr", "zł", "Kč", "CHF", "USD", "EUR", "°C", "°F", "kg", "g", "mg", "lb", "lbs", "km", "m", "cm", "mm",
    "mi", "ft", "in", "h", "min", "s", "ms", "l", "ml", "kWh", "kW", "km/h", "mph", "years",
];

/// More decimals than this are one reading.
const MOST_DECIMALS: u8 = 3;

/// The decimal mark of a number, and how many digits are behind it; 3 stands for more, too.
pub type Fraction = Option<(u8, u8)>;

/// What a number wears, one of a fixed list of words; the first is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DressWord(u16);

/// How the digits of a number are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberShape {
    /// Digits with one mark at most. Three digits behind it may be thousands.
    Plain(Fraction),
    /// With a mark between thousands, which cannot be a decimal one.
    Grouped(char, Fraction),
    /// A negative number in brackets; thousands in it are as they are elsewhere in its column.
    Brackets(Fraction),
}

/// All words: what stands before a number, and behind it.
static WORDS: LazyLock<Vec<(&'static str, String)>> = LazyLock::new(|| {
    let behind = BEHIND.iter().flat_map(|word| [("", (*word).to_owned()), ("", format!(" {word}"))]);
    let before = BEFORE.iter().map(|word| (*word, String::new()));
    std::iter::once(("", String::new())).chain(before).chain(behind).collect()
});

static PLACES: LazyLock<HashMap<(&'static str, &'static str), u16>> = LazyLock::new(|| {
    let place = |(at, word): (usize, &'static (&'static str, String))| ((word.0, word.1.as_str()), at as u16);
    WORDS.iter().enumerate().map(place).collect()
});

/// All shapes, in a fixed order.
pub(super) static SHAPES: LazyLock<Vec<NumberShape>> = LazyLock::new(|| {
    let behind = |mark: u8| (1..=MOST_DECIMALS).map(move |places| Some((mark, places)));
    let any = || std::iter::once(None).chain(behind(b'.')).chain(behind(b','));
    let grouped = |mark: char, decimals: &[u8]| {
        let decimals = decimals.to_vec();
        let fractions = std::iter::once(None).chain(decimals.into_iter().flat_map(behind));
        fractions.map(move |fraction| NumberShape::Grouped(mark, fraction)).collect::<Vec<NumberShape>>()
    };
    let all = [(',', &b"."[..]), ('.', b","), (' ', b".,"), ('\'', b".")];
    let grouped = all.into_iter().flat_map(|(mark, decimals)| grouped(mark, decimals));
    any().map(NumberShape::Plain).chain(grouped).chain(any().map(NumberShape::Brackets)).collect()
});

impl DressWord {
    /// No word at all.
    pub const NONE: Self = Self(0);

    /// All words.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..WORDS.len() as u16).map(Self)
    }

    /// The format of numbers with this word, in a column with this mark between thousands, if any,
    /// and with brackets or without.
    pub fn format(self, thousands: Option<char>, brackets: bool, decimal: u8) -> String {
        let (before, behind) = &WORDS[usize::from(self.0)];
        let (before, behind) = ((*before).to_owned(), behind.clone());
        Dress { before, behind, thousands, brackets, ..Dress::default() }.pattern(char::from(decimal))
    }
}

impl NumberShape {
    /// The decimal mark and the digits behind it.
    pub fn fraction(self) -> Fraction {
        let (Self::Plain(fraction) | Self::Grouped(_, fraction) | Self::Brackets(fraction)) = self;
        fraction
    }

    /// The mark between thousands in a column with this decimal mark, as far as the number tells.
    pub fn thousands(self, decimal: u8) -> Option<char> {
        match self {
            Self::Grouped(mark, _) => Some(mark),
            Self::Plain(Some((mark, _))) | Self::Brackets(Some((mark, _))) if mark != decimal => Some(char::from(mark)),
            _ => None,
        }
    }

    /// Whether a column with this decimal mark may have such numbers.
    pub fn goes_with(self, decimal: u8) -> bool {
        match self {
            Self::Grouped(mark, fraction) => {
                mark != char::from(decimal) && fraction.is_none_or(|(mark, _)| mark == decimal)
            }
            // Three digits behind the other mark are thousands.
            Self::Plain(fraction) | Self::Brackets(fraction) => {
                fraction.is_none_or(|(mark, places)| mark == decimal || places == MOST_DECIMALS)
            }
        }
    }
}

/// What a cell wears, if it is such a number: words and brackets that are known around digits.
pub(super) fn dressed(cell: &[u8]) -> Option<(DressWord, NumberShape)> {
    if cell.len() > 40 || !cell.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let cell = std::str::from_utf8(cell).ok()?;
    let inner = cell.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let text = inner.unwrap_or(cell);
    // One sign, before the word or behind it.
    let (signed, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let end = text.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let (before, digits, behind) = (&text[..first], &text[first..end], &text[end..]);
    let before = match before.strip_suffix('-') {
        Some(_) if signed || inner.is_some() => return None,
        Some(before) => before,
        None => before,
    };
    if signed && inner.is_some() {
        return None;
    }
    let behind = behind.replace('\u{a0}', " ");
    let place = *PLACES.get(&(before, behind.as_str()))?;
    let shape = match (shape(digits)?, inner) {
        (shape, Some(_)) => NumberShape::Brackets(in_brackets(shape)),
        (shape, None) => shape,
    };
    // Plain numbers are readings of their own.
    let is_plain = place == 0 && matches!(shape, NumberShape::Plain(_));
    (!is_plain).then_some((DressWord(place), shape))
}

/// The fraction of a number in brackets. Thousands alone look like three decimals, as they do in
/// other cells.
fn in_brackets(shape: NumberShape) -> Fraction {
    match shape {
        NumberShape::Grouped(mark @ (',' | '.'), None) => Some((mark as u8, MOST_DECIMALS)),
        other => other.fraction(),
    }
}

/// How digits are written that begin and end with one.
fn shape(digits: &str) -> Option<NumberShape> {
    let is_mark = |letter: char| matches!(letter, '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}');
    let parts: Vec<&str> = digits.split(is_mark).collect();
    let known = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    // A leading zero is a code's, not a number's.
    let is_code = parts[0].len() > 1 && parts[0].starts_with('0');
    if !known || is_code {
        return None;
    }
    let same = |mark: char| if matches!(mark, '\u{a0}' | '\u{202f}') { ' ' } else { mark };
    let marks: Vec<char> = digits.chars().filter(|&letter| is_mark(letter)).map(same).collect();
    let fraction = |mark: char, part: &str| Some((mark as u8, part.len().min(usize::from(MOST_DECIMALS)) as u8));
    let groups = |parts: &[&str]| {
        parts[0].len() <= 3 && !parts[0].starts_with('0') && parts[1..].iter().all(|part| part.len() == 3)
    };
    match marks.as_slice() {
        [] => Some(NumberShape::Plain(None)),
        [mark @ (',' | '.')] => Some(NumberShape::Plain(fraction(*mark, parts[1]))),
        [first, rest @ ..] if rest.iter().all(|mark| mark == first) => {
            groups(&parts).then_some(NumberShape::Grouped(*first, None))
        }
        [first, middle @ .., last @ (',' | '.')] if middle.iter().all(|mark| mark == first) => {
            let shape = NumberShape::Grouped(*first, fraction(*last, parts[parts.len() - 1]));
            (groups(&parts[..parts.len() - 1]) && SHAPES.contains(&shape)).then_some(shape)
        }
        _ => None,
    }
}

/// Whether a number with one mark may be thousands: 1,234.
pub(super) fn may_be_thousands(whole: &[u8], fraction: &[u8]) -> bool {
    (1..=3).contains(&whole.len()) && whole[0] != b'0' && fraction.len() == 3
}
