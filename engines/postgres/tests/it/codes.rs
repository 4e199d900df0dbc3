//! A cell has the code that it has in a CSV file of the same table.

use std::collections::BTreeMap;
use std::path::Path;

use lookalike::{Input, Schema};
use lookalike_postgres::PostgresRows;
use lookalike_table::{PrivateTable, Table};
use lookalike_testkit::{Dice, Postgres, benchmark_table};

use crate::common::{Watching, options, read, sorted};

fn from_csv(path: &Path, schema: &Schema) -> Table {
    let input = Input::Path(path.to_owned());
    PrivateTable::read(&input, schema, &options(), &Watching::default()).unwrap().open_for_steward_only()
}

/// Both ways to the rows of a table or query, over several connections.
fn compare(server: &Postgres, rows: &str, schema: &Schema) -> Vec<Vec<u32>> {
    let from = match rows.strip_prefix("table=") {
        Some(table) => format!("(SELECT * FROM {table})"),
        None => format!("({}\n)", rows.strip_prefix("query=").unwrap()),
    };
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("rows.csv");
    let settings = "SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET extra_float_digits = 3;";
    std::fs::write(&csv, server.sql(&format!("{settings} COPY {from} TO STDOUT (FORMAT csv, HEADER)"))).unwrap();
    let expected = sorted(&from_csv(&csv, schema));
    for connections in [1, 3] {
        let postgres = PostgresRows::at(&server.address(rows)).unwrap().connections(connections);
        let found = read(postgres, schema, &Watching::default()).unwrap();
        assert_eq!(sorted(&found), expected, "{rows} with {connections} connections");
    }
    expected
}

/// Cells that are no values of their columns, or at the edge of being some.
#[test]
fn hostile_cells() {
    let Some(server) = Postgres::shared() else { return };
    server.sql(
        "CREATE TABLE hostile (small smallint, whole integer, big bigint, single real, double double precision, \
         exact numeric, money numeric(12,2), truth boolean, day date, moment timestamp, word text, \
         padded char(6), short varchar(5), odd jsonb, list integer[], id uuid, clock time, span interval, raw bytea); \
         INSERT INTO hostile VALUES \
         (1, 2, 3, 0.1, 0.1, 0.1, 1.10, true, '2020-02-29', '2020-02-29 23:59:59.999999', 'a', 'a', 'a', \
          '{\"a\": 1}', '{1,2}', '00000000-0000-0000-0000-000000000001', '12:00', '1 day', '\\x00ff'), \
         (-32768, -2147483648, -9223372036854775808, 'NaN', 'NaN', 'NaN', -1, false, '-infinity', '-infinity', '', \
          '', '', '[]', '{}', NULL, '00:00', '0', ''), \
         (32767, 2147483647, 9223372036854775807, 'Infinity', 'Infinity', 1e40, 0, NULL, 'infinity', 'infinity', \
          ' spaced  out ', ' a', 'é', '\"x\"', NULL, NULL, '24:00', '-1 year', NULL), \
         (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
          NULL), \
         (0, 0, 0, '-Infinity', '-Infinity', -0.0, 0.00, true, '0044-03-15 BC', '0044-03-15 BC', 'A', 'A', 'A', \
          'null', '{NULL}', NULL, '23:59:59.5', NULL, NULL), \
         (7, 7, 7, '-0', '-0', 12345678901234567890.123456789, 9999999999.99, true, '12345-01-01', '12345-01-01', \
          E'a,\"b\"\\r\\n;c', 'NA', 'NA', '{}', NULL, NULL, NULL, NULL, NULL), \
         (8, 8, 8, 3e38, 1e308, '3.14159', 3.99, false, '0001-01-01', '0001-01-01', 'tab\there', 'x', '١٢', \
          '1', NULL, NULL, NULL, NULL, NULL), \
         (9, 9, 9, 1e-40, 5e-324, 1e-20, 0.01, false, '9999-12-31', '9999-12-31 23:59:60', 'naïve', 'x', 'x', \
          '1', NULL, NULL, NULL, NULL, NULL)",
    );
    let numbers = |range: &str| format!("range = {range}\n");
    let mut schema = String::from("missing_tokens = [\"\", \"NA\"]\n");
    for (name, kind) in [
        ("small", "integer"),
        ("whole", "integer"),
        ("big", "integer"),
        ("single", "number"),
        ("double", "number"),
        ("exact", "number"),
        ("money", "number"),
    ] {
        schema +=
            &format!("[columns.{name}]\ntype = \"{kind}\"\n{}bins = 50\nmissing = true\n", numbers("[-100, 100]"));
    }
    schema += "[columns.truth]\ntype = \"boolean\"\nmissing = true\n";
    schema += "[columns.day]\ntype = \"date\"\nrange = [\"0001-01-01\", \"9999-12-31\"]\nbins = 100\nmissing = true\n";
    schema += "[columns.moment]\ntype = \"datetime\"\nrange = [\"0001-01-01T00:00:00\", \"9999-12-31T23:59:59\"]\n\
               bins = 100\nmissing = true\n";
    for (name, values) in [
        ("word", r#"["a", "A", "spaced  out", "naïve", "tab\there"]"#),
        ("padded", r#"["a", "A", "x"]"#),
        ("short", r#"["a", "A", "é", "x", "١٢"]"#),
        ("odd", r#"["{\"a\": 1}", "[]", "\"x\"", "1", "null"]"#),
        ("list", r#"["{1,2}", "{}", "{NULL}"]"#),
        ("id", r#"["00000000-0000-0000-0000-000000000001"]"#),
        ("clock", r#"["12:00:00", "24:00:00", "23:59:59.5"]"#),
        ("span", r#"["1 day", "-1 years", "00:00:00"]"#),
        ("raw", r#"["\\x00ff", "\\x"]"#),
    ] {
        schema +=
            &format!("[columns.{name}]\ntype = \"category\"\nvalues = {values}\nother = \"else\"\nmissing = true\n");
    }
    let schema = Schema::parse(&schema, "hostile").unwrap();
    let rows = compare(server, "table=hostile", &schema);
    assert_eq!(rows.len(), 8);
    // No column says the same of all cells, which would compare nothing.
    for column in 0..rows[0].len() {
        assert!(rows.iter().any(|row| row[column] != rows[0][column]), "column {column}");
    }
    // The same without a code for missing cells: then they are the first value.
    let bare = schema.to_json().to_string().replace("\"missing\":true", "\"missing\":false");
    compare(server, "table=hostile", &Schema::parse(&bare, "bare").unwrap());
}

/// Generated tables of every type of column.
#[test]
fn generated_tables() {
    let Some(server) = Postgres::shared() else { return };
    let tables: u64 = std::env::var("LOOKALIKE_TABLES").ok().and_then(|it| it.parse().ok()).unwrap_or(60);
    for number in 0..tables {
        let mut dice = Dice(number);
        let (mut columns, mut schema) = (Vec::new(), String::new());
        for place in 0..2 + dice.below(7) {
            let (kind, cell, facts) = column(dice.below(9));
            columns.push((format!("\"Column {place} \"\"x\"\"\" {kind}"), cell));
            schema += &format!("[columns.'Column {place} \"x\"']\n{facts}missing = {}\n", dice.below(2) == 0);
        }
        let rows = [0, 1, 60, 400][dice.below(4) as usize];
        let text: Vec<String> = (0..rows)
            .map(|_| {
                let cell = |(_, cell): &(String, fn(&mut Dice) -> String)| match dice.below(6) {
                    0 => "\\N".to_owned(),
                    _ => cell(&mut dice),
                };
                columns.iter().map(cell).collect::<Vec<_>>().join("\t")
            })
            .collect();
        let names: Vec<&str> = columns.iter().map(|(column, _)| column.as_str()).collect();
        let made = format!("CREATE TABLE generated_{number} ({});", names.join(", "));
        let filled = format!(
            "COPY generated_{number} FROM STDIN;\n{}",
            text.iter().map(|row| row.clone() + "\n").collect::<String>()
        );
        server.sql(&format!("{made}\n{filled}\\.\n"));
        let schema = Schema::parse(&schema, "generated").unwrap();
        let found = compare(server, &format!("table=generated_{number}"), &schema);
        assert_eq!(found.len(), rows as usize);
        compare(server, &format!("query=SELECT * FROM generated_{number} WHERE true -- all of them"), &schema);
        server.sql(&format!("DROP TABLE generated_{number}"));
    }
}

/// A type of the server, how a cell of it is written, and a column of a schema for it.
fn column(kind: u64) -> (&'static str, fn(&mut Dice) -> String, &'static str) {
    match kind {
        0 => (
            "integer",
            |dice| (dice.below(300) as i64 - 50).to_string(),
            "type = \"integer\"\nrange = [0, 200]\nbins = 20\n",
        ),
        1 => {
            ("bigint", |dice| (dice.below(1 << 40) as i64).to_string(), "type = \"integer\"\nrange = [0, 1000000000]\n")
        }
        2 => (
            "double precision",
            |dice| format!("{}e-3", dice.below(100_000)),
            "type = \"number\"\nrange = [0, 99]\nbins = 33\n",
        ),
        3 => (
            "real",
            |dice| format!("{}.{}", dice.below(90), dice.below(100)),
            "type = \"number\"\nrange = [0, 50]\ndecimals = 2\n",
        ),
        4 => (
            "numeric(10,3)",
            |dice| format!("{}.{}", dice.below(900), dice.below(1000)),
            "type = \"number\"\nrange = [1, 1000]\nspacing = \"log\"\nbins = 12\n",
        ),
        5 => ("boolean", |dice| if dice.below(2) == 0 { "t" } else { "f" }.to_owned(), "type = \"boolean\"\n"),
        6 => (
            "date",
            |dice| format!("20{:02}-{:02}-{:02}", dice.below(100), 1 + dice.below(12), 1 + dice.below(28)),
            "type = \"date\"\nrange = [\"2010-01-01\", \"2080-12-31\"]\n",
        ),
        7 => (
            "timestamp",
            |dice| {
                format!(
                    "2024-{:02}-{:02} {:02}:{:02}:{:02}.5",
                    1 + dice.below(12),
                    1 + dice.below(28),
                    dice.below(24),
                    dice.below(60),
                    dice.below(60)
                )
            },
            "type = \"datetime\"\nrange = [\"2024-01-01T00:00:00\", \"2024-12-31T23:59:59\"]\nbins = 40\n",
        ),
        _ => (
            "text",
            |dice| format!("value {}", dice.below(12)),
            "type = \"category\"\nvalues = [\"value 1\", \"value 2\", \"value 3\", \"value 4\", \"Value 5\"]\nother = \"else\"\n",
        ),
    }
}

#[test]
fn adult_labels() {
    let (Some(server), Some(csv)) = (Postgres::shared(), benchmark_table("adult-labels.csv")) else { return };
    // A list of values for each column.
    let lists = std::fs::read_to_string(csv.with_extension("json")).unwrap();
    let lists: BTreeMap<String, Vec<String>> = serde_json::from_str(&lists).unwrap();
    let column =
        |(name, values): (String, Vec<String>)| (name, serde_json::json!({"type": "category", "values": values}));
    let columns: serde_json::Map<String, serde_json::Value> = lists.into_iter().map(column).collect();
    let schema = Schema::parse(&serde_json::json!({ "columns": columns }).to_string(), "adult-labels").unwrap();
    let text = std::fs::read_to_string(&csv).unwrap();
    let header = text.lines().next().unwrap();
    let columns: Vec<String> = header.split(',').map(|name| format!("\"{}\" text", name.trim_matches('"'))).collect();
    let filled = format!("COPY adult FROM STDIN (FORMAT csv, HEADER);\n{}\n\\.\n", text.trim_end());
    server.sql(&format!("CREATE TABLE adult ({});\n{filled}", columns.join(", ")));
    assert!(compare(server, "table=adult", &schema).len() > 40_000);
}
