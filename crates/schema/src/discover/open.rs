//! Schemas with facts that are still to be bought.

use super::found::{FoundColumn, FoundText};
use super::reader::NumberText;
use crate::codec::TextRules;
use crate::codec::clock::ClockUnit;
use crate::error::Mistake;
use crate::file::{
    ColumnFile, ColumnType, Discovered, OrDiscover, SchemaFile, Unlisted, build_schema, check_keys, read_file,
};
use crate::schema::refuse_repeated;
use crate::{Mark, PlainValue, Schema, SchemaError, StoredType, TextEncoding, mark};

/// Keys that stand beside a range that is to be found: others need to know it.
const BESIDE_RANGE: [&str; 9] =
    ["type", "stored", "review", "harmless", "assumed", "range", "decimals", "format", "missing"];

/// A schema of which some facts are stated and others are to be discovered.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenSchema {
    file: SchemaFile,
}

/// What is to be found of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Everything is stated, or the column is left out.
    Nothing,
    /// Its type, and with it all that goes with the type.
    Type,
    /// The bounds of whole numbers.
    Integers,
    /// The bounds of numbers.
    Numbers,
    /// The bounds of dates, or of moments (true), written in a pattern or in ISO 8601.
    Dates(Option<String>, bool),
    /// The values of a category.
    Values,
}

impl OpenSchema {
    /// Nothing is stated: every column of the data is to be discovered.
    pub fn nothing() -> Self {
        Self { file: SchemaFile { unlisted: Some(Unlisted::Discover), ..SchemaFile::default() } }
    }

    /// Reads a schema file, open or not. `name` is the file's name, for messages.
    ///
    /// # Errors
    /// As for [`Schema::parse`], and where a key needs a fact that is to be discovered.
    pub fn parse(text: &str, name: &str) -> Result<Self, SchemaError> {
        Self::new(read_file(text, name)?)
    }

    /// The same of a file's content.
    pub(crate) fn new(file: SchemaFile) -> Result<Self, SchemaError> {
        let open = Self { file };
        for (name, entry) in &open.file.columns.0 {
            open.check(entry).map_err(|mistake| mistake.at(name))?;
        }
        for rule in &open.file.impossible {
            if let Some((name, _)) = rule.0.iter().find(|(name, _)| open.entry(name).is_none_or(ColumnFile::is_open)) {
                let what = "an impossible combination needs what is to be discovered of it";
                return Err(SchemaError::column(name, what, "state the column whole, or leave the rule out"));
            }
        }
        for name in open.file.missing_together.iter().chain(&open.file.in_order).flatten() {
            if open.entry(name).is_some_and(|entry| entry.kind == ColumnType::Discover) {
                let what = "a group of `missing_together` or `in_order` needs its type, which is to be discovered";
                return Err(SchemaError::column(name, what, "state its type, or take it out of the group"));
            }
        }
        for (name, entry) in &open.file.columns.0 {
            let on = entry.after.as_ref().and_then(|on| open.entry(on));
            let is_date = |on: &ColumnFile| matches!(on.kind, ColumnType::Date | ColumnType::DateTime);
            if on.is_some_and(|on| on.is_open() && !is_date(on)) {
                let what = "it comes `after` a column that is to be discovered";
                let help = "state that column; of a date the range may be discovered";
                return Err(SchemaError::column(name, what, help));
            }
            if on.is_some_and(ColumnFile::is_open) && entry.missing != Some(true) {
                let what = "it comes `after` a column that is to be discovered, and has no code for missing cells";
                return Err(SchemaError::column(name, what, "say missing = true"));
            }
        }
        open.stand_in()?;
        Ok(open)
    }

    /// Whether something is to be discovered.
    pub fn is_open(&self) -> bool {
        self.file.unlisted == Some(Unlisted::Discover) || self.file.columns.0.iter().any(|(_, entry)| entry.is_open())
    }

    /// The facts that nobody has reviewed yet, as [`Schema::unreviewed`] has them.
    pub fn unreviewed(&self) -> Vec<Mark<'_>> {
        let of_columns = self
            .file
            .columns
            .0
            .iter()
            .flat_map(|(name, entry)| mark::pending(Some(name), &entry.review, &entry.harmless));
        mark::pending(None, &self.file.review, &self.file.harmless).chain(of_columns).collect()
    }

    /// What the file says.
    pub(crate) fn file(&self) -> &SchemaFile {
        &self.file
    }

    /// The schema, when nothing is to be discovered.
    ///
    /// # Errors
    /// The first fact that is.
    pub fn closed(&self) -> Result<Schema, SchemaError> {
        build_schema(self.file.clone())
    }

    /// The same with all columns that the file does not list to be discovered too.
    pub fn with_unlisted_discovered(mut self) -> Self {
        self.file.unlisted = Some(Unlisted::Discover);
        self
    }

    /// The same with another decimal mark.
    pub fn with_decimal(mut self, mark: &str) -> Self {
        self.file.decimal = Some(mark.to_owned());
        self
    }

    /// The same of a file in this encoding.
    pub fn with_encoding(mut self, encoding: TextEncoding) -> Self {
        self.file.encoding = Some(encoding);
        self
    }

    /// The same with a column left out, unless something is said of it: the one that tells whose
    /// row it is.
    pub fn leaving_out(mut self, name: &str) -> Self {
        if self.entry(name).is_none() && self.file.unlisted == Some(Unlisted::Discover) {
            self.file.columns.0.push((name.to_owned(), ColumnFile::new(ColumnType::Ignore)));
        }
        self
    }

    /// Which columns of a header will be in the release with their own values.
    pub fn kept(&self, header: &[String]) -> Vec<bool> {
        let unlisted = self.file.unlisted == Some(Unlisted::Discover);
        let modelled =
            |entry: &ColumnFile| !matches!(entry.kind, ColumnType::Id | ColumnType::Derived | ColumnType::Ignore);
        header.iter().map(|name| self.entry(name).map_or(unlisted, modelled)).collect()
    }

    /// What is to be found of each column of a header.
    ///
    /// # Errors
    /// A header that does not go with the schema.
    pub fn wishes(&self, header: &[String]) -> Result<Vec<Wish>, SchemaError> {
        match self.stand_in()? {
            Some(schema) => schema.arranged(header).map(|_| ())?,
            None => refuse_repeated(header)?,
        }
        let unlisted = if self.file.unlisted == Some(Unlisted::Discover) { Wish::Type } else { Wish::Nothing };
        Ok(header.iter().map(|name| self.entry(name).map_or(unlisted.clone(), wish)).collect())
    }

    /// The decimal mark that is stated; `None` where it is to be found.
    pub fn decimal(&self) -> Option<u8> {
        let stated = self.file.decimal.as_ref().map(|text| if text == "," { b',' } else { b'.' });
        stated.or_else(|| (self.file.unlisted != Some(Unlisted::Discover) && !self.wants_types()).then_some(b'.'))
    }

    fn wants_types(&self) -> bool {
        self.file.columns.0.iter().any(|(_, entry)| entry.kind == ColumnType::Discover)
    }

    /// How a column writes its numbers, where the file's decimal mark is this one.
    pub fn number_text(&self, name: &str, decimal: u8) -> NumberText {
        NumberText::new(decimal, self.entry(name).and_then(|entry| entry.format.as_deref()))
    }

    /// The words that mean "missing" in the columns that are not discovered, and in all others
    /// beside those that are found.
    pub fn missing_tokens(&self) -> Vec<String> {
        self.file.missing_tokens.clone().unwrap_or_else(|| TextRules::default().missing_tokens)
    }

    /// The delimiter that is stated.
    pub fn delimiter(&self) -> Option<u8> {
        self.stand_in().ok().flatten().and_then(|schema| schema.delimiter())
    }

    /// How letters are encoded, where it is stated.
    pub fn encoding(&self) -> Option<TextEncoding> {
        self.file.encoding
    }

    /// Whether quoted fields may hold line ends.
    pub fn multiline(&self) -> bool {
        self.file.multiline.unwrap_or(false)
    }

    /// The names of the columns that are listed.
    pub fn names(&self) -> Vec<String> {
        self.file.columns.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Whether columns that are not listed are to be discovered.
    pub fn takes_unlisted(&self) -> bool {
        self.file.unlisted == Some(Unlisted::Discover)
    }

    /// The columns that are listed, as far as they will be modelled, with whether they are open.
    pub fn listed(&self) -> impl Iterator<Item = (&str, bool)> {
        let modelled =
            |entry: &ColumnFile| !matches!(entry.kind, ColumnType::Id | ColumnType::Derived | ColumnType::Ignore);
        let columns = self.file.columns.0.iter().filter(move |(_, entry)| modelled(entry));
        columns.map(|(name, entry)| (name.as_str(), entry.is_open()))
    }

    /// A schema with something in the place of what is to be found, for what does not hang on it;
    /// `None` when no column is listed.
    pub fn stand_in(&self) -> Result<Option<Schema>, SchemaError> {
        if self.file.columns.0.is_empty() {
            return Ok(None);
        }
        let mut file = self.file.clone();
        if file.unlisted == Some(Unlisted::Discover) {
            file.unlisted = Some(Unlisted::Ignore);
        }
        // Whether ranges can be in order is known when all of them are.
        self.leave_out_open_orders(&mut file);
        for (_, entry) in &mut file.columns.0 {
            *entry = stand_in(entry);
        }
        build_schema(file).map(Some)
    }

    /// Takes groups out of `in_order` of which a range is to be found.
    fn leave_out_open_orders(&self, file: &mut SchemaFile) {
        file.in_order.retain(|group| !group.iter().any(|name| self.entry(name).is_some_and(ColumnFile::is_open)));
    }

    /// Takes the form of columns away that come after one of which the range is to be found: it may
    /// not hold what follows from a wide one.
    fn write_plainly_after_open(&self, file: &mut SchemaFile) {
        for (_, entry) in &mut file.columns.0 {
            let on = entry.after.as_ref().and_then(|on| self.entry(on));
            if on.is_some_and(ColumnFile::is_open) {
                (entry.format, entry.stored) = (None, None);
            }
        }
    }

    /// The schema with what was found, one entry a column of the header where there was a wish.
    /// Columns stand in the header's order.
    ///
    /// # Errors
    /// None, where `found` answers the wishes.
    pub fn filled(
        &self,
        header: &[String],
        found: &[Option<(FoundColumn, Discovered)>],
        text: &FoundText,
    ) -> Result<Schema, SchemaError> {
        let mut file = self.file.clone();
        let nothing = ColumnFile::new(ColumnType::Discover);
        let decimal = self.decimal().unwrap_or(if text.comma { b',' } else { b'.' });
        for (name, found) in header.iter().zip(found) {
            let Some((found, discovered)) = found else { continue };
            let entry = found.entry(self.entry(name).unwrap_or(&nothing), decimal, discovered.clone());
            match file.columns.0.iter_mut().find(|(listed, _)| listed == name) {
                Some(listed) => listed.1 = entry,
                None => file.columns.0.push((name.clone(), entry)),
            }
        }
        let mut tokens = self.missing_tokens();
        let new = text.missing_words.iter().filter(|word| !self.lists(word) && !tokens.contains(word));
        let new: Vec<String> = new.cloned().collect();
        tokens.extend(new);
        // Rows are written as the table is: a word that was bought is as public as its type.
        let usual = text.usual_missing.clone().filter(|word| tokens.contains(word));
        file.written.missing = file.written.missing.or(usual);
        file.missing_tokens = Some(tokens);
        if self.decimal().is_none() {
            file.decimal = Some(if text.comma { "," } else { "." }.to_owned());
        }
        if file.unlisted == Some(Unlisted::Discover) {
            file.unlisted = None;
        }
        // Ranges that were found may leave no value in order; the budget has been spent on them.
        let whole = build_schema(file.clone());
        let schema = whole.or_else(|error| {
            let said = file.clone();
            self.leave_out_open_orders(&mut file);
            self.write_plainly_after_open(&mut file);
            if file != said { build_schema(file) } else { Err(error) }
        })?;
        schema.arranged(header)
    }

    fn entry(&self, name: &str) -> Option<&ColumnFile> {
        self.file.columns.0.iter().find(|(listed, _)| listed == name).map(|(_, entry)| entry)
    }

    /// Whether a word is a value of some column that is stated.
    fn lists(&self, word: &str) -> bool {
        let mut values = self.file.columns.0.iter().filter_map(|(_, entry)| entry.values.as_ref()?.given());
        values.any(|values| values.iter().any(|value| value == word))
    }

    fn check(&self, entry: &ColumnFile) -> Result<(), Mistake> {
        check_keys(entry)?;
        entry.stored.as_deref().map(StoredType::parse).transpose()?;
        let is_range = entry.range == Some(OrDiscover::Discover);
        let needs = |key: &String| is_range && !BESIDE_RANGE.contains(&key.as_str());
        if let Some(key) = entry.said().into_iter().find(needs) {
            return Err(Mistake::new(
                format!("`{key}` needs a range that is stated"),
                "state the range, or leave it out",
            ));
        }
        let clock = entry.format.as_deref().and_then(ClockUnit::of_format);
        let is_clock = entry.kind == ColumnType::Integer && clock.is_some();
        if is_range && is_clock {
            return Err(Mistake::new("the range of a clock is known", "leave `range` out"));
        }
        let is_values = entry.values == Some(OrDiscover::Discover);
        if is_values && (entry.kind == ColumnType::Boolean || !entry.levels.is_empty()) {
            let help = "state the values, or use type = \"category\" without levels";
            return Err(Mistake::new("its values cannot be discovered", help));
        }
        Ok(())
    }
}

impl ColumnFile {
    /// The facts that are to be discovered.
    pub(crate) fn open_facts(&self) -> Vec<&'static str> {
        let open = [
            ("type", self.kind == ColumnType::Discover),
            ("range", self.range == Some(OrDiscover::Discover)),
            ("values", self.values == Some(OrDiscover::Discover)),
        ];
        open.into_iter().filter_map(|(fact, open)| open.then_some(fact)).collect()
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.open_facts().is_empty()
    }
}

fn wish(entry: &ColumnFile) -> Wish {
    let dates = |timed| Wish::Dates(entry.format.clone(), timed);
    match (entry.kind, entry.open_facts().as_slice()) {
        (_, []) => Wish::Nothing,
        (ColumnType::Discover, _) => Wish::Type,
        (ColumnType::Integer, _) => Wish::Integers,
        (ColumnType::Number, _) => Wish::Numbers,
        (ColumnType::Date, _) => dates(false),
        (ColumnType::DateTime, _) => dates(true),
        _ => Wish::Values,
    }
}

/// An entry with something in the place of what is to be found.
fn stand_in(entry: &ColumnFile) -> ColumnFile {
    let mut entry = entry.clone();
    if entry.is_open() {
        entry.stored = None;
    }
    if entry.kind == ColumnType::Discover {
        return ColumnFile::new(ColumnType::Ignore).marked(entry.marks());
    }
    if entry.range == Some(OrDiscover::Discover) {
        let text = |text: &str| PlainValue::Text(text.to_owned());
        entry.range = Some(OrDiscover::Given(match entry.kind {
            ColumnType::Integer | ColumnType::Number => vec![PlainValue::Integer(0), PlainValue::Integer(1)],
            _ => vec![text("2000-01-01"), text("2000-01-02")],
        }));
    }
    if entry.values == Some(OrDiscover::Discover) {
        entry.values = Some(OrDiscover::Given(Vec::new()));
        entry.other.get_or_insert_with(|| super::OTHER.to_owned());
    }
    entry
}
