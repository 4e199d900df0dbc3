//! From a cell to a code and back. Codecs are data, not closures, so that an engine can turn them into SQL.
// SKELETON: the schema owner splits this into codec/*.rs and fills it in.

/// A decoded cell in its column's own type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// An empty cell.
    Missing,
    /// An integer.
    Integer(i64),
    /// A number, already rounded to the column's decimals.
    Number(f64),
    /// A category's or boolean's word.
    Text(&'a str),
    /// Days since 1970-01-01.
    Date(i32),
    /// Seconds since 1970-01-01T00:00:00, no zone.
    DateTime(i64),
}

/// How a modelled column's cells become codes `0..size` and back.
#[derive(Clone, Debug, PartialEq)]
pub struct Codec {}

#[allow(missing_docs, unused_variables)]
impl Codec {
    /// Number of codes, missing and other included.
    pub fn size(&self) -> u32 {
        todo!()
    }
    /// The code of a text cell (raw bytes: undecodable ones are bad cells). Total: never fails.
    pub fn encode_text(&self, cell: &[u8]) -> u32 {
        todo!()
    }
    pub fn encode_integer(&self, value: i64) -> u32 {
        todo!()
    }
    pub fn encode_number(&self, value: f64) -> u32 {
        todo!()
    }
    pub fn encode_boolean(&self, value: bool) -> u32 {
        todo!()
    }
    /// Days since 1970-01-01.
    pub fn encode_date(&self, days: i64) -> u32 {
        todo!()
    }
    /// Seconds since 1970-01-01T00:00:00.
    pub fn encode_datetime(&self, seconds: i64) -> u32 {
        todo!()
    }
    pub fn encode_missing(&self) -> u32 {
        todo!()
    }
    /// A value for the code; `bits` are uniform and pick a place inside a bin. No libm, same on every platform.
    pub fn decode(&self, code: u32, bits: u64) -> Value<'_> {
        todo!()
    }
    /// Appends the cell's text (not CSV-quoted) for the value; an empty cell appends nothing.
    pub fn write_text(&self, value: &Value<'_>, out: &mut Vec<u8>) {
        todo!()
    }
    /// A label of the code for people: "20-24", "Bachelors", "(missing)".
    pub fn label(&self, code: u32) -> String {
        todo!()
    }
}
