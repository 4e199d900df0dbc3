//! Records of a text file that are not what they should be: how many, and where the first ones are.
//! Never a cell.

use memchr::{memchr, memchr_iter, memchr2};

use super::chunks::Chunk;
use super::records::{Dialect, closing};

/// How many line numbers are kept.
const SHOWN: usize = 5;

/// Where something is the matter. Steward-only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// How many records.
    pub records: u64,
    /// The lines of the first ones, the file's first line being 1.
    pub lines: Vec<u64>,
    /// The file that these lines are of, where the table is several.
    pub file: Option<String>,
}

impl Places {
    fn note(&mut self, file: Option<&str>, line: u64) {
        if self.records == 0 {
            self.file = file.map(str::to_owned);
        }
        self.records += 1;
        if self.lines.len() < SHOWN && self.file.as_deref() == file {
            self.lines.push(line);
        }
    }
}

/// Records that are not what they should be. Steward-only: it depends on the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shapes {
    /// They have a quoted field with a line end inside that is closed in a later line, and then as
    /// many fields as the header. Unless the file is read as multiline, each of their lines is a
    /// record.
    pub spanning: Places,
    /// The lines of the longest of those. Many lines may be two stray quotes far apart.
    pub longest: u64,
    /// They have fewer fields than the header.
    pub short: Places,
    /// They have more fields than the header.
    pub long: Places,
    /// They are longer than a record may be.
    pub cut: Places,
    /// They have a quote that is opened and not closed.
    pub unclosed: Places,
}

impl Shapes {
    fn span(&mut self, file: Option<&str>, line: u64, shape: &Shape) {
        self.spanning.note(file, line);
        self.longest = self.longest.max(shape.inner_lines + 1);
    }
}

/// Looks over the chunks of a text, in their order.
pub(super) struct Look<'a> {
    shapes: &'a mut Shapes,
    /// The file, where the table is several.
    file: Option<&'a str>,
    dialect: Dialect,
    columns: usize,
    /// Lines before the next record.
    lines: u64,
}

impl<'a> Look<'a> {
    pub(super) fn new(
        (shapes, file): (&'a mut Shapes, Option<&'a str>),
        dialect: Dialect,
        columns: usize,
        lines: u64,
    ) -> Self {
        Self { shapes, file, dialect, columns, lines }
    }

    pub(super) fn over(&mut self, chunk: &Chunk) {
        self.lines += chunk.lines_dropped;
        let text = chunk.text();
        let mut at = 0;
        while at < text.len() {
            let shape = Shape::of(text, at, self.dialect);
            self.note(text, at, &shape, chunk.is_cut);
            self.lines += shape.lines;
            at = shape.end;
        }
    }

    fn note(&mut self, text: &[u8], at: usize, shape: &Shape, is_cut: bool) {
        let blank = text[at..shape.end].iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        if blank {
            return;
        }
        let line = self.lines + 1;
        if is_cut || shape.bytes > self.dialect.longest {
            // What was cut off may have closed a quote or held a field.
            self.shapes.cut.note(self.file, line);
            return;
        }
        let joined = || Shape::of(text, at, Dialect { multiline: true, ..self.dialect });
        if self.dialect.multiline {
            // Its own terminator is no line inside it.
            if shape.is_closed && shape.inner_lines > 0 {
                self.shapes.span(self.file, line, shape);
            }
        } else if !shape.is_closed {
            let joined = joined();
            if joined.is_sound(self.columns, self.dialect.longest) {
                self.shapes.span(self.file, line, &joined);
            }
        }
        if !shape.is_closed {
            self.shapes.unclosed.note(self.file, line);
        }
        if shape.fields < self.columns {
            self.shapes.short.note(self.file, line);
        }
        if shape.fields > self.columns {
            self.shapes.long.note(self.file, line);
        }
    }
}

/// What one record looks like.
struct Shape {
    /// The place behind it and its terminator.
    end: usize,
    /// Its length without the terminator.
    bytes: usize,
    fields: usize,
    /// Terminators in it, and those among them that do not end it.
    lines: u64,
    inner_lines: u64,
    /// Whether every quote that opens a field has one that closes it.
    is_closed: bool,
    /// Whether nothing stands between a closing quote and the end of its field.
    is_clean: bool,
}

impl Shape {
    /// The shape of the record that starts at `start`.
    fn of(text: &[u8], start: usize, dialect: Dialect) -> Self {
        let Dialect { delimiter, terminator, multiline, .. } = dialect;
        let limit = match multiline {
            true => text.len(),
            false => memchr(terminator, &text[start..]).map_or(text.len(), |found| start + found),
        };
        let (mut at, mut fields, mut is_closed, mut is_clean) = (start, 1, true, true);
        let stop = loop {
            if text[..limit].get(at) == Some(&b'"') {
                match closing(&text[..limit], at + 1) {
                    Some(close) => {
                        at = close + 1;
                        let rest = &text[at..];
                        let ends = rest.first().is_none_or(|byte| [delimiter, terminator].contains(byte));
                        is_clean &= ends || rest.starts_with(b"\r\n") || rest == b"\r";
                    }
                    None => {
                        is_closed = false;
                        at = limit;
                    }
                }
            }
            match memchr2(delimiter, terminator, &text[at..]) {
                Some(found) if text[at + found] == delimiter => {
                    fields += 1;
                    at += found + 1;
                }
                found => break found.map_or(text.len(), |found| at + found),
            }
        };
        let inner_lines = memchr_iter(terminator, &text[start..stop]).count() as u64;
        let ended = u64::from(stop < text.len());
        Self {
            end: stop + ended as usize,
            bytes: stop - start,
            fields,
            lines: inner_lines + ended,
            inner_lines,
            is_closed,
            is_clean,
        }
    }

    /// Whether it is a record of several lines that somebody meant.
    fn is_sound(&self, columns: usize, longest: usize) -> bool {
        self.is_closed && self.is_clean && self.inner_lines > 0 && self.fields == columns && self.bytes <= longest
    }
}

#[cfg(test)]
mod tests {
    use super::{Places, Shapes};
    use crate::ReadOptions;
    use crate::read::for_each_record_in_shape;
    use crate::read::records::LONGEST_RECORD;
    use crate::tests::{OPTIONS, Quiet, write_file};

    fn shapes_of(text: &str, multiline: bool) -> Shapes {
        let folder = tempfile::tempdir().unwrap();
        let input = write_file(folder.path(), "a.csv", text.as_bytes());
        let options = ReadOptions { multiline, ..OPTIONS };
        let mut shapes = Shapes::default();
        for_each_record_in_shape(&input, &options, &Quiet, &mut |_| Ok(()), &mut |_| {}, Some(&mut shapes)).unwrap();
        shapes
    }

    #[test]
    fn records_out_of_shape_are_noted_with_their_lines() {
        let places = |records: u64, lines: &[u64]| Places { records, lines: lines.to_vec(), file: None };
        // So long that its end is not even read together with its start.
        let long = "x".repeat(4 * LONGEST_RECORD);
        // Line 1 is blank, and so is line 5.
        let text = format!("\na,b\n1,2\n1,\"so\n\n1\n1,2,3\n\"a\nb\",c\n{long},d\n3,4\n7\n8\n9\n10\n11\n");
        let found = shapes_of(&text, false);
        assert_eq!(found.unclosed, places(2, &[4, 8]));
        assert_eq!(found.short, places(7, &[6, 8, 12, 13, 14]));
        assert_eq!(found.long, places(1, &[7]));
        assert_eq!(found.spanning, places(1, &[8]));
        assert_eq!(found.cut, places(1, &[10]));
        let text = format!("a,b\n\"x\ny\",2\n\"{long}\n\n{long}\",2\n1\n3,\"4\n5,6\n");
        let found = shapes_of(&text, true);
        assert_eq!(found.spanning, places(1, &[2]));
        assert_eq!(found.cut, places(1, &[4]));
        assert_eq!((found.unclosed, found.short), (places(1, &[8]), places(1, &[7])));
        assert_eq!(shapes_of("a,b\r\n\"1\",2\r\n\r\n3,\"4\"\r\n", false), Shapes::default());
        let joined = "a,b\n1,\"so\n1,2\n1,2\nx\"\n3,\"4\n5\"\n";
        assert_eq!([false, true].map(|multiline| shapes_of(joined, multiline).longest), [4, 4]);
        // A stray quote that the next one seems to close is no record of two lines.
        assert_eq!(shapes_of("a,b,c\n5,\"so,1\n6,\"x\",2\n", false).spanning, Places::default());
    }
}
