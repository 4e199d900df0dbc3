//! A table of invented people with a column of every type.

/// Its schema. One name has a space, and one word a comma and quotes.
pub const SCHEMA: &str = r#"
[columns.id]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 10

[columns.income]
type = "number"
range = [0, 100000]
bins = 8
decimals = 2
missing = true

[columns."home region"]
type = "category"
values = ["north", "south, \"old\"", "west"]
other = "elsewhere"

[columns.married]
type = "boolean"

[columns.since]
type = "date"
range = ["2000-01-01", "2020-12-31"]
bins = 7

[columns.remark]
type = "ignore"
"#;

const HEADER: &str = "id,age,income,home region,married,since,remark\n";

/// A CSV file of this number of people.
pub fn table(rows: usize) -> String {
    let regions = ["north", "\"south, \"\"old\"\"\"", "west", "nowhere"];
    let mut text = String::from(HEADER);
    for row in 0..rows {
        let income = if row % 7 == 0 { String::new() } else { format!("{}.5", row * 37 % 90_000) };
        let married = if row % 3 == 0 { "true" } else { "false" };
        text.push_str(&format!(
            "p{row},{},{income},{},{married},20{:02}-0{}-15,free text {row}\n",
            row * 13 % 100,
            regions[row % 4],
            row % 20,
            row % 9 + 1,
        ));
    }
    text
}
