//! The one error type of the facade, and the four kinds that a face has to tell apart.

mod file;
mod setting;

use std::path::Path;

use lookalike_curator::CuratorError;
use lookalike_discovery::DiscoveryError;
use lookalike_evaluate::EvaluateError;
use lookalike_ledger::LedgerError;
use lookalike_measurement::StatementError;
use lookalike_methods::MethodError;
use lookalike_model::ModelError;
use lookalike_privacy::PrivacyError;
use lookalike_schema::SchemaError;
use lookalike_table::TableError;

pub use file::{FileError, FileFault};
pub use setting::SettingError;

/// Whose turn it is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Flags, schema or file: the user can put it right.
    User,
    /// The machine or this program failed.
    Fault,
    /// The budget refuses. Nothing was looked at beyond what was paid for.
    Budget,
    /// Somebody asked to stop.
    Interrupted,
}

/// Why there is no release, no rows, no draft. Messages are one line, say what, where and what to
/// do, and never quote a cell.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Settings that cannot be, or cannot go together.
    #[error("{0}; {help}", help = .0.help())]
    Setting(#[from] SettingError),
    /// A file or folder that was named and does not do.
    #[error("{0}; {help}", help = .0.fault.help())]
    File(#[from] FileError),
    /// A mistake in the schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A fault of the table as a whole.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A unit, a plan or a charge was refused.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// The ledger across releases refused or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The door refused or failed.
    #[error(transparent)]
    Curator(#[from] CuratorError),
    /// The method refused or failed.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A model or its file is no good.
    #[error(transparent)]
    Model(ModelError),
    /// A statement could not be made or read.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// Two tables could not be compared.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// More rows were asked of a release that is rows alone.
    #[error("this release has no model; its method releases rows alone")]
    NoModel,
    /// Bytes that are no release, or a release that was changed.
    #[error("these bytes are no release of lookalike, or were changed; take them from where they were written")]
    NoReleaseBytes,
    /// A table that is compared lacks a column of the release, or has it with other values.
    #[error("column {column:?}: is not in the release with these values; read the table with the release's schema")]
    OtherColumns {
        /// The column.
        column: String,
    },
    /// Reading or writing failed.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// This program is wrong. Nothing was released.
    #[error("{what}; this is a fault of lookalike, and nothing was released")]
    Fault {
        /// What does not hold.
        what: String,
    },
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl From<DiscoveryError> for Error {
    fn from(error: DiscoveryError) -> Self {
        match error {
            DiscoveryError::Curator(error) => error.into(),
            DiscoveryError::Privacy(error) => error.into(),
            DiscoveryError::Schema(error) => error.into(),
            other => Self::fault(other.to_string()),
        }
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Halted => Self::Interrupted,
            other => Self::Model(other),
        }
    }
}

impl Error {
    /// Whose turn it is to act.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Setting(SettingError::FittedBefore) => ErrorKind::Budget,
            Self::Setting(_)
            | Self::File(_)
            | Self::Schema(_)
            | Self::Model(_)
            | Self::NoModel
            | Self::NoReleaseBytes
            | Self::OtherColumns { .. } => ErrorKind::User,
            Self::Table(error) => table_kind(error),
            Self::Privacy(error) => privacy_kind(error),
            Self::Ledger(LedgerError::Usage { .. }) => ErrorKind::User,
            Self::Ledger(LedgerError::Refused { .. }) => ErrorKind::Budget,
            Self::Ledger(_) => ErrorKind::Fault,
            Self::Curator(error) => curator_kind(error),
            Self::Method(MethodError::Setting { .. }) => ErrorKind::User,
            Self::Evaluate(EvaluateError::Table(error)) => table_kind(error),
            Self::Evaluate(_) => ErrorKind::User,
            Self::Method(MethodError::Curator(error)) => curator_kind(error),
            Self::Method(_) | Self::Statement(_) | Self::Io { .. } | Self::Fault { .. } => ErrorKind::Fault,
            Self::Interrupted => ErrorKind::Interrupted,
        }
    }

    /// Whether the reader of what was being written went away: no fault of anybody's.
    pub fn is_broken_pipe(&self) -> bool {
        let source = match self {
            Self::Table(TableError::Io { source, .. }) | Self::Io { source, .. } => source,
            _ => return false,
        };
        source.kind() == std::io::ErrorKind::BrokenPipe
    }

    pub(crate) fn fault(what: impl Into<String>) -> Self {
        Self::Fault { what: what.into() }
    }

    pub(crate) fn io(doing: &str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { what: format!("{doing} {}", path.display()), source }
    }

    /// A named file that cannot be read.
    pub(crate) fn reading(path: &Path, source: std::io::Error) -> Self {
        match FileError::reading(source.kind()) {
            Some(fault) => Self::file(path, fault),
            None => Self::io("reading", path, source),
        }
    }

    /// A named place that cannot be written.
    pub(crate) fn writing(path: &Path, source: std::io::Error) -> Self {
        match FileError::writing(source.kind()) {
            Some(fault) => Self::file(path, fault),
            None => Self::io("writing", path, source),
        }
    }

    pub(crate) fn file(path: &Path, fault: FileFault) -> Self {
        FileError::new(path, fault).into()
    }
}

fn table_kind(error: &TableError) -> ErrorKind {
    match error {
        TableError::File { .. } | TableError::Schema(_) | TableError::Changed => ErrorKind::User,
        TableError::Cancelled => ErrorKind::Interrupted,
        _ => ErrorKind::Fault,
    }
}

fn privacy_kind(error: &PrivacyError) -> ErrorKind {
    match error {
        // A plan that cannot be calibrated comes from an epsilon or delta outside of what exact
        // noise can do.
        PrivacyError::Unit { .. } | PrivacyError::Plan { .. } => ErrorKind::User,
        PrivacyError::Refused { .. } => ErrorKind::Budget,
        _ => ErrorKind::Fault,
    }
}

fn curator_kind(error: &CuratorError) -> ErrorKind {
    match error {
        CuratorError::Privacy(error) => privacy_kind(error),
        CuratorError::Cancelled => ErrorKind::Interrupted,
        // A query that the schema cannot answer was made by a method from the schema: too many
        // cells, for one.
        CuratorError::Query { .. } => ErrorKind::User,
        _ => ErrorKind::Fault,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn whose_turn_it_is() {
        let refused = || PrivacyError::Refused { what: "x".into() };
        let broken = || io::Error::from(io::ErrorKind::StorageFull);
        let cases: Vec<(Error, ErrorKind)> = vec![
            (SettingError::NoBudget.into(), ErrorKind::User),
            (PrivacyError::Unit { unit: "epsilon", rule: "above 0", given: 0.0 }.into(), ErrorKind::User),
            (refused().into(), ErrorKind::Budget),
            (CuratorError::Privacy(refused()).into(), ErrorKind::Budget),
            (MethodError::Curator(CuratorError::Privacy(refused())).into(), ErrorKind::Budget),
            (MethodError::Curator(CuratorError::Cancelled).into(), ErrorKind::Interrupted),
            (MethodError::Setting { what: "x".into(), help: "y".into() }.into(), ErrorKind::User),
            (TableError::Cancelled.into(), ErrorKind::Interrupted),
            (TableError::Changed.into(), ErrorKind::User),
            (TableError::Server { what: "x", help: "y" }.into(), ErrorKind::Fault),
            (MethodError::from(ModelError::Halted).into(), ErrorKind::Interrupted),
            (ModelError::Halted.into(), ErrorKind::Interrupted),
            (TableError::Io { what: "x".into(), source: broken() }.into(), ErrorKind::Fault),
            (PrivacyError::Store(broken()).into(), ErrorKind::Fault),
            (Error::writing(Path::new("x"), broken()), ErrorKind::Fault),
            (Error::writing(Path::new("x"), io::ErrorKind::PermissionDenied.into()), ErrorKind::User),
            (Error::reading(Path::new("x"), io::ErrorKind::NotFound.into()), ErrorKind::User),
            (Error::fault("x"), ErrorKind::Fault),
            (Error::Interrupted, ErrorKind::Interrupted),
        ];
        for (error, kind) in cases {
            assert_eq!(error.kind(), kind, "{error}");
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}
