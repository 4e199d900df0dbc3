//! `aim`: what it chooses, and for which workload.

use lookalike_model::Model;
use lookalike_privacy::{Relation, Step};
use lookalike_schema::{AttrId, Clique};

use crate::tests::{Bench, Watch, bench, budget, chained, counts, fit, schema};
use crate::workload::{SpecTable, WorkloadSpec};
use crate::{Outcome, Request, build};

fn run(bench: &mut Bench, request: &Request) -> Model {
    let method = build("aim", &[]).unwrap();
    match method.run(&mut bench.curator, request, &Watch::default()).unwrap() {
        Outcome::Model(model) => model,
        Outcome::Rows(_) => panic!("a model was asked for"),
    }
}

fn sets(model: &Model) -> Vec<Clique> {
    let mut sets: Vec<Clique> =
        model.measured().iter().map(|coverage| coverage.clique.clone()).filter(|clique| clique.len() > 1).collect();
    sets.sort();
    sets.dedup();
    sets
}

/// Three columns whose third is the parity of the others: no pair shows it.
fn parity(rows: usize) -> Vec<Vec<u32>> {
    let mut columns = chained(&[2, 1, 2, 1, 2], rows);
    columns[2] = columns[0].iter().zip(&columns[4]).map(|(a, b)| a ^ b).collect();
    columns
}

#[test]
fn a_relation_of_three_columns_is_found() {
    let columns = parity(4000);
    let mut bench =
        bench(&schema(&[2, 1, 2, 1, 2], ""), 4000, columns.clone(), budget(1.0, 1e-6), Relation::AddRemove, 4);
    let model = fit("aim", &mut bench, &[]).unwrap();
    let triple = Clique::new([AttrId(0), AttrId(2), AttrId(4)]);
    assert!(sets(&model).contains(&triple), "{:?}", sets(&model));
    let truth = counts(&columns, &[2, 1, 2, 1, 2], &[0, 2, 4]);
    let found = model.marginal(&triple).unwrap();
    let distance: f64 = found.iter().zip(&truth).map(|(found, truth)| 0.5 * (found - truth / 4000.0).abs()).sum();
    assert!(distance < 0.02, "{distance}");
}

#[test]
fn only_the_workload_is_measured() {
    let sizes = [2, 3, 4, 2, 3];
    let open = || bench(&schema(&sizes, ""), 3000, chained(&sizes, 3000), budget(2.0, 1e-6), Relation::AddRemove, 6);
    let lines = |tables: &[&[&str]]| {
        let names = |table: &&[&str]| table.iter().map(|&name| name.to_owned()).collect();
        let table = |table: &&[&str]| SpecTable { line: 1, columns: names(table), weight: table.len() as f64 };
        WorkloadSpec::Tables { file: "w.txt".into(), tables: tables.iter().map(table).collect() }
    };
    let spec = lines(&[&["c0", "c3", "c4"], &["c1", "c2"]]);
    let model = run(&mut open(), &Request { workload: Some(spec), ..Request::default() });
    let pairs = [[0, 3], [0, 4], [3, 4], [1, 2]].map(|pair: [u32; 2]| Clique::new(pair.map(AttrId)));
    let triple = Clique::new([0, 3, 4].map(AttrId));
    assert!(!sets(&model).is_empty());
    assert!(sets(&model).iter().all(|set| pairs.contains(set) || *set == triple), "{:?}", sets(&model));
    let pairs = run(&mut open(), &Request { workload: WorkloadSpec::named("2-way"), ..Request::default() });
    assert!(sets(&pairs).iter().all(|set| set.len() == 2));
    // One-way tables alone: everything is spent on the columns.
    let ones = lines(&[&["c0"], &["c1"]]);
    let mut bench = open();
    let model = run(&mut bench, &Request { workload: Some(ones), ..Request::default() });
    assert!(sets(&model).is_empty());
    assert!(bench.curator.close().used().unwrap() > 1.9);
}

/// Relations of the same strength with and without the target: the target's come first.
#[test]
fn the_target_counts_more() {
    let pair = |seed: usize, rows: usize| -> Vec<u32> { (0..rows).map(|row| (row / seed % 2) as u32).collect() };
    let rows = 4096;
    // Columns 0, 1 are the same, and so are 2, 3, and 4, 5.
    let columns = vec![pair(1, rows), pair(1, rows), pair(2, rows), pair(2, rows), pair(4, rows), pair(4, rows)];
    for target in ["c0", "c3", "c5"] {
        let mut bench = bench(&schema(&[2; 6], ""), rows, columns.clone(), budget(1.0, 1e-6), Relation::AddRemove, 7);
        let request =
            Request { target: Some(target.into()), workload: WorkloadSpec::named("2-way"), ..Request::default() };
        let model = run(&mut bench, &request);
        let column: u32 = target[1..].parse().unwrap();
        let first = model.measured().iter().find(|coverage| coverage.clique.len() == 2).unwrap();
        assert!(first.clique.contains(AttrId(column)), "{target}: {:?}", first.clique);
    }
}

/// Noise only falls from round to round, and choices and measurements take turns.
#[test]
fn rounds_choose_and_measure_in_turn_with_ever_less_noise() {
    let sizes = [2, 3, 4, 2, 3];
    let mut bench = bench(&schema(&sizes, ""), 2000, chained(&sizes, 2000), budget(2.0, 1e-6), Relation::AddRemove, 9);
    fit("aim", &mut bench, &[]).unwrap();
    let ledger = bench.curator.close();
    let rounds = &ledger.charged()[5..];
    assert!(rounds.len() >= 6 && rounds.len().is_multiple_of(2), "{}", rounds.len());
    let mut last = 0.0;
    for pair in rounds.chunks(2) {
        assert!(matches!(pair[0].step, Step::Exponential { .. }) && matches!(pair[1].step, Step::Gaussian { .. }));
        let (choice, measurement) = (pair[0].step.rho(), pair[1].step.rho());
        assert!((measurement / choice - 9.0).abs() < 0.01, "{choice} {measurement}");
        // The last round may have a little less than the one before would have grown to.
        assert!(measurement > 0.99 * last);
        last = measurement;
    }
}

/// A hundred columns: candidates are cut before anything is looked at, and the model keeps within
/// its size.
#[test]
fn many_columns_and_little_memory() {
    let sizes = [3; 40];
    let columns = chained(&sizes, 300);
    let mut bench = bench(&schema(&sizes, ""), 300, columns, budget(4.0, 1e-6), Relation::AddRemove, 10);
    let method = build("aim", &[("candidates".into(), "60".into()), ("rounds".into(), "20".into())]).unwrap();
    let request = Request { memory: Some(1), ..Request::default() };
    let Ok(Outcome::Model(model)) = method.run(&mut bench.curator, &request, &Watch::default()) else { panic!() };
    assert!(bench.looks.lock().unwrap().iter().all(|&cliques| cliques <= 60));
    assert!(model.to_bytes().len() < 1 << 20);
}
