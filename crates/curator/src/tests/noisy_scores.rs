//! Noisy scores: one short charge for thousands, the charged noise on every one, the sensitivity in
//! the step.

use lookalike_privacy::noise::testing::{ALPHA, goodness_of_fit};
use lookalike_privacy::{
    Composition, Delta, MechanismKind, Neighbours, Plan, PlanItem, PrivacyError, Relation, ScoreKind, Step, accounting,
};
use lookalike_schema::AttrId;

use super::{Setting, add_remove, budget, clique, ratio, replace_one};
use crate::scores::GRID;
use crate::{CuratorError, Noise, Score, ScoreQuery};

fn pair(first: u32, second: u32, noise: Noise) -> ScoreQuery {
    ScoreQuery { score: Score::Dependence { child: AttrId(second), parents: clique(&[first]) }, noise }
}

fn every_pair(attributes: u32, noise: Noise) -> Vec<ScoreQuery> {
    (0..attributes).flat_map(|first| (first + 1..attributes).map(move |second| pair(first, second, noise))).collect()
}

/// 20 rows over binary columns.
fn wide(attributes: u32) -> Setting {
    let rows = (0..20u32).map(|row| (0..attributes).map(|a| (row >> (a % 5)) & 1).collect()).collect();
    Setting { sizes: vec![2; attributes as usize], rows, budget: budget(1e6, 1e-5), ..Setting::default() }
}

#[test]
fn every_pair_of_two_hundred_columns_is_one_short_record_and_one_pass() {
    let mut bench = wide(200).open();
    let records = bench.records();
    let queries = every_pair(200, Noise::Gaussian(ratio(1 << 40, 1)));
    let answers = bench.curator.noisy_scores(&queries).unwrap();
    assert_eq!(answers.len(), 19_900);
    assert_eq!((bench.records(), bench.looks()), (records + 1, 1));
    assert_eq!(bench.looks.lock().unwrap()[0].1, records + 1, "charged before the look");
    let record = bench.store.last();
    assert!(record.len() < 60_000, "{} bytes", record.len());
    assert!(record.contains("\"dependence R of c0 with each column after it\"") && record.contains("\"copies\":199"));
    assert!(record.contains("\"score\":\"R\"") && record.contains("\"shifts\":[8193]"));
    let ledger = bench.curator.close();
    assert_eq!(ledger.charged().len(), 19_900);
    assert_eq!(
        ledger.charged()[0].step,
        queries[0].step(add_remove(), &super::schema(&[2; 200]).domain().clone(), 0).unwrap()
    );
}

#[test]
fn labels_name_every_score() {
    let mut bench = wide(40).open();
    let noise = Noise::Gaussian(ratio(1 << 40, 1));
    let mut queries: Vec<ScoreQuery> = (1..20).map(|second| pair(0, second, noise)).collect();
    queries.push(pair(38, 39, noise));
    queries.push(ScoreQuery { score: Score::Dependence { child: AttrId(3), parents: clique(&[1, 7]) }, noise });
    let distance = Score::DistanceToModel { clique: clique(&[5]), expected: vec![1.0, 2.0].into() };
    queries.push(ScoreQuery { score: distance, noise });
    bench.curator.noisy_scores(&queries).unwrap();
    let ledger = bench.curator.close();
    let mut labels: Vec<&str> = ledger.charged().iter().map(|charged| charged.label.as_str()).collect();
    labels.dedup();
    let named: Vec<String> = (1..=16).map(|second| format!("c{second}")).collect();
    assert_eq!(
        labels,
        [
            format!("dependence R of c0 with {}", named.join(", ")).as_str(),
            "dependence R of c0 with c17, c18, c19",
            "dependence R of c38 with c39",
            "dependence R of c3 given c1, c7",
            "L1 distance to the model of c5",
        ]
    );
}

/// Two chi-square tests with false-alarm rate 1e-6 each; seeded. Halved noise is caught.
#[test]
fn every_score_gets_the_charged_noise() {
    // Equal columns, 10 rows of each value: R = 10.
    let rows: Vec<Vec<u32>> = (0..20).map(|row| vec![row % 2, row % 2]).collect();
    let setting =
        |delta| Setting { sizes: vec![2, 2], rows: rows.clone(), budget: budget(1e12, delta), ..Setting::default() };
    let added = |noise: Noise, delta: f64| {
        let answers = setting(delta).open().curator.noisy_scores(&vec![pair(0, 1, noise); 50_000]).unwrap();
        answers.into_iter().map(|answer| answer.value - 10 * 4096).collect::<Vec<i64>>()
    };
    let draws = added(Noise::Laplace(ratio(5, 2)), 0.0);
    let laplace = |scale: f64| {
        let ratio = (-1.0 / scale).exp();
        move |x: i64| (1.0 - ratio) / (1.0 + ratio) * ratio.powi(x.abs() as i32)
    };
    assert!(goodness_of_fit(&draws, -20..=20, laplace(2.5)) > ALPHA);
    assert!(goodness_of_fit(&draws, -20..=20, laplace(5.0)) < ALPHA, "control");
    let draws = added(Noise::Gaussian(ratio(20, 1)), 1e-9);
    let gaussian = |sigma_squared: f64| {
        let weight = move |x: i64| (-((x * x) as f64) / (2.0 * sigma_squared)).exp();
        let total: f64 = (-200..=200).map(weight).sum();
        move |x: i64| weight(x) / total
    };
    assert!(goodness_of_fit(&draws, -15..=15, gaussian(20.0)) > ALPHA);
    assert!(goodness_of_fit(&draws, -15..=15, gaussian(80.0)) < ALPHA, "control");
}

#[test]
fn answers_are_in_rows_whatever_the_grid() {
    let rows: Vec<Vec<u32>> = (0..2000).map(|row| vec![row % 2, row % 2]).collect();
    let mut bench = Setting { sizes: vec![2, 2], rows, budget: budget(1e9, 1e-5), ..Setting::default() }.open();
    // Sigma of 1 row.
    let answers = bench.curator.noisy_scores(&[pair(0, 1, Noise::Gaussian(ratio(1 << 24, 1)))]).unwrap();
    assert!((answers[0].rows() - 1000.0).abs() < 6.0, "{}", answers[0].rows());
    assert!((answers[0].variance() - 1.0).abs() < 1e-12);
    const { assert!(GRID == 1 << 16) };
}

/// A plan whose scores were priced for another n than the table's is no plan for these scores.
#[test]
fn under_replace_one_the_sensitivity_follows_the_true_public_n() {
    let plan = |rows: u64| Plan {
        items: vec![PlanItem {
            label: "scores".into(),
            kind: MechanismKind::Gaussian,
            sensitivity: replace_one().score(ScoreKind::Dependence, rows).unwrap(),
            share: 1.0,
            copies: 1,
        }],
    };
    let noise = |step: &Step| match step {
        Step::Gaussian { sigma_squared, .. } => Noise::Gaussian(*sigma_squared),
        other => panic!("{other:?}"),
    };
    for (planned, allowed) in [(20, true), (1_000_000, false)] {
        let mut bench = Setting { neighbours: replace_one(), ..wide(3) }.bench();
        let calibrated = bench.curator.commit(&plan(planned)).unwrap();
        let query = pair(0, 1, noise(&calibrated.steps()[0].step));
        let answer = bench.curator.noisy_scores(&[query]);
        assert_eq!(answer.is_ok(), allowed, "{answer:?}");
        // The public n is looked at, and nothing else.
        let looked = bench.looks.lock().unwrap().iter().flat_map(|look| look.0.clone()).collect::<Vec<_>>();
        assert_eq!(looked, if allowed { vec![clique(&[]), clique(&[0, 1])] } else { vec![clique(&[])] });
        if !allowed {
            assert!(matches!(answer, Err(CuratorError::Privacy(PrivacyError::Refused { .. }))));
        }
    }
}

#[test]
fn what_makes_no_sense_costs_nothing() {
    let mut bench = wide(3).open();
    let records = bench.records();
    let noise = Noise::Gaussian(ratio(100, 1));
    assert!(bench.curator.noisy_scores(&[pair(1, 1, noise)]).is_err());
    assert!(bench.curator.noisy_scores(&[pair(0, 1, noise), pair(0, 9, noise)]).is_err());
    assert!(bench.curator.noisy_scores(&[]).unwrap().is_empty());
    bench.cancel.cancel();
    assert!(matches!(bench.curator.noisy_scores(&[pair(0, 1, noise)]), Err(CuratorError::Cancelled)));
    assert_eq!((bench.records(), bench.looks()), (records, 0));
    let mut pure = Setting { budget: budget(1e9, 0.0), ..wide(3) }.open();
    assert!(pure.curator.noisy_scores(&[pair(0, 1, noise)]).is_err(), "Gaussian noise needs a delta");
    assert!(pure.curator.noisy_scores(&[pair(0, 1, Noise::Laplace(ratio(1, 1)))]).is_ok());
    assert!(pure.curator.noisy_scores(&[pair(0, 1, Noise::Laplace(ratio(1, 1 << 40)))]).is_err(), "over the budget");
}

/// The exact loss of one noisy score: its two output distributions at the largest change, against
/// both claims.
#[test]
fn a_noisy_score_keeps_its_claim() {
    for neighbours in [add_remove(), Neighbours::new(Relation::AddRemove, 2).unwrap(), replace_one()] {
        let sensitivity = neighbours.score(ScoreKind::Dependence, 6).unwrap();
        let shift = sensitivity.l1() as i64;
        let sigma_squared = ratio((2 * shift * shift) as u64, 1);
        let step = Step::Gaussian { sigma_squared, sensitivity };
        let reach = 9 * shift;
        let weight = |x: i64| (-((x * x) as f64) / (2.0 * sigma_squared.to_f64())).exp();
        let total: f64 = (-2 * reach..=2 * reach).map(weight).sum();
        // Every change up to the sensitivity; a smaller one must not be worse.
        for change in [shift, shift - 1, shift / 2, 1] {
            let delta_at = |epsilon: f64| -> f64 {
                let factor = epsilon.exp();
                (-reach..=reach).map(|x| ((weight(x) - factor * weight(x + change)) / total).max(0.0)).sum()
            };
            for (composition, power) in [(Composition::Zcdp, 0.7), (Composition::Exact, 0.98)] {
                let delta = Delta::new(1e-5).unwrap();
                let claim = accounting::epsilon(std::slice::from_ref(&step), delta, composition).unwrap();
                assert!(delta_at(claim) <= 1e-5, "{neighbours:?} {composition:?}");
                assert!(change < shift || delta_at(power * claim) > 1e-5, "no power: {neighbours:?} {composition:?}");
            }
        }
    }
}
