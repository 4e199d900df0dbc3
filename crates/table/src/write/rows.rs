//! Rows on their way out, and what every format needs of them.

use arrow_buffer::i256;
use lookalike_schema::{
    AttrId, CellValue, Codec, Dependent, Formula, FormulaValue, IdRule, IgnoredColumns, Role, Schema,
};

use crate::error::TableError;

/// Codes of consecutive rows: one slice a modelled column, and where the block begins (for fresh
/// ids).
pub struct CodeBlock<'a> {
    /// The number of the first row, from 0; ids are 1 more.
    pub first_row: u64,
    /// The number of rows (columns may be none when only ids are written).
    pub rows: usize,
    /// One slice of codes for each modelled column, in attribute order.
    pub columns: &'a [Vec<u32>],
}

/// A block in the output's own form, made in parallel, written in order.
pub struct RenderedBlock(pub(super) Rendered);

pub(super) enum Rendered {
    Csv(Vec<u8>),
    Parquet { rows: usize, pieces: Vec<ColumnCells> },
}

/// The cells of one column in one block: the present ones, and which are present (1) or missing (0)
/// where the column may have missing cells.
pub(super) struct ColumnCells {
    pub(super) values: Values,
    pub(super) levels: Vec<i16>,
}

pub(super) enum Values {
    /// Whole numbers, and dates, times and moments in their unit.
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    /// Decimals without their point.
    Decimals(Vec<i256>),
    Booleans(Vec<bool>),
    /// Codes of words.
    Words(Vec<u32>),
    /// Texts, in UTF-8.
    Texts(Vec<Vec<u8>>),
}

/// Writes a table whole. Column order is the schema's; ignored columns are left out, or empty where
/// the schema says so.
pub trait RowSink: Send + Sync {
    /// Turns codes into output form. `bits` gives uniform words for places inside bins, one a cell,
    /// column by column: all rows of the first modelled column, then all of the second, and so on,
    /// in every format.
    fn render(&self, block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Result<RenderedBlock, TableError>;
    /// Writes a block behind those before it.
    fn write(&mut self, block: RenderedBlock) -> Result<(), TableError>;
    /// Writes what is left (a footer, buffers) and checks that it arrived.
    fn finish(self: Box<Self>) -> Result<(), TableError>;
}

/// What one output column holds.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    /// Fresh ids.
    Id(IdRule<'a>, &'a Schema),
    /// A modelled column: its attribute's number and its codec.
    Codes(usize, &'a Codec),
    /// The same where its cells depend on others of their row.
    Rising(AttrId, &'a Codec, &'a Schema),
    /// What belongs to other cells of the row.
    LookedUp(&'a Dependent),
    /// What follows from modelled columns.
    Derived(&'a Formula, &'a Schema),
    /// Nothing at all.
    Empty,
}

/// The output's columns, in order: names and contents.
pub(super) fn contents(schema: &Schema) -> Vec<(&str, Content<'_>)> {
    let mut attribute = 0;
    let mut out = Vec::new();
    for column in schema.columns() {
        match &column.role {
            Role::Ignored if schema.row_form().ignored == IgnoredColumns::Drop => {}
            Role::Ignored => out.push((column.name.as_str(), Content::Empty)),
            Role::Id => out.push((column.name.as_str(), Content::Id(schema.id_rule(column), schema))),
            Role::Derived(formula) => out.push((column.name.as_str(), Content::Derived(formula, schema))),
            Role::Dependent(dependent) => out.push((column.name.as_str(), Content::LookedUp(dependent))),
            Role::Modelled(codec) => {
                let own = AttrId(attribute);
                let content = match schema.is_rising(own) {
                    true => Content::Rising(own, schema.written_codec(own), schema),
                    false => Content::Codes(own.index(), codec),
                };
                out.push((column.name.as_str(), content));
                attribute += 1;
            }
        }
    }
    out
}

/// The number of the id in a row; `None` where the cells that it stands beside are missing.
pub(super) fn id_number(rule: IdRule<'_>, schema: &Schema, block: &CodeBlock<'_>, row: usize) -> Option<u64> {
    let gone =
        |attribute: AttrId| Some(block.columns[attribute.index()][row]) == schema.codec(attribute).missing_code();
    (!rule.follows.is_some_and(gone)).then(|| rule.number(block.first_row + row as u64))
}

/// A derived cell, from the row's cells as they are written.
pub(super) fn derived(
    formula: &Formula,
    schema: &Schema,
    block: &CodeBlock<'_>,
    words: &[u64],
    row: usize,
) -> FormulaValue {
    formula.value(&|place| {
        let attribute = formula.inputs()[place];
        (cell(schema, attribute, block, words, row), schema.written_codec(attribute))
    })
}

/// The code of a cell that belongs to others of its row.
pub(super) fn looked_up(dependent: &Dependent, block: &CodeBlock<'_>, row: usize) -> u32 {
    dependent.code(&|attribute| block.columns[attribute.index()][row])
}

/// A modelled cell, in order with those beside it or counted from them.
pub(super) fn cell<'a>(
    schema: &'a Schema,
    attribute: AttrId,
    block: &CodeBlock<'_>,
    words: &[u64],
    row: usize,
) -> CellValue<'a> {
    schema.cell(attribute, &|one| (block.columns[one.index()][row], words[one.index() * block.rows + row]))
}

/// The words for all cells of a block, in the order that every format keeps: `rows` for the first
/// column, then for the second.
pub(super) fn draw(block: &CodeBlock<'_>, bits: &mut dyn FnMut() -> u64) -> Vec<u64> {
    (0..block.rows * block.columns.len()).map(|_| bits()).collect()
}

pub(super) fn io_error(source: std::io::Error) -> TableError {
    TableError::Io { what: "writing the synthetic rows".to_owned(), source }
}
