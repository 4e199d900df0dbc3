//! Cells as they are in life: numbers with something around them, times of day, letters of another
//! encoding.

use lookalike_schema::Reading;
use lookalike_schema::discover::{DressWord, READINGS};

use super::{columns, dice, found, kinds, range};
use crate::found_type::{FoundType, Style};
use crate::prices::FactNoise;
use crate::{OpenSchema, notes, types};

/// The format of each column that was found.
fn formats(schema: &lookalike_schema::Schema) -> Vec<Option<String>> {
    let format = |name: &str| {
        let codec = schema.codec(schema.attribute(name).unwrap());
        codec.number_format().map(|format| format.pattern().to_owned())
    };
    schema.columns().iter().map(|column| format(&column.name)).collect()
}

fn grouped(number: usize, mark: &str) -> String {
    if number < 1000 { number.to_string() } else { format!("{}{mark}{:03}", number / 1000, number % 1000) }
}

/// Noise with fixed seeds: no false alarms. The control is the same table with words that are known
/// nowhere around its numbers.
#[test]
fn numbers_are_found_in_whatever_they_wear() {
    for seed in 0..3 {
        let table = |unit: &'static str| {
            columns(
                &[
                    ("paid", &|row| format!("${}.{:02}", grouped(dice(row) % 9000, ","), dice(row + 1) % 100)),
                    ("visits", &|row| grouped(dice(row + 2) % 4000, ",")),
                    ("gain", &|row| match dice(row) % 4 {
                        0 => format!("({}.50)", dice(row + 4) % 60),
                        _ => format!("{}.25", dice(row + 4) % 100),
                    }),
                    ("share", &|row| format!("{}.{}%", dice(row + 5) % 100, dice(row) % 10)),
                    ("far", &move |row| format!("{} {unit}", dice(row + 6) % 50)),
                    ("at", &|row| format!("{:02}:{:02}", dice(row + 7) % 24, dice(row) % 60)),
                    ("until", &|row| format!("{}:{:02}:{:02}", dice(row + 8) % 24, dice(row) % 60, row % 60)),
                ],
                20_000,
            )
        };
        let schema = found(table("km"), &OpenSchema::nothing(), 2.0, 1e-6, seed).schema;
        let expected = ["number", "integer", "number", "number", "integer", "integer", "integer"];
        assert_eq!(kinds(&schema), expected);
        let expected = ["$#,###", "#,###", "(#)", "#%", "# km", "hh:mm", "h:mm:ss"];
        assert_eq!(formats(&schema), expected.map(|format| Some(format.to_owned())));
        assert_eq!(schema.text_rules().decimal, b'.');
        let within = |name: &str, low: f64, high: f64| {
            let (from, to) = range(&schema, name);
            let much = 1.3 * (high - low);
            assert!(from <= low + 0.02 * high && to >= 0.98 * high && to - from <= much, "{name}: {from} to {to}");
        };
        within("paid", 0.0, 9000.0);
        within("visits", 0.0, 4000.0);
        within("share", 0.0, 100.0);
        assert_eq!((range(&schema, "at"), range(&schema, "until")), ((0.0, 2359.0), (0.0, 235_959.0)));
        assert!(range(&schema, "gain").0 <= -50.0, "numbers in brackets are negative");
        let facts = |name: &str| schema.columns().iter().find(|column| column.name == name).unwrap().discovered.clone();
        assert_eq!(facts("at").unwrap().facts, ["type"], "every clock has the same range");
        assert_eq!(facts("paid").unwrap().facts, ["type", "range"]);
        let control = found(table("parsecs"), &OpenSchema::nothing(), 2.0, 1e-6, seed).schema;
        assert_eq!(kinds(&control)[4], "category");
    }
}

/// Where a comma is the decimal mark, points are thousands, also in the columns that have no
/// decimals.
#[test]
fn marks_between_thousands_go_with_the_decimal_mark() {
    let table = columns(
        &[
            ("price", &|row| format!("{},{:02} €", grouped(dice(row) % 9000, "."), dice(row + 1) % 100)),
            ("people", &|row| grouped(1 + dice(row + 2) % 9999, ".")),
            ("rate", &|row| format!("{},{}", dice(row) % 10, 1 + dice(row + 3) % 9)),
        ],
        20_000,
    );
    let schema = found(table, &OpenSchema::nothing(), 2.0, 1e-6, 1).schema;
    assert_eq!(schema.text_rules().decimal, b',');
    assert_eq!(kinds(&schema), ["number", "integer", "number"]);
    assert_eq!(formats(&schema), [Some("#.### €".to_owned()), Some("#.###".to_owned()), None]);
    assert!(range(&schema, "people").1 > 9000.0);
    // Three decimals are no thousands where other numbers have a point.
    let table = columns(
        &[
            ("rate", &|row| format!("{}.{:03}", 1 + dice(row) % 9, dice(row + 3) % 1000)),
            ("other", &|row| format!("0.{}", 1 + dice(row) % 9)),
        ],
        20_000,
    );
    let schema = found(table, &OpenSchema::nothing(), 2.0, 1e-6, 1).schema;
    assert_eq!((kinds(&schema), formats(&schema)), (vec!["number", "number"], vec![None, None]));
    assert!(range(&schema, "rate").1 < 20.0);
}

/// The count of cells that are no text is paid for, as any other reading.
#[test]
fn letters_of_another_encoding_are_told() {
    let noise = lookalike_privacy::Rational::new(400, 1).unwrap();
    let noise = FactNoise { noise: lookalike_curator::Noise::Gaussian(noise), deviation: 20.0 };
    let told = |odd: i64| {
        let mut counts = vec![0; READINGS.len()];
        let place = |reading: Reading| READINGS.iter().position(|known| *known == reading).unwrap();
        (counts[place(Reading::Text)], counts[place(Reading::Undecodable)]) = (900, odd);
        let part = types::undecodable(&counts, &noise);
        assert_eq!(types::type_of(&counts, &noise, false), FoundType::Category);
        notes::of_letters(&["town".to_owned()], &part.map(|part| (0, part)).into_iter().collect::<Vec<_>>())
    };
    let line = told(100).unwrap();
    assert!(line.contains("10% of the cells of \"town\"") && line.contains("--encoding windows-1252"), "{line}");
    assert_eq!(told(60), None, "noise may bring up as many");
}

/// What noise may bring up, at four and a half deviations, does not change how a column of plain
/// whole numbers is written; six deviations do.
#[test]
fn noise_dresses_no_plain_numbers() {
    let noise = lookalike_privacy::Rational::new(400, 1).unwrap();
    let noise = FactNoise { noise: lookalike_curator::Noise::Gaussian(noise), deviation: 20.0 };
    let bare = |reading: &&Reading| matches!(reading, Reading::Dressed(DressWord::NONE, _));
    for all in [200, 2_000, 40_000] {
        for odd in READINGS.iter().filter(bare) {
            let told = |count: i64| {
                let mut counts = vec![0; READINGS.len()];
                let place = |reading: &Reading| READINGS.iter().position(|known| known == reading).unwrap();
                (counts[place(&Reading::Integer)], counts[place(odd)]) = (all, count);
                types::type_of(&counts, &noise, false) == FoundType::Whole(Style::Plain)
            };
            assert!(told(90), "{odd:?} beside {all}");
            let goes_with = matches!(odd, Reading::Dressed(_, shape) if shape.goes_with(b'.'));
            assert!(!goes_with || !told(120), "{odd:?} beside {all}");
        }
    }
}

/// At epsilon 1 a list of 205 countries is worth a tenth of 40,000 rows, as elsewhere in these
/// tests, and no tenth of 1,000; a list of twelve months is.
#[test]
fn a_list_is_added_where_it_brings_more_than_its_noise() {
    let sigma_squared = lookalike_privacy::Rational::new(400, 1).unwrap();
    let prices = crate::ColumnPrices { sigma_squared, threshold: 90, tau: 1e-9 };
    let worth = |lost: f64, words: usize| crate::values::is_worth(lost, words, &prices);
    assert!(worth(4000.0, 205) && !worth(100.0, 205) && worth(100.0, 12));
}
