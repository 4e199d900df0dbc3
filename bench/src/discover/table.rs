//! Tables with a public schema, read so that every release of them can be compared.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lookalike::{Category, HeldBatches, Input, Release, Schema};
use lookalike_evaluate::marginals::sample_cliques;
use lookalike_evaluate::raw::RawTable;
use lookalike_evaluate::{MarginalLists, marginal_distances};
use lookalike_schema::codec::Categories;
use lookalike_schema::{AttrId, Clique, CodecKind, Unlisted};
use lookalike_table::{RawFile, Table};
use serde_json::{Map, Value};

use super::groups::ColumnGroups;
use crate::marginal::mean;
use crate::raw::tables::RawFolders;
use crate::run::{Quiet, read_options};

/// How many columns the compared marginals have.
const WAYS: usize = 3;
/// How many of them are compared at most, and the seed that draws them.
const MOST: (usize, u64) = (300, 0);
/// What stands for words that the public schema does not list.
const UNLISTED: &str = "(not listed)";

/// A table, its public schema and its real cells.
pub struct StudyTable {
    /// The rows' file.
    pub csv: PathBuf,
    /// The public schema.
    pub schema: Schema,
    /// The real cells of the schema's columns. A word is its place in the schema's list, one that
    /// the list lacks has the place behind its end; a NaN is a missing cell.
    pub cells: Vec<Vec<f64>>,
    reader: PublicReader,
    groups: Vec<ColumnGroups>,
    grouped: Table,
    triples: Vec<Clique>,
}

/// Reads cells by the public schema. Words are read by a schema of their own, in which those that
/// are not listed have a place: the release that discovers has a word for them.
struct PublicReader {
    schema: Schema,
    words: Option<Schema>,
}

impl StudyTable {
    /// Opens a table by its name: a raw one, or `NAME.csv` and the labels of `NAME.json` in the
    /// data folder.
    pub fn open(name: &str, data: Option<&Path>, folders: &RawFolders) -> Result<Self> {
        let file = |suffix: &str| data.map(|folder| folder.join(format!("{name}{suffix}")));
        if let (Some(csv), Some(labels)) = (file(".csv"), file(".json"))
            && csv.is_file()
            && labels.is_file()
        {
            let schema = read_labels(&labels)?;
            let coded = name.trim_end_matches("-labels");
            let lists = data.map(|folder| folder.join(format!("{coded}-marginals.json"))).filter(|path| path.is_file());
            return Self::new(csv, schema, lists.as_deref());
        }
        let open = folders.open(name)?;
        Self::new(open.csv, open.schema, None)
    }

    /// A table of this file and schema. `lists` has the marginals to compare; random ones without.
    fn new(csv: PathBuf, schema: Schema, lists: Option<&Path>) -> Result<Self> {
        let reader = PublicReader::new(&schema)?;
        let cells = reader.read(Input::Path(csv.clone()))?;
        let group = |(attribute, cells): (AttrId, &Vec<f64>)| match words(&schema, attribute) {
            Some(_) => ColumnGroups::of_words(cells),
            None => ColumnGroups::of_numbers(cells),
        };
        let groups: Vec<ColumnGroups> = schema.domain().attributes().zip(&cells).map(group).collect();
        let grouped = grouped(&schema, &groups, &cells)?;
        let triples = match lists {
            None => sample_cliques(grouped.domain(), WAYS, MOST.0, MOST.1).0,
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                let missing = || format!("{} has no list of {WAYS} ways", path.display());
                MarginalLists::parse(&text, grouped.schema())?.by_ways.remove(&WAYS).with_context(missing)?
            }
        };
        Ok(Self { csv, schema, cells, reader, groups, grouped, triples })
    }

    /// The number of real rows.
    pub fn rows(&self) -> u64 {
        self.grouped.rows()
    }

    /// The mean distance of the triples of a release, whatever its own schema.
    pub fn distance(&self, release: &Release) -> Result<f64> {
        let cells = self.reader.read(Input::Batches(HeldBatches::new(release.synthetic_rows()?)))?;
        let synthetic = grouped(&self.schema, &self.groups, &cells)?;
        Ok(mean(&marginal_distances(&self.grouped, &synthetic, &self.triples)?))
    }
}

impl PublicReader {
    fn new(schema: &Schema) -> Result<Self> {
        let mut builder = Schema::builder()
            .unlisted(Unlisted::Ignore)
            .missing_tokens(schema.text_rules().missing_tokens.iter().cloned());
        let mut has_words = false;
        for attribute in schema.domain().attributes() {
            let Some(words) = words(schema, attribute) else { continue };
            let has_missing = schema.codec(attribute).missing_code().is_some();
            let column = Category::of(words.values()).other(words.other().unwrap_or(UNLISTED)).missing(has_missing);
            builder = builder.column(&schema.column(attribute).name, column);
            has_words = true;
        }
        let words = if has_words { Some(builder.build()?) } else { None };
        Ok(Self { schema: schema.clone(), words })
    }

    fn read(&self, input: Input) -> Result<Vec<Vec<f64>>> {
        let read = |schema: &Schema| {
            let file = RawFile::for_steward_only(input.clone(), schema.clone(), read_options());
            RawTable::read(&file, schema, None, &Quiet)
        };
        let mut cells = read(&self.schema)?.columns().to_vec();
        if let Some(words) = &self.words {
            let read = read(words)?;
            for (attribute, own) in words.domain().attributes().zip(read.columns()) {
                if let Some(place) = self.schema.attribute(&words.column(attribute).name) {
                    cells[place.index()].clone_from(own);
                }
            }
        }
        Ok(cells)
    }
}

/// The schema of a file of labels: each column is a category of all its labels, in code order.
fn read_labels(path: &Path) -> Result<Schema> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let columns: Map<String, Value> =
        serde_json::from_str(&text).with_context(|| format!("{} has no columns", path.display()))?;
    let mut builder = Schema::builder();
    for (name, labels) in columns {
        let no_list = || format!("{}: column {name:?} has no list of labels", path.display());
        let labels: Option<Vec<&str>> = labels.as_array().and_then(|labels| labels.iter().map(Value::as_str).collect());
        builder = builder.column(&name, Category::of(labels.with_context(no_list)?).missing(false));
    }
    Ok(builder.build()?)
}

/// The words of a category; nothing of other columns.
pub fn words(schema: &Schema, attribute: AttrId) -> Option<&Categories> {
    match schema.codec(attribute).kind() {
        CodecKind::Category(words) => Some(words),
        _ => None,
    }
}

/// The cells as codes of their groups.
fn grouped(schema: &Schema, groups: &[ColumnGroups], cells: &[Vec<f64>]) -> Result<Table> {
    let attributes = schema.domain().attributes().zip(groups);
    let sizes: Map<String, Value> =
        attributes.map(|(attribute, groups)| (schema.column(attribute).name.clone(), groups.size().into())).collect();
    let domain = Schema::parse(&Value::Object(sizes).to_string(), "groups.json")?;
    let codes = groups.iter().zip(cells).map(|(groups, cells)| cells.iter().map(|&cell| groups.group(cell)).collect());
    Ok(Table::from_columns(&domain, codes.collect()))
}
