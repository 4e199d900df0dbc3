//! What to do about a mistake, in the words of this face: flags and commands.

use lookalike::{Error, FileFault, SchemaError, SettingError};

/// The message of an error in one line. Where the library's advice is about a setting, the flag of
/// that setting stands in its place.
pub fn message(error: &Error) -> String {
    let advised = match error {
        Error::Setting(setting) => about_setting(setting).map(|advice| format!("{setting}; {advice}")),
        Error::Schema(SchemaError::Filter { .. }) => {
            let message = error.to_string();
            message.strip_prefix("condition").map(|rest| format!("--where{rest}"))
        }
        Error::File(file) => about_file(&file.fault).map(|advice| format!("{file}; {advice}")),
        _ => None,
    };
    advised.unwrap_or_else(|| error.to_string())
}

/// Epsilons up to this are in use for releases that are called private.
const LARGEST_USUAL: f64 = 10.0;

/// A remark on an epsilon that promises little.
pub fn about_epsilon(epsilon: f64) -> Option<&'static str> {
    (epsilon > LARGEST_USUAL).then_some(
        "Note: an epsilon above 10 promises little: one record may change the odds of a result 22,000-fold and more.",
    )
}

fn about_setting(setting: &SettingError) -> Option<&'static str> {
    Some(match setting {
        SettingError::NoSchema => {
            "write --schema FILE (`lookalike schema draft DATA` makes a first one), or --discover to buy it with a part of the budget"
        }
        SettingError::NothingToDiscover => {
            "leave out --discover-share, write --discover, or let a column depend on others"
        }
        SettingError::NoBudget => "write --epsilon, such as --epsilon 1; smaller is more private",
        SettingError::NoContribution => "write --contribution, such as --contribution 3",
        SettingError::NoUnit => "write --unit with the name of a column",
        SettingError::UnitUnderReplaceOne => "leave out --unit, or use --relation add-remove",
        SettingError::NoDataSet => "write --dataset with its name in the ledger",
        SettingError::NoLedger => "write --ledger with its file",
        SettingError::LedgerOfDraft => "review the schema, or leave out --ledger",
        SettingError::Unreviewed { .. } => {
            "go through them with `lookalike schema review`, or pass --accept-draft and lose the guarantee"
        }
        SettingError::RowsAreNoise { .. } => "say how many rows you want with --rows, or use a larger epsilon",
        SettingError::NoColumns => "write --columns N",
        SettingError::NoRows => "write --rows N; about how many is enough, and it is not read from data",
        SettingError::NoPersons => "write --persons N; about how many is enough, and it is not read from data",
        SettingError::NothingToPlan => "write --epsilon, such as --epsilon 0.5,1,2, or --error, such as --error 0.05",
        SettingError::NoFormula { .. } => "choose a smaller --way, or another method",
        SettingError::JobFile { .. } => "job files have the names of the flags, see `lookalike synth --help`",
        _ => return None,
    })
}

fn about_file(fault: &FileFault) -> Option<&'static str> {
    Some(match fault {
        FileFault::NoFolderName => "write --out with a folder's name",
        FileFault::InTheWay => "name another with --out",
        FileFault::NotEmpty => "name another with --out, or pass --force to move it aside",
        FileFault::Exists => "name another, or pass --force to overwrite",
        FileFault::RowsAlone { .. } => "use those rows; more of them cost privacy again, through synth --rows",
        _ => return None,
    })
}
