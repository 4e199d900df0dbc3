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
