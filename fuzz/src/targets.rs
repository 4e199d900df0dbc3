//! The readers, and what must hold of what they read.

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use lookalike_ledger::LedgerFile;
use lookalike_model::{Model, Sampling};
use lookalike_privacy::ledger::JournalStore;
use lookalike_schema::filter::Filter;
use lookalike_schema::{AttrId, BookTable, Clique, CodeBook, OpenSchema, Schema, SchemaError, TextEncoding};
use lookalike_table::read::for_each_record;
use lookalike_table::{Input, ReadOptions, ReadWatch, Table};
use sha2::{Digest, Sha256};

use crate::Dice;

/// A reader under fuzz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Delimited text.
    Csv,
    /// The same, packed.
    Gz,
    /// Parquet.
    Parquet,
    /// Arrow files and streams.
    Arrow,
    /// Schema files: TOML, JSON, mbi domain files.
    Schema,
    /// Code books: JSON and YAML of other tools, tables of columns.
    Book,
    /// Model files.
    Model,
    /// The journal of charges.
    Journal,
    /// The ledger across releases: the database, or its entries.
    Ledger,
    /// The conditions of `--where`.
    Where,
}

/// All of them.
pub const TARGETS: [Target; 10] = [
    Target::Csv,
    Target::Gz,
    Target::Parquet,
    Target::Arrow,
    Target::Schema,
    Target::Book,
    Target::Model,
    Target::Journal,
    Target::Ledger,
    Target::Where,
];

/// The key of the ledgers in the corpus.
const LEDGER_KEY: &[u8] = b"0707070707070707070707070707070707070707070707070707070707070707\n";

const SCHEMA: &str = include_str!("../corpus/schema/people.toml");

struct Nobody;

impl ReadWatch for Nobody {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

impl Target {
    /// Its name on the command line, and of its folder in the corpus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Gz => "gz",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Schema => "schema",
            Self::Book => "book",
            Self::Model => "model",
            Self::Journal => "journal",
            Self::Ledger => "ledger",
            Self::Where => "where",
        }
    }

    /// The seeds, and every input that once was a finding.
    pub fn corpus(self) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name());
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
    }

    /// Words that its files are made of.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Csv | Self::Gz => &["\"\"", "\",\"", "\r\n", "NA", "2020-02-30", "north", "\u{feff}", "\t", ";"],
            Self::Parquet => &["PAR1", "\u{19}\u{fc}", "\u{15}\u{0}\u{15}"],
            Self::Arrow => {
                &["ARROW1\0\0", "\u{10}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "\u{4}\u{0}"]
            }
            Self::Schema => &[
                "type = \"integer\"\n",
                "range = [0, 9]\n",
                "bins = 1000000\n",
                "edges = [0, 1, 2]\n",
                "spacing = \"log\"\n",
                "spikes = [0]\n",
                "levels = [[1]]\n",
                "[[impossible]]\n",
                "missing = true\n",
                "format = \"%d/%m/%Y\"\n",
                "decimals = 300\n",
                "unlisted = \"ignore\"\n",
                "values = [\"a\"]\n",
                "{\"a\": 1000000}",
                "datetime",
                "[[[[[[[[",
            ],
            Self::Book => &[
                "{\"sdtype\": \"categorical\"}",
                "\"computer_representation\": \"Int8\"",
                "\"datetime_format\": \"%d/%m/%Y\"",
                "{\"lower\": 0, \"upper\": 9}",
                "{\"categories\": [\"a\"]}",
                "\n  possible_values:\n  - a\n",
                "\n  min_value: 0\n  max_value: 9\n",
                "{}\n",
                "0..9",
                "1=a;2=b",
                "boolean",
                "\n- &a [*a",
                "[[[[[[[[",
            ],
            Self::Model => &["\"sections\":[", "\"above\":[null]", "\"cliques\":[[0]]", "\"bins\":", "\"hidden\":[2]"],
            Self::Journal => &["{\"v\":", ",\"sum\":\"", "\"copies\":16777216", "\"charge\":", "\"shifts\":[1]"],
            Self::Ledger => &[
                "{\"open\":{",
                "{\"reserve\":{",
                "\"epsilon-delta\"",
                "\"rho\"",
                "\"total\":[\"1\"]",
                "0.1e-30",
                "99e99",
            ],
            Self::Where => &["and ", "or ", "not ", "in (", "between ", "is missing", "(((((((", "'", "\"age\"", "<>"],
        }
    }

    /// What a reader checks first is put right again, so that changes reach what comes behind it.
    pub fn repair(self, input: &mut Vec<u8>, dice: &mut Dice) {
        match self {
            // Half of the packed inputs are changed inside.
            Self::Gz if dice.place(2) == 0 => {
                let mut plain = Vec::new();
                let _ = std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&input[..]), &mut plain);
                if !plain.is_empty() {
                    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
                    let _ = packed.write_all(&plain);
                    *input = packed.finish().unwrap_or_default();
                }
            }
            Self::Parquet if dice.place(8) > 0 && input.len() > 12 => {
                input[..4].copy_from_slice(b"PAR1");
                let end = input.len();
                input[end - 4..].copy_from_slice(b"PAR1");
            }
            Self::Arrow if dice.place(8) > 0 && input.len() > 16 => {
                let end = input.len();
                match input[0] {
                    0xff => input[..4].copy_from_slice(&[0xff; 4]),
                    _ => {
                        input[..8].copy_from_slice(b"ARROW1\0\0");
                        input[end - 6..].copy_from_slice(b"ARROW1");
                    }
                }
            }
            Self::Model if dice.place(8) > 0 && input.len() > 64 => seal_model(input, dice),
            Self::Journal if dice.place(8) > 0 => *input = seal_journal(input),
            _ => {}
        }
    }

    /// Reads the input, and says in a word or two what came of it. `file` may be written.
    ///
    /// # Panics
    /// When something that was read does not hold: that is a finding.
    pub fn run(self, input: &[u8], file: &Path) -> String {
        match self {
            Self::Csv | Self::Gz | Self::Parquet | Self::Arrow => table(input, file),
            Self::Schema => schema(&String::from_utf8_lossy(input)),
            Self::Book => book(input, file),
            Self::Model => model(input),
            Self::Journal => journal(input, file),
            Self::Ledger => ledger(input, file),
            Self::Where => condition(&String::from_utf8_lossy(input)),
        }
    }
}

fn people() -> Schema {
    Schema::parse(SCHEMA, "schema").unwrap_or_else(|error| panic!("{error}"))
}

fn table(input: &[u8], file: &Path) -> String {
    let _ = std::fs::write(file, input);
    // Both ways of reading quotes have their turns.
    let multiline = input.len() % 2 == 1;
    let encoding = (input.len() % 3 == 2).then_some(TextEncoding::Windows1252);
    let (from, options) =
        (Input::Path(file.to_owned()), ReadOptions { delimiter: None, encoding, multiline, memory: 1 << 16 });
    let coded = match Table::read(&from, &people(), &options, &Nobody) {
        Err(error) => error.to_string(),
        Ok(table) => {
            for (attribute, &size) in table.domain().attributes().zip(table.domain().sizes()) {
                let codes = table.codes(attribute).unwrap_or_default();
                assert!(codes.len() as u64 == table.rows() && codes.iter().all(|&code| code < size));
            }
            format!("{} rows", table.rows().min(3))
        }
    };
    let mut widths = Vec::new();
    let mut header = |names: &[String]| {
        widths.push(names.len());
        Ok(())
    };
    let mut rows = 0u64;
    let texts = for_each_record(&from, &options, &Nobody, &mut header, &mut |_| rows += 1);
    let texts = texts.map_or_else(|error| error.to_string(), |()| format!("{} records", rows.min(3)));
    format!("{coded}; {texts}").replace(&file.display().to_string(), "")
}

fn schema(text: &str) -> String {
    match Schema::parse(text, "schema") {
        Err(error) => error.to_string(),
        Ok(schema) => {
            let again = Schema::parse(&schema.to_json().to_string(), "again");
            assert!(again.is_ok_and(|again| again == schema), "the schema as JSON is another one");
            let again = Schema::parse(&schema.to_toml(), "again");
            assert!(again.is_ok_and(|again| again == schema), "the schema as TOML is another one");
            format!("{} columns", schema.domain().len())
        }
    }
}

/// A book in every form that it may be taken for.
fn book(input: &[u8], file: &Path) -> String {
    let text = String::from_utf8_lossy(input);
    if text.trim_start().starts_with('{') {
        return answer(CodeBook::parse(&text, "book", false));
    }
    let _ = std::fs::write(file, input);
    let options = ReadOptions { delimiter: None, encoding: None, multiline: true, memory: 1 << 16 };
    let table: RefCell<Option<BookTable>> = RefCell::new(None);
    let mut wrong = None;
    let read = for_each_record(
        &Input::Path(file.to_owned()),
        &options,
        &Nobody,
        &mut |header| {
            *table.borrow_mut() = Some(BookTable::new(header)?);
            Ok(())
        },
        &mut |cells| {
            if let (Some(table), None) = (table.borrow_mut().as_mut(), &wrong) {
                wrong = table.row(cells).err();
            }
        },
    );
    let listed = match (read, wrong, table.into_inner()) {
        (Err(error), ..) => error.to_string().replace(&file.display().to_string(), ""),
        (Ok(()), Some(error), _) => error.to_string(),
        (Ok(()), None, table) => table.map_or_else(String::new, |table| answer(table.finish())),
    };
    format!("{}; {listed}", answer(CodeBook::parse(&text, "book", true)))
}

fn answer(book: Result<CodeBook, SchemaError>) -> String {
    match book {
        Err(error) => error.to_string(),
        Ok(book) => {
            let open = book.open_facts().len();
            let read = OpenSchema::parse(&book.to_toml(), "schema");
            assert!(read.is_ok_and(|read| read.is_open() == (open > 0)), "what a book states is another schema");
            format!("{} columns, {open} open", book.len())
        }
    }
}

fn model(input: &[u8]) -> String {
    let model = match Model::from_bytes(input) {
        Err(error) => return error.to_string(),
        Ok(model) => model,
    };
    let again = Model::from_bytes(&model.to_bytes());
    assert!(again.is_ok(), "a model that was read cannot be written and read again");
    let first = model.marginal(&Clique::new([AttrId(0)])).map(|marginal| marginal.len());
    let sampler = model.sampler(&Sampling::new(20, 1));
    let rows = sampler.map(|sampler| (0..sampler.blocks().min(1)).for_each(|index| drop(sampler.block(index))));
    format!("a model, {first:?}, {:?}", rows.map_err(|error| error.to_string()))
}

fn journal(input: &[u8], file: &Path) -> String {
    let _ = std::fs::write(file, input);
    match JournalStore::runs(file) {
        Err(error) => error.to_string(),
        Ok(runs) => {
            let sums: Vec<bool> = runs.iter().map(|run| run.rho() >= 0.0 && run.pure_epsilon().is_some()).collect();
            format!("{} runs {:?}", sums.len(), &sums[..sums.len().min(3)])
        }
    }
}

/// A database is opened with the key that the corpus was made with; anything else is lines of
/// entries.
fn ledger(input: &[u8], file: &Path) -> String {
    if !input.starts_with(b"SQLite") {
        return lookalike_ledger::fuzzing::entries(&String::from_utf8_lossy(input));
    }
    let (key, side) = (file.with_extension("key"), |end: &str| PathBuf::from(format!("{}{end}", file.display())));
    for (path, bytes) in [(file, input), (&key, LEDGER_KEY)] {
        let _ = std::fs::write(path, bytes);
        #[cfg(unix)]
        let _ = std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    }
    let told = match LedgerFile::open(file).and_then(|mut ledger| ledger.data_sets()) {
        Err(error) => error.to_string(),
        Ok(sets) => {
            // Every entry is under the key: whatever opens is what was written.
            assert!(sets.iter().all(|set| set.reserved().epsilon(set.terms()) <= set.total().epsilon(set.terms())));
            format!("{} data sets", sets.len())
        }
    };
    for path in [key, side("-wal"), side("-shm"), side("-journal")] {
        let _ = std::fs::remove_file(path);
    }
    told.replace(&file.display().to_string(), "")
}

fn condition(text: &str) -> String {
    let schema = people();
    match Filter::parse(&schema, text) {
        Err(error) => error.to_string(),
        Ok(filter) => {
            let row = vec![0; schema.domain().len()];
            let opposite = Filter::parse(&schema, &format!("not ({text})"));
            if let Ok(opposite) = opposite {
                // Where a bin is cut, a row of codes may be in both.
                assert!(
                    filter.surely().holds(&row) != opposite.possibly().holds(&row),
                    "a row is in both, or in neither"
                );
                assert!(
                    filter.possibly().holds(&row) != opposite.surely().holds(&row),
                    "a row is in both, or in neither"
                );
            }
            format!("{} boxes", filter.boxes().len())
        }
    }
}

/// Puts the length of the header (half of the time) and the hash right.
fn seal_model(input: &mut [u8], dice: &mut Dice) {
    let end = input.len() - 32;
    if dice.place(2) == 0
        && let Some(found) = input[..end].windows(2).rposition(|pair| pair == b"}}")
    {
        let length = (found + 2).saturating_sub(28) as u64;
        input[20..28].copy_from_slice(&length.to_le_bytes());
    }
    let hash = Sha256::digest(&input[..end]);
    input[end..].copy_from_slice(&hash);
}

/// Gives every line its right sum.
fn seal_journal(input: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(input);
    let line = |line: &str| match line.rsplit_once(",\"sum\":\"") {
        Some((head, _)) => {
            let mut sum = flate2::Crc::new();
            sum.update(head.as_bytes());
            format!("{head},\"sum\":\"{:08x}\"}}", sum.sum())
        }
        None => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    (lines.join("\n") + "\n").into_bytes()
}
