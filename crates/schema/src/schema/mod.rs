//! The whole schema, checked.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::after::resolve_differences;
use crate::codec::TextRules;
use crate::error::refuse_if;
use crate::impossible::{RuleFile, compile_rules, missing_together};
use crate::in_order::rising;
use crate::nearest::suggestion;
use crate::stored::check_formula;
use crate::written::written_name;
use crate::{
    After, AttrId, CellValue, Codec, Column, Domain, ImpossibleRule, Mark, Marks, RisingColumns, Role, RowForm,
    SchemaError, TextEncoding,
};

/// The most codes that one column may have.
pub const MOST_CODES: u64 = 1_000_000;

/// The most columns that a schema may have.
pub const MOST_COLUMNS: usize = 100_000;

/// A checked schema. Holds at least one column; names are unique.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    columns: Vec<Column>,
    /// The column behind each attribute.
    modelled: Vec<usize>,
    domain: Domain,
    impossible: Vec<ImpossibleRule>,
    rising: Vec<RisingColumns>,
    settings: TableSettings,
}

/// What a schema says beside its columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableSettings {
    /// The impossible combinations as the file words them.
    pub rules: Vec<RuleFile>,
    /// Groups of columns whose cells are missing together.
    pub together: Vec<Vec<String>>,
    /// Groups of columns whose values rise.
    pub in_order: Vec<Vec<String>>,
    pub text: Arc<TextRules>,
    pub delimiter: Option<u8>,
    pub encoding: Option<TextEncoding>,
    pub skips_unlisted: bool,
    pub multiline: bool,
    /// The most codes of a column of numbers or dates whose bins are not stated, where such columns
    /// are on their own grid.
    pub grid: Option<u32>,
    /// How synthetic rows are written.
    pub form: RowForm,
    pub marks: Marks,
}

impl Schema {
    /// Checks what concerns the columns together.
    pub(crate) fn new(mut columns: Vec<Column>, settings: TableSettings) -> Result<Self, SchemaError> {
        refuse_if(columns.is_empty(), "no columns", "describe at least one: [columns.age] and so on")?;
        let many = columns.len() > MOST_COLUMNS;
        refuse_if(many, format!("more than {MOST_COLUMNS} columns"), "list fewer columns")?;
        let mut names = HashSet::new();
        if let Some(column) = columns.iter().find(|column| !names.insert(column.name.as_str())) {
            return Err(SchemaError::column(&column.name, "listed twice", "list each column once"));
        }
        let modelled: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].codec().is_some()).collect();
        let sizes = columns.iter().filter_map(|column| column.codec().map(Codec::size)).collect();
        resolve_differences(&mut columns)?;
        resolve_formulas(&mut columns)?;
        resolve_dependents(&mut columns)?;
        let mut impossible = missing_together(&settings.together, &columns)?;
        impossible.extend(compile_rules(&settings.rules, &columns)?);
        let rising = rising(&settings.in_order, &columns)?;
        refuse_moved_keys(&columns, &settings.in_order)?;
        Ok(Self { columns, modelled, domain: Domain::new(sizes), impossible, rising, settings })
    }

    /// All columns, in the schema's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The modelled columns' sizes.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The column behind an attribute.
    pub fn column(&self, attribute: AttrId) -> &Column {
        &self.columns[self.modelled[attribute.index()]]
    }

    /// The codec of an attribute.
    pub fn codec(&self, attribute: AttrId) -> &Codec {
        match &self.column(attribute).role {
            Role::Modelled(codec) => codec,
            Role::Dependent(_) | Role::Id | Role::Derived(_) | Role::Ignored => {
                unreachable!("attributes are modelled columns")
            }
        }
    }

    /// The attribute of a modelled column by name.
    pub fn attribute(&self, name: &str) -> Option<AttrId> {
        self.modelled.iter().position(|&at| self.columns[at].name == name).map(|index| AttrId(index as u32))
    }

    /// The attribute of a modelled column by name, or what is wrong with the name and what to write
    /// instead.
    pub fn find(&self, name: &str) -> Result<AttrId, (String, String)> {
        if let Some(attribute) = self.attribute(name) {
            return Ok(attribute);
        }
        let held: Vec<&str> = self.modelled.iter().map(|&at| self.columns[at].name.as_str()).collect();
        let shown = held.iter().take(12).map(|name| written_name(name)).collect::<Vec<_>>().join(", ");
        let more = if held.len() > 12 { format!(" and {} more", held.len() - 12) } else { String::new() };
        let follows = |how: &str, names: &[String]| {
            let names = names.iter().map(|name| written_name(name)).collect::<Vec<_>>().join(", ");
            let what = format!("a column that is {how} {names} when a row is written, so no model holds it");
            Err((what, format!("name what it follows from: {names}")))
        };
        let what = match self.columns.iter().find(|column| column.name == name) {
            Some(Column { role: Role::Derived(formula), .. }) => return follows("computed from", formula.names()),
            Some(Column { role: Role::Dependent(dependent), .. }) => return follows("looked up by", dependent.on()),
            Some(column) => format!("a column of type {:?}, which no model holds", column.type_name()),
            None => format!("no such column{}", suggestion(name, held.iter().copied())),
        };
        Err((what, format!("the columns are {shown}{more}")))
    }

    /// Combinations that cannot occur.
    pub fn impossible(&self) -> &[ImpossibleRule] {
        &self.impossible
    }

    /// Groups of columns whose values rise.
    pub fn rising(&self) -> &[RisingColumns] {
        &self.rising
    }

    /// Whether a cell of this column depends on others of its row.
    pub fn is_rising(&self, attribute: AttrId) -> bool {
        self.after(attribute).is_some() || self.rising.iter().any(|group| group.columns().contains(&attribute))
    }

    /// What the column comes after, where it is held as its difference to that one.
    pub fn after(&self, attribute: AttrId) -> Option<&After> {
        self.column(attribute).after.as_ref()
    }

    /// The columns that are held as their difference to another one.
    pub fn differences(&self) -> impl Iterator<Item = (AttrId, &After)> {
        self.domain.attributes().filter_map(|attribute| Some((attribute, self.after(attribute)?)))
    }

    /// How the cells of an attribute are read and written: its codec, but where that is the one of
    /// a difference.
    pub fn written_codec(&self, attribute: AttrId) -> &Codec {
        self.after(attribute).map_or_else(|| self.codec(attribute), After::own)
    }

    /// The cell of a row for a column: what its code stands for, put in order with others or
    /// counted from an earlier one where the schema says so. `drawn` gives codes of the row and the
    /// bits that pick places inside bins.
    pub fn cell(&self, attribute: AttrId, drawn: &dyn Fn(AttrId) -> (u32, u64)) -> CellValue<'_> {
        let decoded = |attribute: AttrId| {
            let (code, bits) = drawn(attribute);
            self.codec(attribute).decode(code, bits)
        };
        if let Some(after) = self.after(attribute) {
            return after.cell(&self.cell(after.earlier(), drawn), &decoded(attribute));
        }
        let place = |group: &RisingColumns| group.columns().iter().position(|&column| column == attribute);
        match self.rising.iter().find_map(|group| place(group).map(|place| (group, place))) {
            Some((group, place)) => group.cell(place, &decoded),
            None => decoded(attribute),
        }
    }

    /// What the schema says beside its columns.
    pub(crate) fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// Whether a full row of codes is impossible.
    pub fn forbids(&self, row: &[u32]) -> bool {
        self.impossible.iter().any(|rule| rule.forbids(row))
    }

    /// The facts that nobody has reviewed yet, those of the whole file first. Empty for a schema
    /// that carries a guarantee.
    pub fn unreviewed(&self) -> Vec<Mark<'_>> {
        let of_columns = self.columns.iter().flat_map(|column| column.marks.pending(Some(&column.name)));
        self.settings.marks.pending(None).chain(of_columns).collect()
    }

    /// The facts that were accepted in bulk, as "age: type". Whoever vouches for the schema assumes
    /// them public, and a release says so.
    pub fn assumed_public(&self) -> Vec<String> {
        let of_columns = self.columns.iter().flat_map(|column| column.marks.assumed(Some(&column.name)));
        self.settings.marks.assumed(None).chain(of_columns).collect()
    }

    /// Whether a quoted field of delimited text may hold line ends. Otherwise every line is a
    /// record.
    pub fn multiline(&self) -> bool {
        self.settings.multiline
    }

    /// Whether columns of the file that the schema does not list are skipped (mbi files, `unlisted
    /// = "ignore"`) or refused.
    pub fn skips_unlisted(&self) -> bool {
        self.settings.skips_unlisted
    }

    /// Groups of columns whose cells are missing together, by name.
    pub fn missing_together(&self) -> &[Vec<String>] {
        &self.settings.together
    }

    /// Groups of columns whose values rise, by name.
    pub fn in_order(&self) -> &[Vec<String>] {
        &self.settings.in_order
    }

    /// How the letters of the data file are encoded, where the schema says so.
    pub fn encoding(&self) -> Option<TextEncoding> {
        self.settings.encoding
    }

    /// The field delimiter for delimited text when no flag says otherwise.
    pub fn delimiter(&self) -> Option<u8> {
        self.settings.delimiter
    }

    /// How synthetic rows are written as text.
    pub fn row_form(&self) -> &RowForm {
        &self.settings.form
    }

    /// The same schema with rows written like this, unless it says itself how they are.
    pub fn written_like(mut self, form: RowForm) -> Self {
        // What it says of the data file goes for rows that are written, and says nothing of these.
        let TableSettings { delimiter, encoding, .. } = self.settings;
        let plain = RowForm::default();
        let delimiter = delimiter.unwrap_or(plain.delimiter);
        let missing = self.settings.form.missing.clone();
        let encoding = encoding.unwrap_or_default();
        if self.settings.form == (RowForm { delimiter, encoding, missing: missing.clone(), ..plain }) {
            self.settings.form = RowForm { missing, ..form };
        }
        self
    }

    /// The decimal mark and the missing tokens.
    pub fn text_rules(&self) -> &TextRules {
        &self.settings.text
    }

    /// Public warnings of `schema check`, one line each.
    pub fn warnings(&self) -> Vec<String> {
        type IsMeant = fn(&Codec) -> bool;
        let cases: [(IsMeant, &str, &str); 3] = [
            (
                |codec| codec.other_code().is_none() && codec.missing_code().is_none(),
                "no missing code and no `other` word, so empty and unreadable cells are counted as the first code",
                "missing = true gives them a code of their own",
            ),
            (
                |codec| codec.size() == 1,
                "only one code, so nothing can be learned",
                "type = \"ignore\" leaves a column out",
            ),
            (
                |codec| codec.size() > 10_000 && !codec.is_on_grid(),
                "more than 10,000 codes, where noise will drown all but the largest",
                "use fewer bins, or list fewer values",
            ),
        ];
        let mut warnings = Vec::new();
        for (is_meant, what, help) in cases {
            let meant = self.columns.iter().filter(|column| column.codec().is_some_and(is_meant));
            if let Some(names) = listed(meant.map(|column| column.name.as_str())) {
                warnings.push(format!("{what}: {names} ({help})"));
            }
        }
        for column in &self.columns {
            if let Some(bins) = listed(column.levels.cut().iter().map(String::as_str)) {
                let name = &column.name;
                warnings.push(format!("levels of {name:?} begin inside bins, which are cut in two there: {bins}"));
            }
        }
        if self.domain.is_empty() {
            warnings.push("no column is modelled: every one is `id` or `ignore`".to_owned());
        }
        warnings
    }

    /// A copy whose columns stand in the order of the given header (the output's column order is
    /// the input's). Errors name a column of the schema that the header lacks, a header column the
    /// schema does not list, or a repeated header.
    pub fn arranged(&self, header: &[String]) -> Result<Schema, SchemaError> {
        let place: HashMap<&str, usize> = header.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        // First what the schema has and the header lacks: a file without a header has a row in its
        // place, of which nothing is told but a name that is nearly one of the schema's. Once all
        // of them are there, it is the header.
        for column in &self.columns {
            if !place.contains_key(column.name.as_str()) {
                let names = header.iter().map(|name| first_line(name)).filter(|name| name.len() >= 3);
                let near = suggestion(&column.name, names);
                let help = "correct the name, or take the column out of the schema";
                return Err(SchemaError::column(&column.name, format!("not in the file's header{near}"), help));
            }
        }
        refuse_repeated(header)?;
        let known: HashSet<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        if let Some(name) = header.iter().find(|name| !self.settings.skips_unlisted && !known.contains(name.as_str())) {
            let near = suggestion(name, known.iter().copied().filter(|other| !place.contains_key(other)));
            let what = format!("in the file's header, but not in the schema{near}");
            let help =
                "list it (type = \"ignore\" leaves it out), or say unlisted = \"ignore\" at the top of the schema";
            return Err(SchemaError::column(first_line(name), what, help));
        }
        let mut columns = self.columns.clone();
        columns.sort_by_key(|column| place[column.name.as_str()]);
        Self::new(columns, self.settings.clone())
    }
}

/// Finds what derived columns need. Their places change when columns are arranged.
fn resolve_formulas(columns: &mut [Column]) -> Result<(), SchemaError> {
    for place in 0..columns.len() {
        if let Role::Derived(formula) = &columns[place].role {
            let mut formula = formula.clone();
            // A formula computes with the cells as they are written.
            let own = |column: &Column| column.codec().is_some();
            let around = columns.iter().map(|column| {
                (column.name.as_str(), column.type_name(), column.written_codec().filter(|_| own(column)))
            });
            formula.resolve(&around.collect::<Vec<_>>()).map_err(|mistake| mistake.at(&columns[place].name))?;
            if let Some(stored) = &columns[place].stored {
                check_formula(stored, &formula).map_err(|mistake| mistake.at(&columns[place].name))?;
            }
            columns[place].role = Role::Derived(formula);
        }
    }
    Ok(())
}

/// Finds what columns that depend on others need. Their places change when columns are arranged.
fn resolve_dependents(columns: &mut [Column]) -> Result<(), SchemaError> {
    for place in 0..columns.len() {
        if let Role::Dependent(dependent) = &columns[place].role {
            let mut dependent = dependent.clone();
            let around = columns.iter().map(|column| (column.name.as_str(), column.type_name(), column.codec()));
            dependent.resolve(&around.collect::<Vec<_>>()).map_err(|mistake| mistake.at(&columns[place].name))?;
            columns[place].role = Role::Dependent(dependent);
        }
    }
    Ok(())
}

/// Refuses keys whose cells are put in order with others, or counted from them: what is written is
/// then not what the code stands for.
fn refuse_moved_keys(columns: &[Column], in_order: &[Vec<String>]) -> Result<(), SchemaError> {
    for column in columns {
        let Role::Dependent(dependent) = &column.role else { continue };
        if let Some(name) = dependent.on().iter().find(|name| in_order.iter().flatten().any(|moved| moved == *name)) {
            let what = format!("it depends on {name:?}, a column of `in_order`");
            return Err(SchemaError::column(&column.name, what, "take that column out of `in_order`"));
        }
        let counted = columns.iter().find(|key| key.after.is_some() && dependent.on().contains(&key.name));
        if let Some(key) = counted {
            let what = format!("it depends on {:?}, which is held as a difference", key.name);
            return Err(SchemaError::column(
                &column.name,
                what,
                "let it depend on another, or take `after` away there",
            ));
        }
    }
    Ok(())
}

/// Refuses a header with a name that stands twice.
pub(crate) fn refuse_repeated(header: &[String]) -> Result<(), SchemaError> {
    let mut seen = HashSet::new();
    match header.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(SchemaError::column(
            first_line(name),
            "stands twice in the file's header",
            "rename one of the two in the file",
        )),
    }
}

/// What of a header's name may be shown. A stray quote in the header makes a name of the lines
/// below it, and those are rows.
fn first_line(name: &str) -> &str {
    name.split(['\n', '\r']).next().unwrap_or_default()
}

/// A few names, and how many more there are.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    match names.len() {
        0 => None,
        1..=8 => Some(names.join(", ")),
        count => Some(format!("{} and {} more", names[..6].join(", "), count - 6)),
    }
}
