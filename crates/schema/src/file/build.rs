//! From plain data to a checked schema: the one way for files and for the builder.

use std::collections::HashMap;
use std::sync::Arc;

use super::bins;
use super::layout::{ColumnFile, ColumnType, OrDiscover, SchemaFile, Unlisted};
use crate::codec::{Binning, Booleans, Categories, CodecKind, MOST_DECIMALS, NumberFormat, TextRules};
use crate::dependent::{MOST_DEPENDENT_CELLS, too_many as too_many_keys};
use crate::entries::Entries;
use crate::error::{Mistake, refuse_if};
use crate::impossible::CellCondition;
use crate::plain_value::PlainValue;
use crate::schema::{MOST_CODES, TableSettings};
use crate::stored::check_column;
use crate::{
    After, Codec, Column, Dependent, Formula, IdPattern, Levels, Marks, Role, Schema, SchemaError, StoredKind,
    StoredType, TextEncoding, levels,
};

/// The fewest codes that a grid may be limited to.
const LEAST_GRID: i64 = 64;

/// Checks and builds the whole schema.
pub(crate) fn schema(file: SchemaFile) -> Result<Schema, SchemaError> {
    let open = file.unlisted == Some(Unlisted::Discover);
    let help = "make a release (`synth`), or write unlisted = \"ignore\"";
    refuse_if(open, "columns that are not listed are to be discovered, which only a release does", help)?;
    let text = Arc::new(text_rules(&file)?);
    let delimiter = file.delimiter.as_deref().map(delimiter).transpose()?;
    let same = delimiter == Some(text.decimal);
    refuse_if(same, "`delimiter` and `decimal` are the same mark", "change one of them")?;
    let grid = file.grid.map(grid).transpose()?;
    let marks = Marks { review: file.review, harmless: file.harmless, assumed: file.assumed };
    let entries = in_order(file.columns.0, &file.order);
    let rooms = rooms(&entries, &text, grid)?;
    let mut columns = Vec::with_capacity(entries.len());
    let mut grouped = 0;
    for ((name, entry), room) in entries.into_iter().zip(rooms) {
        // Bins that nobody states are as fine as the table of all keys allows, whatever the method.
        let column = column(&name, entry, &text, room.or(grid)).map_err(|mistake| mistake.at(&name))?;
        let codes = column.codec().map_or(0, Codec::size);
        grouped += column.levels.as_slice().len() as u64 * u64::from(codes);
        let many = grouped > levels::MOST_GROUPED;
        refuse_if(many, "too many `levels` with those before it", "use fewer levels or bins")
            .map_err(|mistake| mistake.at(&name))?;
        columns.push(column);
    }
    let skips_unlisted = file.unlisted == Some(Unlisted::Ignore);
    let multiline = file.multiline.unwrap_or(false);
    let finite = |(name, condition): (String, CellCondition)| (name, condition.without_nan());
    let rules = file.impossible.into_iter().map(|rule| Entries(rule.0.into_iter().map(finite).collect())).collect();
    let (together, in_order, encoding) = (file.missing_together, file.in_order, file.encoding);
    let form = file.written.checked(self::delimiter, (delimiter, encoding), &text.missing_tokens)?;
    for column in &columns {
        is_written(column, form.encoding).map_err(|mistake| mistake.at(&column.name))?;
    }
    let settings = TableSettings {
        rules,
        together,
        in_order,
        text,
        delimiter,
        encoding,
        skips_unlisted,
        multiline,
        grid,
        form,
        marks,
    };
    Schema::new(columns, settings)
}

/// Refuses a column with a word that rows could not be written with.
fn is_written(column: &Column, encoding: TextEncoding) -> Result<(), Mistake> {
    let words: &[String] = match column.written_codec().map(Codec::kind) {
        Some(CodecKind::Category(words)) => words.values(),
        Some(CodecKind::Boolean(words)) => words.words(),
        _ => &[],
    };
    let other = match column.written_codec().map(Codec::kind) {
        Some(CodecKind::Category(words)) => words.other(),
        _ => None,
    };
    let derived = match &column.role {
        Role::Derived(formula) => formula.number_format(),
        _ => None,
    };
    let format = column.written_codec().and_then(Codec::number_format).or(derived).map(NumberFormat::pattern);
    let pattern = column.pattern.as_ref().map(IdPattern::text);
    let texts = words.iter().map(String::as_str).chain(other).chain(format).chain(pattern);
    let lost = texts.chain([column.name.as_str()]).find(|text| !encoding.can_write(text));
    match lost {
        None => Ok(()),
        Some(text) => Err(Mistake::new(
            format!("{text:?} has letters that the encoding of the rows does not"),
            "say encoding = \"utf-8\" in [written]",
        )),
    }
}

/// Entries in the order of the table. A draft puts those first that should be looked at first, and
/// lists the header's order; columns that are not listed come last.
fn in_order(mut entries: Vec<(String, ColumnFile)>, order: &[String]) -> Vec<(String, ColumnFile)> {
    let place: HashMap<&str, usize> = order.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    entries.sort_by_key(|(name, _)| place.get(name.as_str()).copied().unwrap_or(usize::MAX));
    entries
}

/// Whether a column's entry would be accepted in a file with this decimal mark.
pub(crate) fn column_is_valid(entry: &ColumnFile, decimal: u8) -> bool {
    column("", entry.clone(), &Arc::new(TextRules { decimal, ..TextRules::default() }), None).is_ok()
}

fn grid(most: i64) -> Result<u32, SchemaError> {
    let fits = (LEAST_GRID..=MOST_CODES as i64).contains(&most);
    let help = format!("write a whole number from {LEAST_GRID} to {MOST_CODES}, or leave it out");
    refuse_if(!fits, format!("grid = {most}"), help)?;
    Ok(most as u32)
}

fn text_rules(file: &SchemaFile) -> Result<TextRules, SchemaError> {
    let mut rules = TextRules::default();
    if let Some(tokens) = &file.missing_tokens {
        // An empty cell is what is written for a missing one, so it must be read as one.
        let others = tokens.iter().map(|token| token.trim_ascii()).filter(|token| !token.is_empty());
        rules.missing_tokens = std::iter::once("").chain(others).map(str::to_owned).collect();
    }
    rules.decimal = match file.decimal.as_deref() {
        None | Some(".") => b'.',
        Some(",") => b',',
        Some(_) => return Err(SchemaError::whole("`decimal` is neither a point nor a comma", "write decimal = \",\"")),
    };
    Ok(rules)
}

fn delimiter(text: &str) -> Result<u8, SchemaError> {
    match text.as_bytes() {
        [byte]
            if byte.is_ascii()
                && !byte.is_ascii_alphanumeric()
                && !matches!(byte, b'"' | b'\n' | b'\r' | b'-' | b'+') =>
        {
            Ok(*byte)
        }
        _ if text == "tab" || text == "\\t" => Ok(b'\t'),
        _ => Err(SchemaError::whole(
            "`delimiter` is not a single ASCII mark",
            "write it as delimiter = \";\" (a tab is \"\\t\")",
        )),
    }
}

fn column(name: &str, mut entry: ColumnFile, text: &Arc<TextRules>, grid: Option<u32>) -> Result<Column, Mistake> {
    check_keys(&entry)?;
    refuse_open(&entry)?;
    if entry.after.is_some() {
        entry = entry.in_units()?;
    }
    let stored = entry.stored.as_deref().map(StoredType::parse).transpose()?;
    if let (ColumnType::Number, None, Some(StoredKind::Decimal(_, _, scale))) =
        (entry.kind, entry.decimals, stored.as_ref().map(|stored| stored.kind.plain()))
    {
        entry.decimals = Some(i64::from(*scale).min(i64::from(MOST_DECIMALS)));
    }
    let marks = entry.marks();
    let after = entry.after.clone().map(|on| own_codec(&entry, text).map(|own| After::new(on, own))).transpose()?;
    let (role, levels) = match entry.kind {
        ColumnType::Id => (Role::Id, Levels::default()),
        ColumnType::Derived => (Role::Derived(formula(&entry, text.decimal)?), Levels::default()),
        ColumnType::Ignore | ColumnType::Discover => (Role::Ignored, Levels::default()),
        _ => {
            let codec = codec(&entry, text, grid)?;
            if entry.depends_on.is_empty() {
                refuse_if(entry.table.is_some(), "`table` without `depends_on`", "say what it depends on")?;
                // Bins that levels cut are told.
                let uncut = ColumnFile { levels: Vec::new(), ..entry.clone() };
                let before = if entry.levels.is_empty() { None } else { Some(self::codec(&uncut, text, grid)?) };
                let levels = levels::build(entry.levels, &codec)?.added_to(before.as_ref(), &codec);
                (Role::Modelled(codec), levels)
            } else {
                let leveled = !entry.levels.is_empty();
                refuse_if(leveled, "`levels` of a column that depends on others", "leave them out")?;
                (Role::Dependent(Dependent::new(codec, entry.depends_on, entry.table)?), Levels::default())
            }
        }
    };
    let pattern = entry.pattern.as_deref().map(IdPattern::new).transpose()?;
    // The range of one that comes after another is known when all columns are there.
    if let Some(stored) = stored.as_ref().filter(|_| after.is_none()) {
        check_column(stored, &role, pattern.as_ref())?;
    }
    Ok(Column {
        name: name.to_owned(),
        role,
        levels,
        marks,
        discovered: entry.discovered,
        pattern,
        shared: entry.shared,
        stored,
        after,
    })
}

/// The most codes that a column may have which depends on others; `None` of all others.
fn rooms(
    entries: &[(String, ColumnFile)],
    text: &Arc<TextRules>,
    grid: Option<u32>,
) -> Result<Vec<Option<u32>>, SchemaError> {
    let room = |(name, entry): &(String, ColumnFile)| {
        if entry.depends_on.is_empty() {
            return Ok(None);
        }
        let mut keys = 1u64;
        for on in &entry.depends_on {
            // One that cannot be a key is told when all columns are there.
            let Some((_, found)) = entries.iter().find(|(name, _)| name == on) else { continue };
            if found.depends_on.is_empty() && found.kind.is_modelled() && !found.is_open() {
                keys = keys.saturating_mul(codec(found, text, grid).map_or(1, |codec| u64::from(codec.size())));
            }
        }
        let room = (MOST_DEPENDENT_CELLS / keys).min(MOST_CODES).saturating_sub(1) as u32;
        // With fewer codes nothing is left to choose from.
        if room == 0 { Err(too_many_keys().at(name)) } else { Ok(Some(room)) }
    };
    entries.iter().map(room).collect()
}

fn formula(entry: &ColumnFile, mark: u8) -> Result<Formula, Mistake> {
    let Some(text) = &entry.formula else {
        return Err(Mistake::new("no `formula`", "say how the column follows: formula = \"price * pieces\""));
    };
    let formula = Formula::new(text, entry.decimals, entry.format.as_deref(), mark)?;
    if entry.lookup.is_empty() { Ok(formula) } else { formula.with_lookup(&entry.lookup.0) }
}

/// A fact that is still to be bought is none: see [`OpenSchema`](crate::OpenSchema).
fn refuse_open(entry: &ColumnFile) -> Result<(), Mistake> {
    let open = entry.open_facts();
    let what = format!("its {} is to be discovered, which only a release does", open.join(" and "));
    refuse_if(!open.is_empty(), what, "make a release (`synth`), or state it")
}

/// Refuses keys that have no meaning for the column's type.
pub(crate) fn check_keys(entry: &ColumnFile) -> Result<(), Mistake> {
    let mut own = [&ColumnFile::OF_ALL, entry.kind.keys()].concat();
    if entry.after.is_some() {
        own.retain(|key| !["range", "depends_on", "table"].contains(key));
    }
    let said = entry.said();
    let Some(key) = said.iter().find(|key| !own.contains(&key.as_str())) else {
        let alone = entry.within.is_some() && entry.after.is_none();
        return refuse_if(alone, "`within` without `after`", "say which column it comes after: after = \"COLUMN\"");
    };
    if let (Some(on), "range" | "depends_on" | "table") = (&entry.after, key.as_str()) {
        let what = format!("both `{key}` and `after`");
        return Err(Mistake::new(what, format!("leave `{key}` out: the column follows from {on:?} and `within`")));
    }
    let help = match (key.as_str(), entry.kind) {
        ("other", ColumnType::Boolean) => "use type = \"category\" for more than two words".to_owned(),
        ("other", ColumnType::Integer | ColumnType::Number) => {
            "say missing = true to give unreadable cells a code of their own".to_owned()
        }
        _ => format!("its keys are {}", own.join(", ")),
    };
    Err(Mistake::new(format!("the key {key:?} has no meaning for type {:?}", entry.kind.word()), help))
}

fn codec(entry: &ColumnFile, text: &Arc<TextRules>, grid: Option<u32>) -> Result<Codec, Mistake> {
    let missing = entry.missing.unwrap_or(false);
    let stated = entry.bins.is_some() || entry.edges.is_some() || entry.spacing.is_some();
    let (kind, binning) = match entry.kind {
        ColumnType::Category => (CodecKind::Category(category(entry, text, missing)?), Binning::Stated),
        ColumnType::Boolean => (CodecKind::Boolean(boolean(entry, text, missing)?), Binning::Stated),
        _ => match grid.filter(|_| !stated) {
            Some(most) => (bins::on_grid(entry, most)?, Binning::Grid),
            None => (bins::ranged(entry)?, if stated { Binning::Stated } else { Binning::Default }),
        },
    };
    let is_number = matches!(entry.kind, ColumnType::Integer | ColumnType::Number);
    let pattern = entry.format.as_deref().filter(|_| is_number);
    if entry.after.is_some() {
        // A difference is never read or written as a cell, and no word for a missing one is one.
        let rules = Arc::new(TextRules { missing_tokens: Vec::new(), ..TextRules::clone(text) });
        let codec = Codec::new(kind, missing, rules, binning).counted_from(entry.counted_from());
        return if u64::from(codec.size()) > MOST_CODES { Err(bins::too_many()) } else { Ok(codec) };
    }
    let numbers = pattern.map(|pattern| NumberFormat::new(pattern, text.decimal)).transpose()?;
    let clock = entry.kind == ColumnType::Number && numbers.as_ref().is_some_and(NumberFormat::is_clock);
    refuse_if(clock, "a clock number that is not whole", "use type = \"integer\"")?;
    let codec = Codec::new(kind, missing, text.clone(), binning).with_numbers(numbers);
    if u64::from(codec.size()) > MOST_CODES {
        return Err(bins::too_many());
    }
    Ok(codec)
}

/// How the own cells of a column are read and written that comes after another, whatever its range
/// is.
fn own_codec(entry: &ColumnFile, text: &Arc<TextRules>) -> Result<Codec, Mistake> {
    let axis = bins::ranged(entry)?;
    let date = |text: &str| PlainValue::Text(text.to_owned());
    let ends = match entry.kind {
        ColumnType::Date | ColumnType::DateTime => [date("2000-01-01"), date("2000-01-01")],
        _ => [PlainValue::Integer(0), PlainValue::Integer(0)],
    };
    let decimals = match axis {
        CodecKind::Number(axis) => axis.decimals().map(i64::from),
        _ => None,
    };
    let (kind, missing, format) = (entry.kind, entry.missing, entry.format.clone());
    let range = Some(OrDiscover::Given(ends.to_vec()));
    codec(&ColumnFile { kind, missing, format, range, bins: Some(1), decimals, ..ColumnFile::default() }, text, None)
}

fn category(entry: &ColumnFile, text: &TextRules, missing: bool) -> Result<Categories, Mistake> {
    let Some(values) = entry.values.as_ref().and_then(OrDiscover::given).cloned() else {
        return Err(Mistake::new("no `values`", "list the words that may occur: values = [\"...\", \"...\"]"));
    };
    if values.len() as u64 > MOST_CODES {
        return Err(bins::too_many());
    }
    let words = Categories::new(values, entry.other.clone(), &text.missing_tokens, missing)?;
    if entry.ordered == Some(true) { words.ordered() } else { Ok(words) }
}

fn boolean(entry: &ColumnFile, text: &TextRules, missing: bool) -> Result<Booleans, Mistake> {
    let words = match entry.values.as_ref().and_then(OrDiscover::given).map(Vec::as_slice) {
        None => ["false", "true"].map(str::to_owned),
        Some([no, yes]) => [no.clone(), yes.clone()],
        Some(_) => {
            return Err(Mistake::new(
                "`values` is not two words",
                "write the word for false and the word for true, or use type = \"category\"",
            ));
        }
    };
    Booleans::new(words, &text.missing_tokens, missing.then_some(2))
}
