use lookalike_schema::OpenSchema;

use super::*;

const SCHEMA: &str = "
[columns.left]
type = 'date'
range = ['2020-01-01', '2020-12-31']
missing = true
[columns.back]
type = 'date'
range = ['2020-01-01', '2020-12-31']
missing = true
[columns.month]
type = 'integer'
range = [1, 12]
missing = true
[columns.from]
type = 'category'
values = ['a', 'b', 'c']
[columns.to]
type = 'category'
values = ['x', 'y']
[columns.miles]
type = 'integer'
range = [0, 99]
[columns.one]
type = 'integer'
range = [0, 9]
[columns.two]
type = 'integer'
range = [0, 9]
[columns.both]
type = 'integer'
range = [0, 18]
[columns.free]
type = 'integer'
range = [0, 9]
";

fn found(change: impl Fn(u64, &mut Vec<String>)) -> Vec<ProposedRule> {
    proposed(SCHEMA, change)
}

fn proposed(text: &str, change: impl Fn(u64, &mut Vec<String>)) -> Vec<ProposedRule> {
    let schema = Schema::parse(text, "test").unwrap();
    let header: Vec<String> = schema.columns().iter().map(|column| column.name.clone()).collect();
    let mut finder = RuleFinder::new(&schema, &header);
    for row in 0..600u64 {
        let chance = |of: u64, below: u64| mixed(row * 31 + of) % below;
        let day = |offset: u64| format!("2020-{:02}-{:02}", 1 + (row % 10), 1 + offset);
        let (from, to) = (chance(1, 3), chance(2, 2));
        let (one, two) = (chance(3, 10), chance(4, 10));
        let mut cells = vec![
            day(chance(5, 14)),
            day(14 + chance(6, 14)),
            (1 + row % 10).to_string(),
            ["a", "b", "c"][from as usize].to_owned(),
            ["x", "y"][to as usize].to_owned(),
            (10 + 17 * from + 5 * to).to_string(),
            one.to_string(),
            two.to_string(),
            (one + two).to_string(),
            chance(7, 10).to_string(),
        ];
        if row % 9 == 0 {
            (cells[0], cells[1], cells[2]) = Default::default();
        }
        change(row, &mut cells);
        let cells: Vec<&[u8]> = cells.iter().map(String::as_bytes).collect();
        finder.observe(&cells);
    }
    propose_rules(&OpenSchema::parse(text, "test").unwrap(), &finder.finish())
}

/// Two flags of which one is rare: where it is there, the other happens to be too. Of other rows
/// hardly any would break that order. The control has it in as many rows as it is missing in.
#[test]
fn an_order_that_hardly_any_row_could_break_is_none() {
    const FLAGS: &str = "
[columns.rare]
type = 'integer'
range = [0, 1]
[columns.common]
type = 'integer'
range = [0, 1]
";
    let with = |rare: u64| {
        proposed(FLAGS, move |row, cells| {
            let is_rare = mixed(row * 31 + 1) % 100 < rare;
            let is_common = is_rare || mixed(row * 31 + 2) % 100 < 30;
            *cells = vec![u8::from(is_rare).to_string(), u8::from(is_common).to_string()];
        })
    };
    assert!(!has(&with(1), "in_order"));
    assert!(has(&with(40), "in_order"), "the control");
}

/// Keys of few rows cost more than their table gives.
#[test]
fn no_table_is_proposed_of_keys_with_few_rows() {
    // A key has 60 rows of 600, or 120.
    let with = |keys: u64| {
        found(move |row, cells| {
            cells[9] = (row % keys).to_string();
            cells[5] = (7 * (row % keys)).to_string();
        })
    };
    assert!(!has(&with(10), "depends_on = [\"miles\"]"));
    assert!(has(&with(5), "depends_on = [\"miles\"]"), "the control");
}

/// What is put together from others by more than a sum.
#[test]
fn products_differences_and_halves_of_numbers_are_found() {
    const NUMBERS: &str = "
[columns.price]
type = 'number'
range = [0, 100]
decimals = 2
[columns.pieces]
type = 'integer'
range = [0, 99]
[columns.paid]
type = 'number'
range = [0, 10000]
decimals = 1
[columns.clock]
type = 'integer'
format = 'hmm'
[columns.hour]
type = 'integer'
range = [0, 23]
[columns.minute]
type = 'integer'
range = [0, 59]
[columns.left]
type = 'integer'
range = [-99, 99]
[columns.came]
type = 'integer'
range = [-99, 99]
[columns.gain]
type = 'integer'
range = [-200, 200]
";
    let row = |row: u64, broken: Option<usize>| {
        let chance = |of: u64, below: u64| mixed(row * 31 + of) % below;
        let (cents, pieces) = (chance(1, 10_000), chance(2, 100));
        let (hour, minute) = (chance(3, 24), chance(4, 60));
        let (left, came) = (chance(5, 199) as i64 - 99, chance(6, 199) as i64 - 99);
        let paid = cents as f64 * pieces as f64 / 100.0;
        let mut cells = vec![
            format!("{}.{:02}", cents / 100, cents % 100),
            pieces.to_string(),
            format!("{paid:.1}"),
            (100 * hour + minute).to_string(),
            hour.to_string(),
            minute.to_string(),
            left.to_string(),
            came.to_string(),
            (left - came).to_string(),
        ];
        if let (301, Some(place)) = (row, broken) {
            cells[place] = "77".to_owned();
        }
        cells
    };
    let formulas = [
        (2, "decimals = 1\nformula = \"price * pieces\""),
        (4, "formula = \"floor(clock / 100)\""),
        (5, "formula = \"clock - 100 * floor(clock / 100)\""),
        (8, "[columns.gain]\ntype = \"derived\"\ndecimals = 0\nformula = \"left - came\""),
    ];
    let rules = proposed(NUMBERS, |place, cells| *cells = row(place, None));
    for (_, formula) in formulas {
        assert!(has(&rules, formula), "{formula}: {rules:#?}");
    }
    assert_eq!(rules.len(), formulas.len(), "{rules:#?}");
    for (place, formula) in formulas {
        let rules = proposed(NUMBERS, |at, cells| *cells = row(at, Some(place)));
        assert!(!has(&rules, formula) && rules.len() == 3, "{formula}: {rules:#?}");
    }
}

fn has(rules: &[ProposedRule], text: &str) -> bool {
    rules.iter().any(|rule| rule.toml.contains(text))
}

#[test]
fn rules_that_all_rows_keep_are_found() {
    let rules = found(|_, _| {});
    for text in [
        // The month follows from the day, so no group names it.
        "missing_together = [[\"left\", \"back\"]]",
        "in_order = [[\"left\", \"back\"]]",
        "formula = \"month(left)\"",
        "formula = \"one + two\"",
        "range = [0, 99]\nmissing = true\ndepends_on = [\"from\", \"to\"]",
    ] {
        assert!(has(&rules, text), "{text}: {rules:#?}");
    }
    // What stands at the top of the file is one block.
    assert!(!has(&rules, "free") && rules.len() == 4, "{rules:#?}");
    assert!(rules.iter().all(|rule| rule.toml.contains("review = ")), "every rule carries its mark");
}

/// Pasted as they say, all of them together are a schema, of which nothing more is proposed.
#[test]
fn all_blocks_can_be_pasted_together() {
    let rules = found(|_, _| {});
    let mut text = SCHEMA.to_owned();
    for rule in &rules {
        match rule.place.strip_prefix("instead of all lines of ") {
            Some(table) => {
                let begin = text.find(table).unwrap();
                let end = text[begin + 1..].find("\n[").map_or(text.len(), |end| begin + 1 + end);
                text.replace_range(begin..end, &rule.toml);
            }
            None => text = format!("{}\n{text}", rule.toml),
        }
    }
    let schema = Schema::parse(&text, "pasted").unwrap();
    assert_eq!(schema.unreviewed().len(), 5, "{text}");
    let again = proposed(&text, |_, _| {});
    assert!(again.is_empty(), "{again:#?}");
}

/// A column of which two rules hold has one block.
#[test]
fn one_block_a_column() {
    let same = |_: u64, cells: &mut Vec<String>| {
        cells[9] = cells[8].clone();
        cells[5] = cells[8].clone();
    };
    let rules = found(same);
    let mut tables: Vec<&str> = rules.iter().map(|rule| rule.place.as_str()).collect();
    let all = tables.len();
    tables.sort_unstable();
    tables.dedup();
    assert_eq!(tables.len(), all, "{rules:#?}");
}

/// One row that breaks a rule takes it away, and no other.
#[test]
fn one_row_breaks_a_rule() {
    type Break = fn(&mut Vec<String>);
    let breaks: [(&str, Break); 5] = [
        ("missing_together", |cells| cells[1].clear()),
        ("in_order", |cells| (cells[0], cells[1]) = ("2020-02-09".to_owned(), "2020-02-08".to_owned())),
        ("month(left)", |cells| cells[2] = "12".to_owned()),
        ("one + two", |cells| cells[8] = "0".to_owned()),
        ("depends_on", |cells| cells[5] = "99".to_owned()),
    ];
    for (rule, broken) in breaks {
        let rules = found(|row, cells| {
            if row == 301 {
                broken(cells)
            }
        });
        assert!(!has(&rules, rule), "{rule}: {rules:#?}");
    }
}

/// A column that is missing in a row where its parts are not would be there in every synthetic row.
#[test]
fn a_gap_of_its_own_breaks_a_formula() {
    let month = "formula = \"month(left)\"";
    assert!(has(&found(|_, _| {}), month), "the control: missing where the date is");
    let alone = |row: u64, cells: &mut Vec<String>| {
        if row == 301 {
            cells[2] = String::new();
        }
    };
    assert!(!has(&found(alone), month));
    let without = |row: u64, cells: &mut Vec<String>| {
        if row == 301 {
            cells[0] = String::new();
        }
    };
    assert!(!has(&found(without), month));
}
