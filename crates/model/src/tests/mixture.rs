//! Mixture models: marginals, rows, files.

use std::sync::Arc;

use lookalike_schema::{Clique, Domain, Grouping};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::support::{chi_square_p, coded_schema, origin};
use super::tree::{clique, counts, rows_of};
use crate::{MeasuredClique, Mixture, Model, ModelError, Refinement, Replacement, Sampling};

/// Four columns of 3, 2, 2 and 3 codes. No component reaches (c0 = 0, c2 = 1) or (c2 = 0, c3 = 2).
fn columns() -> Vec<Vec<f64>> {
    vec![
        vec![0.2, 0.3, 0.5, 0.0, 0.9, 0.1, 0.7, 0.2, 0.1],
        vec![0.9, 0.1, 0.2, 0.8, 0.5, 0.5],
        vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.0],
        vec![0.4, 0.6, 0.0, 0.1, 0.2, 0.7, 0.9, 0.1, 0.0],
    ]
}

const SIZES: [u32; 4] = [3, 2, 2, 3];
const WEIGHTS: [f64; 3] = [0.5, 0.3, 0.2];

pub(super) fn mixture_model(rules: &str) -> Model {
    let schema = coded_schema(&SIZES, rules);
    let mixture = Mixture::new(schema.domain(), schema.impossible(), WEIGHTS.to_vec(), columns()).unwrap();
    let measured = vec![MeasuredClique { clique: clique(&[0, 2]), variance: 3.0 }];
    Model::mixture(schema, &mixture, 100.0, vec![], measured, origin()).unwrap()
}

/// The second column as two of four codes, with the rule that c0 = 0 never meets its third code.
fn coarse_model() -> Model {
    let schema = coded_schema(&[3, 4], "[[impossible]]\nc0 = \"v0\"\nc1 = \"v2\"\n");
    let refinement =
        Refinement { grouping: Arc::new(Grouping::new(vec![0, 0, 1, 1]).unwrap()), weights: vec![1.0, 3.0, 1.0, 1.0] };
    let columns = vec![vec![0.0, 0.5, 0.5, 0.2, 0.4, 0.4], vec![0.3, 0.7, 1.0, 0.0]];
    let mixture = Mixture::new(&Domain::new(vec![3, 2]), &[], vec![0.5, 0.5], columns).unwrap();
    Model::mixture(schema, &mixture, 10.0, vec![None, Some(refinement)], vec![], origin()).unwrap()
}

/// Alpha 1e-6 for each of the samples; the control is another mixture's joint.
#[test]
fn rows_follow_the_model_both_ways() {
    let model = mixture_model("");
    let all = Clique::new(model.schema().domain().attributes());
    let truth = model.marginal(&all).unwrap();
    assert!((truth.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let others = [0.4, 0.4, 0.2];
    let other = Mixture::new(model.schema().domain(), &[], others.to_vec(), columns()).unwrap();
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&model, &Sampling::new(200_000, 5).with(replacement));
        let observed = counts(&model, &rows, &all);
        assert!(chi_square_p(&observed, &truth) > 1e-6, "{replacement:?}");
        assert!(chi_square_p(&observed, other.marginal(&all).unwrap().values()) < 1e-6, "no power");
    }
}

#[test]
fn a_mixture_comes_back_whole_and_gives_the_same_rows() {
    for model in [mixture_model(""), coarse_model()] {
        let bytes = model.to_bytes();
        let again = Model::from_bytes(&bytes).unwrap();
        assert_eq!(again, model);
        assert_eq!(again.to_bytes(), bytes);
        let sampling = Sampling::new(3000, 9);
        assert_eq!(rows_of(&again, &sampling), rows_of(&model, &sampling));
        assert!(again.in_words().contains("approximate"));
    }
}

#[test]
fn coarse_columns_are_refined() {
    let model = coarse_model();
    let joint = model.marginal(&clique(&[0, 1])).unwrap();
    let (one, two) = ([0.3 / 4.0, 0.9 / 4.0, 0.35, 0.35], [0.25, 0.75, 0.0, 0.0]);
    let cell = |a: f64, b: f64, code: usize| 0.5 * (a * one[code] + b * two[code]);
    let wanted: Vec<f64> = [(0.0, 0.2), (0.5, 0.4), (0.5, 0.4)]
        .iter()
        .flat_map(|&(a, b)| (0..4).map(move |code| cell(a, b, code)))
        .collect();
    assert!(joint.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{joint:?}");
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&model, &Sampling::new(100_000, 5).with(replacement));
        assert!(rows.iter().all(|row| !model.schema().forbids(row)));
        // Alpha 1e-6.
        assert!(chi_square_p(&counts(&model, &rows, &clique(&[0, 1])), &wanted) > 1e-6);
    }
}

#[test]
fn a_mixture_that_breaks_a_rule_is_refused() {
    let schema = coded_schema(&SIZES, "[[impossible]]\nc0 = \"v1\"\nc1 = \"v0\"\n");
    let mixture = Mixture::new(schema.domain(), &[], WEIGHTS.to_vec(), columns()).unwrap();
    assert!(Model::mixture(schema.clone(), &mixture, 1.0, vec![], vec![], origin()).is_err());
    let other =
        Mixture::new(&Domain::new(vec![3, 2]), &[], vec![1.0], vec![vec![1.0, 0.0, 0.0], vec![0.5; 2]]).unwrap();
    assert!(Model::mixture(schema, &other, 1.0, vec![], vec![], origin()).is_err());
    // A group whose only codes are impossible must have no weight.
    let schema = coded_schema(&[3], "[[impossible]]\nc0 = \"v2\"\n");
    let refinement = Refinement::uniform(Arc::new(Grouping::new(vec![0, 0, 1]).unwrap()));
    let group = |columns: Vec<f64>| {
        let mixture = Mixture::new(&Domain::new(vec![2]), &[], vec![1.0], vec![columns]).unwrap();
        Model::mixture(schema.clone(), &mixture, 1.0, vec![Some(refinement.clone())], vec![], origin())
    };
    assert!(group(vec![0.5, 0.5]).is_err());
    assert!(group(vec![1.0, 0.0]).is_ok());
}

/// A file with one number replaced and the hash mended: where the number counts, it is refused.
#[test]
fn numbers_of_a_file_are_checked() {
    let bytes = mixture_model("").to_bytes();
    let floats = 2 + 3 + columns().iter().map(Vec::len).sum::<usize>();
    let start = bytes.len() - 32 - 8 * floats;
    let with = |place: usize, value: f64| {
        let mut other = bytes[..bytes.len() - 32].to_vec();
        other[start + 8 * place..start + 8 * place + 8].copy_from_slice(&value.to_le_bytes());
        let hash = Sha256::digest(&other);
        other.extend(hash);
        Model::from_bytes(&other)
    };
    assert!(with(2, 0.5).is_ok());
    for place in 2..floats {
        for value in [f64::NAN, -0.1, 0.55, 2.0, f64::INFINITY] {
            assert!(matches!(with(place, value), Err(ModelError::File { .. })), "{value} at {place}");
        }
    }
}

proptest! {
    // The hash is mended, so that the inner checks are reached.
    #[test]
    fn changed_files_never_panic(
        coarse in any::<bool>(),
        at in any::<prop::sample::Index>(),
        with in prop::collection::vec(any::<u8>(), 0..9),
        cut in 0usize..9,
    ) {
        let bytes = if coarse { coarse_model() } else { mixture_model("") }.to_bytes();
        let body = &bytes[20..bytes.len() - 32];
        let at = at.index(body.len());
        let end = (at + cut).min(body.len());
        let mut other = bytes[..20].to_vec();
        other.extend([&body[..at], &with, &body[end..]].concat());
        let hash = Sha256::digest(&other);
        other.extend(hash);
        if let Ok(model) = Model::from_bytes(&other) {
            let _ = model.sampler(&Sampling::new(10, 1)).unwrap().block(0);
            prop_assert!(Model::from_bytes(&model.to_bytes()).is_ok());
        }
    }
}
