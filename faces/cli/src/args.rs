//! The flags, with help for a data steward. What they mean is checked in the library; here they are
//! only named.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};
use lookalike::JobSpec;

#[derive(Args)]
#[command(
    after_help = "Nothing private is involved: the people are generated. Run it again and the folder is renewed."
)]
pub struct DemoArgs {
    /// Folder to write
    #[arg(long, short, value_name = "DIR", default_value = "lookalike-demo")]
    pub out: PathBuf,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum SchemaCommand {
    /// Write a first schema from the data; every fact that was read is marked for review
    /// (steward-only)
    Draft(DraftArgs),
    /// Write the schema that a code book states; what it does not state is to be discovered
    Import(ImportArgs),
    /// Explain every key of a schema file, in words or as a JSON Schema for editors
    Reference(ReferenceArgs),
    /// Walk through the marked facts of a schema, in a terminal or by flags (steward-only)
    Review(ReviewArgs),
    /// Check a schema, alone or against a table (steward-only with a table)
    Check(CheckArgs),
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike schema draft people.csv -o people.toml\n  \
    zcat people.csv.gz | lookalike schema draft - > people.toml\n\n\
    The draft shows ranges and categories of the real rows: keep it to yourself until you have reviewed it.\n\
    Then go through it with `lookalike schema review people.toml people.csv`.")]
pub struct DraftArgs {
    /// Table: .csv, .csv.gz, .tsv, .parquet, .arrow, a folder of such files, a pattern in quotes
    /// such as "data/*.parquet", or - for standard input
    pub data: PathBuf,
    /// File to write; standard output when left out
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Field delimiter of the input: one character, or tab
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Encoding of the input: utf-8, latin-1 or windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike schema import codebook.csv -o people.toml\n  \
    lookalike schema import metadata.json > people.toml\n\n\
    A book is a table (.csv, .tsv, .parquet) with a column `name` and what else it says: type, values or value, labels,\n\
    min, max, range, missing, format, decimals; one row a column, or one row a value. Or the file of another tool:\n\
    a domain of mbi (JSON), dpmm (JSON) or dpsynth (YAML), or metadata of SDV (JSON). All of it: docs/schema.md")]
pub struct ImportArgs {
    /// Code book; - for a table on standard input
    pub book: PathBuf,
    /// File to write; standard output when left out
    #[arg(long, short, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    /// Overwrite a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Field delimiter of a book that is a table: one character, or tab
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike schema review people.toml people.csv      one fact after the other, with counts of the rows\n  \
    lookalike schema review people.toml --accept harmless\n  \
    lookalike schema review people.toml --accept harmless --discover telling\n\n\
    Every answer is saved at once, so you can stop and go on. Facts that are accepted in bulk stand in the\n\
    statement of a release: the guarantee assumes that they are public.")]
pub struct ReviewArgs {
    /// Schema in TOML, which is changed in its place; comments stay
    pub schema: PathBuf,
    /// Table, to see counts beside the facts (steward-only): a file, a folder, or a pattern in
    /// quotes
    pub data: Option<PathBuf>,
    /// Accept all facts that an empty form would tell, without asking
    #[arg(long, value_name = "KIND", value_parser = ["harmless"])]
    pub accept: Option<String>,
    /// Leave all facts that may tell something to the budget, without asking
    #[arg(long, value_name = "KIND", value_parser = ["telling"])]
    pub discover: Option<String>,
    /// Field delimiter of the table: one character, or tab
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Print nothing but errors, outside of the terminal's screens
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Example: lookalike schema reference --json > lookalike.schema.json\n\n\
    With `#:schema lookalike.schema.json` as the first line of a schema, editors for TOML check it while it is written.\n\
    docs/schema.md has an example of every key.")]
pub struct ReferenceArgs {
    /// Print a JSON Schema
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  lookalike schema check people.toml\n  lookalike schema check people.toml people.csv"
)]
pub struct CheckArgs {
    /// Schema: our TOML, the same shape in JSON, or an mbi domain file
    pub schema: PathBuf,
    /// Table to check it against: how many cells fall outside of the schema (steward-only); a file,
    /// a folder, or a pattern in quotes
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// Who is protected: the same for a run and for the ledger that it draws on.
#[derive(Args, Clone)]
pub struct ProtectArgs {
    /// Which tables are neighbours: add-remove, or replace-one (the row count is then public)
    #[arg(long, value_name = "RELATION")]
    pub relation: Option<String>,
    /// Column that tells whose row it is: persons are protected then, not records
    #[arg(long, value_name = "COL")]
    pub unit: Option<String>,
    /// Most rows of one person, with --unit; they are chosen at random
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub contribution: Option<u32>,
}

/// How a table is read.
#[derive(Args, Clone)]
pub struct ReadArgs {
    /// Field delimiter of the input: one character, or tab
    #[arg(long, value_name = "CHAR")]
    pub delimiter: Option<String>,
    /// Decimal mark of the input: . or ,
    #[arg(long, value_name = "CHAR")]
    pub decimal: Option<String>,
    /// Encoding of the input and of the synthetic rows: utf-8, latin-1 or windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike plan --schema people.toml --rows 30000 --epsilon 0.5,1,2\n  \
    lookalike plan --schema people.toml --rows 30000 --error 0.05 --way 2\n  \
    lookalike plan --schema people.toml --rows 30000 --epsilon 1 --method all\n  \
    lookalike plan --schema visits.toml --rows 30000 --persons 8000 --epsilon 1 --unit patient --contribution 1,2,5,10\n\n\
    Nothing is spent and no rows are read: give about as many rows as everybody knows there are.\n\
    docs/plan.md says how far the figures can be trusted.")]
pub struct PlanArgs {
    /// Schema: the public description of the columns
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// Facts that the schema does not state, or all of them without one, are discovered
    #[arg(long)]
    pub discover: bool,
    /// The part of the budget that takes what is bought before anything else: what is discovered,
    /// or tables of columns that depend on others [default: 0.1]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub discover_share: Option<f64>,
    /// How many columns the table has, with --discover
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub columns: Option<u64>,
    /// About how many rows the table has
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rows: Option<u64>,
    /// Column that tells whose row it is: persons are protected then, not records
    #[arg(long, value_name = "COL")]
    pub unit: Option<String>,
    /// Most rows of one person, with --unit; several are compared, such as 1,2,5,10
    #[arg(long, value_name = "C,...", value_delimiter = ',', allow_negative_numbers = true)]
    pub contribution: Vec<u32>,
    /// About how many persons the table has, as everybody may know
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub persons: Option<u64>,
    /// About how many rows a person has on average, in the place of --rows or --persons
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub rows_per_person: Option<f64>,
    /// Epsilons to show, such as 0.5,1,2
    #[arg(long, value_name = "E,...", value_delimiter = ',', allow_negative_numbers = true)]
    pub epsilon: Vec<f64>,
    /// Delta for everything [default: the method's own]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub delta: Option<f64>,
    /// Methods to show, or all [default: the one that synth takes]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub method: Vec<String>,
    /// Who is protected: add-remove or replace-one [default: add-remove]
    #[arg(long, value_name = "NAME")]
    pub relation: Option<String>,
    /// Answer with the epsilon whose expected distance is this, such as 0.05
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub error: Option<f64>,
    /// With --error: the number of columns of the tables, 1 to 3 [default: 2]
    #[arg(long, value_name = "N", requires = "error", allow_negative_numbers = true)]
    pub way: Option<u32>,
    /// Rows stay in a database (sql) or on Spark's executors (spark): what passes read there
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike synth people.csv --schema people.toml --epsilon 1 --out people-release\n  \
    lookalike synth people.parquet --schema people.toml --epsilon 0.5 --delta 1e-9 --format parquet\n  \
    lookalike synth \"visits/**/*.parquet\" --schema visits.toml --epsilon 1      many files, one table\n  \
    zcat people.csv.gz | lookalike synth - --schema people.toml --epsilon 1\n  \
    lookalike synth --job job.toml --epsilon 2      flags beat the job file\n\n\
    DIR/release may be published whole. DIR/steward-only compares with the real rows: keep it.\n\
    A journal of what was spent lies beside DIR and is kept by later runs.")]
pub struct SynthArgs {
    /// Table: .csv, .csv.gz, .tsv, .parquet, .arrow, a folder of such files, a pattern in quotes
    /// such as "data/*.parquet", or - for standard input
    pub data: Option<PathBuf>,
    /// Schema: the public description of the columns
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// Buy what the schema does not state, or everything without one, with a part of the budget
    #[arg(long)]
    pub discover: bool,
    /// The part of the budget that takes what is bought before anything else: what is discovered,
    /// or tables of columns that depend on others [default: 0.1]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub discover_share: Option<f64>,
    /// Total epsilon for everything; smaller is more private
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Option<f64>,
    /// Total delta; the method's own when left out
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub delta: Option<f64>,
    /// Method; see `lookalike methods`
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// A setting of the method; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
    /// Number of synthetic rows; the noisy number of real rows when left out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rows: Option<u64>,
    /// Seed of the sampling; random when left out. Never fixes the noise
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub protect: ProtectArgs,
    /// Ledger to draw on; the run reserves its whole cost there first, or is refused
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Name of the data set in the ledger
    #[arg(long, value_name = "NAME")]
    pub dataset: Option<String>,
    /// Memory allowed, such as 2GiB: rows beyond it go to a private temporary file, models stay
    /// within it
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Memory for exact tables that later rounds may need again: more of it means fewer passes
    /// over the rows, and nothing else [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    pub door_memory: Option<String>,
    /// Keep the coded rows in a private file, or take them from there when it is there: for a
    /// second release of the same data
    #[arg(long, value_name = "FILE")]
    pub keep_coded: Option<PathBuf>,
    /// Time allowed, such as 30s or 5min: a guide to how large a model may be, not a clock
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time: Option<String>,
    /// What the release should be good at: 2-way, 3-way, or a file with tables and weights
    #[arg(long, value_name = "WORKLOAD")]
    pub workload: Option<String>,
    /// A column whose tables count more, such as the one to be predicted
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,
    /// Threads; all cores when left out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Take a schema with unreviewed facts, and lose the guarantee
    #[arg(long)]
    pub accept_draft: bool,
    /// Folder to write [default: lookalike-out]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Form of the synthetic rows: csv or parquet
    #[arg(long, value_name = "FORM")]
    pub format: Option<String>,
    /// Move a folder that is there already aside
    #[arg(long)]
    pub force: bool,
    /// Job file: TOML with the names of these flags
    #[arg(long, value_name = "FILE")]
    pub job: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Write what the run did to a file that may be published with the release
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Skip the comparison with the real rows
    #[arg(long)]
    pub no_steward_report: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike sample people-release/release/model.lookalike -n 1000 > more.csv\n  \
    lookalike sample people-release -n 1000000 --seed 7 -o more.parquet\n  \
    lookalike sample people-release -n 500 --where \"age >= 65 and sex = 'F'\"\n\n\
    The same model, seed, number and condition give the same rows on every machine.\n\
    Counts are the model's own, without the scatter of drawing; --with-replacement draws every row by itself.\n\n\
    Conditions: = != < <= > >=, in (...), between ... and ..., is missing; and, or, not, ( ).\n\
    Column names with spaces stand in double quotes, words in single quotes. All of it: docs/where.md")]
pub struct SampleArgs {
    /// Model file, or the folder of a release
    pub model: PathBuf,
    /// Number of rows
    #[arg(long, short = 'n', value_name = "N", allow_negative_numbers = true)]
    pub rows: u64,
    /// Seed; random when left out, and told
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// File to write; standard output when left out
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Form of the rows: csv or parquet [default: by the file's name, else csv]
    #[arg(long, value_name = "FORM")]
    pub format: Option<String>,
    /// Only rows that meet a condition, such as "age >= 65 and sex = 'F'"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Draw every row by itself: counts then scatter as in a fresh sample
    #[arg(long)]
    pub with_replacement: bool,
    /// Threads; all cores when left out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Overwrite a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike query people-release age,sex\n  \
    lookalike query people-release sex --where \"age >= 65\"\n  \
    lookalike query people-release --where \"age >= 65 and \\\"home region\\\" in ('north', 'west')\"\n  \
    lookalike query people-release age,sex --format csv -o age-sex.csv\n\n\
    Conditions: = != < <= > >=, in (...), between ... and ..., is missing; and, or, not, ( ).\n\
    Column names with spaces stand in double quotes, words in single quotes. All of it: docs/where.md\n\n\
    The errors are those of the noise that the release paid for. They say nothing about how the table was collected.")]
pub struct QueryArgs {
    /// Model file, or the folder of a release
    pub model: PathBuf,
    /// Columns with commas between them; only the number of rows when left out
    #[arg(default_value = "", hide_default_value = true)]
    pub columns: String,
    /// Only rows that meet a condition, such as "age >= 65 and sex = 'F'"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Form of the answer: table, csv or json [default: by the file's name, else table]
    #[arg(long, value_name = "FORM")]
    pub format: Option<String>,
    /// File to write; standard output when left out
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite a file that is there already
    #[arg(long)]
    pub force: bool,
    /// Print nothing but the answer and errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike evaluate people.csv people-release --schema people.toml\n  \
    lookalike evaluate people.csv synthetic.csv --schema people.toml --target income --html evaluation.html\n  \
    lookalike evaluate used.csv synthetic.csv --schema people.toml --holdout not-used.csv --json > evaluation.json\n\n\
    It looks at the real rows without paying. What it shows is steward-only: covered by no guarantee, and not to be published.\n\
    What the figures mean: docs/evaluate.md")]
pub struct EvaluateArgs {
    /// Real table: .csv, .csv.gz, .tsv, .parquet, .arrow, a folder of such files, a pattern in
    /// quotes, or - for standard input
    pub real: PathBuf,
    /// Synthetic table, or the folder of a run or release
    #[arg(value_name = "SYNTH")]
    pub synthetic: PathBuf,
    /// Schema of both tables
    #[arg(long, value_name = "FILE")]
    pub schema: PathBuf,
    /// Real rows that the release was not made from: for membership, and to test models on
    #[arg(long, value_name = "FILE")]
    pub holdout: Option<PathBuf>,
    /// Column to predict; may be given several times [default: all, or 16 of many]
    #[arg(long, value_name = "COL")]
    pub target: Vec<String>,
    /// Predict every column, however many there are
    #[arg(long, conflicts_with = "target")]
    pub all_targets: bool,
    /// Columns of the NIST regression score
    #[arg(long, num_args = 3, value_names = ["SEX", "INCOME", "CITY"])]
    pub nist: Option<Vec<String>>,
    /// Sets of three and more columns to compare, as JSON {\"3\": [[\"a\", \"b\", \"c\"]]}
    /// [default: 300 random ones of 3, 4 and 5]
    #[arg(long, value_name = "FILE")]
    pub marginals: Option<PathBuf>,
    /// Write everything as a page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
    /// Seed of the samples: the same seed gives the same figures
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Memory for coded rows of each table; more go to a temporary file [default: 2GiB]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Threads; all cores when left out
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Overwrite a page that is there already
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors, and JSON where it was asked for
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
#[command(after_help = "Exits 0 when everything agrees, and 2 with a line for each disagreement.\n\
    This guards against accidents: a file that was changed, lost or mixed up. It is not a signature:\n\
    whoever wants to deceive can write a statement that agrees with itself.")]
pub struct VerifyArgs {
    /// Folder of a release
    pub release: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing but disagreements
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct MethodsArgs {
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike completions bash > ~/.local/share/bash-completion/completions/lookalike\n  \
    lookalike completions zsh > ~/.zfunc/_lookalike\n  \
    lookalike completions fish > ~/.config/fish/completions/lookalike.fish")]
pub struct CompletionsArgs {
    /// Shell: bash, zsh, fish, powershell or elvish
    #[arg(value_parser = value_parser!(clap_complete::Shell))]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct StewardArgs {
    /// Table that the release was made from
    pub data: PathBuf,
    /// Folder of the run
    pub folder: PathBuf,
    /// Schema that the release was made with
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Memory for coded rows
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Threads
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl SynthArgs {
    /// The flags as a job; the job file fills in what they leave open.
    pub fn spec(&self) -> JobSpec {
        JobSpec {
            data: self.data.clone(),
            schema: self.schema.clone(),
            discover: self.discover.then_some(true),
            discover_share: self.discover_share,
            epsilon: self.epsilon,
            delta: self.delta,
            method: self.method.clone(),
            set: self.set.iter().cloned().collect(),
            rows: self.rows,
            seed: self.seed,
            relation: self.protect.relation.clone(),
            unit: self.protect.unit.clone(),
            contribution: self.protect.contribution,
            ledger: self.ledger.clone(),
            dataset: self.dataset.clone(),
            memory: self.memory.clone(),
            door_memory: self.door_memory.clone(),
            keep_coded: self.keep_coded.clone(),
            time: self.time.clone(),
            workload: self.workload.clone(),
            target: self.target.clone(),
            threads: self.threads,
            accept_draft: self.accept_draft.then_some(true),
            out: self.out.clone(),
            format: self.format.clone(),
            force: self.force.then_some(true),
            delimiter: self.read.delimiter.clone(),
            decimal: self.read.decimal.clone(),
            encoding: self.read.encoding.clone(),
        }
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write name=value".to_owned()),
    }
}
