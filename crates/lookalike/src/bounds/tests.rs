//! The bounds against the values printed with the theory.

use lookalike_privacy::{Epsilon, Relation};

use super::{BooleanSetting, lower_bound, risk_gap};

fn printed() -> BooleanSetting {
    BooleanSetting {
        rows: 1e6,
        columns: 10,
        degree: 2,
        epsilon: Epsilon::new(1.0).unwrap(),
        failure: 0.05,
        relation: Relation::AddRemove,
    }
}

fn close(value: f64, golden: f64) {
    assert!((value / golden - 1.0).abs() < 2e-5, "{value} against {golden}");
}

#[test]
fn golden_values() {
    close(printed().total_variation_clamp(), 0.34511);
    close(printed().l2_projection(), 0.086277);
    close(printed().total_variation_whole_domain(), 38.681);
    close(printed().lower_bound(), 3.9357e-6);
}

#[test]
fn replace_one_doubles_the_upper_bounds_only() {
    let (one, two) = (printed(), BooleanSetting { relation: Relation::ReplaceOne, ..printed() });
    close(two.total_variation_clamp(), 2.0 * one.total_variation_clamp());
    close(two.l2_projection(), 2.0 * one.l2_projection());
    close(two.total_variation_whole_domain(), 2.0 * one.total_variation_whole_domain());
    assert_eq!(two.lower_bound(), one.lower_bound());
}

#[test]
fn a_domain_smaller_than_the_chance_of_failure_bounds_nothing() {
    assert_eq!(lower_bound(10f64.ln(), 1e6, Epsilon::new(1.0).unwrap(), 0.05), 0.0);
}

#[test]
fn the_risk_gap_adds_its_three_parts() {
    close(risk_gap(0.1, 0.02, 1e4, 0.05), 0.2 + 0.04 + (20f64.ln() / 2e4).sqrt());
}
