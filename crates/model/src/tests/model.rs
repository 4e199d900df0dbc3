use lookalike_schema::{AttrId, Clique, Schema};

use super::support::{coded_model, coded_schema, origin};
use crate::{Model, ModelError, Sampling};

fn pair(a: u32, b: u32) -> Clique {
    Clique::new([AttrId(a), AttrId(b)])
}

#[test]
fn marginals_are_products() {
    let model = coded_model(&[&[1.0, 3.0], &[2.0, 2.0, 4.0]], 10.0, "");
    assert_eq!(model.marginal(&Clique::new([])).unwrap(), [1.0]);
    assert_eq!(model.marginal(&Clique::single(AttrId(0))).unwrap(), [0.25, 0.75]);
    let wanted = [0.0625, 0.0625, 0.125, 0.1875, 0.1875, 0.375];
    assert_eq!(model.marginal(&pair(0, 1)).unwrap(), wanted);
}

#[test]
fn rules_of_the_schema_are_hard_zeros() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v2\"\n[[impossible]]\nc1 = \"v1\"\n";
    let model = coded_model(&[&[0.5, 0.5], &[0.25, 0.5, 0.25]], 10.0, rules);
    let joint = model.marginal(&pair(0, 1)).unwrap();
    assert_eq!([joint[1], joint[2], joint[4]], [0.0, 0.0, 0.0]);
    assert!((joint.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn no_weight_is_uniform_and_huge_weights_do_not_overflow() {
    let model = coded_model(&[&[0.0, 0.0], &[1e308, 1e308, 1e308, 1e308]], 10.0, "");
    assert_eq!(model.marginal(&Clique::single(AttrId(0))).unwrap(), [0.5, 0.5]);
    assert_eq!(model.marginal(&Clique::single(AttrId(1))).unwrap(), [0.25; 4]);
}

#[test]
fn row_counts_are_rounded_and_never_negative() {
    for (given, rows) in [(-5.0, 0), (0.49, 0), (2.5, 3), (1e300, 1_000_000_000_000_000)] {
        assert_eq!(coded_model(&[&[1.0]], given, "").rows(), rows);
    }
    for broken in [f64::NAN, f64::INFINITY] {
        assert!(Model::product(coded_schema(&[1], ""), broken, vec![vec![1.0]], vec![], origin()).is_err());
    }
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let refused: [Vec<Vec<f64>>; 5] =
        [vec![], vec![vec![1.0]], vec![vec![1.0, -0.1]], vec![vec![f64::NAN, 1.0]], vec![vec![f64::INFINITY, 1.0]]];
    for weights in refused {
        let error = Model::product(coded_schema(&[2], ""), 1.0, weights, vec![], origin()).unwrap_err();
        assert!(matches!(error, ModelError::Shape { .. }));
    }
}

#[test]
fn marginals_that_cannot_be_are_refused() {
    let model = coded_model(&[&[1.0; 600], &[1.0; 600], &[1.0; 600]], 1.0, "");
    assert!(matches!(model.marginal(&pair(0, 3)), Err(ModelError::Shape { .. })));
    assert!(matches!(model.marginal(&Clique::new((0..3).map(AttrId))), Err(ModelError::Shape { .. })));
}

#[test]
fn a_model_of_ids_alone() {
    let schema = Schema::parse("[columns.who]\ntype = \"id\"\n", "test.toml").unwrap();
    let model = Model::product(schema, 3.2, vec![], vec![], origin()).unwrap();
    assert_eq!(model.rows(), 3);
    let block = model.sampler(&Sampling::new(model.rows(), 1)).unwrap().block(0);
    assert_eq!((block.rows, block.columns.len()), (3, 0));
    assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
}

#[test]
fn the_origin_can_be_replaced() {
    let model = coded_model(&[&[1.0]], 1.0, "");
    let other = crate::Origin { method: "x".into(), guarantee: "NO GUARANTEE".into() };
    assert_eq!(model.with_origin(other.clone()).origin(), &other);
}
