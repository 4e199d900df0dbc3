//! Bounds of rates against SciPy's, and their coverage.

use serde_json::Value;

use super::{Rate, normal_below, normal_quantile};

/// Made by `tests/fixtures/make.py`.
const FIXTURE: &str = include_str!("../../tests/fixtures/clopper_pearson.json");

fn close(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(error <= 1e-7 * expected.abs() + 1e-15, "{what}: found {found}, expected {expected}");
}

#[test]
fn clopper_pearson_agrees_with_scipy() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    let rows = fixture["rates"].as_array().unwrap();
    assert!(rows.len() > 100);
    for row in rows {
        let rate = Rate { hits: row["hits"].as_u64().unwrap(), runs: row["runs"].as_u64().unwrap() };
        let alpha = row["alpha"].as_f64().unwrap();
        close(rate.at_least(alpha), row["low"].as_f64().unwrap(), &format!("low of {row}"));
        close(rate.at_most(alpha), row["high"].as_f64().unwrap(), &format!("high of {row}"));
    }
}

#[test]
fn the_normal_agrees_with_scipy() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for row in fixture["normal"].as_array().unwrap() {
        let (chance, quantile) = (row["chance"].as_f64().unwrap(), row["quantile"].as_f64().unwrap());
        assert!((normal_quantile(chance) - quantile).abs() < 1e-8 * quantile.abs().max(1.0), "{row}");
        close(normal_below(quantile), chance, &row.to_string());
    }
}

#[test]
fn bounds_hold_the_share_and_no_runs_say_nothing() {
    for (hits, runs) in [(0, 7), (3, 7), (7, 7), (500, 1000)] {
        let rate = Rate { hits, runs };
        assert!(rate.at_least(1e-6) <= rate.share() && rate.share() <= rate.at_most(1e-6));
    }
    let nothing = Rate { hits: 0, runs: 0 };
    assert_eq!((nothing.at_least(0.1), nothing.at_most(0.1), nothing.share()), (0.0, 1.0, 0.0));
}
