//! Passwords: from the variable `PGPASSWORD`, else from the file of passwords, as `libpq` reads it.

use std::path::PathBuf;

use postgres::Config;
use postgres::config::Host;

/// The password for this connection, if there is one.
pub(crate) fn password(config: &Config) -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(password) = variable("PGPASSWORD") {
        return Some(password);
    }
    let home = || std::env::home_dir().map(|home| home.join(".pgpass"));
    let file = variable("PGPASSFILE").map(PathBuf::from).or_else(home)?;
    if !is_private(&file) {
        return None;
    }
    let text = std::fs::read_to_string(file).ok()?;
    let host = config.get_hosts().first();
    let hosts = host.map(names_of).unwrap_or_default();
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user()?;
    let database = config.get_dbname().unwrap_or(user);
    text.lines().find_map(|line| of_line(line, [&hosts, &[port.as_str()], &[database], &[user]]))
}

/// A file that others may read is passed over, as everywhere.
#[cfg(unix)]
fn is_private(file: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(file: &std::path::Path) -> bool {
    file.is_file()
}

/// By which names a file of passwords may have a host.
fn names_of(host: &Host) -> Vec<&str> {
    match host {
        Host::Tcp(name) => vec![name],
        #[cfg(unix)]
        Host::Unix(path) => path.to_str().into_iter().chain(["localhost"]).collect(),
    }
}

/// The password of a line, when its first four fields fit.
fn of_line(line: &str, wanted: [&[&str]; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let fields = fields(line);
    let [first @ .., password] = fields.get(..5)? else { return None };
    let fits = |(field, wanted): (&String, &[&str])| field == "*" || wanted.contains(&field.as_str());
    first.iter().zip(wanted).all(fits).then(|| password.clone())
}

/// The fields between colons; a backslash takes the next sign as it stands.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            // The last field is the password, whose colons may be bare.
            ':' if fields.len() < 5 => fields.push(String::new()),
            sign => {
                let taken = if sign == '\\' { signs.next() } else { Some(sign) };
                if let (Some(field), Some(taken)) = (fields.last_mut(), taken) {
                    field.push(taken);
                }
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_matched_field_by_field() {
        let wanted: [&[&str]; 4] = [&["db.example"], &["5432"], &["census"], &["ann"]];
        let of = |line: &str| of_line(line, wanted);
        assert_eq!(of("db.example:5432:census:ann:word").as_deref(), Some("word"));
        assert_eq!(of("*:*:*:*:a:b\\\\c\\:d").as_deref(), Some("a:b\\c:d"));
        for line in
            ["db.example:5433:census:ann:word", "other:*:*:*:word", "#*:*:*:*:word", "*:*:*:*", "", "*:*:*:bob:word"]
        {
            assert_eq!(of(line), None, "{line}");
        }
        assert_eq!(
            of_line("/run/pg:*:*:*:w", [&["/run/pg", "localhost"], &["1"], &["d"], &["u"]]).as_deref(),
            Some("w")
        );
    }
}
