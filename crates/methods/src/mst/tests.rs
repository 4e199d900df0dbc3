//! `mst`: the tree it chooses, and the plan.

use lookalike_privacy::{Relation, Step};
use lookalike_schema::{AttrId, Clique};

use crate::tests::{bench, budget, chained, counts, fit, schema};

/// L1 distance of a pair's counts from what independence would give.
fn strength(columns: &[Vec<u32>], sizes: &[u32], a: usize, b: usize) -> f64 {
    let rows = columns[0].len() as f64;
    let (joint, one, two) =
        (counts(columns, sizes, &[a, b]), counts(columns, sizes, &[a]), counts(columns, sizes, &[b]));
    let wide = sizes[b] as usize;
    let miss = |(cell, count): (usize, &f64)| (count - one[cell / wide] * two[cell % wide] / rows).abs();
    joint.iter().enumerate().map(miss).sum()
}

#[test]
fn with_next_to_no_noise_the_tree_is_the_maximum_spanning_tree() {
    let sizes = [2, 3, 4, 2, 5, 3, 2];
    let columns = chained(&sizes, 3000);
    let mut bench = bench(&schema(&sizes, ""), 3000, columns.clone(), budget(1e4, 1e-9), Relation::AddRemove, 1);
    let model = fit("mst", &mut bench, &[("merge-threshold", "0"), ("spread-power", "0")]).unwrap();
    let mut edges: Vec<(f64, usize, usize)> = (0..7)
        .flat_map(|a| (a + 1..7).map(move |b| (a, b)))
        .map(|(a, b)| (strength(&columns, &sizes, a, b), a, b))
        .collect();
    edges.sort_by(|one, two| two.0.total_cmp(&one.0));
    let mut part: Vec<usize> = (0..7).collect();
    let mut tree = Vec::new();
    for (_, a, b) in edges {
        if part[a] != part[b] {
            let (from, to) = (part[a], part[b]);
            part.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
            tree.push(Clique::new([AttrId(a as u32), AttrId(b as u32)]));
        }
    }
    let mut measured: Vec<Clique> =
        model.measured().iter().map(|coverage| coverage.clique.clone()).filter(|clique| clique.len() == 2).collect();
    tree.sort();
    measured.sort();
    assert_eq!(measured, tree);
}

/// Thirds of rho, and each pair counted once though it is chosen from many times.
#[test]
fn the_plan_is_fixed_and_in_thirds() {
    let sizes = [2, 3, 4, 2, 5];
    let mut bench = bench(&schema(&sizes, ""), 500, chained(&sizes, 500), budget(1.0, 1e-6), Relation::AddRemove, 1);
    // Every table that is paid for is counted, since none is kept for later.
    bench.curator.set_door_memory(0);
    fit("mst", &mut bench, &[]).unwrap();
    let looks: usize = bench.looks.lock().unwrap().iter().sum();
    assert_eq!(looks, 5 + 10 + 4);
    let ledger = bench.curator.close();
    let rho = |wanted: fn(&Step) -> bool| -> (usize, f64) {
        let steps = ledger.charged().iter().filter(|charged| wanted(&charged.step));
        steps.fold((0, 0.0), |(many, sum), charged| (many + 1, sum + charged.step.rho()))
    };
    let (choices, chosen) = rho(|step| matches!(step, Step::Exponential { .. }));
    let (marginals, measured) = rho(|step| matches!(step, Step::Gaussian { .. }));
    assert_eq!((choices, marginals), (4, 9));
    assert!((measured / chosen - 2.0).abs() < 1e-3, "{measured} and {chosen}");
}
