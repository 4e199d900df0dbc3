//! Conditions that cut bins, against every value of small columns.

use super::Filter;
use crate::{AttrId, CellValue, Schema};

/// Whole numbers, numbers with a spike, days, and words.
const SCHEMA: &str = r#"
[columns.age]
type = "integer"
range = [0, 9]
edges = [4, 5]
missing = true

[columns.rate]
type = "number"
edges = [0, 0.5, 1, 2]
spikes = [1]
decimals = 1

[columns.born]
type = "date"
range = [2000-02-25, 2000-03-08]
bins = 2

[columns.sex]
type = "category"
values = ["F", "M"]
"#;

fn schema() -> Schema {
    Schema::parse(SCHEMA, "test").unwrap()
}

fn filter(text: &str) -> Filter {
    Filter::parse(&schema(), text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The values of a column: for each its code, and bits in the middle of those that draw it.
fn values(schema: &Schema, attribute: AttrId) -> Vec<(u32, u64)> {
    const STEPS: u64 = 1 << 12;
    let codec = schema.codec(attribute);
    let mut found = Vec::new();
    for code in 0..codec.size() {
        let bits: Vec<u64> = (0..STEPS).map(|step| (step << 52) + (1 << 51)).collect();
        let runs = bits.chunk_by(|one, next| codec.decode(code, *one) == codec.decode(code, *next));
        found.extend(runs.map(|run| (code, run[run.len() / 2])));
    }
    found
}

/// Whether a cell is in a box of the filter, and in how many.
fn hits(filter: &Filter, row: &[(u32, u64)]) -> usize {
    let codes: Vec<u32> = row.iter().map(|cell| cell.0).collect();
    let inside = |place: &usize| {
        let split = filter.split.iter().flat_map(|split| &split.boxes[*place]);
        let mut here = split.filter(|one| codes[one.attribute.index()] == one.code);
        filter.boxes()[*place].holds(&codes)
            && here.all(|one| {
                let bits = row[one.attribute.index()].1;
                one.places.iter().any(|run| run.holds(bits))
            })
    };
    (0..filter.boxes().len()).filter(inside).count()
}

/// A value as a number: tenths of a rate, days since the first.
fn number(cell: &CellValue<'_>) -> Option<i64> {
    match cell {
        CellValue::Integer(value) => Some(*value * 10),
        CellValue::Number(value) => Some((value * 10.0).round() as i64),
        CellValue::Date(days) => Some(i64::from(*days - 11_012) * 10),
        _ => None,
    }
}

type Truth = Box<dyn Fn(Option<i64>) -> bool>;

/// Every comparison of a column with values at and between its own, in tenths, and its truth.
fn comparisons(name: &str, steps: &[(i64, String)]) -> Vec<(String, Truth)> {
    let mut all: Vec<(String, Truth)> = Vec::new();
    for (at, text) in steps {
        let at = *at;
        let mut add = |sign: &str, truth: fn(i64, i64) -> bool, missing: bool| {
            let truth = move |value: Option<i64>| value.map_or(missing, |value| truth(value, at));
            all.push((format!("{name} {sign} {text}"), Box::new(truth)));
        };
        add("<", |value, at| value < at, false);
        add("<=", |value, at| value <= at, false);
        add(">", |value, at| value > at, false);
        add(">=", |value, at| value >= at, false);
        add("=", |value, at| value == at, false);
        add("!=", |value, at| value != at, true);
    }
    for pair in steps.windows(4) {
        let (low, high) = (pair[0].0, pair[3].0);
        let (low_text, high_text) = (&pair[0].1, &pair[3].1);
        let inside = move |value: Option<i64>| value.is_some_and(|value| low <= value && value <= high);
        let either = move |value: Option<i64>| value.is_some_and(|value| value == low || value == high);
        all.push((format!("{name} between {low_text} and {high_text}"), Box::new(inside)));
        all.push((format!("{name} not between {low_text} and {high_text}"), Box::new(move |value| !inside(value))));
        all.push((format!("{name} in ({low_text}, {high_text})"), Box::new(either)));
    }
    all
}

fn columns() -> Vec<(u32, Vec<(String, Truth)>)> {
    let whole = |at: i64| (at * 10, at.to_string());
    let tenth = |at: i64| (at, format!("{}", at as f64 / 10.0));
    let day = |at: i64| {
        let (month, day) = if at + 25 <= 29 { (2, at + 25) } else { (3, at + 25 - 29) };
        (at * 10, format!("2000-{month:02}-{day:02}"))
    };
    vec![
        (0, comparisons("age", &(-1..=11).map(whole).collect::<Vec<_>>())),
        (1, comparisons("rate", &(-1..=21).map(tenth).collect::<Vec<_>>())),
        (2, comparisons("born", &(-1..=13).map(day).collect::<Vec<_>>())),
    ]
}

/// Every pair of comparisons of one column, joined in four ways: each value is in one box when the
/// condition means it, and in none otherwise.
#[test]
fn boxes_hold_the_values_that_are_meant_once_each() {
    let schema = schema();
    let (mut asked, mut cut) = (0, 0);
    for (column, comparisons) in columns() {
        let attribute = AttrId(column);
        let cells: Vec<((u32, u64), Option<i64>)> = values(&schema, attribute)
            .into_iter()
            .map(|cell| (cell, number(&schema.codec(attribute).decode(cell.0, cell.1))))
            .collect();
        for (number_of_one, (one, one_truth)) in comparisons.iter().enumerate() {
            for (two, two_truth) in comparisons.iter().skip(number_of_one % 3).step_by(3) {
                for (text, truth) in [
                    (format!("{one} and {two}"), [false, false, false, true]),
                    (format!("{one} or {two}"), [false, true, true, true]),
                    (format!("not ({one}) or {two}"), [true, true, false, true]),
                    (format!("not ({one} and not ({two})) and {one}"), [false, false, false, true]),
                ] {
                    let filter = Filter::parse(&schema, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
                    asked += 1;
                    cut += usize::from(filter.is_split());
                    for (cell, value) in &cells {
                        let mut row = [(0, 0); 4];
                        row[column as usize] = *cell;
                        let is_meant = truth[2 * usize::from(one_truth(*value)) + usize::from(two_truth(*value))];
                        assert_eq!(hits(&filter, &row), usize::from(is_meant), "{text} at {value:?}");
                    }
                }
            }
        }
    }
    assert!(asked > 20_000 && cut > asked / 4, "{cut} of {asked} cut a bin");
}

/// Conditions on several columns; with the opposite of each, shares of every row of codes add up
/// to 1, and what is sure, possible and doubtful is what the values say.
#[test]
fn a_condition_and_its_opposite_are_all_rows() {
    let schema = schema();
    let all: Vec<Vec<(u32, u64)>> = (0..4).map(|column| values(&schema, AttrId(column))).collect();
    for text in [
        "age >= 2",
        "age >= 2 and rate < 0.3",
        "age >= 2 or rate < 0.3",
        "age in (1, 3, 7) and (rate >= 0.2 and sex = F or rate >= 0.7 and sex = M)",
        "(age < 2 and rate < 0.3) or (age >= 2 and rate >= 0.8)",
        "(age < 2 and sex = F) or (age >= 2 and (sex = M or rate > 1.4))",
        "born between 2000-02-27 and 2000-03-05 and age != 7",
        "age >= 2 or age < 2",
        "age = 7 and age = 8",
        "age is missing or not (age > 5 and born != 2000-02-26)",
    ] {
        let (meant, others) = (filter(text), filter(&format!("not ({text})")));
        let mut counts: std::collections::BTreeMap<[u32; 4], (usize, usize)> = Default::default();
        for (&a, &b) in all[0].iter().flat_map(|a| all[1].iter().map(move |b| (a, b))) {
            for (&c, &d) in all[2].iter().flat_map(|c| all[3].iter().map(move |d| (c, d))) {
                let row = [a, b, c, d];
                let found = (hits(&meant, &row), hits(&others, &row));
                assert!(found == (1, 0) || found == (0, 1), "{text}: {found:?} at {row:?}");
                let count = counts.entry(row.map(|cell| cell.0)).or_default();
                *count = (count.0 + found.0, count.1 + 1);
            }
        }
        for (codes, (hit, of)) in counts {
            let share = |filter: &Filter| {
                let boxes = (0..filter.boxes().len()).filter(|&place| filter.boxes()[place].holds(&codes));
                let shares = boxes.map(|place| {
                    let here = filter.shares(place).filter(|one| codes[one.0.index()] == one.1);
                    here.map(|one| one.2).product::<f64>()
                });
                shares.sum::<f64>()
            };
            let truth = hit as f64 / of as f64;
            assert!((share(&meant) - truth).abs() < 1e-12, "{text} at {codes:?}: {} for {truth}", share(&meant));
            assert!((share(&meant) + share(&others) - 1.0).abs() < 1e-12, "{text}");
            let states = [meant.surely(), meant.possibly(), meant.doubtful()].map(|filter| {
                let hits = filter.boxes().iter().filter(|one| one.holds(&codes)).count();
                assert!(hits <= 1, "{text}: boxes of whole codes overlap");
                hits == 1
            });
            assert_eq!(states, [hit == of, hit > 0, hit > 0 && hit < of], "{text} at {codes:?}");
        }
    }
}

/// Bits of a row that was drawn by its shares become those of the values that are meant, each as
/// often as the next.
#[test]
fn settled_values_are_those_that_are_meant_evenly() {
    let schema = schema();
    let text = "(age < 2 and rate < 0.3) or (age >= 2 and age != 8 and rate >= 0.2)";
    let filter = filter(text);
    // The codes that hold ages 0 to 3 and rates 0 to 0.4.
    let rows = 40_000;
    let columns = vec![vec![0u32; rows], vec![0; rows], vec![0; rows], vec![1; rows]];
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let before: Vec<u64> = (0..4 * rows).map(|_| next()).collect();
    let mut words = before.clone();
    filter.settle(&columns, &mut words, &mut next);
    assert_eq!(words[2 * rows..], before[2 * rows..], "columns without a condition keep their bits");
    let mut counts: std::collections::BTreeMap<(i64, i64), f64> = Default::default();
    for row in 0..rows {
        let value = |column: usize| {
            let cell = schema.codec(AttrId(column as u32)).decode(0, words[column * rows + row]);
            number(&cell).unwrap()
        };
        *counts.entry((value(0), value(1))).or_default() += 1.0;
    }
    let is_meant = |&(age, rate): &(i64, i64)| (age < 20 && rate < 3) || (age >= 20 && age != 80 && rate >= 2);
    assert!(counts.keys().all(is_meant), "{counts:?}");
    assert_eq!(counts.len(), 12, "two ages with three rates, two with three");
    // 11 degrees of freedom; a true sampler exceeds 46 once in 300,000 seeds.
    let mean = rows as f64 / 12.0;
    let chi = counts.values().map(|count| (count - mean).powi(2) / mean).sum::<f64>();
    assert!(chi < 46.0, "{chi}: {counts:?}");
}

#[test]
fn notes_name_the_bins_that_are_cut() {
    let schema = schema();
    let notes = |text: &str| Filter::parse(&schema, text).unwrap().notes(&schema);
    assert_eq!(
        notes("age >= 2"),
        ["The condition cuts the bin \"0-3\" of \"age\": its rows are taken to be spread evenly."]
    );
    assert_eq!(
        notes("age in (2, 7) and rate > 0.2"),
        [
            "The condition cuts the bins \"0-3\", \"5-9\" of \"age\": their rows are taken to be spread evenly.",
            "The condition cuts the bin \"0 to 0.5\" of \"rate\": its rows are taken to be spread evenly.",
        ]
    );
    for whole in ["age >= 4", "age = 4", "rate > 0.4", "rate = 1", "rate <= 0.49", "age >= 2 or age < 2", "sex = F"] {
        assert!(notes(whole).is_empty(), "{whole}");
        assert!(!filter(whole).is_split(), "{whole}");
    }
}
