//! Filters against brute force, for every structure.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, CodeBox, Filter, Grouping};

use super::mixture::mixture_model;
use super::network::small_network;
use super::support::{chi_square_p, coded_model};
use super::tree::{clique, counts, noise, rows_of, tree_model};
use crate::{Model, ModelError, Replacement, Sampling};

/// Disjoint boxes over the first columns.
fn filters() -> Vec<Filter> {
    let part = |attribute: u32, codes: &[u32]| (AttrId(attribute), codes.to_vec());
    let one = |parts: Vec<(AttrId, Vec<u32>)>| CodeBox { parts };
    vec![
        Filter::from_boxes(vec![one(vec![])]),
        Filter::from_boxes(vec![one(vec![part(0, &[1])])]),
        Filter::from_boxes(vec![one(vec![part(1, &[0]), part(3, &[1, 2])])]),
        Filter::from_boxes(vec![one(vec![part(0, &[0]), part(2, &[1])]), one(vec![part(0, &[1, 2]), part(3, &[0])])]),
    ]
}

fn meets(filter: &Filter, row: &[u32]) -> bool {
    let inside = |one: &CodeBox| one.parts.iter().all(|(attribute, codes)| codes.contains(&row[attribute.index()]));
    filter.boxes().iter().any(inside)
}

/// All rows with their probabilities, from the model's own joint.
pub(super) fn joint(model: &Model) -> Vec<(Vec<u32>, f64)> {
    let sizes = model.schema().domain().sizes();
    let all = model.marginal(&Clique::new(model.schema().domain().attributes())).unwrap();
    let row = |mut cell: usize| {
        let mut row = vec![0; sizes.len()];
        for (code, &size) in row.iter_mut().zip(sizes).rev() {
            *code = (cell % size as usize) as u32;
            cell /= size as usize;
        }
        row
    };
    all.into_iter().enumerate().map(|(cell, p)| (row(cell), p)).collect()
}

pub(super) fn models() -> Vec<Model> {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc2 = \"v1\"\n[[impossible]]\nc2 = \"v0\"\nc3 = \"v2\"\n";
    vec![
        coded_model(&[&[0.3, 0.3, 0.4], &[0.6, 0.4], &[0.2, 0.8], &[0.1, 0.2, 0.7]], 10.0, ""),
        coded_model(&[&[0.3, 0.3, 0.4], &[0.6, 0.4], &[0.2, 0.8], &[0.1, 0.2, 0.7]], 10.0, rules),
        tree_model(&[3, 2, 2, 3], &[&[0, 1], &[1, 2], &[2, 3]], "", 3),
        tree_model(&[3, 2, 2, 3], &[&[0, 1], &[1, 3], &[2, 3], &[0, 2]], rules, 4),
        tree_model(&[3, 2, 2, 3], &[&[0, 1], &[2, 3]], "", 5),
        small_network(""),
        small_network(rules),
        mixture_model(""),
        mixture_model(rules),
    ]
}

#[test]
fn probabilities_and_marginals_are_those_of_the_rows_that_are_meant() {
    for (number, model) in models().iter().enumerate() {
        let joint = joint(model);
        assert!((joint.iter().map(|row| row.1).sum::<f64>() - 1.0).abs() < 1e-9);
        for filter in filters() {
            let meant: Vec<&(Vec<u32>, f64)> = joint.iter().filter(|row| meets(&filter, &row.0)).collect();
            let truth: f64 = meant.iter().map(|row| row.1).sum();
            let found = model.probability(&filter).unwrap();
            assert!((found - truth).abs() < 1e-9, "model {number}: {found} instead of {truth}");
            for asked in [&[0][..], &[1, 3], &[0, 2], &[0, 1, 2, 3], &[]] {
                let asked = clique(asked);
                let domain = model.schema().domain();
                let mut wanted = vec![0.0; domain.cells(&asked).unwrap() as usize];
                for (row, p) in &meant {
                    let step = |cell: usize, a: &AttrId| cell * domain.size(*a) as usize + row[a.index()] as usize;
                    wanted[asked.attributes().iter().fold(0, step)] += p / truth;
                }
                let found = model.marginal_where(&asked, &filter).unwrap();
                assert_eq!(found.len(), wanted.len());
                assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-9), "model {number}, {asked:?}");
            }
        }
    }
}

/// Alpha 1e-6 for each of the 9 * 3 * 2 samples; the control is the joint without the filter.
#[test]
fn filtered_rows_follow_the_model_given_the_filter() {
    for (number, model) in models().iter().enumerate() {
        let all = Clique::new(model.schema().domain().attributes());
        for filter in &filters()[1..] {
            for replacement in [Replacement::With, Replacement::Without] {
                let sampling = Sampling::new(70_000, 3).with(replacement).filtered(filter.clone());
                let rows = rows_of(model, &sampling);
                assert!(rows.iter().all(|row| meets(filter, row) && !model.schema().forbids(row)), "model {number}");
                let observed = counts(model, &rows, &all);
                let truth = model.marginal_where(&all, filter).unwrap();
                assert!(chi_square_p(&observed, &truth) > 1e-6, "model {number}, {replacement:?}");
                assert!(chi_square_p(&observed, &model.marginal(&all).unwrap()) < 1e-6, "no power");
            }
        }
    }
}

#[test]
fn what_cannot_be_met_is_said() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n";
    for model in [tree_model(&[2, 2], &[&[0, 1]], rules, 1), coded_model(&[&[0.5, 0.5], &[0.5, 0.5]], 1.0, rules)] {
        let part = |attribute: u32, code: u32| (AttrId(attribute), vec![code]);
        let never = Filter::from_boxes(vec![CodeBox { parts: vec![part(0, 0), part(1, 0)] }]);
        assert_eq!(model.probability(&never).unwrap(), 0.0);
        assert!(matches!(model.sampler(&Sampling::new(1, 1).filtered(never.clone())), Err(ModelError::Impossible)));
        assert!(matches!(model.marginal_where(&clique(&[0]), &never), Err(ModelError::Impossible)));
        assert!(model.sampler(&Sampling::new(1, 1).filtered(Filter::from_boxes(vec![]))).is_err());
        for broken in [part(2, 0), part(0, 2)] {
            let filter = Filter::from_boxes(vec![CodeBox { parts: vec![broken] }]);
            assert!(matches!(model.probability(&filter), Err(ModelError::Shape { .. })));
        }
        // A box beside one that can be met is simply left out.
        let some = Filter::from_boxes(vec![
            CodeBox { parts: vec![part(0, 0), part(1, 0)] },
            CodeBox { parts: vec![part(0, 0), part(1, 1)] },
        ]);
        let rows = rows_of(&model, &Sampling::new(100, 1).filtered(some));
        assert!(rows.iter().all(|row| row == &[0, 1]));
    }
}

/// A filter on a refined column reaches inside its groups.
#[test]
fn coarse_columns_are_filtered_by_code() {
    let schema = super::support::coded_schema(&[2, 4], "");
    let grouping = Arc::new(Grouping::new(vec![0, 0, 1, 1]).unwrap());
    let domain = lookalike_schema::Domain::new(vec![2, 2]);
    let tree = crate::JunctionTree::new(&domain, &[clique(&[0, 1])], &[]).unwrap();
    let values = (0..4).map(noise).collect();
    let potential = crate::LogFactor::new(&domain, &clique(&[0, 1]), values).unwrap();
    let calibrated = crate::Calibrated::new(&tree, &[potential]).unwrap();
    let refinement = crate::Refinement { grouping, weights: vec![1.0, 3.0, 1.0, 1.0] };
    let origin = super::support::origin();
    let model = Model::tree(schema, &calibrated, 1.0, vec![None, Some(refinement)], vec![], origin).unwrap();
    let filter = Filter::from_boxes(vec![CodeBox { parts: vec![(AttrId(1), vec![0, 3])] }]);
    let joint = joint(&model);
    let truth: f64 = joint.iter().filter(|row| meets(&filter, &row.0)).map(|row| row.1).sum();
    assert!((model.probability(&filter).unwrap() - truth).abs() < 1e-12);
    let rows = rows_of(&model, &Sampling::new(50_000, 2).filtered(filter.clone()));
    assert!(rows.iter().all(|row| meets(&filter, row)));
    let truth = model.marginal_where(&clique(&[0, 1]), &filter).unwrap();
    // Alpha 1e-6.
    assert!(chi_square_p(&counts(&model, &rows, &clique(&[0, 1])), &truth) > 1e-6);
}
