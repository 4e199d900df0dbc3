//! CSV out.

use std::io::Write;

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{Codec, Schema};

use super::rows::{CodeBlock, Content, Rendered, RenderedBlock, RowSink, contents, draw, io_error};
use crate::error::TableError;

pub(super) struct CsvSink<'a> {
    /// The columns, and whether their cells may need quotes.
    columns: Vec<(Content<'a>, bool)>,
    delimiter: u8,
    out: Box<dyn Write + Send + Sync + 'a>,
}

impl<'a> CsvSink<'a> {
    /// Writes the header line.
    pub(super) fn new(schema: &'a Schema, mut out: Box<dyn Write + Send + Sync + 'a>) -> Result<Self, TableError> {
        let delimiter = schema.delimiter().unwrap_or(b',');
        let mut line = Vec::new();
        let mut columns = Vec::new();
        for (name, content) in contents(schema) {
            if !columns.is_empty() {
                line.push(delimiter);
            }
            let start = line.len();
            line.extend_from_slice(name.as_bytes());
            quote(&mut line, start, delimiter);
            columns.push((content, matches!(content, Content::Codes(_, codec) if may_need_quotes(codec, delimiter))));
        }
        end_record(&mut line, 0);
        out.write_all(&line).map_err(io_error)?;
        Ok(Self { columns, delimiter, out })
    }
}

impl RowSink for CsvSink<'_> {
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError> {
        let words = draw(block, bits);
        let mut text = Vec::with_capacity(block.rows * self.columns.len() * 8);
        for row in 0..block.rows {
            let line = text.len();
            for (k, (content, quoted)) in self.columns.iter().enumerate() {
                if k > 0 {
                    text.push(self.delimiter);
                }
                match *content {
                    Content::Id => write!(text, "{}", block.first_row + row as u64 + 1).map_err(io_error)?,
                    Content::Codes(attribute, codec) => {
                        let start = text.len();
                        let code = block.columns[attribute][row];
                        codec.write_text(&codec.decode(code, words[attribute * block.rows + row]), &mut text);
                        if *quoted {
                            quote(&mut text, start, self.delimiter);
                        }
                    }
                }
            }
            end_record(&mut text, line);
        }
        Ok(RenderedBlock(Rendered::Csv(text)))
    }

    fn write(&mut self, block: RenderedBlock) -> Result<(), TableError> {
        match block.0 {
            Rendered::Csv(text) => self.out.write_all(&text).map_err(io_error),
            Rendered::Parquet { .. } => Err(io_error(std::io::Error::other("a block of another format"))),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<(), TableError> {
        self.out.flush().map_err(io_error)
    }
}

/// Ends a record that began at `start`. One without a byte would be an empty line, which is no
/// record: it gets quotes.
fn end_record(text: &mut Vec<u8>, start: usize) {
    if text.len() == start {
        text.extend_from_slice(b"\"\"");
    }
    text.push(b'\n');
}

/// Whether a cell of the column could need quotes: most cannot, and looking at every byte again
/// costs a tenth of the time.
fn may_need_quotes(codec: &Codec, delimiter: u8) -> bool {
    let in_numbers = delimiter.is_ascii_alphanumeric() || matches!(delimiter, b'+' | b'-' | b'.');
    match codec.kind() {
        CodecKind::Integer(_) => in_numbers,
        CodecKind::Number(_) => in_numbers || codec.text_rules().decimal == delimiter,
        CodecKind::Category(_) | CodecKind::Boolean(_) => {
            let mut word = Vec::new();
            (0..codec.present()).any(|code| {
                word.clear();
                codec.write_text(&codec.decode(code, 0), &mut word);
                needs_quotes(&word, delimiter)
            })
        }
        // A date format may hold anything.
        CodecKind::Date(..) | CodecKind::DateTime(..) => true,
    }
}

fn needs_quotes(cell: &[u8], delimiter: u8) -> bool {
    cell.iter().any(|&byte| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r'))
}

/// Puts the cell that begins at `start` in quotes when it needs them.
fn quote(text: &mut Vec<u8>, start: usize, delimiter: u8) {
    let cell = &text[start..];
    if !needs_quotes(cell, delimiter) {
        return;
    }
    let inner = cell.iter().filter(|&&byte| byte == b'"').count();
    let mut from = text.len();
    // From the back, so that the cell can be widened where it stands.
    text.resize(from + inner + 2, b'"');
    let mut to = text.len() - 1;
    while from > start {
        from -= 1;
        to -= 1;
        text[to] = text[from];
        if text[from] == b'"' {
            to -= 1;
            text[to] = b'"';
        }
    }
    text[start] = b'"';
}
