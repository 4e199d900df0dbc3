//! Every way of inference against brute force over all rows.

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::Calibrated;
use super::engine::Engine;
use super::schedule::{Above, Field};
use crate::pgm::factor::tests::noise;
use crate::pgm::factor::{Factor, LogFactor};
use crate::pgm::tree::JunctionTree;

struct Shape {
    name: &'static str,
    sizes: Vec<u32>,
    cliques: Vec<Vec<u32>>,
    rules: Vec<ImpossibleRule>,
}

fn rule(parts: &[(u32, &[u32])]) -> ImpossibleRule {
    ImpossibleRule { parts: parts.iter().map(|&(attribute, codes)| (AttrId(attribute), codes.to_vec())).collect() }
}

pub(crate) fn clique(members: &[u32]) -> Clique {
    Clique::new(members.iter().copied().map(AttrId))
}

#[rustfmt::skip]
fn shapes() -> Vec<Shape> {
    let shape = |name, sizes: &[u32], cliques: &[&[u32]], rules: &[ImpossibleRule]| Shape {
        name,
        sizes: sizes.to_vec(),
        cliques: cliques.iter().map(|clique| clique.to_vec()).collect(),
        rules: rules.to_vec(),
    };
    vec![
        shape("nothing", &[], &[], &[]),
        shape("one column", &[5], &[&[0]], &[]),
        shape("one column, no potential", &[5], &[], &[]),
        shape("one code", &[1], &[&[0]], &[]),
        shape("independent", &[2, 3, 4], &[&[0], &[1], &[2]], &[]),
        shape("chain", &[2, 3, 4, 3, 2], &[&[0, 1], &[1, 2], &[2, 3], &[3, 4]], &[]),
        shape("chain of triples", &[2, 3, 2, 3, 2], &[&[0, 1, 2], &[1, 2, 3], &[2, 3, 4]], &[]),
        shape("star", &[3, 2, 4, 2, 3], &[&[0, 1], &[0, 2], &[0, 3], &[0, 4]], &[]),
        shape("loop of three", &[3, 2, 4], &[&[0, 1], &[1, 2], &[0, 2]], &[]),
        shape("loop of four", &[3, 2, 4, 2], &[&[0, 1], &[1, 2], &[2, 3], &[0, 3]], &[]),
        shape("loop of five", &[3, 2, 4, 2, 3], &[&[0, 1], &[1, 2], &[2, 3], &[3, 4], &[0, 4]], &[]),
        shape("full clique", &[3, 2, 4, 2], &[&[0, 1, 2, 3]], &[]),
        shape("disconnected", &[3, 2, 4, 2, 3], &[&[0, 1], &[2, 3]], &[]),
        shape("repeated and nested", &[3, 2, 4], &[&[0, 1], &[0, 1], &[1], &[0, 1, 2], &[2, 1], &[]], &[]),
        shape("single codes among others", &[1, 3, 1, 4], &[&[0, 1], &[1, 2], &[2, 3]], &[]),
        shape("chain with zeros", &[2, 3, 4, 3], &[&[0, 1], &[1, 2], &[2, 3]],
            &[rule(&[(0, &[1]), (1, &[0, 2])]), rule(&[(1, &[1]), (2, &[0, 1, 3])])]),
        shape("zeros across the chain", &[2, 3, 4, 3], &[&[0, 1], &[1, 2], &[2, 3]], &[rule(&[(0, &[0]), (3, &[1, 2])])]),
        shape("a code that cannot be", &[2, 3, 4], &[&[0, 1]], &[rule(&[(2, &[1, 2])]), rule(&[(1, &[0])])]),
        shape("two rules on the same columns", &[3, 3], &[], &[rule(&[(0, &[0]), (1, &[0])]), rule(&[(0, &[2]), (1, &[1, 2])])]),
    ]
}

fn random_potentials(shape: &Shape, spread: f64, seed: u64) -> (Domain, Vec<LogFactor>) {
    let domain = Domain::new(shape.sizes.clone());
    let mut next = noise(seed);
    let potentials = shape.cliques.iter().map(|members| {
        let clique = clique(members);
        let cells = domain.cells(&clique).unwrap();
        LogFactor::new(&domain, &clique, (0..cells).map(|_| spread * (next() - 0.5)).collect()).unwrap()
    });
    (domain.clone(), potentials.collect())
}

/// The log partition, the best log weight, and all rows with their probabilities.
fn brute(domain: &Domain, potentials: &[LogFactor], rules: &[ImpossibleRule]) -> (f64, f64, Vec<(Vec<u32>, f64)>) {
    let count: u64 = domain.sizes().iter().map(|&size| u64::from(size)).product();
    let mut rows = Vec::new();
    for index in 0..count {
        let (mut rest, mut row) = (index, vec![0; domain.len()]);
        for attribute in (0..domain.len()).rev() {
            row[attribute] = (rest % u64::from(domain.sizes()[attribute])) as u32;
            rest /= u64::from(domain.sizes()[attribute]);
        }
        let weight: f64 =
            potentials.iter().map(|potential| potential.values()[cell(domain, &potential.clique(), &row)]).sum();
        let impossible = rules.iter().any(|rule| rule.forbids(&row));
        rows.push((row, if impossible { f64::NEG_INFINITY } else { weight }));
    }
    let top = rows.iter().map(|row| row.1).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = rows.iter().map(|row| (row.1 - top).exp()).sum();
    rows.iter_mut().for_each(|row| row.1 = (row.1 - top).exp() / sum);
    (top + sum.ln(), top, rows)
}

fn cell(domain: &Domain, clique: &Clique, row: &[u32]) -> usize {
    clique.attributes().iter().fold(0, |cell, &a| cell * domain.size(a) as usize + row[a.index()] as usize)
}

fn brute_marginal(domain: &Domain, rows: &[(Vec<u32>, f64)], clique: &Clique) -> Vec<f64> {
    let mut cells = vec![0.0; domain.cells(clique).unwrap() as usize];
    rows.iter().for_each(|(row, p)| cells[cell(domain, clique, row)] += p);
    cells
}

fn all_cliques(domain: &Domain) -> Vec<Clique> {
    (0..1u32 << domain.len())
        .map(|bits| Clique::new(domain.attributes().filter(|attribute| bits >> attribute.0 & 1 == 1)))
        .collect()
}

fn assert_close(name: &str, one: &[f64], two: &[f64]) {
    assert_eq!(one.len(), two.len(), "{name}");
    for (a, b) in one.iter().zip(two) {
        assert!((a - b).abs() <= 1e-9, "{name}: {a} against {b}");
    }
}

/// All marginals, inside cliques and across them, one by one and together; the partition; the best
/// row; both spaces. Spreads of 200 and 4,000 underflow in linear space.
#[test]
fn every_way_agrees_with_brute_force() {
    let mut careful = 0;
    for shape in shapes() {
        for (round, spread) in [0.0, 2.0, 30.0, 200.0, 4000.0].into_iter().enumerate() {
            let (domain, potentials) = random_potentials(&shape, spread, round as u64 + 5);
            let (log, top, rows) = brute(&domain, &potentials, &shape.rules);
            let cliques: Vec<Clique> = potentials.iter().map(LogFactor::clique).collect();
            let tree = JunctionTree::new(&domain, &cliques, &shape.rules).unwrap();
            let model = Calibrated::new(&tree, &potentials).unwrap();
            careful += model.engine.careful;
            assert!((model.log_partition() - log).abs() <= 1e-9 * (1.0 + log.abs()), "{}", shape.name);
            let all = all_cliques(&domain);
            let answers = model.marginals(&all).unwrap();
            for (clique, answer) in all.iter().zip(&answers) {
                assert_eq!(answer.clique(), *clique);
                assert_close(shape.name, answer.values(), &brute_marginal(&domain, &rows, clique));
                assert_close(shape.name, model.marginal(clique).unwrap().values(), answer.values());
            }
            for (node, clique) in tree.cliques().iter().enumerate() {
                let exact = brute_marginal(&domain, &rows, clique);
                assert_close(shape.name, model.clique_marginal(node).unwrap().values(), &exact);
            }
            let mut again = model.clone();
            assert!((again.engine.best(&model.fields, &[]) - top).abs() <= 1e-9 * (1.0 + top.abs()), "{}", shape.name);
            assert!((again.engine.calibrate_carefully(&model.fields).unwrap() - log).abs() <= 1e-9 * (1.0 + log.abs()));
            for (state, exact) in again.engine.states.iter().zip(&model.engine.states) {
                assert_close(shape.name, &state.table, &exact.table);
            }
        }
    }
    assert!(careful > 0, "no instance was hard enough to need log space");
}

/// A table that was measured in many ways: its fields go through field groups, with scales and with
/// fields inside fields.
#[test]
fn fields_that_go_through_field_groups_agree_with_brute_force() {
    let mut cliques: Vec<Vec<u32>> = (0..10).flat_map(|a| (a + 1..10).map(move |b| vec![a, b])).collect();
    cliques.extend([vec![3], vec![1, 4, 7], vec![0, 10], vec![2, 3, 5], vec![10]]);
    let sizes = [vec![2; 8], vec![3, 2, 3]].concat();
    let shape = Shape { name: "field_groups", sizes, cliques, rules: vec![rule(&[(1, &[0]), (8, &[2])])] };
    let (domain, potentials) = random_potentials(&shape, 3.0, 9);
    let cliques: Vec<Clique> = potentials.iter().map(LogFactor::clique).collect();
    let tree = JunctionTree::new(&domain, &cliques, &shape.rules).unwrap();
    let model = Calibrated::new(&tree, &potentials).unwrap();
    let mut engine = model.engine.clone();
    let schedule = engine.schedule.clone();
    let through = |field: &Field| matches!(field.above, Above::FieldGroup(..));
    assert!(schedule.field_groups.len() > 2 && schedule.fields.iter().filter(|field| through(field)).count() > 20);
    let inside = |field: &Field| matches!(field.above, Above::Field(larger, _) if through(&schedule.fields[larger]));
    assert!(schedule.fields.iter().any(inside));
    let scales: Vec<f64> = (0..schedule.fields.len()).map(|number| 0.5 + 0.1 * (number % 7) as f64).collect();
    let log = engine.calibrate(&model.fields, &scales).unwrap();
    let scaled: Vec<LogFactor> = potentials
        .iter()
        .map(|potential| {
            let number = schedule.fields.iter().position(|field| field.clique == potential.clique()).unwrap();
            let values = potential.values().iter().map(|value| scales[number] * value).collect();
            LogFactor::new(&domain, &potential.clique(), values).unwrap()
        })
        .collect();
    let (exact, top, rows) = brute(&domain, &scaled, &shape.rules);
    assert!((log - exact).abs() < 1e-9 * (1.0 + exact.abs()));
    for (number, field) in schedule.fields.iter().enumerate() {
        let table = model.canonical(&field.clique, engine.marginal(number));
        assert_close("field_groups", &table.values, &brute_marginal(&domain, &rows, &field.clique));
    }
    assert!((engine.best(&model.fields, &scales) - top).abs() < 1e-9 * (1.0 + top.abs()));
}

/// Two ends of a chain that contradict each other by e^-2000, so that all of linear space is 0.
#[test]
fn contradictions_do_not_underflow() {
    let domain = Domain::new(vec![2, 2, 2]);
    let far = |members: &[u32], values: [f64; 4]| LogFactor::new(&domain, &clique(members), values.to_vec()).unwrap();
    let potentials = [far(&[0, 1], [0.0, -1500.0, 1.0, -1501.0]), far(&[1, 2], [-2000.0, -2001.0, 0.0, 1.0])];
    let tree = JunctionTree::new(&domain, &[clique(&[0, 1]), clique(&[1, 2])], &[]).unwrap();
    let model = Calibrated::new(&tree, &potentials).unwrap();
    let (log, _, rows) = brute(&domain, &potentials, &[]);
    assert!((model.log_partition() - log).abs() < 1e-9);
    let all = Clique::new(domain.attributes());
    assert_close("contradiction", model.marginal(&all).unwrap().values(), &brute_marginal(&domain, &rows, &all));
}

/// What one message loses to underflow, later tables may need: every number on the way is finite
/// and positive, and the result would be wrong. Only the bound on what was lost tells.
#[test]
fn losses_on_the_way_are_noticed() {
    let domain = Domain::new(vec![2, 2, 2, 8]);
    let cliques = [clique(&[0, 1]), clique(&[1, 2]), clique(&[2, 3])];
    let no = -10_000.0;
    let mut last = vec![-500.0; 8];
    last.extend([0.0; 8]);
    let values = [vec![0.0, -720.0, 0.0, -720.0], vec![-400.0, no, no, 0.0], last];
    let potentials: Vec<LogFactor> =
        cliques.iter().zip(values).map(|(c, values)| LogFactor::new(&domain, c, values).unwrap()).collect();
    let model = Calibrated::new(&JunctionTree::new(&domain, &cliques, &[]).unwrap(), &potentials).unwrap();
    assert_eq!(model.engine.careful, 1);
    let (_, _, rows) = brute(&domain, &potentials, &[]);
    for clique in all_cliques(&domain) {
        let exact = brute_marginal(&domain, &rows, &clique);
        assert_close("losses", model.marginal(&clique).unwrap().values(), &exact);
    }
}

#[test]
fn rules_that_leave_nothing_are_refused() {
    let domain = Domain::new(vec![2, 2]);
    let rules = [rule(&[(0, &[0])]), rule(&[(0, &[1]), (1, &[0])]), rule(&[(0, &[1]), (1, &[1])])];
    assert!(Calibrated::new(&JunctionTree::new(&domain, &[], &rules).unwrap(), &[]).is_err());
    assert!(Calibrated::new(&JunctionTree::new(&domain, &[], &rules[..2]).unwrap(), &[]).is_ok());
}

#[test]
fn potentials_must_fit_the_tree() {
    let domain = Domain::new(vec![2, 2, 2]);
    let tree = JunctionTree::new(&domain, &[clique(&[0, 1])], &[]).unwrap();
    let zeros = |members: &[u32]| LogFactor::new(&domain, &clique(members), vec![0.0; 4]).unwrap();
    let wrong = zeros(&[1, 2]);
    assert!(Calibrated::new(&tree, std::slice::from_ref(&wrong)).is_err());
    let right = zeros(&[0, 1]);
    assert!(Calibrated::new(&tree, &[right.clone(), wrong]).is_err());
    let model = Calibrated::new(&tree, std::slice::from_ref(&right)).unwrap();
    assert!(model.marginal(&clique(&[3])).is_err());
    assert!(model.clique_marginal(9).is_err());
    let huge = Domain::new(vec![1 << 16; 3]);
    let tree = JunctionTree::new(&huge, &[clique(&[0, 1])], &[]).unwrap();
    assert!(Calibrated::new(&tree, &[]).is_err());
    let apart = Calibrated::new(&JunctionTree::new(&huge, &[], &[]).unwrap(), &[]).unwrap();
    assert!(apart.marginal(&clique(&[0, 1])).is_err());
}

/// A model can be stored as its clique marginals and made from them again.
#[test]
fn marginals_make_the_model_again() {
    for shape in shapes() {
        let (domain, potentials) = random_potentials(&shape, 3.0, 77);
        let cliques: Vec<Clique> = potentials.iter().map(LogFactor::clique).collect();
        let tree = JunctionTree::new(&domain, &cliques, &shape.rules).unwrap();
        let model = Calibrated::new(&tree, &potentials).unwrap();
        let marginals: Vec<Factor> =
            (0..tree.cliques().len()).map(|node| model.clique_marginal(node).unwrap()).collect();
        let again = Calibrated::from_marginals(&tree, &marginals).unwrap();
        let all = Clique::new(domain.attributes());
        assert_close(shape.name, again.marginal(&all).unwrap().values(), model.marginal(&all).unwrap().values());
    }
}

/// The potentials come out as they went in.
#[test]
fn potentials_are_kept() {
    let shape = shapes().swap_remove(10);
    let (domain, potentials) = random_potentials(&shape, 3.0, 1);
    let tree = JunctionTree::new(&domain, &potentials.iter().map(LogFactor::clique).collect::<Vec<_>>(), &[]).unwrap();
    let kept = Calibrated::new(&tree, &potentials).unwrap().potentials();
    assert_eq!(kept.len(), potentials.len());
    assert!(potentials.iter().all(|potential| kept.contains(potential)));
}

/// A tree with cliques that are split among tasks: the same bits on one thread and on four, and the
/// sums are right.
#[test]
fn threads_do_not_change_a_bit() {
    let domain = Domain::new(vec![60, 50, 70, 40, 30]);
    let cliques = [clique(&[0, 1, 2]), clique(&[1, 2, 3]), clique(&[2, 3, 4]), clique(&[0])];
    let mut next = noise(4);
    let tree = JunctionTree::new(&domain, &cliques, &[]).unwrap();
    let potentials: Vec<LogFactor> = cliques
        .iter()
        .map(|c| LogFactor::new(&domain, c, (0..domain.cells(c).unwrap()).map(|_| 4.0 * next()).collect()).unwrap())
        .collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Calibrated::new(&tree, &potentials).unwrap())
    };
    let (one, four) = (with(1), with(4));
    assert!(one.engine.schedule.nodes.iter().any(|node| node.chunks() > 1));
    for (a, b) in one.engine.states.iter().zip(&four.engine.states) {
        assert_eq!(a.table, b.table);
    }
    // Checked against plain factor algebra: the joint of the middle clique.
    let factors: Vec<Factor> = potentials
        .iter()
        .map(|one| Factor::new(&domain, &one.clique(), one.values().iter().map(|log| log.exp()).collect()).unwrap())
        .collect();
    let left = factors[0].multiply(&factors[3]).unwrap().sum_onto(&clique(&[1, 2]));
    let right = factors[2].sum_onto(&clique(&[2, 3]));
    let joint = factors[1].multiply(&left).unwrap().multiply(&right).unwrap();
    assert!((joint.total().ln() - one.log_partition()).abs() < 1e-9);
    let exact: Vec<f64> = joint.values().iter().map(|cell| cell / joint.total()).collect();
    assert_close("large", one.marginal(&cliques[1]).unwrap().values(), &exact);
    let ends = one.marginal(&clique(&[0, 4])).unwrap();
    assert_close("ends", ends.sum_onto(&clique(&[0])).values(), one.marginal(&clique(&[0])).unwrap().values());
}

/// The buffers of a pass stay within three times the tree's cells, fields and their sums apart.
#[test]
fn buffers_stay_small() {
    let mut next = noise(21);
    for _ in 0..100 {
        let domain = Domain::new((0..12).map(|_| 2 + (next() * 30.0) as u32).collect());
        let cliques: Vec<Clique> =
            (0..8).map(|_| Clique::new((0..3).map(|_| AttrId((next() * 11.99) as u32)))).collect();
        let tree = JunctionTree::new(&domain, &cliques, &[]).unwrap();
        if tree.cells() > 2_000_000 {
            continue;
        }
        let mut distinct = cliques.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let engine = Engine::new(std::sync::Arc::new(tree.clone()), &distinct).unwrap();
        let sums: usize = engine.schedule.nodes.iter().flat_map(|node| &node.sums).map(|(plan, _)| plan.small()).sum();
        let buffers: usize = engine
            .states
            .iter()
            .map(|s| s.table.len() + s.up.len() + s.down.len() + s.parts.iter().map(Vec::len).sum::<usize>())
            .sum();
        assert!((buffers - sums) as u64 <= 3 * tree.cells(), "{buffers} for {} cells", tree.cells());
    }
}

#[test]
fn a_cell_that_is_all_but_empty_gives_numbers() {
    // The middle column's second code has a probability down to e^-711: too small for its inverse
    // to be a number. Most cells with it are empty, so that the answer would hold infinity times 0.
    let domain = Domain::new(vec![20, 2, 20]);
    let tree = JunctionTree::new(&domain, &[clique(&[0, 1]), clique(&[1, 2])], &[]).unwrap();
    for depth in [690.0, 700.0, 706.0, 707.0, 708.0, 710.0, 740.0] {
        let cell = |cell| match cell {
            1 => -depth,
            _ if cell % 2 == 1 => f64::NEG_INFINITY,
            _ => 0.0,
        };
        let front = (0..40).map(cell).collect();
        let front = LogFactor::new(&domain, &clique(&[0, 1]), front).unwrap();
        let back = (0..40).map(|cell| if cell == 39 { f64::NEG_INFINITY } else { 0.0 }).collect();
        let back = LogFactor::new(&domain, &clique(&[1, 2]), back).unwrap();
        let model = Calibrated::new(&tree, &[front, back]).unwrap();
        for asked in [&[0, 2][..], &[0, 1, 2]] {
            let answer = model.marginal(&clique(asked)).unwrap();
            assert!(
                answer.values().iter().all(|&value| (0.0..=1.0).contains(&value)),
                "{depth}: {:?}",
                answer.values()
            );
            assert!((answer.total() - 1.0).abs() < 1e-12, "{depth}: {:?}", answer.values());
        }
    }
}
