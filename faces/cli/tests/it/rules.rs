//! `schema check` with rows: rules that every row keeps, as lines for the schema.

use crate::empty;

const COLUMN: &str =
    "[columns.fee]\ntype = \"derived\"\ndecimals = 0\nformula = \"pieces * price\"\nreview = [\"type\"]";
const TOP: &str = "missing_together = [[\"came\", \"left\"]]\nin_order = [[\"came\", \"left\"]]\nreview = [\"missing_together\", \"in_order\"]\n# Differences are kept better where a bound is known, in the later column: after = \"EARLIER\", within = ...";

#[test]
fn proposed_lines_can_be_pasted_as_they_stand() {
    let sandbox = empty();
    let row = |i: u64| {
        let (pieces, price) = (2 + i % 7, 3 + i * 31 % 11);
        let days =
            if i.is_multiple_of(10) { ",".to_owned() } else { format!("{},{}", i * 17 % 40, i * 17 % 40 + i % 9) };
        format!("{pieces},{price},{},{days}\n", pieces * price)
    };
    let rows: String = (0..300).map(row).collect();
    sandbox.write("t.csv", &format!("pieces,price,fee,came,left\n{rows}"));
    let column = |name: &str, keys: &str| format!("[columns.{name}]\ntype = \"integer\"\nrange = [0, 99]\n{keys}\n");
    let missing = |name: &str| column(name, "missing = true");
    let fee = column("fee", "spacing = \"log\"");
    let text = [column("pieces", ""), column("price", ""), fee.clone(), missing("came"), missing("left")].concat();
    sandbox.write("t.toml", &text);
    let check = |words: &[&str]| {
        let ran = sandbox.run(&[&["schema", "check", "t.toml", "t.csv"][..], words].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    };
    let told = check(&[]).out;
    for lines in [
        format!("  at the top of the file, before the first table:\n\n{TOP}\n\n"),
        format!("  \"fee\" is pieces * price in every row\n  instead of all lines of [columns.fee]:\n\n{COLUMN}\n\n"),
    ] {
        assert!(told.contains(&lines), "{lines}\n---\n{told}");
    }
    let json = check(&["--json"]).json();
    let rules = json["steward_only"]["rules_that_all_rows_keep"].as_array().unwrap();
    assert_eq!((rules.len(), rules[1]["toml"].as_str()), (2, Some(COLUMN)), "{rules:?}");
    sandbox.write("t.toml", &format!("{TOP}\n{}", text.replace(&fee, &format!("{COLUMN}\n"))));
    let told = check(&[]).out;
    assert!(told.contains("5 columns, 4 modelled\n3 facts wait for review"), "{told}");
    assert!(!told.contains("every row keeps"), "{told}");
}
