//! A code book that is a table: one row a column, or one row a value.

use serde_json::{Value, json};

use super::cells::{BookType, bound, list, range, truth, type_of};
use super::code_book::{CodeBook, HELP};
use super::column::BookColumn;
use crate::SchemaError;
use crate::error::{Mistake, refuse_if};

/// The most values and labels of all columns together, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// A code book in the making, row by row.
///
/// Its columns are known by their names, whatever their case: `name` (or variable, column, field),
/// `type`, `values` (a list in a cell; codes, categories, choices) or `value` (one a row; code),
/// `label` or `labels`, `min`, `max`, `range`, `missing`, `format`, `decimals`, `description`.
/// Others are read over. Rows without a name belong to the row above, and so do rows of the same
/// name.
#[derive(Clone, Debug)]
pub struct BookTable {
    places: [Option<usize>; FIELDS.len()],
    columns: Vec<Listed>,
    bytes: usize,
}

/// What can stand in a row, and the names of its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Name,
    Type,
    Values,
    Value,
    Labels,
    Low,
    High,
    Range,
    Missing,
    Format,
    Decimals,
    About,
}

const FIELDS: [(Field, &[&str]); 12] = [
    (
        Field::Name,
        &["name", "variable", "column", "field", "variable name", "column name", "field name", "variable / field name"],
    ),
    (Field::Type, &["type", "data type", "datatype", "dtype", "variable type", "field type"]),
    (Field::Values, &["values", "codes", "categories", "choices", "levels", "allowed values"]),
    (Field::Value, &["value", "code", "category", "level"]),
    (Field::Labels, &["label", "labels", "value label", "value labels", "meaning"]),
    (Field::Low, &["min", "minimum", "low", "lower", "min value"]),
    (Field::High, &["max", "maximum", "high", "upper", "max value"]),
    (Field::Range, &["range", "bounds"]),
    (Field::Missing, &["missing", "nullable", "may be missing"]),
    (Field::Format, &["format", "date format", "datetime format"]),
    (Field::Decimals, &["decimals", "decimal places"]),
    (Field::About, &["description", "question", "title"]),
];

/// What rows of one name say.
#[derive(Clone, Debug, Default)]
struct Listed {
    /// The cells of the first row that has them.
    cells: [String; FIELDS.len()],
    /// Values and labels of rows with one value each.
    rows: Vec<(String, String)>,
    /// The name as the book writes it, where that has spaces around it.
    spaced_name: Option<String>,
}

impl BookTable {
    /// A book with this header.
    ///
    /// # Errors
    /// A header without a name or with nothing beside it, or with two columns for the same thing.
    pub fn new(header: &[String]) -> Result<Self, SchemaError> {
        let mut places = [None; FIELDS.len()];
        for (place, title) in header.iter().enumerate() {
            let plain = title.trim().to_lowercase().replace(['_', '-', '.'], " ");
            let Some(field) = FIELDS.iter().position(|(_, names)| names.contains(&plain.as_str())) else { continue };
            if let Some(other) = places[field].replace(place) {
                let what = format!("columns {:?} and {title:?} of the book say the same", header[other]);
                return Err(SchemaError::whole(what, "rename one of them"));
            }
        }
        let nameless = places[Field::Name as usize].is_none();
        refuse_if(nameless, "the header of the code book has no column for names", HELP)?;
        // The rows of a table of people must not become its columns.
        let names_alone = places.iter().flatten().count() == 1;
        refuse_if(names_alone, "the header of the code book has nothing but names", "is this the data? add a `type`")?;
        Ok(Self { places, columns: Vec::new(), bytes: 0 })
    }

    /// Takes a row. Cells beyond its end are empty.
    ///
    /// # Errors
    /// A row without a name above it, text that is not UTF-8, and a book beyond all measure.
    pub fn row(&mut self, cells: &[&[u8]]) -> Result<(), SchemaError> {
        let mut texts: [&str; FIELDS.len()] = [""; FIELDS.len()];
        for (text, place) in texts.iter_mut().zip(self.places) {
            let cell = place.and_then(|place| cells.get(place)).copied().unwrap_or_default();
            *text = std::str::from_utf8(cell)
                .map_err(|_| SchemaError::whole("the code book is not UTF-8", "save it as UTF-8"))?
                .trim();
        }
        if texts.iter().all(|text| text.is_empty()) {
            return Ok(());
        }
        self.bytes += texts.iter().map(|text| text.len() + 1).sum::<usize>();
        refuse_if(self.bytes > MOST_BYTES, "the code book has more than 64 MiB", "this is rather the data")?;
        let name = texts[Field::Name as usize];
        let goes_on = self.columns.last().is_some_and(|column| name.is_empty() || column.name() == name);
        if !goes_on {
            refuse_if(name.is_empty(), "a row of the code book has no name", "name its column")?;
            self.columns.push(Listed::default());
        }
        if let Some(column) = self.columns.last_mut() {
            column.add(texts);
            let written = self.places[Field::Name as usize].and_then(|place| cells.get(place)).copied();
            let written = written.and_then(|cell| std::str::from_utf8(cell).ok()).unwrap_or_default();
            if !name.is_empty() && written != name && column.spaced_name.is_none() {
                column.spaced_name = Some(written.to_owned());
            }
        }
        Ok(())
    }

    /// The whole book.
    ///
    /// # Errors
    /// What a schema could not say, in one line.
    pub fn finish(self) -> Result<CodeBook, SchemaError> {
        let column = |listed: &Listed| -> Result<BookColumn, SchemaError> {
            let column = listed.column().map_err(|mistake| mistake.at(listed.name()))?;
            let Some(written) = &listed.spaced_name else { return Ok(column) };
            let doubt = format!("the book writes its name with spaces around it, {written:?}; they were left out");
            Ok(column.doubted(&doubt))
        };
        CodeBook::new(self.columns.iter().map(column).collect::<Result<_, _>>()?, false)
    }
}

/// Codes beside bounds, such as one for "refused", which get a code of their own.
fn codes_within(values: &[String], bounds: &[Value; 2]) -> Result<Vec<Value>, Mistake> {
    let [low, high] = bounds.each_ref().map(Value::as_f64);
    let code = |value: &String| {
        let found = bound(value).filter(|code| code.as_f64() >= low && code.as_f64() <= high && code.is_number());
        found.ok_or_else(|| {
            let what = format!("it has bounds and lists {value:?}, which does not lie within them");
            Mistake::new(what, "widen the bounds, or leave out one or the other")
        })
    };
    values.iter().map(code).collect()
}

impl Listed {
    fn add(&mut self, texts: [&str; FIELDS.len()]) {
        for (cell, text) in self.cells.iter_mut().zip(texts) {
            if cell.is_empty() {
                text.clone_into(cell);
            }
        }
        let [value, values, label] = [Field::Value, Field::Values, Field::Labels].map(|field| texts[field as usize]);
        let value = if value.is_empty() { values } else { value };
        if !value.is_empty() {
            self.rows.push((value.to_owned(), label.to_owned()));
        }
    }

    fn cell(&self, field: Field) -> &str {
        &self.cells[field as usize]
    }

    fn name(&self) -> &str {
        self.cell(Field::Name)
    }

    fn column(&self) -> Result<BookColumn, Mistake> {
        let stated = match self.cell(Field::Type) {
            "" => None,
            word => Some(type_of(word)?),
        };
        let listed = self.listed_range(stated);
        let (values, labels) = if listed.is_some() { Default::default() } else { self.values()? };
        let bounds = if listed.is_some() { listed } else { self.bounds()? };
        let spikes = bounds.as_ref().filter(|_| !values.is_empty()).map(|bounds| codes_within(&values, bounds));
        let column = self.typed(stated, bounds, &values, &labels)?;
        let column = match spikes {
            Some(spikes) => column.with("spikes", json!(spikes?)),
            None => column,
        };
        let column = match self.cell(Field::Missing) {
            "" => column,
            word => column.with("missing", json!(truth(word)?)),
        };
        let named: Vec<String> =
            values.iter().zip(&labels).map(|(value, label)| format!("{value} = {label}")).collect();
        // A label that is none of a value is one of the column.
        let about = if named.is_empty() { self.cell(Field::Labels) } else { "" };
        Ok(column.remarked(about).remarked(self.cell(Field::About)).remarked(&named.join(", ")))
    }

    fn typed(
        &self,
        stated: Option<BookType>,
        bounds: Option<[Value; 2]>,
        values: &[String],
        labels: &[String],
    ) -> Result<BookColumn, Mistake> {
        let name = self.name();
        let known = (!values.is_empty()).then(|| values.to_vec());
        let format = Some(self.cell(Field::Format)).filter(|format| format.contains('%'));
        Ok(match (stated, bounds) {
            (Some(BookType::Id), _) => BookColumn::id(name),
            (Some(BookType::Ignored), _) => BookColumn::ignored(name),
            (Some(BookType::Truth), _) => BookColumn::boolean(name, values, labels)
                .ok_or_else(|| Mistake::new("a truth value has not two words", "list two, or write type category"))?,
            // A few codes that are numbers are still a list of codes.
            (Some(BookType::Whole | BookType::Number), None) if known.is_some() => BookColumn::category(name, known),
            (Some(BookType::Words), None) => BookColumn::category(name, known),
            (Some(BookType::Words), Some(_)) => {
                return Err(Mistake::new("words have no bounds", "list its values, or write type number"));
            }
            (Some(BookType::Whole), bounds) => BookColumn::ranged(name, "integer", bounds),
            (Some(BookType::Number), bounds) => match self.decimals()? {
                Some(0) => BookColumn::ranged(name, "integer", bounds),
                Some(decimals) => BookColumn::ranged(name, "number", bounds).with("decimals", json!(decimals)),
                None => BookColumn::ranged(name, "number", bounds),
            },
            (Some(dated @ (BookType::Date | BookType::Moment)), bounds) => {
                let column =
                    BookColumn::ranged(name, if dated == BookType::Date { "date" } else { "datetime" }, bounds);
                match format {
                    Some(format) => column.with("format", json!(format)),
                    None => column,
                }
            }
            (None, Some(bounds)) => {
                let kind = match bounds.iter().all(Value::is_i64) {
                    true => "integer",
                    false if bounds.iter().all(Value::is_number) => "number",
                    false => "date",
                };
                BookColumn::ranged(name, kind, Some(bounds))
            }
            (None, None) if known.is_some() => BookColumn::category(name, known),
            (None, None) => BookColumn::unknown(name),
        })
    }

    /// The bounds that stand in the place of a list of values.
    fn listed_range(&self, stated: Option<BookType>) -> Option<[Value; 2]> {
        let has_range = matches!(stated, Some(BookType::Whole | BookType::Number | BookType::Date | BookType::Moment));
        match self.rows.as_slice() {
            // A list of two codes has a mark between them that is none of a range.
            [(value, _)] if has_range && !value.contains(['|', ';', ',', '\n', '=']) => range(value),
            _ => None,
        }
    }

    /// The bounds, from their own columns.
    fn bounds(&self) -> Result<Option<[Value; 2]>, Mistake> {
        let wrong =
            |cell: &str| Mistake::new(format!("{cell:?} is no bound"), "write a number, or a date as 2024-03-31");
        let one = |cell: &str| bound(cell).ok_or_else(|| wrong(cell));
        match [self.cell(Field::Low), self.cell(Field::High)] {
            ["", ""] => match self.cell(Field::Range) {
                "" => Ok(None),
                cell => {
                    let wrong = || Mistake::new(format!("{cell:?} is no range"), "write it as 0..99");
                    range(cell).map(Some).ok_or_else(wrong)
                }
            },
            // Half a range cannot be said.
            ["", half] | [half, ""] => one(half).map(|_| None),
            [low, high] => Ok(Some([one(low)?, one(high)?])),
        }
    }

    /// The values and their labels: a list in a cell, or one a row.
    fn values(&self) -> Result<(Vec<String>, Vec<String>), Mistake> {
        if let [(cell, label)] = self.rows.as_slice()
            && self.cell(Field::Value).is_empty()
        {
            let (values, own) = list(cell);
            if !own.is_empty() || label.is_empty() {
                return Ok((values, own));
            }
            let (labels, _) = list(label);
            if labels.len() == 1 && values.len() > 1 {
                return Ok((values, Vec::new()));
            }
            let what = format!("{} values and {} labels", values.len(), labels.len());
            refuse_if(values.len() != labels.len(), what, "part both lists with the same mark, such as ;")?;
            return Ok((values, labels));
        }
        let has_labels = self.rows.iter().any(|(_, label)| !label.is_empty());
        let (values, labels) = self.rows.iter().cloned().unzip();
        Ok((values, if has_labels { labels } else { Vec::new() }))
    }

    fn decimals(&self) -> Result<Option<u8>, Mistake> {
        match self.cell(Field::Decimals) {
            "" => Ok(None),
            cell => cell.parse().map(Some).map_err(|_| {
                Mistake::new(format!("decimals: {cell:?} is no number of decimals"), "write a whole number such as 2")
            }),
        }
    }
}
