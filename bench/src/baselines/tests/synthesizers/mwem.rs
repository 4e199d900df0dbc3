//! Projections against counts, one step of multiplicative weights by hand, and the whole.

use lookalike_privacy::SeededNoise;
use lookalike_table::Table;

use super::{apart, binary, even, make, mixed};
use crate::baselines::synthesizers::BaselineSynthesizer::Mwem;
use crate::baselines::synthesizers::SynthesisTask;
use crate::baselines::synthesizers::mwem::{CellQuery, project};
use crate::marginal::{all_marginals, exact, masses};
use crate::simulate::draw::coded_schema;

#[test]
fn projections_of_the_joint_are_the_marginals() {
    let table = mixed();
    let joint = masses(&table, &all_marginals(table.domain(), 4)[0]).unwrap();
    for ways in 0..=4 {
        let mut found = Vec::new();
        project(&joint, 1, &[4, 3, 5, 2], ways, &mut found);
        let wanted = exact(&table, &all_marginals(table.domain(), ways)).unwrap().concat();
        assert!(found.iter().zip(&wanted).all(|(found, &wanted)| (found - wanted as f64).abs() < 1e-6), "{ways}");
        assert_eq!(found.len(), wanted.len());
    }
}

/// Two columns of two and three codes, 12 rows, 2 in each cell. The query "the second column is 2"
/// has 4 of them and is told 10: its cells are multiplied by e^(6/24).
#[test]
fn one_step_of_multiplicative_weights() {
    let mut weights = vec![2.0; 6];
    let mut total = 12.0;
    CellQuery::of(&[1], 2, &[2, 3]).reweigh(&mut weights, &mut total, 10.0, 12.0);
    let factor = 0.25f64.exp();
    let inside = 2.0 * factor;
    let wanted = [2.0, 2.0, inside, 2.0, 2.0, inside];
    assert!((total - 8.0 - 4.0 * factor).abs() < 1e-12);
    assert!(weights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-12), "{weights:?}");
    // A cell of both columns is one cell of the joint. It counts as 2 when all add up to 24.
    let (mut weights, mut total) = (vec![4.0; 6], 24.0);
    CellQuery::of(&[0, 1], 4, &[2, 3]).reweigh(&mut weights, &mut total, 0.0, 12.0);
    let wanted = 4.0 * (-2.0f64 / 24.0).exp();
    assert!((weights[4] - wanted).abs() < 1e-12 && weights.iter().filter(|&&weight| weight == 4.0).count() == 5);
    assert!((total - 20.0 - wanted).abs() < 1e-12);
}

#[test]
fn a_large_budget_nears_three_way_marginals() {
    for table in [binary(), mixed()] {
        let (near, far) = (apart(&table, &make(Mwem, &table, 1e6, 1), 3), apart(&table, &even(&table), 3));
        assert!(near < 0.3 * far, "{near} against {far}");
        assert!(apart(&table, &make(Mwem, &table, 0.01, 1), 3) > 1.5 * near);
    }
}

#[test]
fn a_joint_beyond_the_limit_is_refused() {
    let table = Table::from_columns(&coded_schema(&[2; 25]).unwrap(), vec![vec![0, 1]; 25]);
    let task = SynthesisTask { table: &table, epsilon: 1.0, delta: 0.0, rows: 2 };
    let refusal = Mwem.synthesize(&task, &mut SeededNoise::new(1)).err().unwrap().to_string();
    assert!(refusal.contains("2^24"), "{refusal}");
}
