//! Settings that cannot be, or cannot go together.

/// A setting that cannot be, or that does not go with another. Its text says what is wrong;
/// [`help`](Self::help) says what to do, in the words of the settings' names.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// Nothing says what the columns may hold.
    #[error("no schema was given")]
    NoSchema,
    /// Coded rows are to be kept where columns are still to be discovered.
    #[error("coded rows cannot be kept while columns are to be discovered")]
    KeepCodedOfOpenSchema,
    /// Nothing says how much may be spent.
    #[error("no epsilon was given")]
    NoBudget,
    /// A method of that name is not known.
    #[error("method: {name:?} is not known")]
    UnknownMethod {
        /// The name.
        name: String,
    },
    /// A parameter of the method is not legal.
    #[error("{what}")]
    Parameter {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// A word that is none of the few that a setting takes.
    #[error("{setting}: {word:?} is not known")]
    UnknownWord {
        /// The setting.
        setting: &'static str,
        /// The word.
        word: String,
        /// The words that it takes.
        known: &'static str,
    },
    /// Text that is not what a setting takes.
    #[error("{setting}: {text:?} {what}")]
    Unreadable {
        /// The setting.
        setting: &'static str,
        /// The text.
        text: String,
        /// What it is not.
        what: &'static str,
        /// What to write.
        help: &'static str,
    },
    /// A number that is larger than anything useful.
    #[error("{setting}: {given} is too many")]
    TooMany {
        /// The setting.
        setting: &'static str,
        /// The number.
        given: u64,
        /// The largest that is taken.
        most: u64,
    },
    /// No threads at all.
    #[error("threads: 0 cannot do anything")]
    NoThreads,
    /// A unit without the number of rows that a person may have.
    #[error("unit: how many rows a person may have was not said")]
    NoContribution,
    /// A contribution without the column that tells whose row it is.
    #[error("contribution: no column was named that tells whose row it is")]
    NoUnit,
    /// Persons are protected under add-remove only.
    #[error("unit: replace-one protects single records, not persons")]
    UnitUnderReplaceOne,
    /// More rows a person than noise can hide.
    #[error("contribution: {rows} rows a person is more than noise can hide")]
    ContributionTooLarge {
        /// The rows.
        rows: u32,
        /// The most that are taken.
        most: u32,
    },
    /// The column that tells whose row it is would be in the release.
    #[error("unit: column {column:?} has type {type_name:?}, so its values would be modelled")]
    UnitIsModelled {
        /// The column.
        column: String,
        /// Its type.
        type_name: &'static str,
    },
    /// The schema lacks the column that tells whose row it is.
    #[error("unit: the schema has no column {column:?}")]
    UnitUnknown {
        /// The column.
        column: String,
    },
    /// An engine, or a table that is coded already, cannot bound what a person adds.
    #[error("unit: the rows of this source are coded already, so no person's share of them can be bounded")]
    UnitOfCodedRows,
    /// An engine, or a table that is coded already, has no digests by which a ledger knows rows.
    #[error("ledger: the rows of this source are coded already, so a ledger cannot recognize them")]
    LedgerOfCodedRows,
    /// An engine, or a table that is coded already, has no cells that facts could be read from.
    #[error("discover: the rows of this source are coded already, so no fact of the schema can be bought")]
    DiscoverOfCodedRows,
    /// Rows that stay where they are have no digests by which a ledger knows rows.
    #[error("ledger: the rows stay where they are, so a ledger cannot recognize them")]
    LedgerOfFarRows,
    /// Rows that stay where they are have no cells here that facts could be read from.
    #[error("discover: the rows stay where they are, so nothing can be discovered")]
    DiscoverOfFarRows,
    /// A share of the budget that leaves nothing for discovery, or nothing for the rest.
    #[error("discover share: {share} is not between 0.001 and 0.9")]
    DiscoverShare {
        /// The share.
        share: f64,
    },
    /// A column whose table is to be found, beside facts that are to be discovered.
    #[error("discover: column {column:?} depends on others, and what belongs to them is not found in such a run")]
    DiscoverBesideTables {
        /// The column.
        column: String,
    },
    /// A share for discovery where nothing is to be discovered.
    #[error("discover share: no fact of the schema is to be bought")]
    NothingToDiscover,
    /// A ledger that knows rows by their codes alone.
    #[error("ledger: it knows some rows by their codes alone, and discovery has others each time")]
    LedgerOfCodes,
    /// An engine counts rows and does not hand them out.
    #[error("evaluate: this source counts rows and does not hand them out")]
    NoRowsInEngine,
    /// A ledger without a name in it.
    #[error("ledger: no data set was named")]
    NoDataSet,
    /// A data set without its ledger.
    #[error("dataset: no ledger was named")]
    NoLedger,
    /// A ledger adds guarantees up, and there is none here.
    #[error("ledger: a schema with unreviewed facts carries no guarantee, and a ledger adds guarantees up")]
    LedgerOfDraft,
    /// Facts of the schema that were read from the rows.
    #[error("schema: {}{fact} was read from the data and nobody has reviewed it{}", at(column.as_deref()), and_more(*more))]
    Unreviewed {
        /// The first column that has one; none when it is of the whole table.
        column: Option<String>,
        /// The first fact.
        fact: String,
        /// How many there are besides.
        more: usize,
    },
    /// A workload or target that the method would not look at.
    #[error("{setting}: method {method:?} treats all tables alike")]
    WorkloadUnused {
        /// Workload or target.
        setting: &'static str,
        /// The method.
        method: &'static str,
        /// The methods that look at it.
        takers: Vec<&'static str>,
    },
    /// No exact noise keeps the budget.
    #[error("epsilon: no exact noise keeps {epsilon} with this schema and delta")]
    NoSuchNoise {
        /// The epsilon, as people write it.
        epsilon: String,
    },
    /// The number of rows would be noise.
    #[error("epsilon: at {epsilon} the number of rows would be noise alone")]
    RowsAreNoise {
        /// The epsilon, as people write it.
        epsilon: String,
    },
    /// A plan of columns that nobody lists needs their number.
    #[error("no number of columns was given, and those that the schema does not list are to be discovered")]
    NoColumns,
    /// A plan needs a number of rows.
    #[error("no number of rows was given")]
    NoRows,
    /// What several contributions keep depends on how many persons there are.
    #[error("contribution: what each of several keeps depends on the number of persons, which was not stated")]
    NoPersons,
    /// Persons that cannot be.
    #[error("persons: {what}")]
    Persons {
        /// What is wrong.
        what: String,
        /// What to do.
        help: &'static str,
    },
    /// A plan needs something to plan for.
    #[error("neither an epsilon nor an error was given")]
    NothingToPlan,
    /// A distance lies between 0 and 1.
    #[error("error: {error} is not a distance")]
    NotADistance {
        /// The number.
        error: f64,
    },
    /// Tables of that many columns have no formula.
    #[error("way: no error of tables of {way} columns is known for method {method}")]
    NoFormula {
        /// The columns of a table.
        way: u32,
        /// The method.
        method: &'static str,
    },
    /// A column that is not there, or not what is needed.
    #[error("{setting}: {what}")]
    Columns {
        /// The setting.
        setting: &'static str,
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// An answer that nobody could read.
    #[error("{columns}: more than {most} cells")]
    TooManyCells {
        /// The columns that were asked for.
        columns: String,
        /// The most cells.
        most: u64,
    },
    /// Two tables cannot both be standard input.
    #[error("two tables are to be read from standard input")]
    TwoStreams,
    /// Rows that are coded already cannot be recognized.
    #[error("rows that are coded already, or in an engine, cannot be recognized when they come again")]
    OnceOfCodedRows,
    /// A second run on the same rows, where one was to be all.
    #[error("these rows were fitted before in this process, and a second fit spends its budget once more")]
    FittedBefore,
    /// A mistake in a job file.
    #[error("{place}: {what}")]
    JobFile {
        /// The file, and the line where one is known.
        place: String,
        /// What is wrong.
        what: String,
    },
}

impl SettingError {
    /// What to do about it. A face that has names of its own for the settings says it in those.
    pub fn help(&self) -> String {
        let help = match self {
            Self::NoSchema => "give one; a draft can be made from the data",
            Self::KeepCodedOfOpenSchema => {
                "state every column; release/schema.toml of a first release can be used again"
            }
            Self::NoBudget => "give one, such as 1; smaller is more private",
            Self::UnknownMethod { .. } => {
                let names: Vec<&str> = lookalike_methods::methods().iter().map(|info| info.name).collect();
                return format!("choose one of: {}", names.join(", "));
            }
            Self::UnknownWord { known, .. } => return format!("write {known}"),
            Self::Unreadable { help, .. } => help,
            Self::TooMany { setting: "rows", most, .. } => return format!("ask for at most {most}"),
            Self::TooMany { most, .. } => return format!("write at most {most}"),
            Self::NoThreads => "write 1 or more, or leave it out for all cores",
            Self::NoContribution => "say how many, such as 3",
            Self::NoUnit => "name the unit's column",
            Self::UnitUnderReplaceOne => "leave out the unit, or use the relation add-remove",
            Self::ContributionTooLarge { most, .. } => {
                return format!("write at most {most}; of each person no more rows are taken");
            }
            Self::UnitIsModelled { .. } => "give it type = \"id\" in the schema",
            Self::UnitUnknown { .. } => "list it with type = \"id\", or correct the name",
            Self::DiscoverShare { .. } => "write a share such as 0.1",
            Self::NothingToDiscover => {
                "leave the share out, leave facts of the schema open, or let a column depend on others"
            }
            Self::DiscoverBesideTables { .. } => "state all columns, or leave its `depends_on` out",
            Self::LedgerOfCodes => "open a new ledger, or state the schema",
            Self::UnitOfCodedRows
            | Self::LedgerOfCodedRows
            | Self::NoRowsInEngine
            | Self::DiscoverOfCodedRows
            | Self::OnceOfCodedRows => "give the rows as batches or as a file",
            Self::LedgerOfFarRows => "leave out the ledger and write down what is spent, or give the rows as a file",
            Self::DiscoverOfFarRows => "state the schema, or give the rows as batches or as a file",
            Self::NoDataSet => "name the data set in the ledger",
            Self::NoLedger => "name the ledger",
            Self::LedgerOfDraft => "review the schema, or leave out the ledger",
            Self::Unreviewed { .. } => {
                "check each marked fact and take its mark away, or accept the draft and lose the guarantee"
            }
            Self::WorkloadUnused { takers, .. } => {
                return format!("leave it out, or choose one of: {}", takers.join(", "));
            }
            Self::NoSuchNoise { .. } => "use a number between 0.001 and 1000",
            Self::RowsAreNoise { .. } => "say how many rows you want, or use a larger epsilon",
            Self::NoColumns => "say how many the header has",
            Self::NoRows => "about how many is enough, and it is not read from data",
            Self::NoPersons => "state about how many there are; it is not read from data",
            Self::Persons { help, .. } => help,
            Self::NothingToPlan => "give epsilons, such as 0.5, 1 and 2, or an error, such as 0.05",
            Self::NotADistance { .. } => {
                "write a number between 0 and 1, such as 0.05; 0 is alike, 1 has nothing in common"
            }
            Self::NoFormula { .. } => "ask for smaller tables, or another method",
            Self::Columns { help, .. } | Self::Parameter { help, .. } => help,
            Self::TooManyCells { .. } => "ask for fewer columns",
            Self::TwoStreams => "name a file for one of them",
            Self::FittedBefore => "keep the first release, which can be sampled for free, or say that you mean it",
            Self::JobFile { .. } => "job files have the names of the settings",
        };
        help.to_owned()
    }
}

fn at(column: Option<&str>) -> String {
    column.map_or_else(String::new, |column| format!("column {column:?}: "))
}

fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" and {more} more") }
}
