//! Weighted and offset scores: one neighbour step changes no score by more than the declared
//! sensitivity, and weights keep their proportions.

use lookalike_privacy::Neighbours;
use lookalike_schema::Schema;

use super::{distance, neighbours_of, relations, tables};
use crate::scores::GRID;
use crate::scores::prepared::PreparedSelection;
use crate::tests::{ratio, schema};
use crate::{Candidate, CountTable, SelectQuery};

const SIZES: [u32; 2] = [2, 2];

fn query(weights: &[f64]) -> SelectQuery {
    let candidate = |(place, &weight): (usize, &f64)| Candidate {
        score: distance(vec![0.3 * place as f64, 1.7, 0.0, 2.5], 2),
        weight,
        offset: 10.0 / 3.0 * place as f64 - 4.0,
    };
    SelectQuery {
        label: "test".into(),
        candidates: weights.iter().enumerate().map(candidate).collect(),
        epsilon: ratio(1, 1),
    }
}

fn tally(query: &SelectQuery, schema: &Schema, neighbours: Neighbours, table: &[u64]) -> (Vec<i128>, u64) {
    let prepared = PreparedSelection::new(query, &lookalike_schema::View::new(schema), neighbours).unwrap();
    let mut tally = prepared.tally();
    tally.score(0, CountTable::Dense(table.to_vec()), schema.domain()).unwrap();
    tally.finish().unwrap()
}

#[test]
fn no_weighted_score_changes_by_more_than_declared() {
    let schema = schema(&SIZES);
    for weights in [&[1.0, 1.0][..], &[1.0, 0.3, 0.0], &[1e-300, 1e300], &[0.1, 0.7, 0.123456789], &[0.0, 0.0]] {
        let query = query(weights);
        for neighbours in relations() {
            let mut worst = 0;
            for rows in 0..=4 {
                for table in tables(rows, 4) {
                    let (here, declared) = tally(&query, &schema, neighbours, &table);
                    for other in neighbours_of(&table, neighbours) {
                        let (there, _) = tally(&query, &schema, neighbours, &other);
                        let change = here.iter().zip(&there).map(|(one, two)| one.abs_diff(*two)).max().unwrap();
                        assert!(change <= u128::from(declared), "{weights:?} {table:?} {other:?}");
                        worst = worst.max(2 * change / u128::from(declared));
                    }
                }
            }
            assert!(worst >= 1 || weights.iter().all(|&weight| weight == 0.0), "{weights:?}: the bound is loose");
        }
    }
}

#[test]
fn equal_weights_leave_scores_on_the_grid() {
    let (schema, [one, ..]) = (schema(&SIZES), relations());
    for weight in [1.0, 0.37, 1e9] {
        let (scores, sensitivity) = tally(&query(&[weight]), &schema, one, &[5, 0, 0, 0]);
        // |5 - 0| + |0 - 1.7| + 0 + |0 - 2.5| less 4.
        let plain = GRID as f64 * (5.0 + 1.7 + 2.5 - 4.0);
        assert!((scores[0] as f64 - plain).abs() < 2.0);
        assert_eq!(sensitivity, GRID + 1);
    }
}

#[test]
fn weights_keep_their_proportions() {
    let (schema, [one, ..]) = (schema(&SIZES), relations());
    let (scores, sensitivity) = tally(&query(&[8.0, 2.0]), &schema, one, &[5, 0, 0, 0]);
    assert_eq!(sensitivity, 4 * (GRID + 1), "weights 4 and 1 in lowest terms");
    let (alone, _) = tally(&query(&[1.0, 1.0]), &schema, one, &[5, 0, 0, 0]);
    assert_eq!(scores, vec![4 * alone[0], alone[1]]);
}
