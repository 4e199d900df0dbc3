//! Values with a code of their own.

use lookalike_schema::{CodecKind, Schema};

use super::{columns, dice, found, range};
use crate::OpenSchema;

fn spikes(schema: &Schema, name: &str) -> Vec<f64> {
    match schema.codec(schema.attribute(name).unwrap()).kind() {
        CodecKind::Integer(axis) => axis.spikes().iter().map(|&spike| spike as f64).collect(),
        CodecKind::Number(axis) => axis.spikes().to_vec(),
        other => panic!("{name} is {other:?}"),
    }
}

/// Noise with fixed seeds: no false alarms. Beside each column stands one that has as many rows
/// there, but not all at one number, or too few.
#[test]
fn numbers_that_stand_for_something_else_are_spikes() {
    let sentinel = |row: usize, most: usize, other: &str| match dice(row) % 20 {
        0 => other.to_owned(),
        _ => (dice(row + 1) % most).to_string(),
    };
    for seed in 0..10 {
        let table = columns(
            &[
                ("far", &|row| sentinel(row, 100, "9999")),
                ("near", &|row| sentinel(row, 5000, "9999")),
                ("minus", &|row| sentinel(row, 900, "-1")),
                ("below", &|row| sentinel(row, 900, "-99")),
                ("year", &|row| match dice(row) % 5 {
                    0 | 1 => "0".to_owned(),
                    _ => (1950 + dice(row + 3) % 60).to_string(),
                }),
                ("wage", &|row| match dice(row) % 5 {
                    0 | 1 => "0".to_owned(),
                    _ => (1 + dice(row + 3) % 3000).to_string(),
                }),
                ("share", &|row| match dice(row) % 4 {
                    0 => "1.00".to_owned(),
                    _ => format!("0.{:03}", 1 + dice(row + 3) % 999),
                }),
                ("tail", &|row| sentinel(row, 100, &(8192 + dice(row + 2) % 4000).to_string())),
                ("code", &|row| sentinel(row, 100, "9998")),
                ("rooms", &|row| (dice(row) % 10).to_string()),
                ("count", &|row| (dice(row) % 2000).to_string()),
            ],
            20_000,
        );
        let schema = found(table, &OpenSchema::nothing(), 3.0, 1e-6, seed).schema;
        for (name, expected, most) in [
            ("far", &[9999.0][..], 128.0),
            ("near", &[9999.0], 6000.0),
            ("minus", &[-1.0], 1024.0),
            ("below", &[-99.0], 1024.0),
            ("year", &[0.0], 2048.0),
            ("wage", &[0.0], 4096.0),
            ("share", &[1.0], 1.0),
        ] {
            let (low, high) = range(&schema, name);
            assert_eq!(spikes(&schema, name), expected, "{seed} {name}: {low} to {high}");
            assert!(low >= 0.0 && high <= most, "{seed} {name}: {low} to {high}");
            let facts = &schema.columns().iter().find(|column| column.name == name).unwrap().discovered;
            assert_eq!(facts.as_ref().unwrap().facts, ["type", "range", "spikes"]);
        }
        assert!(range(&schema, "year").0 >= 1900.0, "{:?}", range(&schema, "year"));
        for name in ["tail", "code", "rooms", "count"] {
            assert!(spikes(&schema, name).is_empty(), "{seed} {name}");
        }
        assert!(range(&schema, "tail").1 > 12_000.0 && range(&schema, "code").1 >= 9998.0);
    }
}
