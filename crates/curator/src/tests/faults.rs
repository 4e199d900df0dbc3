//! Faults found in published synthesizers, as far as they concern the door: each is impossible
//! here, or caught.

use lookalike_privacy::{Ledger, NoiseRng, Step};

use super::{Looks, Records, Rows, Setting, add_remove, budget, gaussian, laplace, ratio, schema};
use crate::{Cancel, CountQuery, Curator, Noise};

/// "Categories, bounds, n, missing rates read from the data for free": whatever leaves the door
/// under add/remove is in the ledger with a cost above 0, and nothing is answered without a stage.
#[test]
fn nothing_is_free() {
    let mut bench = Setting::default().bench();
    assert!(bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(100, 1)) }).is_err());
    assert!(bench.curator.marginals(&[gaussian(&[], 100)]).is_err());
    assert_eq!(bench.looks(), 0);
    bench.curator.commit_filter().unwrap();
    bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(100, 1)) }).unwrap();
    bench.curator.marginals(&[gaussian(&[], 100), laplace(&[1], 50)]).unwrap();
    let ledger = bench.curator.close();
    assert_eq!(ledger.charged().len(), 3);
    assert!(ledger.charged().iter().all(|charged| charged.step.rho() > 0.0));
}

/// "Noise of scale 1/n too small": the noise on a table of a million equal rows is as wide as on an
/// empty one. Seeded; 4.9 standard errors.
#[test]
fn noise_does_not_shrink_with_n() {
    let spread = |rows: Vec<Vec<u32>>| {
        let exact = rows.len() as i64;
        let setting = Setting { sizes: vec![4_000], rows, budget: budget(1e6, 1e-5), ..Setting::default() };
        let mut answer = setting.open().curator.marginals(&[gaussian(&[0], 400)]).unwrap();
        let mut values = std::mem::take(&mut answer[0].values);
        values[7] -= exact;
        values.iter().map(|&value| (value * value) as f64).sum::<f64>() / 4_000.0
    };
    let error = 4.9 * 400.0 * (2.0f64 / 4_000.0).sqrt();
    assert!((spread(vec![]) - 400.0).abs() < error);
    assert!((spread(vec![vec![7]; 1_000_000]) - 400.0).abs() < error);
}

/// "Default seed 0 for the noise": two doors on the same rows never answer alike, and the noise has
/// no seed to set.
#[test]
fn two_runs_differ() {
    let answer = || {
        let (schema, store) = (schema(&[2, 3]), Records::default());
        let (rows, domain) = (vec![vec![0, 2]; 3], schema.domain().clone());
        let engine = Rows { rows, domain, sparse: false, looks: Looks::default(), store: store.clone() };
        let ledger = Ledger::open(Box::new(store), budget(1.0, 1e-5), add_remove()).unwrap();
        let noise = Box::new(NoiseRng::from_os().unwrap());
        let mut curator = Curator::new(schema, Box::new(engine), ledger, noise, Cancel::new());
        curator.commit_filter().unwrap();
        curator.marginals(&[gaussian(&[0, 1], 1_000_000)]).unwrap().remove(0).values
    };
    // Six equal cells by chance: below (1 / 2000)^6.
    assert_ne!(answer(), answer());
}

/// "Budget charged for one list, another list measured": the list that was counted is the list on
/// the record, and each answer carries the step that was charged for it.
#[test]
fn the_charged_list_is_the_measured_list() {
    let mut bench = Setting { sizes: vec![2, 3, 4], rows: vec![vec![1, 2, 3]], ..Setting::default() }.open();
    let batch = [gaussian(&[2, 0], 100), laplace(&[1], 30), gaussian(&[1, 2], 300)];
    let answers = bench.curator.marginals(&batch).unwrap();
    let looked = bench.looks.lock().unwrap()[0].0.clone();
    let ledger = bench.curator.close();
    let labels = ["marginal of c0, c2", "marginal of c1", "marginal of c1, c2"];
    for (place, answer) in answers.iter().enumerate() {
        assert_eq!(ledger.charged()[place].label, labels[place]);
        assert_eq!(ledger.charged()[place].step, answer.step);
        assert_eq!(looked[place], answer.clique);
    }
}

/// "Noisy n drawn with ten times the whole budget": the budget refuses it, and what was used can be
/// recomputed.
#[test]
fn the_row_count_is_inside_the_budget() {
    let mut bench = Setting { budget: budget(1.0, 0.0), ..Setting::default() }.open();
    assert!(bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(1, 10)) }).is_err());
    bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(100, 1)) }).unwrap();
    let ledger = bench.curator.close();
    assert!((ledger.used().unwrap() - 0.01).abs() < 1e-9);
    assert!(matches!(ledger.charged()[0].step, Step::Laplace { .. }));
}

/// "Exact distances, entropies or n printed in a log": no error of the door says anything that
/// depends on rows.
#[test]
fn errors_do_not_depend_on_rows() {
    let messages = |rows: Vec<Vec<u32>>| {
        let mut bench = Setting { rows, budget: budget(1.0, 0.0), ..Setting::default() }.open();
        let refused = [vec![laplace(&[0], 1), laplace(&[1], 1)], vec![gaussian(&[9], 1)], vec![gaussian(&[0], 1)]];
        refused.map(|batch| bench.curator.marginals(&batch).unwrap_err().to_string())
    };
    assert_eq!(messages(vec![]), messages(vec![vec![1, 2]; 5_000]));
}
