//! The layered graph against brute force over all rows.

use lookalike_schema::{Clique, Domain, ImpossibleRule};
use proptest::prelude::*;

use super::support::{chi_square_p, rule};
use crate::sampling::v1::ProductSampler;
use crate::structure::product::Product;
use crate::{ModelError, RowSampler, Rules};

/// All rows of a domain.
fn all_rows(sizes: &[u32]) -> Vec<Vec<u32>> {
    sizes.iter().fold(vec![vec![]], |rows, &size| {
        rows.iter().flat_map(|row| (0..size).map(|code| [row.as_slice(), &[code]].concat())).collect()
    })
}

/// The marginal of the product given that the row is possible, by enumeration.
fn brute_marginal(sizes: &[u32], rules: &[ImpossibleRule], columns: &[Vec<f64>], clique: &Clique) -> Vec<f64> {
    let domain = Domain::new(sizes.to_vec());
    let mut cells = vec![0.0; domain.cells(clique).unwrap() as usize];
    for row in all_rows(sizes) {
        if rules.iter().any(|rule| rule.forbids(&row)) {
            continue;
        }
        let cell = clique
            .attributes()
            .iter()
            .fold(0usize, |cell, a| cell * domain.size(*a) as usize + row[a.index()] as usize);
        cells[cell] += row.iter().enumerate().map(|(a, &code)| columns[a][code as usize]).product::<f64>();
    }
    let sum: f64 = cells.iter().sum();
    cells.iter().map(|cell| cell / sum).collect()
}

fn all_cliques(columns: usize) -> Vec<Clique> {
    (0..1u32 << columns)
        .map(|set| Clique::new((0..columns as u32).filter(|a| set >> a & 1 == 1).map(lookalike_schema::AttrId)))
        .collect()
}

/// Domains, rules with any parts, and weights of which some are 0.
fn cases() -> impl Strategy<Value = (Vec<u32>, Vec<ImpossibleRule>, Vec<Vec<f64>>)> {
    prop::collection::vec(1u32..4, 1..5).prop_flat_map(|sizes| {
        let part = (0..sizes.len(), 1u32..8);
        let rules = prop::collection::vec(prop::collection::vec(part, 1..4), 0..5);
        let weights: Vec<_> = sizes
            .iter()
            .map(|&size| prop::collection::vec(prop_oneof![1 => Just(0.0), 4 => 0.01..1.0f64], size as usize))
            .collect();
        let shapes = sizes.clone();
        (Just(sizes), rules, weights).prop_map(move |(sizes, rules, weights)| {
            let rules = rules.iter().map(|parts| from_bits(&shapes, parts)).collect();
            (sizes, rules, weights)
        })
    })
}

/// A rule from attributes and bits of codes; one part an attribute.
fn from_bits(sizes: &[u32], parts: &[(usize, u32)]) -> ImpossibleRule {
    let mut list: Vec<(u32, Vec<u32>)> = Vec::new();
    for &(attribute, bits) in parts {
        if list.iter().all(|(other, _)| *other != attribute as u32) {
            list.push((attribute as u32, (0..sizes[attribute]).filter(|code| bits >> code & 1 == 1).collect()));
        }
    }
    list.sort();
    rule(&list.iter().map(|(attribute, codes)| (*attribute, codes.as_slice())).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn marginals_and_rows_are_those_of_the_possible_rows((sizes, rules, weights) in cases()) {
        let possible = all_rows(&sizes).into_iter().any(|row| !rules.iter().any(|rule| rule.forbids(&row)));
        let found = match Rules::from_parts(&sizes, &rules) {
            Ok(found) => found,
            Err(error) => {
                prop_assert!(!possible, "{error}");
                return Ok(());
            }
        };
        prop_assert!(possible);
        let product = Product::fitted(&sizes, &found, weights).unwrap();
        // What was fitted is also what a file with these numbers is taken for.
        prop_assert_eq!(&Product::exact(&found, product.columns().to_vec()).unwrap(), &product);
        let domain = Domain::new(sizes.clone());
        for clique in all_cliques(sizes.len()) {
            let answer = product.marginal(&found, &domain, &clique).unwrap();
            let truth = brute_marginal(&sizes, &rules, product.columns(), &clique);
            prop_assert_eq!(answer.len(), truth.len());
            for (a, b) in answer.iter().zip(&truth) {
                prop_assert!((a - b).abs() < 1e-9, "{:?}: {:?} but {:?}", clique, answer, truth);
            }
        }
        let block = RowSampler::v1(ProductSampler::new(&product, &found), 200, 5).block(0);
        for row in 0..block.rows {
            let row: Vec<u32> = block.columns.iter().map(|column| column[row]).collect();
            prop_assert!(!rules.iter().any(|rule| rule.forbids(&row)), "{:?} is impossible", row);
        }
    }
}

/// Alpha 1e-6 on the joint of all three columns; the control is the product without its rules.
#[test]
fn tied_columns_are_drawn_from_the_possible_rows() {
    let sizes = [3, 4, 3];
    let rules = [rule(&[(0, &[0]), (1, &[1, 2])]), rule(&[(1, &[3]), (2, &[0, 2])]), rule(&[(2, &[1])])];
    let found = Rules::from_parts(&sizes, &rules).unwrap();
    let weights = vec![vec![0.5, 0.3, 0.2], vec![0.1, 0.2, 0.3, 0.4], vec![0.6, 0.2, 0.2]];
    let product = Product::fitted(&sizes, &found, weights).unwrap();
    let sampler = RowSampler::v1(ProductSampler::new(&product, &found), 400_000, 21);
    let mut observed = vec![0u64; 36];
    for index in 0..sampler.blocks() {
        let block = sampler.block(index);
        for row in 0..block.rows {
            observed[block.columns.iter().zip(sizes).fold(0, |cell, (c, size)| cell * size + c[row]) as usize] += 1;
        }
    }
    let all = Clique::new((0..3).map(lookalike_schema::AttrId));
    let truth = brute_marginal(&sizes, &rules, product.columns(), &all);
    assert!(chi_square_p(&observed, &truth) > 1e-6);
    let nudged: Vec<f64> = truth.iter().enumerate().map(|(cell, p)| p * if cell < 12 { 1.02 } else { 0.98 }).collect();
    let sum: f64 = nudged.iter().sum();
    assert!(chi_square_p(&observed, &nudged.iter().map(|p| p / sum).collect::<Vec<_>>()) < 1e-6, "no power");
}

#[test]
fn weights_are_the_marginals_that_the_possible_rows_get() {
    let sizes = [2, 2];
    let found = Rules::from_parts(&sizes, &[rule(&[(0, &[0]), (1, &[1])])]).unwrap();
    let product = Product::fitted(&sizes, &found, vec![vec![0.2, 0.8], vec![0.6, 0.4]]).unwrap();
    let domain = Domain::new(sizes.to_vec());
    for (attribute, wanted) in [[0.2, 0.8], [0.6, 0.4]].iter().enumerate() {
        let clique = Clique::single(lookalike_schema::AttrId(attribute as u32));
        let got = product.marginal(&found, &domain, &clique).unwrap();
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} instead of {wanted:?}");
    }
    // Seven in ten young, seven in ten married, no young married: cannot be, and is met in part.
    let product = Product::fitted(&sizes, &found, vec![vec![0.7, 0.3], vec![0.3, 0.7]]).unwrap();
    let joint = product.marginal(&found, &domain, &Clique::new([0, 1].map(lookalike_schema::AttrId))).unwrap();
    assert_eq!(joint[1], 0.0);
    assert!((0.29..0.71).contains(&joint[0]) && (0.29..0.71).contains(&joint[3]), "{joint:?}");
}

#[test]
fn columns_without_any_possible_weight_become_uniform() {
    let found = Rules::from_parts(&[3, 2], &[rule(&[(0, &[0]), (1, &[1])]), rule(&[(0, &[2])])]).unwrap();
    // All weight on an impossible row, and on an impossible code.
    let product = Product::fitted(&[3, 2], &found, vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0]]).unwrap();
    assert_eq!(product.columns(), [vec![0.5, 0.5, 0.0], vec![0.5, 0.5]]);
    let product = Product::fitted(&[3, 2], &found, vec![vec![0.0, 0.0, 9.0], vec![0.0, 0.0]]).unwrap();
    assert!(product.columns()[0][2] == 0.0 && product.columns()[0][0] > 0.0);
}

#[test]
fn contradictions_are_refused_by_the_schema_alone() {
    let all = |rules: &[ImpossibleRule]| Rules::from_parts(&[2, 2], rules);
    let refused = [
        vec![rule(&[(0, &[0, 1])])],
        vec![rule(&[(0, &[0])]), rule(&[(0, &[1])])],
        vec![rule(&[(0, &[0]), (1, &[0, 1])]), rule(&[(0, &[1]), (1, &[0, 1])])],
        vec![rule(&[(0, &[0]), (1, &[0])]), rule(&[(0, &[0]), (1, &[1])]), rule(&[(0, &[1])])],
        vec![rule(&[(0, &[0]), (1, &[0])]), rule(&[(0, &[0]), (1, &[1])]), rule(&[(0, &[1]), (1, &[0, 1])])],
    ];
    for rules in refused {
        assert!(matches!(all(&rules), Err(ModelError::Shape { .. })), "{rules:?}");
    }
    assert!(all(&[rule(&[(0, &[]), (1, &[0])])]).is_ok());
}

#[test]
fn many_rules_on_many_columns_stay_small() {
    // A hub: young people have no job, no income, no pension, and so on for 200 columns.
    let sizes = vec![10u32; 201];
    let rules: Vec<ImpossibleRule> = (1..=200).map(|column| rule(&[(0, &[0, 1]), (column, &[1, 2, 3])])).collect();
    let found = Rules::from_parts(&sizes, &rules).unwrap();
    let product = Product::fitted(&sizes, &found, vec![vec![1.0; 10]; 201]).unwrap();
    let block = RowSampler::v1(ProductSampler::new(&product, &found), 2000, 3).block(0);
    for row in 0..block.rows {
        let row: Vec<u32> = block.columns.iter().map(|column| column[row]).collect();
        assert!(!rules.iter().any(|rule| rule.forbids(&row)));
    }
    // The share of the young is kept although a product would almost never draw them.
    let young = block.columns[0].iter().filter(|&&code| code < 2).count();
    assert!((250..550).contains(&young), "{young} of 2000, 400 expected");
    // A chain.
    let rules: Vec<ImpossibleRule> = (0..200).map(|column| rule(&[(column, &[0]), (column + 1, &[0])])).collect();
    assert!(Rules::from_parts(&sizes, &rules).is_ok());
}

#[test]
fn hopelessly_tangled_rules_are_refused() {
    // All pairs of 40 columns with codes of their own: the open rules at any cut are too many sets.
    let sizes = vec![41u32; 40];
    let mut rules = Vec::new();
    for a in 0..40u32 {
        for b in a + 1..40 {
            rules.push(rule(&[(a, &[b]), (b, &[a])]));
        }
    }
    assert!(matches!(Rules::from_parts(&sizes, &rules), Err(ModelError::Shape { what }) if what.contains("entangled")));
}
