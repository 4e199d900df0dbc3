//! The long comparison of a synthetic table with the real one. Steward-only: rows are looked at
//! without paying.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use lookalike_evaluate::nist::NistColumns;
use lookalike_evaluate::{Evaluation, EvaluationSettings, MarginalLists, RawLimits, evaluate as run, evaluate_raw};
use lookalike_schema::codec::CodecKind;
use lookalike_schema::{AttrId, Codec, Role};
use lookalike_table::read::{for_each_record, header_names};
use lookalike_table::{Input, PrivateTable, RawFile, ReadOptions, ReadWatch, Table, TableError};

use crate::error::{Error, FileFault, SettingError};
use crate::input::{as_the_schema_says, read_options, read_text, table_input};
use crate::limits::check_threads;
use crate::release::synthetic_rows;
use crate::watch::Watch;
use crate::{Cancel, Observer, Schema, pool};

/// Records at the head of a file that are looked at before it is taken for a table of the schema.
const TRIED: u64 = 2000;
/// Fewer records than this are too few to judge a column by.
const LEAST_TRIED: u64 = 3;

/// What to compare.
#[derive(Clone, Debug)]
pub struct EvaluateSpec {
    /// The real table.
    pub real: Input,
    /// The synthetic table.
    pub synthetic: Input,
    /// Real rows that the release was not made from.
    pub holdout: Option<Input>,
    /// Columns to predict; none: all, or some of many.
    pub targets: Vec<String>,
    /// Predict all columns, however many there are.
    pub all_targets: bool,
    /// Columns of sex, income and city for the NIST regression score.
    pub nist: Option<[String; 3]>,
    /// A file with lists of marginals.
    pub marginals: Option<PathBuf>,
    /// The seed of all samples; left out: 0.
    pub seed: Option<u64>,
    /// The field delimiter of the real tables.
    pub delimiter: Option<String>,
    /// Memory for coded rows of each table.
    pub memory: Option<String>,
    /// Threads; left out: all cores.
    pub threads: Option<usize>,
}

impl EvaluateSpec {
    /// Compares these two, with everything else left out.
    pub fn new(real: Input, synthetic: Input) -> Self {
        Self {
            real,
            synthetic,
            holdout: None,
            targets: Vec::new(),
            all_targets: false,
            nist: None,
            marginals: None,
            seed: None,
            delimiter: None,
            memory: None,
            threads: None,
        }
    }
}

/// Compares a synthetic table with the real one. Steward-only: nothing of it may be published.
///
/// # Errors
/// The user's mistakes name the file and the column: columns that do not fit the schema or hold
/// something else, tables without rows.
pub fn evaluate(
    spec: &EvaluateSpec,
    schema: &Schema,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Evaluation, Error> {
    let threads = check_threads(spec.threads)?;
    let options = read_options(spec.delimiter.as_deref(), spec.memory.as_deref())?;
    // What is looked up in released rows is compared like every other column.
    let schema = &schema.all_modelled()?;
    let (real, synthetic, holdout) = (spec.real.clone(), spec.synthetic.clone(), &spec.holdout);
    let inputs = [Some(&real), Some(&synthetic), holdout.as_ref()];
    if inputs.iter().flatten().filter(|input| ***input == Input::Stdin).count() > 1 {
        return Err(SettingError::TwoStreams.into());
    }
    pool::on_threads(threads, || {
        let watch = Watch { observer, cancel };
        observer.phase("reading the real rows");
        // Files are read as codes and then as they stand, so that standard input has to be kept.
        let input = real.kept(&watch)?;
        let real = real_table(&input, schema, &options, &watch)?;
        let real_file = RawFile::for_steward_only(input, schema.clone(), options.clone());
        let schema = real.schema().clone();
        let settings = settings(spec, &schema)?;
        observer.phase("reading the synthetic rows");
        let (synthetic, synthetic_file) = synthetic_table(synthetic.kept(&watch)?, &schema, &options, &watch)?;
        let holdout = match holdout {
            Some(input) => {
                observer.phase("reading the held-out rows");
                let input = input.clone().kept(&watch)?;
                Some(in_order(real_table(&input, &schema, &options, &watch)?, &schema)?)
            }
            None => None,
        };
        let phase = |name: &str| observer.phase(name);
        let mut found = run(&real, &synthetic, holdout.as_ref(), &settings, &phase, &|| cancel.is_cancelled())?;
        observer.phase("comparing the cells as they stand");
        let files = [&real_file, &synthetic_file];
        let (rows, seed) = (synthetic.rows(), settings.seed);
        found.raw = Some(evaluate_raw(files, &real, rows, seed, &RawLimits::default(), &watch)?);
        Ok(found)
    })
}

fn settings(spec: &EvaluateSpec, schema: &Schema) -> Result<EvaluationSettings, Error> {
    let wrong = |setting, what, help| Error::from(SettingError::Columns { setting, what, help });
    let find = |setting: &'static str, name: &str| {
        schema.find(name).map_err(|(what, help)| wrong(setting, format!("{name:?}: {what}"), help))
    };
    let targets: Option<Vec<AttrId>> = match (spec.all_targets, spec.targets.is_empty()) {
        (true, _) => Some(schema.domain().attributes().collect()),
        (false, true) => None,
        (false, false) => {
            let found = spec.targets.iter().map(|name| find("target", name)).collect::<Result<BTreeSet<_>, _>>()?;
            Some(found.into_iter().collect())
        }
    };
    let nist = match &spec.nist {
        None => None,
        Some([sex, income, city]) => {
            let columns =
                NistColumns { sex: find("nist", sex)?, income: find("nist", income)?, city: find("nist", city)? };
            if BTreeSet::from([columns.sex, columns.income, columns.city]).len() < 3 {
                let what = "sex, income and city are three different columns";
                return Err(wrong("nist", what.to_owned(), "name three columns".to_owned()));
            }
            if !schema.codec(columns.income).is_ordered() {
                let what = format!("{income:?} is a category, and categories have no mean");
                return Err(wrong("nist", what, "name a column of numbers as the income".to_owned()));
            }
            Some(columns)
        }
    };
    let lists = match &spec.marginals {
        Some(path) => Some(MarginalLists::parse(&read_text(path)?, schema)?),
        None => None,
    };
    Ok(EvaluationSettings { seed: spec.seed.unwrap_or(0), targets, nist, lists, ..EvaluationSettings::default() })
}

fn real_table(input: &Input, schema: &Schema, options: &ReadOptions, watch: &Watch<'_>) -> Result<Table, Error> {
    holds_the_columns(input, schema, &as_the_schema_says(options, schema))?;
    Ok(PrivateTable::read(input, schema, options, watch)?.open_for_steward_only())
}

/// The synthetic rows in the order of the real columns. Released rows may lack ignored columns, and
/// are written as the schema says; others have commas, or what the real file has. The file comes
/// back too, to be read as it stands.
fn synthetic_table(
    input: Input,
    schema: &Schema,
    options: &ReadOptions,
    watch: &Watch<'_>,
) -> Result<(Table, RawFile), Error> {
    // Words of the schema may have line ends, which releases write in quotes.
    let multiline = schema.multiline() || has_line_ends(schema);
    let options = &ReadOptions { multiline, ..options.clone() };
    let modelled =
        |names: &[String]| schema.domain().attributes().all(|attribute| names.contains(&schema.column(attribute).name));
    let marks = [Some(schema.row_form().delimiter), Some(b','), options.delimiter.or(schema.delimiter())];
    let mut read = Vec::new();
    for delimiter in marks {
        let encoding = Some(schema.row_form().encoding);
        let options = ReadOptions { delimiter, encoding, ..options.clone() };
        read.push((header_names(&input, &options)?, options));
    }
    let fitting = read.iter().position(|(names, _)| modelled(names)).unwrap_or(0);
    let (names, options) = read.swap_remove(fitting);
    let released = without_ignored(schema, &names)?;
    holds_the_columns(&input, &released, &options)?;
    let table = in_order(Table::read(&input, &released, &options, watch)?, schema)?;
    Ok((table, RawFile::for_steward_only(input, released, options)))
}

/// Whether a word or a name of the schema has a line end inside.
fn has_line_ends(schema: &Schema) -> bool {
    let breaks = |text: &str| text.contains(['\n', '\r']);
    schema.columns().iter().any(|column| {
        let words = match column.written_codec().map(Codec::kind) {
            Some(CodecKind::Category(words)) => {
                words.values().iter().any(|word| breaks(word)) || words.other().is_some_and(breaks)
            }
            Some(CodecKind::Boolean(words)) => words.words().iter().any(|word| breaks(word)),
            _ => false,
        };
        words || breaks(&column.name)
    })
}

/// The schema without ignored columns that the header does not have.
pub(crate) fn without_ignored(schema: &Schema, names: &[String]) -> Result<Schema, Error> {
    let mut json = schema.to_json();
    if let Some(columns) = json["columns"].as_object_mut() {
        let gone =
            schema.columns().iter().filter(|column| column.role == Role::Ignored && !names.contains(&column.name));
        gone.for_each(|column| drop(columns.shift_remove(&column.name)));
    }
    Ok(Schema::parse(&json.to_string(), "schema")?)
}

/// The table with the columns of the schema in the schema's order: files may differ in theirs.
pub(crate) fn in_order(table: Table, schema: &Schema) -> Result<Table, Error> {
    let names = |schema: &Schema| -> Vec<String> {
        schema.domain().attributes().map(|attribute| schema.column(attribute).name.clone()).collect()
    };
    let wanted = names(schema);
    if names(table.schema()) == wanted {
        return Ok(table);
    }
    let column = |name: &String| {
        let missing = || Error::fault(format!("column {name:?} was lost"));
        Ok(table.codes(table.schema().attribute(name).ok_or_else(missing)?)?)
    };
    let columns = wanted.iter().map(column).collect::<Result<Vec<Vec<u32>>, Error>>()?;
    Ok(Table::from_columns(schema, columns))
}

/// The synthetic rows of that name: a file, or those of a run's or release's folder.
///
/// # Errors
/// When there is no such file, or no rows in the folder.
pub fn synthetic_input(path: &Path) -> Result<Input, Error> {
    if !path.is_dir() {
        return table_input(path);
    }
    synthetic_rows(path).map(Input::Path).ok_or_else(|| Error::file(path, FileFault::LacksRows))
}

/// Reading never refuses a cell, so that a column of words under the name of a number would be
/// compared in silence. The first records tell: a column in which not one cell is what the schema
/// says is another column. Of values that a release found this says nothing: it finds the common
/// ones, which the first records need not have, and perhaps none.
fn holds_the_columns(input: &Input, schema: &Schema, options: &ReadOptions) -> Result<(), Error> {
    if *input == Input::Stdin {
        return Ok(());
    }
    let name = input.name();
    /// Columns, records and cells that fit.
    struct Tried {
        columns: Vec<(usize, AttrId)>,
        schema: Schema,
        fitting: Vec<u64>,
        records: u64,
    }
    let tried: RefCell<Option<Tried>> = RefCell::new(None);
    let enough = Enough(AtomicBool::new(false));
    let begin = &mut |names: &[String]| {
        let arranged = schema.arranged(names)?;
        let place = |attribute: AttrId| names.iter().position(|name| *name == arranged.column(attribute).name);
        let found = |attribute: &AttrId| {
            arranged.column(*attribute).discovered.is_some() && arranged.codec(*attribute).other_code().is_some()
        };
        let judged = arranged.domain().attributes().filter(|attribute| !found(attribute));
        let columns: Vec<_> = judged.filter_map(|attribute| Some((place(attribute)?, attribute))).collect();
        let fitting = vec![0; columns.len()];
        *tried.borrow_mut() = Some(Tried { columns, schema: arranged, fitting, records: 0 });
        Ok(())
    };
    let each = &mut |cells: &[&[u8]]| {
        if let Some(tried) = tried.borrow_mut().as_mut() {
            tried.records += 1;
            for (&(place, attribute), fitting) in tried.columns.iter().zip(&mut tried.fitting) {
                *fitting +=
                    u64::from(cells.get(place).is_some_and(|cell| tried.schema.codec(attribute).covers_text(cell)));
            }
            enough.0.fetch_or(tried.records >= TRIED, Ordering::Relaxed);
        }
    };
    match for_each_record(input, options, &enough, begin, each) {
        Ok(()) | Err(TableError::Cancelled) => {}
        // Two or three files are read: the message says which one.
        Err(TableError::Schema(error)) => {
            let (what, help) = (error.to_string(), "both tables need the schema's columns");
            return Err(Error::file(Path::new(&name), FileFault::OtherTable { what, help }));
        }
        Err(error) => return Err(error.into()),
    }
    let Some(tried) = tried.into_inner().filter(|tried| tried.records >= LEAST_TRIED) else { return Ok(()) };
    let wrong = tried.columns.iter().zip(&tried.fitting).find(|(_, fitting)| **fitting == 0);
    wrong.map_or(Ok(()), |(&(_, attribute), _)| {
        let column = tried.schema.column(attribute);
        // Not how many: a short file would tell its length.
        let what = format!(
            "column {:?}: not one of the first cells is what the schema describes ({})",
            column.name,
            column.type_name()
        );
        let help = "give both tables the schema's columns and types, or correct the schema";
        Err(Error::file(Path::new(&name), FileFault::OtherTable { what, help }))
    })
}

/// Stops a reader when enough was seen.
struct Enough(AtomicBool);

impl ReadWatch for Enough {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
