//! What can go wrong. Messages are fixed; what the server said travels beside them.

use lookalike_table::{ReadWatch, TableError};
use postgres::error::SqlState;

/// A failure in fixed words.
pub(crate) struct Failure {
    error: TableError,
    /// What the server said, for the steward's terminal.
    words: Option<String>,
}

impl Failure {
    /// A mistake of the user's.
    pub fn mistake(what: impl Into<String>, help: impl Into<String>) -> Self {
        let (what, help) = (what.into(), help.into());
        Self { error: TableError::File { file: "PostgreSQL".to_owned(), what, help }, words: None }
    }

    /// The server did not hand over all rows.
    pub fn server(what: &'static str) -> Self {
        let help = "nothing is made of what came; run again when the server and the way to it are well";
        Self { error: TableError::Server { what, help }, words: None }
    }

    /// The server was waited for in vain.
    pub fn silent() -> Self {
        Self::server("the PostgreSQL server has been silent for too long")
    }

    /// What came is not what was asked for.
    pub fn garbled() -> Self {
        Self::server("the PostgreSQL server sent something else than rows")
    }

    /// The steward stops.
    pub fn cancelled() -> Self {
        Self { error: TableError::Cancelled, words: None }
    }

    /// Connecting failed.
    pub fn connecting(error: &postgres::Error) -> Self {
        let code = error.code().map(SqlState::code).unwrap_or_default();
        let (what, help) = match code {
            code if code.starts_with("28") => {
                ("the server did not let the user in", "put the password into PGPASSWORD or the file of passwords")
            }
            "3D000" => ("the server has no such database", "name one of its databases behind the host"),
            _ if error.to_string().contains("invalid configuration") => {
                ("the user or the way in cannot be used", "put the password into PGPASSWORD or the file of passwords")
            }
            _ => ("the server could not be reached", "check the address, and that the server is up"),
        };
        Self::mistake(what, help).saying(error)
    }

    /// The server refused what was asked for.
    pub fn asking(error: &postgres::Error) -> Self {
        let refused = match error.code() {
            Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
                Self::mistake("the user may not read these rows", "have the owner grant SELECT, or name another user")
            }
            // The server went down, ended the connection or ran out of something: no fault of the
            // query.
            Some(code) if ["08", "53", "57", "58", "XX"].iter().any(|class| code.code().starts_with(class)) => {
                Self::server("the PostgreSQL server broke off")
            }
            Some(_) => Self::mistake("the server refused the query", "try it in psql first"),
            None => Self::server("the PostgreSQL server broke off"),
        };
        refused.saying(error)
    }

    /// The rows broke off.
    pub fn reading(error: &dyn std::error::Error) -> Self {
        Self::server("the PostgreSQL server did not hand over all rows").saying(error)
    }

    fn saying(self, error: &dyn std::error::Error) -> Self {
        let mut words = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            words = format!("{words}: {cause}");
            source = cause.source();
        }
        Self { words: Some(words), ..self }
    }

    /// The fixed words.
    pub fn into_error(self) -> TableError {
        self.error
    }

    /// The fixed words, after the watch was told the server's.
    pub fn told(self, watch: &dyn ReadWatch) -> TableError {
        if let Some(words) = &self.words {
            watch.server_said(words);
        }
        self.error
    }
}
