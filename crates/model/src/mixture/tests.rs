//! Mixtures against exact models, and on what no tree can hold.

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::*;
use crate::pgm::estimate::{Measurement, Options, estimate};
use crate::pgm::factor::tests::noise;
use crate::pgm::inference::tests::clique;
use crate::pgm::tree::JunctionTree;

/// Rows whose columns follow two hidden numbers, so that all depend on all.
fn rows(sizes: &[u32], count: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut next = noise(seed);
    let mut normal = move || (0..12).map(|_| next()).sum::<f64>() - 6.0;
    let loads: Vec<[f64; 2]> = sizes.iter().map(|_| [normal(), normal()]).collect();
    (0..count)
        .map(|_| {
            let hidden = [normal(), normal()];
            let code = |(load, &size): (&[f64; 2], &u32)| {
                let value = load[0] * hidden[0] + load[1] * hidden[1] + 0.7 * normal();
                ((value / 4.0 + 0.5) * f64::from(size)).clamp(0.0, f64::from(size) - 1.0) as u32
            };
            loads.iter().zip(sizes).map(code).collect()
        })
        .collect()
}

fn count(domain: &Domain, rows: &[Vec<u32>], clique: &Clique) -> Vec<f64> {
    let mut cells = vec![0.0; domain.cells(clique).unwrap() as usize];
    for row in rows {
        let place = |cell, a: &AttrId| cell * domain.size(*a) as usize + row[a.index()] as usize;
        cells[clique.attributes().iter().fold(0, place)] += 1.0;
    }
    cells
}

type Answer = (Clique, Vec<f64>, f64);

fn measure(domain: &Domain, rows: &[Vec<u32>], cliques: &[Clique], sigma: f64, seed: u64) -> Vec<Answer> {
    let mut next = noise(seed);
    let mut normal = move || (0..12).map(|_| next()).sum::<f64>() - 6.0;
    let noisy = |clique: &Clique, normal: &mut dyn FnMut() -> f64| {
        count(domain, rows, clique).into_iter().map(|count| count + sigma * normal()).collect()
    };
    cliques.iter().map(|clique| (clique.clone(), noisy(clique, &mut normal), sigma * sigma)).collect()
}

fn measured(answers: &[Answer]) -> Vec<Measurement<'_>> {
    let answers = answers.iter();
    answers
        .map(|(clique, values, variance)| Measurement { clique: clique.clone(), values, variance: *variance })
        .collect()
}

fn pairs(columns: u32) -> Vec<Clique> {
    (0..columns).flat_map(|one| (one + 1..columns).map(move |two| clique(&[one, two]))).collect()
}

fn distance(one: &[f64], two: &[f64]) -> f64 {
    0.5 * one.iter().zip(two).map(|(a, b)| (a - b).abs()).sum::<f64>()
}

/// Where both fit: the loss is within a tenth of the exact one, measured 2-way marginals are within
/// 0.02 of the exact model's, 2-way ones that nobody measured within 0.06, and 3-way ones within
/// 0.08.
#[test]
fn close_to_the_exact_model() {
    let sizes = [4, 3, 6, 2, 5, 4];
    let domain = Domain::new(sizes.to_vec());
    let rows = rows(&sizes, 20_000, 3);
    let mut cliques = pairs(6);
    cliques.truncate(12);
    cliques.extend([clique(&[0, 1, 2]), clique(&[2, 3, 5]), clique(&[4])]);
    let answers = measure(&domain, &rows, &cliques, 20.0, 5);
    let exact = estimate(&JunctionTree::new(&domain, &cliques, &[]).unwrap(), &measured(&answers), &Options::default())
        .unwrap();
    let fit = fit_mixture(&domain, &[], &measured(&answers), &MixtureOptions::default()).unwrap();
    assert!(fit.converged && fit.steps < 2000, "{} steps", fit.steps);
    assert!(fit.loss < 1.1 * exact.loss && fit.loss > 0.99 * exact.loss, "{} against {}", fit.loss, exact.loss);
    for clique in pairs(6) {
        let apart =
            distance(fit.model.marginal(&clique).unwrap().values(), exact.model.marginal(&clique).unwrap().values());
        assert!(apart < if cliques.contains(&clique) { 0.02 } else { 0.06 }, "{clique:?}: {apart}");
    }
    for clique in [clique(&[0, 1, 5]), clique(&[1, 3, 4]), clique(&[2, 4, 5]), clique(&[0, 1, 2])] {
        let apart =
            distance(fit.model.marginal(&clique).unwrap().values(), exact.model.marginal(&clique).unwrap().values());
        assert!(apart < 0.08, "{clique:?}: {apart}");
    }
}

/// All pairs of 22 columns: a tree would have 10^12 cells. The fit reaches the noise: half a
/// squared unit a cell.
#[test]
fn dense_measurements_are_fitted_to_the_noise() {
    let sizes: Vec<u32> = [2, 3, 4, 5].into_iter().cycle().take(22).collect();
    let domain = Domain::new(sizes.clone());
    let rows = rows(&sizes, 10_000, 8);
    let cliques = pairs(22);
    let answers = measure(&domain, &rows, &cliques, 15.0, 2);
    let options = FitOptions { memory_bytes: 100 << 20, ..FitOptions::default() };
    let (fitted, route) = fit(&domain, &[], &measured(&answers), &options).unwrap();
    assert!(!route.is_exact() && route.in_words().starts_with("APPROXIMATE MODEL"), "{}", route.in_words());
    let cells: usize = answers.iter().map(|answer| answer.1.len()).sum();
    let FittedModel::Mixture(fitted) = fitted else { panic!("{}", route.in_words()) };
    let share = fitted.loss / cells as f64;
    assert!(share < 0.5, "{share} a cell");
    // The columns by themselves, as a control: far from the noise.
    let alone: Vec<f64> = (0..22).map(|a| clique(&[a])).map(|c| count(&domain, &rows, &c)[0]).collect();
    let product = |c: &Clique| alone[c.attributes()[0].index()] * alone[c.attributes()[1].index()] / 10_000.0;
    let control: f64 = answers.iter().map(|answer| (answer.1[0] - product(&answer.0)).powi(2) / 225.0).sum();
    assert!(control / answers.len() as f64 > 5.0, "independent columns would do");
    // And it is closer to the table than the measurements are.
    let (mut fit_apart, mut noise_apart) = (0.0, 0.0);
    for (clique, values, _) in &answers {
        let truth: Vec<f64> = count(&domain, &rows, clique).iter().map(|count| count / 10_000.0).collect();
        fit_apart += distance(fitted.model.marginal(clique).unwrap().values(), &truth);
        noise_apart += distance(&values.iter().map(|value| value / 10_000.0).collect::<Vec<_>>(), &truth);
    }
    assert!(fit_apart < noise_apart, "{fit_apart} against {noise_apart}");
}

fn rule(parts: &[(u32, &[u32])]) -> ImpossibleRule {
    ImpossibleRule { parts: parts.iter().map(|(attribute, codes)| (AttrId(*attribute), codes.to_vec())).collect() }
}

/// Rules over one, two and three columns, which tie all together: no row that breaks one has any
/// weight, and possible ones have.
#[test]
fn impossible_rows_have_no_weight() {
    let sizes = [4, 3, 5, 2, 3];
    let domain = Domain::new(sizes.to_vec());
    let rules = [
        rule(&[(2, &[4])]),
        rule(&[(0, &[0, 1]), (1, &[2])]),
        rule(&[(1, &[0]), (2, &[0, 3])]),
        rule(&[(0, &[3]), (3, &[1]), (4, &[0, 1])]),
        rule(&[(3, &[0, 1]), (4, &[2]), (2, &[1])]),
    ];
    let mut rows = rows(&sizes, 20_000, 4);
    rows.retain(|row| !rules.iter().any(|rule| rule.forbids(row)));
    let answers = measure(&domain, &rows, &pairs(5), 10.0, 6);
    let fit = fit_mixture(&domain, &rules, &measured(&answers), &MixtureOptions::default()).unwrap();
    let all = fit.model.marginal(&Clique::new(domain.attributes())).unwrap();
    let mut bare = 0;
    for (cell, &p) in all.values().iter().enumerate() {
        let (mut rest, mut row) = (cell as u32, [0u32; 5]);
        for attribute in (0..5).rev() {
            row[attribute] = rest % sizes[attribute];
            rest /= sizes[attribute];
        }
        if rules.iter().any(|rule| rule.forbids(&row)) {
            assert_eq!(p, 0.0, "{row:?}");
        } else {
            bare += usize::from(p == 0.0);
        }
    }
    assert_eq!(bare, 0, "possible rows without any weight");
    let cells: usize = answers.iter().map(|answer| answer.1.len()).sum();
    assert!(fit.loss < 0.6 * cells as f64, "{} for {cells} cells", fit.loss);
    let nothing = [rule(&[(3, &[0, 1])])];
    assert!(fit_mixture(&domain, &nothing, &measured(&answers), &MixtureOptions::default()).is_err());
}

/// A marginal is the sum over components, however it is asked.
#[test]
fn marginals_agree_with_each_other() {
    let domain = Domain::new(vec![2, 3, 1]);
    let columns = vec![vec![0.5, 0.5, 0.1, 0.9], vec![0.2, 0.3, 0.5, 1.0, 0.0, 0.0], vec![1.0, 1.0]];
    let mixture = Mixture::new(&domain, &[], vec![0.25, 0.75], columns.clone()).unwrap();
    let pair = mixture.marginal(&clique(&[0, 1])).unwrap();
    let exact = [0.025 + 0.075, 0.0375, 0.0625, 0.025 + 0.675, 0.0375, 0.0625];
    assert!(pair.values().iter().zip(exact).all(|(p, q)| (p - q).abs() < 1e-15), "{:?}", pair.values());
    let all = [clique(&[0, 1, 2]), clique(&[1]), clique(&[])].map(|asked| mixture.marginal(&asked).unwrap());
    assert_eq!(all[0].values(), pair.values());
    assert!(distance(all[1].values(), pair.sum_onto(&clique(&[1])).values()) < 1e-15);
    assert_eq!(all[2].values(), [1.0]);
    assert!(mixture.marginal(&clique(&[3])).is_err());
    let refused = |rules: &[ImpossibleRule], weights: Vec<f64>, columns: Vec<Vec<f64>>| {
        Mixture::new(&domain, rules, weights, columns).is_err()
    };
    assert!(refused(&[], vec![0.25, 0.5], columns.clone()));
    assert!(refused(&[], vec![1.5, -0.5], columns.clone()));
    assert!(refused(&[], vec![f64::NAN, 1.0], columns.clone()));
    assert!(refused(&[], vec![1.0], columns.clone()));
    assert!(refused(&[], Vec::new(), Vec::new()));
    assert!(refused(&[], vec![0.25, 0.75], columns[1..].to_vec()));
    assert!(refused(&[rule(&[(0, &[0]), (1, &[2])])], vec![0.25, 0.75], columns.clone()));
    assert!(refused(&[rule(&[(7, &[0])])], vec![0.25, 0.75], columns.clone()));
    assert!(refused(&[rule(&[(0, &[9])])], vec![0.25, 0.75], columns));
}

#[test]
fn threads_do_not_change_a_bit() {
    let sizes = [4, 3, 6, 2, 5, 4];
    let domain = Domain::new(sizes.to_vec());
    let answers = measure(&domain, &rows(&sizes, 2000, 3), &pairs(6), 20.0, 5);
    let options = MixtureOptions { steps: 30, ..MixtureOptions::default() };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit_mixture(&domain, &[], &measured(&answers), &options).unwrap())
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(one.model, four.model);
    assert!(!one.converged && one.steps == 30);
}

/// The route follows from sizes and memory, and says so.
#[test]
fn the_route_is_chosen_by_memory() {
    let domain = Domain::new(vec![10; 6]);
    let ring: Vec<Clique> = (0..6).map(|a| clique(&[a, (a + 1) % 6])).collect();
    let large = route(&domain, &[], &ring, 1 << 30).unwrap();
    assert!(large.is_exact() && large.in_words().starts_with("The model is exact"), "{}", large.in_words());
    assert_eq!((large.tree_cells, large.tree_bytes), (4000, 8 * (3 * 4000 + 12 * 600)));
    assert!(route(&domain, &[], &ring, large.tree_bytes).unwrap().is_exact());
    assert_eq!(route(&domain, &[], &ring, large.tree_bytes - 1).unwrap().components, Some(64));
    let refused = route(&domain, &[], &ring, 100_000).unwrap_err().to_string();
    assert!(refused.contains("not even approximately"), "{refused}");
    let domain = Domain::new(vec![10; 30]);
    let dense = route(&domain, &[], &pairs(30), 1 << 30).unwrap();
    assert_eq!((dense.tree_cells, dense.components), (u64::MAX, Some(320)));
    assert!(dense.in_words().contains("more than 10^19 cells"), "{}", dense.in_words());
    assert_eq!(route(&domain, &[], &pairs(30), 2 << 20).unwrap().components, Some(64));
    assert!(route(&domain, &[], &[clique(&[40])], 1 << 30).is_err());
    let exact = fit(&domain, &[], &[], &FitOptions::default()).unwrap();
    assert!(matches!(exact.0, FittedModel::Tree(_)) && exact.1.is_exact());
}

#[test]
fn bad_measurements_are_refused() {
    let domain = Domain::new(vec![2, 3]);
    let options = MixtureOptions::default();
    let refused = |clique: Clique, values: &[f64], variance: f64, options: &MixtureOptions| {
        fit_mixture(&domain, &[], &[Measurement { clique, values, variance }], options).is_err()
    };
    assert!(!refused(clique(&[0]), &[5.0, 6.0], 1.0, &MixtureOptions { steps: 1, ..options.clone() }));
    assert!(refused(clique(&[0]), &[5.0], 1.0, &options));
    assert!(refused(clique(&[0]), &[5.0, f64::NAN], 1.0, &options));
    assert!(refused(clique(&[0]), &[5.0, 6.0], 0.0, &options));
    assert!(refused(clique(&[2]), &[5.0, 6.0], 1.0, &options));
    assert!(refused(clique(&[0]), &[5.0, 6.0], 1.0, &MixtureOptions { total: Some(0.0), ..options }));
    let nothing = fit_mixture(&domain, &[], &[], &MixtureOptions::default()).unwrap();
    assert_eq!((nothing.loss, nothing.converged), (0.0, true));
}
