//! Made-up tables of every type of column with the codes of their cells: what an engine that codes
//! rows by itself must give for them, cell by cell.
//!
//! The rows are made here, from a number, and from nothing else.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int16Array, Int32Array,
    Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use lookalike_schema::{AttrId, CellValue, Codec, Schema};

use super::hostile::{LONG_TEXTS, TEXTS, TRUTHS};
use crate::{HeldBatches, Input, ReadOptions, ReadWatch, Table, TableError};

/// A made-up table and the codes of its cells.
pub struct SuiteTable {
    /// The columns.
    pub schema: Schema,
    /// The cells.
    pub rows: RecordBatch,
    /// The codes, column by column.
    pub codes: Vec<Vec<u32>>,
}

/// Rows of a made-up table.
const ROWS: usize = 240;
const DAY: i64 = 86_400;

impl SuiteTable {
    /// The table of that number.
    ///
    /// # Errors
    /// None that depends on the number; those of reading a table are passed on.
    pub fn new(number: u64) -> Result<Self, TableError> {
        let mut chance = Chance(number.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x9e37_79b9_7f4a_7c15);
        let columns = columns(&mut chance);
        let mut text = String::from("missing_tokens = ['', 'NA', '-9', '-999.5', '1900-01-01', '?']\n");
        for column in &columns {
            text.push_str(&format!("[columns.{}]\n{}\n", column.name, column.schema));
        }
        let mut schema = Schema::parse(&text, "made-up table")?;
        if number % 2 == 1 {
            schema = schema.on_grid([64, 4096, 262_144][chance.below(3) as usize])?;
        }
        let mut arrays: Vec<(&str, ArrayRef)> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            arrays.push((column.name, column.cells(schema.codec(AttrId(at as u32)), &mut chance)));
        }
        let rows = RecordBatch::try_from_iter(arrays)
            .unwrap_or_else(|_| unreachable!("all columns have the same number of rows"));
        let input = Input::Batches(HeldBatches::new([rows.clone()]));
        let options = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: 1 << 24 };
        let table = Table::read(&input, &schema, &options, &Unwatched)?;
        let codes = schema.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
        Ok(Self { schema, rows, codes })
    }
}

struct Unwatched;

impl ReadWatch for Unwatched {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Repeatable chance, which nothing private depends on.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// How cells are stored.
#[derive(Clone, Copy, PartialEq)]
enum StoredKind {
    Short,
    Int,
    Long,
    Double,
    Single,
    Decimal,
    Truth,
    Date,
    Moment,
    Text,
}

struct SuiteColumn {
    name: &'static str,
    schema: String,
    stored: StoredKind,
}

fn columns(chance: &mut Chance) -> Vec<SuiteColumn> {
    use StoredKind::{Date, Decimal, Double, Int, Long, Moment, Short, Single, Text, Truth};
    let mut all = Vec::new();
    let mut add = |name, schema: String, stored| all.push(SuiteColumn { name, schema, stored });
    add("short_integer", integer(chance, 1000), Short);
    add("int_integer", integer(chance, 1_000_000), Int);
    add("long_integer", integer(chance, 1 << 40), Long);
    add("long_number", number(chance), Long);
    add("double_integer", integer(chance, 1_000_000), Double);
    add("double_number", number(chance), Double);
    add("double_fraction", number(chance), Double);
    add("single_integer", integer(chance, 10_000), Single);
    add("single_number", number(chance), Single);
    add("decimal_integer", integer(chance, 10_000), Decimal);
    add("decimal_number", number(chance), Decimal);
    for (name, stored) in [("int_category", Int), ("double_category", Double), ("truth_category", Truth)] {
        let list =
            chance.one(&["'1', '2', '10', '-3', '2.5'", "'0', '-0', '07', '7', '1e16', 'inf'", "'false', 'TRUE'"]);
        add(name, format!("type = 'category'\nvalues = [{list}]{}", ends(chance, true)), stored);
    }
    for (name, stored) in [("long_boolean", Long), ("double_boolean", Double), ("truth_boolean", Truth)] {
        let list = chance.one(&["'no', 'yes'", "'1', '2'", "'0', '7'"]);
        add(name, format!("type = 'boolean'\nvalues = [{list}]{}", ends(chance, false)), stored);
    }
    add("truth_integer", integer(chance, 10), Truth);
    add("truth_number", number(chance), Truth);
    for (name, stored) in [("date_day", Date), ("moment_day", Moment)] {
        add(name, calendar(chance, "date"), stored);
    }
    for (name, stored) in [("date_moment", Date), ("moment_moment", Moment)] {
        add(name, calendar(chance, "datetime"), stored);
    }
    let few = "'a', 'B', ' padded', 'two words', 'É', 'ß', 'k', '3', 'NA', 'tab\\there'";
    let many: Vec<String> = (0..60).map(|word| format!("'w{}'", "x".repeat(word % 7) + &word.to_string())).collect();
    let long = format!("'a', '{}', '{}', '{}é', 'k'", "l".repeat(256), "m".repeat(300), "n".repeat(254));
    for (name, list) in [("few_words", few.replace('\'', "\"")), ("many_words", many.join(", ")), ("long_words", long)]
    {
        add(name, format!("type = 'category'\nvalues = [{list}]{}", ends(chance, true)), Text);
    }
    let list = chance.one(&["'false', 'true'", "'M', 'F'", "'nicht', 'wohl (ja)'", "'Non', 'Ouï'"]);
    add("text_boolean", format!("type = 'boolean'\nvalues = [{list}]{}", ends(chance, false)), Text);
    all
}

/// What may stand at the end of a column: a missing code, and a word for all others.
fn ends(chance: &mut Chance, other: bool) -> String {
    let missing = chance.one(&["", "\nmissing = true"]);
    let other = if other { chance.one(&["", "\nother = 'rest'", "\nother = 'a'"]) } else { "" };
    format!("{missing}{other}")
}

fn integer(chance: &mut Chance, largest: i64) -> String {
    let low = chance.between(-largest, largest - 10);
    let high = low + chance.between(9, 700_000.min(largest));
    let bins = match chance.below(4) {
        0 if high - low < 200_000 => String::new(),
        1 => format!("\nedges = [{low}, {}, {high}]", low + 3),
        2 => format!("\nbins = {}\nspikes = [{}]", chance.between(2, 300), low + 5),
        _ => format!("\nbins = {}", chance.between(1, 40)),
    };
    format!("type = 'integer'\nrange = [{low}, {high}]{bins}{}", ends(chance, false))
}

fn number(chance: &mut Chance) -> String {
    let bins = chance.between(2, 300);
    let fixed = chance.one(&[
        "range = [-3.7, 250.05]\ndecimals = 2",
        "range = [0, 1]\ndecimals = 3",
        "range = [-20, 20000]\ndecimals = 1\nspikes = [0]",
        "range = [-1e9, 1e9]",
        "range = [0, 1e-300]",
        "range = [-1e300, 1e300]",
        "range = [-1, 1]\nspikes = [0, 0.5]",
    ]);
    format!("type = 'number'\n{fixed}\nbins = {bins}{}", ends(chance, false))
}

fn calendar(chance: &mut Chance, kind: &str) -> String {
    let range = chance.one(&["'1990-02-03', '2024-02-29'", "'1901-01-01', '1969-12-31'", "'2020-01-01', '2020-12-31'"]);
    let bins = match kind {
        "date" if chance.below(2) == 0 => String::new(),
        _ => format!("\nbins = {}", chance.between(2, 90)),
    };
    format!("type = '{kind}'\nrange = [{range}]{bins}{}", ends(chance, false))
}

impl SuiteColumn {
    /// The cells: values at the edges of codes, hostile ones, and any.
    fn cells(&self, codec: &Codec, chance: &mut Chance) -> ArrayRef {
        let mut row = |make: &mut dyn FnMut(usize, &mut Chance)| (0..ROWS).for_each(|at| make(at, chance));
        macro_rules! array {
            ($kind:ty, $cell:expr) => {{
                let mut cells = Vec::with_capacity(ROWS);
                row(&mut |at, chance| cells.push(if chance.below(12) == 0 { None } else { Some($cell(at, chance)) }));
                Arc::new(<$kind>::from(cells)) as ArrayRef
            }};
        }
        match self.stored {
            StoredKind::Short => {
                array!(Int16Array, |at, chance: &mut Chance| saturated::<i16>(whole(at, codec, chance)))
            }
            StoredKind::Int => array!(Int32Array, |at, chance: &mut Chance| saturated::<i32>(whole(at, codec, chance))),
            StoredKind::Long => array!(Int64Array, |at, chance: &mut Chance| whole(at, codec, chance)),
            StoredKind::Double => array!(Float64Array, |at, chance: &mut Chance| real(at, codec, chance)),
            StoredKind::Single => array!(Float32Array, |at, chance: &mut Chance| real(at, codec, chance) as f32),
            StoredKind::Truth => array!(BooleanArray, |_, chance: &mut Chance| chance.below(2) == 1),
            StoredKind::Date => {
                array!(Date32Array, |at, chance: &mut Chance| second(at, codec, chance).div_euclid(DAY) as i32)
            }
            StoredKind::Moment => array!(TimestampMicrosecondArray, |at, chance: &mut Chance| {
                second(at, codec, chance) * 1_000_000 + chance.one(&[0, 0, 1, 500_000, 999_999])
            }),
            StoredKind::Decimal => {
                let mut cells = Vec::with_capacity(ROWS);
                row(&mut |at, chance| {
                    let value = (real(at, codec, chance) * 100.0).round().clamp(-999_999_999_999.0, 999_999_999_999.0);
                    cells.push((chance.below(12) > 0).then_some(if value.is_nan() { 0 } else { value as i128 }));
                });
                let array = Decimal128Array::from(cells).with_precision_and_scale(12, 2);
                Arc::new(array.unwrap_or_else(|_| unreachable!("twelve digits hold them"))) as ArrayRef
            }
            StoredKind::Text => array!(StringArray, |at, chance: &mut Chance| written(at, codec, chance)),
        }
    }
}

fn saturated<T: TryFrom<i64> + Bounds>(value: i64) -> T {
    T::try_from(value).unwrap_or(if value < 0 { T::LEAST } else { T::MOST })
}

/// The smallest and the largest of a kind of integers.
trait Bounds {
    const LEAST: Self;
    const MOST: Self;
}

impl Bounds for i16 {
    const LEAST: Self = Self::MIN;
    const MOST: Self = Self::MAX;
}

impl Bounds for i32 {
    const LEAST: Self = Self::MIN;
    const MOST: Self = Self::MAX;
}

fn whole(at: usize, codec: &Codec, chance: &mut Chance) -> i64 {
    const HOSTILE: [i64; 14] =
        [i64::MIN, i64::MAX, 0, 1, -1, 2, 7, 10, -3, -9, -10, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1];
    match HOSTILE.get(at) {
        Some(&value) => value,
        None if chance.below(10) == 0 => chance.next() as i64,
        None => (at_an_edge(codec, chance) as i64).saturating_add(chance.between(-1, 1)),
    }
}

fn real(at: usize, codec: &Codec, chance: &mut Chance) -> f64 {
    const HOSTILE: [f64; 24] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        1e308,
        -1e308,
        f64::MAX,
        f64::MIN,
        9_223_372_036_854_775_808.0,
        -9_223_372_036_854_775_809.0,
        -9.0,
        -9.5,
        -999.5,
        0.1,
        0.7,
        2.5,
        -3.0,
        7.0,
        1.0,
        1e16,
        0.3,
    ];
    match HOSTILE.get(at) {
        Some(&value) => value,
        None if chance.below(10) == 0 => f64::from_bits(chance.next()),
        None => {
            let value = at_an_edge(codec, chance);
            chance.one(&[value, value.next_up(), value.next_down(), value + 0.5, value * 1.0000001, value / 3.0])
        }
    }
}

/// Seconds of a moment within the calendar.
fn second(at: usize, codec: &Codec, chance: &mut Chance) -> i64 {
    const HOSTILE: [i64; 8] = [-62_135_596_800, 253_402_300_799, 0, -1, 1, -86_400, -2_208_988_800, 951_782_399];
    let day = matches!(codec.kind_name(), "date");
    match HOSTILE.get(at) {
        Some(&value) => value,
        None => {
            let value = at_an_edge(codec, chance) as i64;
            let value = if day { value * DAY } else { value };
            value + chance.one(&[0, 0, 1, -1, DAY - 1, DAY, -DAY])
        }
    }
}

/// A value where a code begins or ends; 0 for words.
fn at_an_edge(codec: &Codec, chance: &mut Chance) -> f64 {
    let code = chance.below(u64::from(codec.present().max(1))) as u32;
    match codec.decode(code, chance.one(&[0, u64::MAX, u64::MAX / 2])) {
        CellValue::Integer(value) | CellValue::DateTime(value) => value as f64,
        CellValue::Number(value) => value,
        CellValue::Date(days) => f64::from(days),
        _ => 0.0,
    }
}

fn written(at: usize, codec: &Codec, chance: &mut Chance) -> String {
    let hostile = TEXTS.iter().chain(&TRUTHS).copied();
    if let Some(text) = hostile.clone().nth(at) {
        return text.to_owned();
    }
    if let Some(&(word, filler, count, end)) = LONG_TEXTS.get(at - hostile.count()) {
        return format!("{word}{}{end}", filler.repeat(count));
    }
    let code = chance.below(u64::from(codec.present())) as u32;
    let word = match codec.decode(code, 0) {
        CellValue::Text(word) => word.to_owned(),
        _ => String::new(),
    };
    match chance.below(8) {
        0 => format!(" {word}\t"),
        1 => word.to_uppercase(),
        2 => word.to_lowercase(),
        3 => format!("\u{b}{word}"),
        4 => format!("{word}{}z", " ".repeat(300)),
        5 => format!("{word}\u{a0}"),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_every_code_kind_and_repeat_themselves() {
        for number in 0..8 {
            let (one, again) = (SuiteTable::new(number).unwrap(), SuiteTable::new(number).unwrap());
            assert!(one.rows == again.rows && one.codes == again.codes);
            assert_eq!(one.rows.num_rows(), ROWS);
            let kinds = one.schema.domain().attributes().map(|attribute| one.schema.codec(attribute).kind_name());
            let kinds: std::collections::BTreeSet<&str> = kinds.collect();
            assert_eq!(kinds.len(), 6);
            let varied = one.codes.iter().filter(|codes| codes.iter().any(|code| code != &codes[0])).count();
            assert!(varied >= one.codes.len() - 6, "{varied} of {}", one.codes.len());
        }
    }
}
