//! Where rows lie: what the server's own parser knows, and which rows are meant.

use std::path::PathBuf;

use postgres::Config;
use postgres::config::Host;

use crate::fail::Failure;
use crate::settings::{filled, is_near};
use crate::tls::TlsWish;

/// Which rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Of a table or a view, by its name in SQL.
    Table(String),
    /// Of a query.
    Query(String),
}

/// An address without secrets.
#[derive(Clone)]
pub(crate) struct Address {
    /// The connection, filled in from the usual variables. It has no password.
    pub config: Config,
    pub tls: TlsWish,
    pub asked: Asked,
    pub query_file: Option<PathBuf>,
}

impl Address {
    /// Reads an address. `Err` in words that quote nothing of it but names of parameters.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let (server, parameters) = text.split_once('?').unwrap_or((text, ""));
        let Parameters { others, asked, query_file, sslmode } = Parameters::read(parameters)?;
        let url = if others.is_empty() { server.to_owned() } else { format!("{server}?{}", others.join("&")) };
        let config: Config = url.parse().map_err(|_| {
            Failure::mistake("the address cannot be read", "write postgres://USER@HOST:PORT/DATABASE?table=NAME")
        })?;
        if config.get_password().is_some() {
            return Err(Failure::mistake(
                "the address has a password in it, which others can see",
                "put it into PGPASSWORD or the file of passwords",
            ));
        }
        let config = filled(config)?;
        let tls = TlsWish::new(sslmode.as_deref(), config.get_hosts().iter().all(is_near))?;
        Ok(Self { config, tls, asked, query_file })
    }

    /// What tells these rows from others.
    pub fn identity(&self) -> Vec<u8> {
        let hosts: Vec<String> = self.config.get_hosts().iter().map(host_name).collect();
        let (user, database) = (self.config.get_user(), self.config.get_dbname());
        format!("PostgreSQL {hosts:?} {:?} {user:?} {database:?} {:?}", self.config.get_ports(), self.asked)
            .into_bytes()
    }
}

/// The host as text.
pub(crate) fn host_name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    }
}

/// The parameters of an address.
struct Parameters<'a> {
    /// Those of the connection.
    others: Vec<&'a str>,
    asked: Asked,
    query_file: Option<PathBuf>,
    sslmode: Option<String>,
}

impl<'a> Parameters<'a> {
    fn read(text: &'a str) -> Result<Self, Failure> {
        // A query may have any sign in it, so it comes last and is taken as it stands.
        let (text, query) = match text.strip_prefix("query=") {
            Some(query) => ("", Some(query)),
            None => text.split_once("&query=").map_or((text, None), |(before, query)| (before, Some(query))),
        };
        let mut asked: Vec<Asked> = query.map(|query| Asked::Query(query.to_owned())).into_iter().collect();
        let (mut others, mut query_file, mut sslmode) = (Vec::new(), None, None);
        for parameter in text.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("table", name)) => asked.push(Asked::Table(name.to_owned())),
                Some(("query-file", path)) => {
                    let query = std::fs::read_to_string(path).map_err(|_| {
                        Failure::mistake("the file of the query cannot be read", "check the path behind query-file=")
                    })?;
                    (query_file, asked) = (Some(PathBuf::from(path)), [asked, vec![Asked::Query(query)]].concat());
                }
                // What the server's parser calls so knows fewer words than are in use.
                Some(("sslmode", mode)) => sslmode = Some(mode.to_owned()),
                _ => others.push(parameter),
            }
        }
        let asked = match <[Asked; 1]>::try_from(asked) {
            Ok([Asked::Query(query)]) => Asked::Query(bare(&query)?),
            Ok([asked]) => asked,
            Err(asked) => {
                let what = if asked.is_empty() { "the address names no rows" } else { "the address names rows twice" };
                return Err(Failure::mistake(what, "end it with ?table=NAME, ?query=SELECT ... or ?query-file=PATH"));
            }
        };
        Ok(Self { others, asked, query_file, sslmode })
    }
}

/// A query without the semicolon at its end.
fn bare(query: &str) -> Result<String, Failure> {
    let query = query.trim().trim_end_matches(';').trim_end();
    if query.is_empty() {
        return Err(Failure::mistake("the query is empty", "write a SELECT"));
    }
    // A comment at its end would swallow what is put behind it.
    Ok(format!("{query}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asked {
        Address::parse(text).map_err(|failure| failure.into_error().to_string()).unwrap().asked
    }

    fn refused(text: &str) -> String {
        let Err(failure) = Address::parse(text) else { panic!("{text} was taken") };
        failure.into_error().to_string()
    }

    #[test]
    fn rows_are_named_by_a_table_or_a_query() {
        let table = |name: &str| Asked::Table(name.to_owned());
        let query = |text: &str| Asked::Query(format!("{text}\n"));
        assert_eq!(asked("postgres://u@h/d?table=people"), table("people"));
        assert_eq!(asked("postgresql://u@h/d?connect_timeout=5&table=\"My Table\""), table("\"My Table\""));
        let text = "SELECT a, b FROM t WHERE a LIKE '%x%' AND b = '&table=z'";
        assert_eq!(asked(&format!("postgres://u@h/d?query={text};  ")), query(text));
        assert_eq!(asked(&format!("postgres://u@h/d?sslmode=disable&query={text}")), query(text));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "SELECT 1 -- all\n").unwrap();
        let address = format!("postgres://u@h/d?query-file={}", file.path().display());
        assert_eq!(asked(&address), query("SELECT 1 -- all"));
    }

    #[test]
    fn what_cannot_be_is_refused_without_quoting_it() {
        for (address, words) in [
            ("postgres://u@h/d", "names no rows"),
            ("postgres://u@h/d?table=a&query=SELECT 1", "names rows twice"),
            ("postgres://u@h/d?query= ; ", "is empty"),
            ("postgres://u:s3cret@h/d?table=a", "password"),
            ("postgres://u@h/d?password=s3cret&table=a", "password"),
            ("postgres://u@h/d?s3cret=1&table=a", "cannot be read"),
            ("postgres://u@h:s3cret/d?table=a", "cannot be read"),
            ("postgres://u@h/d?sslmode=s3cret&table=a", "sslmode"),
            ("postgres://u@h/d?query-file=/nowhere/s3cret", "file of the query"),
        ] {
            let refused = refused(address);
            assert!(refused.contains(words) && !refused.contains("s3cret"), "{address}: {refused}");
        }
    }
}
