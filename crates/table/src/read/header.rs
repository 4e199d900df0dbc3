//! The header line: whether the file is a table, and how it is laid out, is judged from it alone.

use std::io::Read;

use lookalike_schema::{LineEnd, Quotes, RowForm};

use super::records::{Dialect, LONGEST_RECORD, closing};
use super::source::read_error;
use super::split::split_record;
use crate::error::{TableError, file_error};

/// A text file whose header line was read.
pub(super) struct Opened {
    pub(super) names: Vec<String>,
    pub(super) dialect: Dialect,
    /// Bytes behind the header line that were read already.
    pub(super) rest: Vec<u8>,
    /// The lines of the file up to the end of the header.
    pub(super) lines: u64,
    /// How rows have to be written that are to look like the header line.
    pub(super) form: RowForm,
}

/// Delimiters that may be guessed; at equal numbers the first of them wins.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads the header line.
///
/// `Err` when there is none, or when it is not text. A header cell is taken exactly as it stands;
/// repeated names are the schema's business.
pub(super) fn read_header(
    name: &str,
    stream: &mut dyn Read,
    delimiter: Option<u8>,
    multiline: bool,
) -> Result<Opened, TableError> {
    if let Some(byte @ (b'"' | b'\n' | b'\r' | 0)) = delimiter {
        let what = format!("cannot be split at {:?}", char::from(byte));
        return Err(file_error(name, what, "choose another delimiter, such as a comma"));
    }
    let start = read_start(name, stream)?;
    let mut text = start.as_slice();
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        return Err(file_error(name, "is UTF-16 text", "save it as UTF-8"));
    }
    let bom = text.starts_with(b"\xef\xbb\xbf");
    text = if bom { &text[3..] } else { text };
    // Blank lines before the header are skipped.
    while let Some((b'\n' | b'\r', rest)) = text.split_first() {
        text = rest;
    }
    if text.is_empty() {
        return Err(file_error(name, "is empty", "the first line must name the columns"));
    }
    let line = Line::find(text, delimiter, multiline);
    if line.is_open {
        return Err(file_error(
            name,
            "is not a table: a quote in its first line is never closed",
            "close it; where a column's name has a line end inside, say multiline = true in the schema",
        ));
    }
    if line.end > LONGEST_RECORD {
        return Err(not_text(name, "its first line has no end within 1 MiB"));
    }
    let header = &text[..line.end];
    if header.contains(&0) {
        return Err(not_text(name, "its first line holds zero bytes"));
    }
    let Ok(header) = std::str::from_utf8(header) else {
        return Err(not_text(name, "its first line is not UTF-8 text"));
    };
    let dialect =
        Dialect { delimiter: line.delimiter, terminator: line.terminator, longest: LONGEST_RECORD, multiline };
    let cells = split_record(header.as_bytes(), dialect);
    let names = cells.into_iter().map(|cell| String::from_utf8_lossy(&cell).into_owned()).collect();
    let rest = text.get(line.end + 1..).unwrap_or_default().to_vec();
    let before = &start[..start.len() - rest.len()];
    let lines = memchr::memchr_iter(dialect.terminator, before).count() as u64;
    let form = RowForm { bom, ..form_of(header, dialect) };
    Ok(Opened { names, dialect, rest, lines, form })
}

/// What the header line tells of how cells are written. Where all names stand in quotes, words do:
/// programs that quote numbers too are rare, and readers take both for the same.
fn form_of(header: &str, dialect: Dialect) -> RowForm {
    let line = header.trim_end_matches(['\r', '\n']);
    let quoted = line.starts_with('"') && line.ends_with('"') && all_quoted(line.as_bytes(), dialect.delimiter);
    RowForm {
        delimiter: dialect.delimiter,
        line_end: if header.ends_with('\r') && dialect.terminator == b'\n' { LineEnd::CrLf } else { LineEnd::Lf },
        quotes: if quoted { Quotes::Words } else { Quotes::Needed },
        ..RowForm::default()
    }
}

/// Whether every field of a line begins with a quote.
fn all_quoted(line: &[u8], delimiter: u8) -> bool {
    let mut at = 0;
    while line.get(at) == Some(&b'"') {
        match closing(line, at + 1) {
            Some(end) if line.get(end + 1) == Some(&delimiter) => at = end + 2,
            end => return end == Some(line.len() - 1),
        }
    }
    false
}

fn not_text(name: &str, what: &str) -> TableError {
    let help = "give a CSV or TSV file in UTF-8 (or say its --encoding: latin-1, windows-1252), or a Parquet file";
    file_error(name, format!("is not a table: {what}"), help)
}

/// The first bytes of the stream: more than the longest header line, unless the stream ends.
fn read_start(name: &str, stream: &mut dyn Read) -> Result<Vec<u8>, TableError> {
    let mut start = Vec::new();
    stream.take(2 * LONGEST_RECORD as u64).read_to_end(&mut start).map_err(|error| read_error(name, error))?;
    Ok(start)
}

/// Where the header line ends and what splits it.
struct Line {
    end: usize,
    /// Whether a quote was still open where the text ended.
    is_open: bool,
    terminator: u8,
    delimiter: u8,
}

impl Line {
    /// Follows the quotes of the first line. A quote opens a field at the line's start and behind a
    /// delimiter (or what may be one). Unless names may hold line ends, the line ends where it
    /// ends, in quotes too.
    fn find(text: &[u8], delimiter: Option<u8>, multiline: bool) -> Self {
        let splits = |byte: u8| delimiter.map_or(CANDIDATES.contains(&byte), |d| d == byte);
        let mut seen = [0usize; CANDIDATES.len()];
        let mut quoted = false;
        let mut closed = None;
        let mut before = None;
        let mut end = text.len();
        for (at, &byte) in text.iter().enumerate() {
            if quoted && byte == b'\n' && !multiline {
                end = at;
                break;
            } else if quoted {
                quoted = byte != b'"';
                closed = (!quoted).then_some(at);
            } else if byte == b'"' {
                // Right behind a closing quote: the second half of a doubled one, so the field goes
                // on.
                quoted = before.is_none_or(splits) || (at > 0 && closed == Some(at - 1));
            } else if byte == b'\n' || byte == b'\r' {
                end = at;
                break;
            } else if let Some(k) = CANDIDATES.iter().position(|&c| c == byte) {
                seen[k] += 1;
            }
            before = Some(byte);
        }
        let lone = text.get(end) == Some(&b'\r') && text.get(end + 1) != Some(&b'\n');
        let terminator = if lone { b'\r' } else { b'\n' };
        let end = if text.get(end) == Some(&b'\r') && !lone { end + 1 } else { end };
        let best = (0..CANDIDATES.len()).rev().max_by_key(|&k| seen[k]).unwrap_or(0);
        Self { end, is_open: quoted, terminator, delimiter: delimiter.unwrap_or(CANDIDATES[best]) }
    }
}
