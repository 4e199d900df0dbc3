//! Models that grow, against models made at once.

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::Fitter;
use crate::pgm::estimate::{Measurement, Options, estimate};
use crate::pgm::factor::Factor;
use crate::pgm::factor::tests::noise;
use crate::pgm::inference::Calibrated;
use crate::pgm::inference::tests::clique;
use crate::pgm::tree::JunctionTree;

const SIZES: [u32; 7] = [3, 4, 2, 5, 3, 4, 2];
const SIGMA: f64 = 6.0;

/// Noisy marginals of a random table, 0 where the rules say so.
fn answers(cliques: &[Clique], rules: &[ImpossibleRule], seed: u64) -> Vec<(Clique, Vec<f64>)> {
    let mut next = noise(seed);
    let domain = Domain::new(SIZES.to_vec());
    let all = Clique::new(domain.attributes());
    let mut table: Vec<f64> = (0..domain.cells(&all).unwrap()).map(|_| 2.0 * next() * next()).collect();
    for (cell, count) in table.iter_mut().enumerate() {
        let (mut rest, mut row) = (cell as u32, [0; 7]);
        for attribute in (0..7).rev() {
            row[attribute] = rest % SIZES[attribute];
            rest /= SIZES[attribute];
        }
        // Neighbours depend on each other.
        *count *= 1.0 + f64::from((row[0] + row[1]) % 3) + f64::from((row[1] * row[3]) % 4);
        if rules.iter().any(|rule| rule.forbids(&row)) {
            *count = 0.0;
        }
    }
    let table = Factor::new(&domain, &all, table).unwrap();
    let mut normal = || (0..12).map(|_| next()).sum::<f64>() - 6.0;
    let mut noisy = |clique: &Clique| {
        table.sum_onto(clique).into_values().into_iter().map(|count| count + SIGMA * normal()).collect()
    };
    cliques.iter().map(|clique| (clique.clone(), noisy(clique))).collect()
}

fn rules() -> Vec<ImpossibleRule> {
    vec![ImpossibleRule { parts: vec![(AttrId(1), vec![0, 2]), (AttrId(3), vec![4])] }]
}

fn cliques() -> Vec<Clique> {
    let mut all: Vec<Clique> = (0..7).map(|attribute| clique(&[attribute])).collect();
    let more: [&[u32]; 8] = [&[0, 1], &[3, 4], &[1, 3], &[5, 6], &[0, 1, 2], &[0, 1], &[2, 4], &[1, 5]];
    all.extend(more.iter().map(|members| clique(members)));
    all
}

/// After every measurement the model is nearly as good as one made from scratch, and in the end as
/// good.
#[test]
fn growing_ends_where_scratch_does() {
    let domain = Domain::new(SIZES.to_vec());
    for total in [None, Some(7000.0)] {
        let answers = answers(&cliques(), &rules(), 3);
        let options = Options { total, ..Options::default() };
        let mut fitter = Fitter::new(&domain, &rules(), options.clone()).unwrap();
        for (round, (clique, values)) in answers.iter().enumerate() {
            fitter.add(clique.clone(), values.clone(), SIGMA * SIGMA).unwrap();
            let refit = fitter.refit().unwrap();
            let measured: Vec<Measurement> = answers[..=round]
                .iter()
                .map(|(clique, values)| Measurement { clique: clique.clone(), values, variance: SIGMA * SIGMA })
                .collect();
            let tree = JunctionTree::new(
                &domain,
                &answers[..=round].iter().map(|a| a.0.clone()).collect::<Vec<_>>(),
                &rules(),
            );
            let whole = estimate(&tree.unwrap(), &measured, &Options { tolerance: 1e-6, ..options.clone() }).unwrap();
            // Half a unit a round is far below what noise leaves.
            assert!(refit.loss <= 1.05 * whole.loss + 0.5, "round {round}: {} against {}", refit.loss, whole.loss);
            let asked = [cliques(), vec![Clique::new(domain.attributes()), super::Clique::new([])]].concat();
            let model = Calibrated::new(&fitter.tree, &fitter.potentials()).unwrap();
            for (one, two) in fitter.marginals(&asked).unwrap().iter().zip(model.marginals(&asked).unwrap()) {
                assert_eq!(one.clique(), two.clique());
                assert!(one.values().iter().zip(two.values()).all(|(a, b)| (a - b).abs() < 1e-9));
            }
            if round + 1 == answers.len() {
                let finished = fitter.clone().finish().unwrap();
                assert!((finished.loss / whole.loss - 1.0).abs() < 0.01, "{} against {}", finished.loss, whole.loss);
                assert!(finished.passes < 2 * whole.passes);
            }
        }
    }
}

/// A measurement of two columns does not move the others by a bit, nor are they fitted.
#[test]
fn what_is_not_touched_stays() {
    let domain = Domain::new(SIZES.to_vec());
    let answers = answers(&cliques(), &[], 4);
    let mut fitter = Fitter::new(&domain, &[], Options { total: Some(7000.0), ..Options::default() }).unwrap();
    for (clique, values) in &answers[..9] {
        fitter.add(clique.clone(), values.clone(), SIGMA * SIGMA).unwrap();
    }
    let first = fitter.refit().unwrap();
    assert_eq!((first.parts, first.fitted), (5, 5));
    let others = [clique(&[3, 4]), clique(&[2]), clique(&[2, 4])];
    let before = fitter.marginals(&others).unwrap();
    let (pair, values) = answers[10].clone();
    fitter.add(pair.clone(), values.clone(), SIGMA * SIGMA).unwrap();
    let refit = fitter.refit().unwrap();
    assert_eq!((refit.parts, refit.fitted), (4, 1));
    assert_eq!(fitter.marginals(&others).unwrap(), before);
    let again = fitter.refit().unwrap();
    assert_eq!((again.fitted, again.passes, again.loss), (0, 0, refit.loss));
    // Without a given total a measurement that moves it far moves everything.
    let mut free = Fitter::new(&domain, &[], Options::default()).unwrap();
    for (clique, values) in &answers[..9] {
        free.add(clique.clone(), values.clone(), SIGMA * SIGMA).unwrap();
    }
    free.refit().unwrap();
    free.add(pair, values.iter().map(|value| 1.5 * value).collect(), SIGMA * SIGMA).unwrap();
    assert_eq!(free.refit().unwrap().fitted, 4);
}

#[test]
fn bad_measurements_are_refused() {
    let mut fitter = Fitter::new(&Domain::new(SIZES.to_vec()), &[], Options::default()).unwrap();
    assert!(fitter.add(clique(&[7]), vec![1.0], 1.0).is_err());
    assert!(fitter.add(clique(&[0]), vec![1.0], 1.0).is_err());
    assert!(fitter.add(clique(&[0]), vec![1.0; 3], 0.0).is_err());
    assert!(fitter.add(clique(&[0]), vec![f64::NAN; 3], 1.0).is_err());
    assert!(fitter.add(clique(&[]), vec![12.0], 1.0).is_ok());
    assert_eq!((fitter.refit().unwrap().parts, fitter.total()), (7, 12.0));
    assert!(fitter.marginals(&[clique(&[7])]).is_err());
    assert!(fitter.has_room_for(&clique(&[7]), 100).is_err());
    let cells = fitter.tree().cells() - 7 + 12;
    assert!(fitter.has_room_for(&clique(&[0, 1]), cells).unwrap());
    assert!(!fitter.has_room_for(&clique(&[0, 1]), cells - 1).unwrap());
    let nothing = ImpossibleRule { parts: vec![(AttrId(2), vec![0, 1])] };
    assert!(Fitter::new(&Domain::new(SIZES.to_vec()), &[nothing], Options::default()).is_err());
}

/// From an even start the first step would all but empty the rare value, and the fit would stay
/// there: a loss of thousands.
#[test]
fn a_column_with_a_rare_value_is_fitted_at_once() {
    let domain = Domain::new(vec![2, 3]);
    let options = Options { total: Some(38_012.0), ..Options::default() };
    let mut fitter = Fitter::new(&domain, &[], options).unwrap();
    fitter.add(clique(&[0]), vec![1154.0, 36_858.0], 484.0).unwrap();
    fitter.add(clique(&[1]), vec![37_990.0, -30.0, 60.0], 484.0).unwrap();
    let report = fitter.refit().unwrap();
    // The best there is leaves what negative counts and the total cost.
    assert!(report.loss < 3.0, "{report:?}");
    let found = fitter.marginals(&[clique(&[0])]).unwrap();
    assert!((found[0].values()[0] * 38_012.0 - 1154.0).abs() < 5.0, "{:?}", found[0]);
}

/// How many of the rows are in each cell of a clique.
fn counted(rows: &[Vec<u32>], domain: &Domain, clique: &Clique) -> Factor {
    let mut counts = vec![0.0; domain.cells(clique).unwrap() as usize];
    let mut cells = vec![0; rows[0].len()];
    for &attribute in clique.attributes() {
        let size = domain.size(attribute) as usize;
        cells.iter_mut().zip(&rows[attribute.index()]).for_each(|(cell, &code)| *cell = *cell * size + code as usize);
    }
    cells.into_iter().for_each(|cell: usize| counts[cell] += 1.0);
    Factor::new(domain, clique, counts).unwrap()
}

/// Rows that agree on what a clique shares with the one before it are split over the clique's cells
/// to within a row of what the model says. Drawn one by one they would be off by about the root of
/// that: by ten and more here. Forbidden cells get none.
#[test]
fn drawn_rows_are_split_as_the_model_says() {
    let domain = Domain::new(SIZES.to_vec());
    let mut fitter = Fitter::new(&domain, &rules(), Options { total: Some(7000.0), ..Options::default() }).unwrap();
    let measured = [&cliques()[..12], &[clique(&[0, 1, 4])]].concat();
    for (clique, values) in &answers(&measured, &rules(), 5) {
        fitter.add(clique.clone(), values.clone(), SIGMA * SIGMA).unwrap();
    }
    fitter.refit().unwrap();
    let mut widest = 0;
    assert!(fitter.parts.len() > 1);
    for seed in 0..4 {
        let rows = fitter.drawn(20_000, seed).unwrap();
        assert!(rows.len() == SIZES.len() && rows.iter().all(|column| column.len() == 20_000));
        for part in &fitter.parts {
            let cliques = part.model.tree().cliques();
            for (node, above) in part.model.tree().rooted() {
                let shared = above.map_or(clique(&[]), |above| cliques[node].intersection(&cliques[above]));
                widest = widest.max(shared.len());
                let says = part.model.clique_marginal(node).unwrap();
                let given = counted(&rows, &domain, &shared).multiply(&says).unwrap();
                let sums = says.sum_onto(&shared);
                let inverse = sums.values().iter().map(|&value| if value > 0.0 { 1.0 / value } else { 0.0 });
                let inverse = Factor::new(&domain, &shared, inverse.collect()).unwrap();
                let given = given.multiply(&inverse).unwrap();
                let held = counted(&rows, &domain, &cliques[node]);
                for ((held, given), says) in held.values().iter().zip(given.values()).zip(says.values()) {
                    assert!((held - given).abs() < 1.0 + 1e-6, "{:?}: {held} and not {given}", cliques[node]);
                    assert!(*says > 0.0 || *held == 0.0);
                }
            }
        }
        let again = counted(&fitter.drawn(20_000, seed + 10).unwrap(), &domain, &clique(&[1, 4]));
        assert_ne!(again.values(), counted(&rows, &domain, &clique(&[1, 4])).values(), "another seed, other rows");
    }
    assert_eq!(widest, 2, "two parents");
    assert_eq!(fitter.drawn(70_000, 1).unwrap()[3].len(), 70_000);
    // Attributes that come later, of which parts that stay as they were know nothing.
    let wider = Domain::new([&SIZES[..], &[5, 2]].concat());
    let rows = fitter.widened(&wider, &rules()).unwrap().drawn(1_000, 1).unwrap();
    assert!(rows.len() == wider.len() && rows.iter().all(|column| column.len() == 1_000));
    assert!((0..5).all(|code| rows[7].iter().filter(|&&one| one == code).count() == 200));
}
