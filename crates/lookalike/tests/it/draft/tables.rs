//! Neighbouring tables: those that differ in one fact of their drafts, and generated ones.

use lookalike::{Cancel, Input, OpenSchema, Unwatched, draft_schema, read_options};
use lookalike_testkit::Dice;
use proptest::prelude::*;
use toml::Table;

pub const ADD_REMOVE: &str = "add-remove";
pub const REPLACE_ONE: &str = "replace-one";

/// A table with a header, its cells quoted.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// One column and its cells.
    pub fn column(cells: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let rows = cells.into_iter().map(|cell| vec![cell.into()]).collect();
        Self { header: vec!["x".to_owned()], rows }
    }

    /// The same under another name.
    pub fn named(self, name: &str) -> Self {
        Self { header: vec![name.to_owned()], ..self }
    }

    /// The neighbour with one record more.
    pub fn with(&self, record: &[&str]) -> Self {
        let mut other = self.clone();
        other.rows.push(record.iter().map(|cell| (*cell).to_owned()).collect());
        other
    }

    pub fn csv(&self) -> Vec<u8> {
        let line = |cells: &Vec<String>| {
            let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            quoted.join(",") + "\n"
        };
        std::iter::once(&self.header).chain(&self.rows).map(line).collect::<String>().into_bytes()
    }

    /// The file that `schema draft` writes.
    pub fn draft(&self) -> Table {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("rows.csv");
        std::fs::write(&path, self.csv()).unwrap();
        let options = read_options(None, None).unwrap();
        let draft = draft_schema(&Input::Path(path), &options, &Unwatched, &Cancel::new()).unwrap();
        let text = draft.to_toml();
        assert_eq!(OpenSchema::parse(&text, "draft").unwrap(), *draft.schema(), "{text}");
        toml::from_str(&text).unwrap()
    }
}

/// Neighbours whose drafts differ in a fact, by the fact: of the file, or of the column "x".
pub fn witnesses() -> Vec<(&'static str, Sheet, Sheet)> {
    let spread = |many: usize, most: u64| (0..many).map(move |row| (Dice(row as u64).below(most) + 1).to_string());
    let column = |fact, cells: Vec<String>, odd: &str| {
        let sheet = Sheet::column(cells);
        let other = sheet.with(&[odd]);
        (fact, sheet, other)
    };
    let alternating = |cells: [&str; 2]| cells.repeat(30).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let repeated = |cell: &str, many: usize| vec![cell.to_owned(); many];
    let days = |many: usize| {
        let day = |row: usize| format!("{:02}/{:02}/2020", 1 + Dice(row as u64).below(12), 1 + row % 12);
        (0..many).map(day).collect()
    };
    // Its name alone has bounds, whatever it holds.
    let years = || Sheet::column(spread(40, 40)).named("age");
    let commas = Sheet {
        header: ["x", "y"].map(str::to_owned).to_vec(),
        rows: spread(40, 90).map(|cell| vec![format!("{cell},5"), String::new()]).collect(),
    };
    let point = commas.with(&["", "1.5"]);
    vec![
        column("type", repeated("", 30), "3"),
        column("type", repeated("NA", 30), "so"),
        column("type", (0..19).map(|row| row.to_string()).collect(), "19"),
        column("type", repeated("yes", 30), "perhaps"),
        column("type", (0..19).map(|row| format!("p{row}")).collect(), "p19"),
        column("type", spread(50, 9).collect(), "2.5"),
        column("range", spread(50, 9).collect(), "15"),
        column("type", spread(50, 9).map(|cell| cell + ".5").collect(), "2.125"),
        column("values", alternating(["a", "b"]), "c"),
        column("values", alternating(["No", "Yes"]), "NO"),
        column("type", days(60), "12/31/2020"),
        ("type", years(), years().with(&["41.5"])),
        ("type", years(), years().with(&["perhaps"])),
        column("missing_tokens", spread(50, 9).collect(), "?"),
        ("decimal", commas, point),
        column("multiline", alternating(["a", "b"]), "a\nb"),
    ]
}

/// Cells of every odd kind.
const ODD: [&str; 53] = [
    "",
    "NA",
    "?",
    "-",
    "--",
    "n/a",
    "none",
    "None",
    "\\N",
    "<NA>",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-320",
    "0",
    "-0",
    "0.0",
    "007",
    "1",
    "-3",
    "5",
    "1.5",
    "1,5",
    "1,234",
    "1.2345678",
    "1e-5",
    "2e3",
    "9999999999",
    "99999999999999999999999",
    "-9223372036854775808",
    "yes",
    "NO",
    "TRUE",
    "f",
    "Y",
    "a",
    "zz top",
    " spaced ",
    "gr\u{f6}\u{df}e",
    "say \"so\"",
    "x,y",
    "# no comment",
    "2020-02-29",
    "31/12/2020",
    "12/31/2020",
    "01.02.2003",
    "20200101",
    "2020-01-01T10:11:12",
    "0001-01-01",
    "one\ntwo",
];

/// How many kinds of columns there are.
const THEMES: u64 = 15;

/// An ordinary cell of a column of some kind.
fn ordinary(theme: u64, row: usize, dice: &mut Dice) -> String {
    let (small, large) = (dice.below(9), dice.below(1_000_000));
    let (year, month, day) = (1990 + dice.below(30), 1 + dice.below(12), 1 + dice.below(28));
    match theme {
        0 => row.to_string(),
        1 => small.to_string(),
        2 => (large * large / 1_000_000).to_string(),
        3 => [0, 0, 300 + large % 500][(small % 3) as usize].to_string(),
        4 => format!("{small}.{:02}", large % 100),
        5 => format!("{small},{}", large % 10),
        6 => ["a", "b", "c", "d"][(small % 4) as usize].to_owned(),
        7 => ["yes", "No"][(small % 2) as usize].to_owned(),
        8 => format!("{year}-{month:02}-{day:02}"),
        9 => format!("{:02}/{month:02}/{year}", 1 + day % 12),
        10 => format!("{year}-{month:02}-{day:02} {:02}:{:02}:00", day % 24, day % 60),
        11 => String::new(),
        12 => format!("the one who came in {large} times and said {small}"),
        13 => format!("P{large:06}"),
        _ => "?".to_owned(),
    }
}

/// A table with columns of some kinds, here and there an odd cell, and a neighbour: with a record
/// more, less, or other.
pub fn neighbours() -> impl Strategy<Value = (Sheet, Sheet, &'static str)> {
    let rows = prop_oneof![0..4usize, 8..12usize, 18..23usize, 38..43usize, 55..70usize, 98..103usize];
    (prop::collection::vec(0..THEMES, 1..5), rows, 0..6u64, 0..3u8, any::<u64>()).prop_map(
        |(themes, count, sprinkled, change, seed)| {
            let mut dice = Dice(seed);
            let header = (0..themes.len()).map(|at| ["x", "person_id", "born on", "age"][at].to_owned()).collect();
            let ordinary_record = |row: usize, dice: &mut Dice| -> Vec<String> {
                themes.iter().map(|&theme| ordinary(theme, row, dice)).collect()
            };
            let odd = |dice: &mut Dice| ODD[dice.below(ODD.len() as u64) as usize].to_owned();
            let mut rows: Vec<Vec<String>> = (0..count).map(|row| ordinary_record(row, &mut dice)).collect();
            for _ in 0..if rows.is_empty() { 0 } else { sprinkled } {
                let (row, at) = (dice.below(rows.len() as u64) as usize, dice.below(themes.len() as u64) as usize);
                rows[row][at] = odd(&mut dice);
            }
            let mut record = ordinary_record(count, &mut dice);
            for cell in &mut record {
                if dice.below(4) > 0 {
                    *cell = odd(&mut dice);
                }
            }
            let one = Sheet { header, rows };
            let mut two = one.clone();
            let at = dice.below(two.rows.len().max(1) as u64) as usize;
            let relation = match change {
                0 if !two.rows.is_empty() => {
                    two.rows[at] = record;
                    REPLACE_ONE
                }
                1 if !two.rows.is_empty() => {
                    two.rows.remove(at);
                    ADD_REMOVE
                }
                _ => {
                    two.rows.push(record);
                    ADD_REMOVE
                }
            };
            (one, two, relation)
        },
    )
}
