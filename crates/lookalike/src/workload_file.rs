//! Workload files: which tables a release should be good at, line by line. Their form is in
//! `docs/workload.md`.

use lookalike_methods::workload::{MOST_WAYS, SpecTable, WorkloadSpec};

use crate::error::SettingError;

const FORM: &str = "write the columns of a table with commas between them, then perhaps a colon and a weight";

/// One table a line: column names with commas between them, and perhaps a colon and a weight. Blank
/// lines and lines that begin with # are left out. A name with a comma, a colon, a quote or outer
/// spaces stands in double quotes, doubled inside.
///
/// # Errors
/// One line that names the file and the line.
pub fn parse_workload(text: &str, file: &str) -> Result<WorkloadSpec, SettingError> {
    let mut tables = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let line_number = place + 1;
        let wrong = |what: &str, help: &str| SettingError::Parameter {
            what: format!("{file}, line {line_number}: {what}"),
            help: help.into(),
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (columns, weight) = read(line).map_err(|what| wrong(what, FORM))?;
        let weight = match weight {
            None => 1.0,
            Some(text) => match text.parse::<f64>() {
                Ok(weight) if weight > 0.0 && weight <= 1e12 => weight,
                _ => return Err(wrong(&format!("{text:?} is not a weight"), "give a number above 0")),
            },
        };
        if columns.len() > MOST_WAYS {
            return Err(wrong("the table has too many columns", &format!("give at most {MOST_WAYS}")));
        }
        let twice = (1..columns.len()).find(|&place| columns[..place].contains(&columns[place]));
        if let Some(place) = twice {
            return Err(wrong(&format!("{:?} stands there twice", columns[place]), "name each column once"));
        }
        tables.push(SpecTable { line: line_number, columns, weight });
    }
    if tables.is_empty() {
        return Err(SettingError::Parameter { what: format!("{file}: there is no table in it"), help: FORM.into() });
    }
    Ok(WorkloadSpec::Tables { file: file.into(), tables })
}

/// The names of a line, and the text behind its colon.
fn read(line: &str) -> Result<(Vec<String>, Option<&str>), &'static str> {
    let (mut columns, mut rest) = (Vec::new(), line);
    loop {
        rest = rest.trim_start();
        let (name, behind) = match rest.strip_prefix('"') {
            Some(inside) => quoted(inside)?,
            None => {
                let end = rest.find([',', ':']).unwrap_or(rest.len());
                (rest[..end].trim_end().to_owned(), &rest[end..])
            }
        };
        if name.is_empty() {
            return Err("a column has no name");
        }
        columns.push(name);
        let behind = behind.trim_start();
        match behind.chars().next() {
            None => return Ok((columns, None)),
            Some(',') => rest = &behind[1..],
            Some(':') => return Ok((columns, Some(behind[1..].trim()))),
            Some(_) => return Err("something follows a closing quote"),
        }
    }
}

/// The name up to the closing quote, and what follows it.
fn quoted(inside: &str) -> Result<(String, &str), &'static str> {
    let mut name = String::new();
    let mut rest = inside;
    loop {
        let end = rest.find('"').ok_or("a quote is not closed")?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Ok((name, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read() {
        let text = "# what we publish\n\nage, sex\n home town , income : 2.5\n\"a,b\",\"age\":3\nsex\n";
        let WorkloadSpec::Tables { tables, .. } = parse_workload(text, "w.txt").unwrap() else { panic!() };
        let table = |line, columns: &[&str], weight| SpecTable {
            line,
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            weight,
        };
        let expected = [
            table(3, &["age", "sex"], 1.0),
            table(4, &["home town", "income"], 2.5),
            table(5, &["a,b", "age"], 3.0),
            table(6, &["sex"], 1.0),
        ];
        assert_eq!(tables, expected);
    }

    #[test]
    fn refusals_name_file_and_line() {
        for (text, word) in [
            ("age,sex\nage,,sex", "line 2: a column has no name"),
            ("age, sex: heavy", "line 1: \"heavy\" is not a weight"),
            ("age: -1", "is not a weight"),
            ("age: 0", "is not a weight"),
            ("age: nan", "is not a weight"),
            ("\"age", "a quote is not closed"),
            ("\"age\" sex", "follows a closing quote"),
            ("age, sex, age", "\"age\" stands there twice"),
            ("a,b,c,d,e,f,g", "too many columns"),
            ("# nothing\n", "w.txt: there is no table in it"),
            ("age,", "a column has no name"),
        ] {
            let refused = parse_workload(text, "w.txt").unwrap_err();
            let message = refused.to_string();
            assert!(message.starts_with("w.txt") && message.contains(word) && !message.contains('\n'), "{message}");
            assert!(!refused.help().is_empty(), "{message}");
        }
    }
}
