//! From the library's errors to Python's: one class a kind, the same one-line texts.

use lookalike::{Error, ErrorKind, FileFault, SchemaError, SettingError, TableError};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The error as Python raises it.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    if matches!(error.kind(), ErrorKind::Interrupted) {
        return PyKeyboardInterrupt::new_err("stopped");
    }
    of_class(py, class_of(error), &message(error))
}

/// An error of a class of `lookalike.errors`.
pub fn of_class(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let made = py.import("lookalike.errors").and_then(|module| module.getattr(class)?.call1((line,)));
    made.map_or_else(|error| error, PyErr::from_value)
}

fn class_of(error: &Error) -> &'static str {
    match (error, error.kind()) {
        (_, ErrorKind::Budget) => "BudgetError",
        (Error::Schema(SchemaError::Filter { .. }), _) => "SettingError",
        (Error::Schema(_) | Error::Table(TableError::Schema(_)), ErrorKind::User) => "SchemaError",
        (Error::Table(_) | Error::File(_) | Error::Evaluate(_) | Error::OtherColumns { .. }, ErrorKind::User) => {
            "DataError"
        }
        (Error::NoReleaseBytes, _) => "DataError",
        (_, ErrorKind::User) => "SettingError",
        _ => "InternalError",
    }
}

/// The message in one line, with advice in this face's own words.
fn message(error: &Error) -> String {
    let advised = match error {
        Error::Setting(setting) => about_setting(setting).map(|advice| format!("{setting}; {advice}")),
        Error::Schema(SchemaError::Filter { .. }) => {
            let message = error.to_string();
            message.strip_prefix("condition").map(|rest| format!("where{rest}"))
        }
        Error::File(file) => match file.fault {
            FileFault::NotEmpty | FileFault::Exists => {
                Some(format!("{file}; name another, or pass overwrite=True, which moves it aside"))
            }
            _ => None,
        },
        _ => None,
    };
    advised.unwrap_or_else(|| error.to_string())
}

fn about_setting(setting: &SettingError) -> Option<&'static str> {
    Some(match setting {
        SettingError::FittedBefore => {
            "use the release that you have, which can be sampled for free, or pass spend_again=True to pay once more"
        }
        SettingError::NoBudget => "pass epsilon, such as epsilon=1.0; smaller is more private",
        SettingError::NoContribution => "pass contribution, such as contribution=3",
        SettingError::NoUnit => "pass unit with the name of a column",
        SettingError::UnitUnderReplaceOne => "leave out unit, or pass relation=\"add-remove\"",
        SettingError::NoDataSet => "pass dataset with its name in the ledger",
        SettingError::NoLedger => "pass ledger with its file",
        SettingError::NothingToDiscover => {
            "leave out discover_share, leave facts of the schema open, or let a column depend on others"
        }
        SettingError::Unreviewed { .. } => {
            "go through them with Schema.review and Schema.with_column, or pass accept_draft=True and lose the guarantee"
        }
        SettingError::RowsAreNoise { .. } => "pass rows with the number that you want, or use a larger epsilon",
        SettingError::NoColumns => "pass columns, the number of columns",
        SettingError::NoRows => "pass rows; about how many is enough, and it is not read from data",
        SettingError::NoPersons => "pass persons; about how many is enough, and it is not read from data",
        SettingError::NothingToPlan => "pass epsilon, such as epsilon=[0.5, 1, 2], or error, such as error=0.05",
        _ => return None,
    })
}
