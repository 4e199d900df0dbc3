use lookalike_schema::Schema;

use super::support::schema;
use crate::dictionary_csv;

#[test]
fn every_code_has_a_line_and_quotes_hold() {
    let text = dictionary_csv(&schema());
    let lines: Vec<&str> = text.lines().collect();
    let codes: u32 = schema().domain().sizes().iter().sum();
    assert_eq!(lines.len() as u32, 1 + codes + 1);
    assert_eq!(lines[0], "column,type,code,label,low,high");
    assert_eq!(lines[1], "person,id,,fresh ids from 1,,");
    assert_eq!(lines[2], "age,integer,0,0-4,0,4");
    assert!(lines.contains(&"age,integer,20,(missing),,"));
    assert!(text.contains(",category,2,\"a \"\"quoted\"\", word\",,\n"));
    // The ends are exact, whatever the label rounds to.
    assert!(lines.iter().any(|line| line.starts_with("income,number,0,") && line.ends_with(",0,1000.5")), "{text}");
    assert!(text.contains("born,date,0,") && text.contains(",1920-01-01,"));
    assert!(!text.contains("notes"));
}

#[test]
fn a_column_on_its_grid_has_a_line_for_its_range() {
    let text = "[columns.price]\ntype = 'number'\nrange = [0, 2000.5]\ndecimals = 2\nmissing = true\n\
                [columns.day]\ntype = 'date'\nrange = ['2013-01-01', '2013-12-31']\n\
                [columns.age]\ntype = 'integer'\nrange = [0, 99]\nbins = 2\n";
    let schema = Schema::parse(text, "test").unwrap().on_grid(262_144).unwrap();
    let lines = [
        "column,type,code,label,low,high",
        "price,number,0-200050,0 to 2000.5,0,2000.5",
        "price,number,200051,(missing),,",
        "day,date,0-364,2013-01-01 to 2013-12-31,2013-01-01,2013-12-31",
        "age,integer,0,0-49,0,49",
        "age,integer,1,50-99,50,99",
    ];
    assert_eq!(dictionary_csv(&schema), lines.join("\n") + "\n");
}
