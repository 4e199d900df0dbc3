//! Where records end. A line is a record, whatever quotes it has, so a stray quote harms its own
//! line alone. In multiline text a quoted field may hold line ends; then the search is quote-aware
//! and exact, and a quote opens a field only at the field's very start.

use memchr::{memchr, memrchr};

/// How delimited text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    /// `\n` (a `\r` before it is dropped), or `\r` when the header line ends with a lone one.
    pub(super) terminator: u8,
    /// Records are cut to this many bytes; the rest is skipped. Bounds memory when a record has no
    /// end.
    pub(super) longest: usize,
    /// Whether a quoted field may hold terminators. Otherwise it ends at the end of its line.
    pub(super) multiline: bool,
}

/// Records are cut to this many bytes.
pub(super) const LONGEST_RECORD: usize = 1 << 20;

/// The end (behind the terminator) of the last record that is whole in `text`, which starts with a
/// record; 0 when there is none.
pub(super) fn last_record_end(text: &[u8], dialect: Dialect) -> usize {
    let Dialect { delimiter, terminator, .. } = dialect;
    if !dialect.multiline {
        return memrchr(terminator, text).map_or(0, |last| last + 1);
    }
    let mut end = 0;
    // Outside quotes here, and all before it is done with.
    let mut at = 0;
    while let Some(found) = memchr(b'"', &text[at..]) {
        let quote = at + found;
        if let Some(last) = memrchr(terminator, &text[at..quote]) {
            end = at + last + 1;
        }
        at = quote + 1;
        if quote == 0 || text[quote - 1] == delimiter || text[quote - 1] == terminator {
            match closing_quote(text, at) {
                Some(close) => at = close + 1,
                None => return end,
            }
        }
    }
    memrchr(terminator, &text[at..]).map_or(end, |last| at + last + 1)
}

/// As [`closing`], in text that may go on: a quote at the very end may be half of a doubled one.
fn closing_quote(text: &[u8], at: usize) -> Option<usize> {
    closing(text, at).filter(|quote| quote + 1 < text.len())
}

/// The quote that closes a field whose content starts at `at`.
pub(super) fn closing(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let quote = at + memchr(b'"', &text[at..])?;
        if text.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}

/// Follows one record that is too long to hold, byte by byte, to its end.
#[derive(Clone, Copy)]
pub(super) enum Skip {
    FieldStart,
    Unquoted,
    Quoted,
    /// Behind a quote inside a quoted field: the closing one, or half of a doubled one.
    QuoteInQuoted,
}

impl Skip {
    /// Goes on through `text`. Returns the place behind the record's terminator, if it is here.
    pub(super) fn advance(&mut self, text: &[u8], dialect: Dialect) -> Option<usize> {
        if !dialect.multiline {
            return memchr(dialect.terminator, text).map(|end| end + 1);
        }
        for (at, &byte) in text.iter().enumerate() {
            *self = match (*self, byte) {
                (Self::FieldStart, b'"') | (Self::QuoteInQuoted, b'"') => Self::Quoted,
                (Self::Quoted, b'"') => Self::QuoteInQuoted,
                (Self::Quoted, _) => Self::Quoted,
                (_, byte) if byte == dialect.terminator => return Some(at + 1),
                (_, byte) if byte == dialect.delimiter => Self::FieldStart,
                _ => Self::Unquoted,
            };
        }
        None
    }
}
