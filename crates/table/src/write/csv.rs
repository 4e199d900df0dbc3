//! CSV out.

use std::io::Write;

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{CellValue, Codec, FormulaKind, FormulaValue, Quotes, RowForm, Schema};

use super::rows::{
    CodeBlock, Content, Rendered, RenderedBlock, RowSink, cell, contents, derived, draw, id_number, io_error, looked_up,
};
use crate::error::TableError;

pub(super) struct CsvSink<'a> {
    /// The columns, and which of their cells stand in quotes.
    columns: Vec<(Content<'a>, Quoting)>,
    form: &'a RowForm,
    out: Box<dyn Write + Send + Sync + 'a>,
}

impl<'a> CsvSink<'a> {
    /// Writes the header line.
    pub(super) fn new(schema: &'a Schema, mut out: Box<dyn Write + Send + Sync + 'a>) -> Result<Self, TableError> {
        let form = schema.row_form();
        let mut line = if form.bom { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
        let first = line.len();
        let mut columns = Vec::new();
        for (name, content) in contents(schema) {
            if !columns.is_empty() {
                line.push(form.delimiter);
            }
            let start = line.len();
            line.extend_from_slice(name.as_bytes());
            let named = if form.quotes == Quotes::Needed { Quoting::Needed } else { Quoting::Always };
            named.quote(&mut line, start, form.delimiter);
            columns.push((content, Quoting::of(content, form)));
        }
        end_record(&mut line, first, form);
        out.write_all(&form.encoding.encode(line)).map_err(io_error)?;
        Ok(Self { columns, form, out })
    }
}

impl RowSink for CsvSink<'_> {
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError> {
        let words = draw(block, bits);
        let mut text = Vec::with_capacity(block.rows * self.columns.len() * 8);
        for row in 0..block.rows {
            let line = text.len();
            for (k, (content, quoting)) in self.columns.iter().enumerate() {
                if k > 0 {
                    text.push(self.form.delimiter);
                }
                let start = text.len();
                match *content {
                    Content::Id(rule, schema) => match (id_number(rule, schema, block, row), rule.pattern) {
                        (None, _) => text.extend_from_slice(self.form.missing.as_bytes()),
                        (Some(number), None) => write!(text, "{number}").map_err(io_error)?,
                        (Some(number), Some(pattern)) => pattern.write(number, &mut text),
                    },
                    Content::Empty => text.extend_from_slice(self.form.missing.as_bytes()),
                    Content::Derived(formula, schema) => match derived(formula, schema, block, &words, row) {
                        FormulaValue::Missing => text.extend_from_slice(self.form.missing.as_bytes()),
                        value => formula.write_text(&value, schema.text_rules().decimal, &mut text),
                    },
                    Content::LookedUp(dependent) => match dependent.cell(looked_up(dependent, block, row)) {
                        CellValue::Missing => text.extend_from_slice(self.form.missing.as_bytes()),
                        value => dependent.codec().write_text(&value, &mut text),
                    },
                    Content::Rising(attribute, codec, schema) => match cell(schema, attribute, block, &words, row) {
                        CellValue::Missing => text.extend_from_slice(self.form.missing.as_bytes()),
                        value => codec.write_text(&value, &mut text),
                    },
                    Content::Codes(attribute, codec) => {
                        let code = block.columns[attribute][row];
                        match codec.decode(code, words[attribute * block.rows + row]) {
                            CellValue::Missing => text.extend_from_slice(self.form.missing.as_bytes()),
                            value => codec.write_text(&value, &mut text),
                        }
                    }
                }
                quoting.quote(&mut text, start, self.form.delimiter);
            }
            end_record(&mut text, line, self.form);
        }
        Ok(RenderedBlock(Rendered::Csv(self.form.encoding.encode(text))))
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
fn end_record(text: &mut Vec<u8>, start: usize, form: &RowForm) {
    if text.len() == start {
        text.extend_from_slice(b"\"\"");
    }
    text.extend_from_slice(form.line_end.bytes());
}

/// Whether cells are no numbers.
fn holds_words(codec: &Codec) -> bool {
    !matches!(codec.kind(), CodecKind::Integer(_) | CodecKind::Number(_))
}

/// Which cells of a column stand in quotes.
#[derive(Clone, Copy, PartialEq)]
enum Quoting {
    /// None: no cell of the column could need them, and looking at every byte again costs a tenth
    /// of the time.
    Never,
    /// Those that need them.
    Needed,
    /// All but empty ones, which are missing.
    Always,
}

impl Quoting {
    fn of(content: Content<'_>, form: &RowForm) -> Self {
        let is_word = match content {
            Content::Id(rule, _) => rule.pattern.is_some(),
            Content::Codes(_, codec) | Content::Rising(_, codec, _) => holds_words(codec),
            Content::LookedUp(dependent) => holds_words(dependent.codec()),
            Content::Derived(formula, _) => formula.kind() != FormulaKind::Number,
            Content::Empty => false,
        };
        let needed = match content {
            Content::Codes(_, codec) | Content::Rising(_, codec, _) => may_need_quotes(codec, form.delimiter),
            Content::LookedUp(dependent) => may_need_quotes(dependent.codec(), form.delimiter),
            Content::Id(rule, _) => rule.pattern.is_some(),
            Content::Derived(..) => true,
            Content::Empty => false,
        };
        match form.quotes {
            Quotes::All => Self::Always,
            Quotes::Words if is_word => Self::Always,
            _ if needed || needs_quotes(form.missing.as_bytes(), form.delimiter) => Self::Needed,
            _ => Self::Never,
        }
    }

    /// Puts the cell that begins at `start` in quotes when it has them.
    fn quote(self, text: &mut Vec<u8>, start: usize, delimiter: u8) {
        match self {
            Self::Never => {}
            Self::Needed if !needs_quotes(&text[start..], delimiter) => {}
            Self::Always if text.len() == start => {}
            _ => quote(text, start),
        }
    }
}

/// Whether a cell of the column could need quotes.
fn may_need_quotes(codec: &Codec, delimiter: u8) -> bool {
    let dressed = codec.number_format().is_some_and(|format| format.may_need_quotes(delimiter));
    let in_numbers = dressed || delimiter.is_ascii_alphanumeric() || matches!(delimiter, b'+' | b'-' | b'.');
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

/// Puts the cell that begins at `start` in quotes.
fn quote(text: &mut Vec<u8>, start: usize) {
    let inner = text[start..].iter().filter(|&&byte| byte == b'"').count();
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
