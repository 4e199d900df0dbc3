//! Graphs, candidates and first marginals against naive enumeration.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_model::{Halt, JunctionTree, SampleRng};
use lookalike_schema::{AttrId, Clique, Domain};

use lookalike_testkit::clique;

use super::super::graph::{self, Bounds};
use super::super::initial;
use super::super::params::First;
use super::super::scores::Scores;
use super::super::universe::{Universe, most_cells};

/// A number from the seed: -300 to 699.
fn dice(seed: u64) -> f64 {
    let mut rng = SampleRng::new(seed, "dice", 0);
    (rng.next_u64() % 1000) as f64 - 300.0
}

fn random_scores(columns: usize, seed: u64) -> Scores {
    let attribute = |index: usize| AttrId(index as u32);
    let pairs: Vec<Clique> =
        (0..columns).flat_map(|a| (a + 1..columns).map(move |b| Clique::new([attribute(a), attribute(b)]))).collect();
    let values: Vec<f64> = (0..pairs.len()).map(|place| dice(seed * 1000 + place as u64)).collect();
    Scores::of(columns, &pairs, values)
}

/// All subsets of the columns that lie in a clique and are small enough, from all 2^d subsets.
fn naive(domain: &Domain, cliques: &[Clique], cells: u64, width: usize) -> BTreeSet<Clique> {
    let columns = domain.len();
    let mut sets = BTreeSet::new();
    for bits in 1u32..1 << columns {
        let set = clique(&(0..columns as u32).filter(|place| bits >> place & 1 == 1).collect::<Vec<_>>());
        let useful = set.len() <= width && domain.cells(&set).unwrap() <= cells;
        if set.len() == 1 || (useful && cliques.iter().any(|clique| set.is_subset(clique))) {
            sets.insert(set);
        }
    }
    sets
}

fn shapes() -> Vec<(Domain, Vec<Clique>)> {
    vec![
        (Domain::new(vec![2; 9]), vec![clique(&[0, 1, 2, 3, 4, 5]), clique(&[3, 4, 5, 6, 7]), clique(&[7, 8])]),
        (Domain::new(vec![2, 3, 4, 5, 6, 7, 2]), vec![clique(&[0, 1, 2, 3]), clique(&[2, 3, 4, 5]), clique(&[6])]),
        (Domain::new(vec![1, 1, 40, 2, 900]), vec![clique(&[0, 1, 2, 3]), clique(&[1, 3, 4])]),
        (Domain::new(vec![3]), vec![clique(&[0])]),
    ]
}

#[test]
fn candidates_are_those_of_naive_enumeration() {
    for (domain, cliques) in shapes() {
        for cells in [0, 1, 2, 7, 16, 41, 165, 1 << 20] {
            for width in [2, 3, 64] {
                let universe = Universe::with_cells(&domain, cliques.clone(), cells, width);
                let sets = naive(&domain, &cliques, cells.max(1), width);
                let mut sample = universe.sample(400, &mut SampleRng::new(2, "all", 0), &mut |_| true);
                sample.extend(domain.attributes().map(Clique::single));
                assert_eq!(sample.into_iter().collect::<BTreeSet<_>>(), sets, "{domain:?} {cells} {width}");
                // The count is of each clique by itself, without single columns that are too wide.
                let useful = |set: &&Clique| set.len() <= width && domain.cells(set).unwrap() <= cells.max(1);
                let count = |clique: &Clique| {
                    let inside = sets.iter().filter(|set| set.is_subset(clique)).filter(useful);
                    inside.count() as f64
                };
                assert_eq!(universe.at_most(), cliques.iter().map(count).sum::<f64>(), "{domain:?} {cells} {width}");
            }
        }
    }
}

/// Theta-usefulness: n / cells >= theta g.
#[test]
fn usefulness_is_the_papers_inequality() {
    let domain = Domain::new(vec![2; 8]);
    let whole = clique(&[0, 1, 2, 3, 4, 5, 6, 7]);
    for (rows, theta, noise) in [(1000.0, 6.0, 10.0), (100.0, 4.0, 0.5), (7.0, 1.0, 3.5), (1.0, 6.0, 1000.0)] {
        let universe = Universe::with_cells(&domain, vec![whole.clone()], most_cells(rows, theta, noise), 64);
        for size in 2..=8u32 {
            let set = clique(&(0..size).collect::<Vec<_>>());
            assert_eq!(universe.is_useful(&set), rows / f64::from(1 << size) >= theta * noise, "{rows} {size}");
        }
        assert!(universe.is_useful(&clique(&[3])));
    }
}

/// Every set is drawn, none that is not there, and each about as often as the others. With 20,000
/// draws over 183 sets of two columns or more (109 expected each) a set outside 60 to 180 has a
/// chance below 4e-6, for all of them together below 1e-3; the seed is fixed, so the test does not
/// flicker.
#[test]
fn samples_are_fair() {
    let (domain, _) = shapes().remove(0);
    // Two cliques that share many sets: without the rule of the first clique these would come twice
    // as often.
    let cliques = vec![clique(&[0, 1, 2, 3, 4, 5, 6]), clique(&[1, 2, 3, 4, 5, 6, 7]), clique(&[8])];
    let universe = Universe::with_cells(&domain, cliques.clone(), 1 << 20, 64);
    let sets: BTreeSet<Clique> =
        naive(&domain, &cliques, 1 << 20, 64).into_iter().filter(|set| set.len() > 1).collect();
    assert_eq!(sets.len(), 183);
    let mut times: BTreeMap<Clique, u32> = BTreeMap::new();
    let mut rng = SampleRng::new(3, "fair", 0);
    let mut drawn = 0;
    while drawn < 20_000 {
        let Some(set) = universe.draw(&mut rng).filter(|set| set.len() > 1) else { continue };
        drawn += 1;
        *times.entry(set).or_default() += 1;
    }
    assert_eq!(times.keys().cloned().collect::<BTreeSet<_>>(), sets);
    assert!(times.values().all(|&times| (60..=180).contains(&times)), "{:?}", times.values().collect::<Vec<_>>());
}

#[test]
fn samples_are_different_wanted_and_no_more_than_asked() {
    let domain = Domain::new(vec![2; 23]);
    let universe = Universe::with_cells(&domain, vec![clique(&(0..23).collect::<Vec<_>>())], 256, 64);
    let mut rng = SampleRng::new(1, "many", 0);
    let sample = universe.sample(400, &mut rng, &mut |set| !set.contains(AttrId(7)));
    assert_eq!(sample.len(), 400);
    assert_eq!(sample.iter().collect::<BTreeSet<_>>().len(), 400);
    assert!(sample.iter().all(|set| set.len() > 1 && set.len() <= 8 && !set.contains(AttrId(7))));
    assert!(universe.sample(10, &mut rng, &mut |_| false).is_empty(), "nothing is wanted, and the search ends");
    // A small universe is given whole.
    let small = Universe::with_cells(&Domain::new(vec![2; 4]), vec![clique(&[0, 1, 2, 3])], 8, 64);
    assert_eq!(small.sample(400, &mut rng, &mut |_| true).len(), 6 + 4);
}

/// Equation 8 written out, and the choice against the best of all sets.
#[test]
fn the_first_marginals_are_the_best_of_all_sets() {
    let direct = |column: AttrId, set: &Clique, scores: &Scores, first: First| {
        let others: Vec<AttrId> = set.attributes().iter().copied().filter(|&other| other != column).collect();
        let to: f64 = others.iter().map(|&other| scores.get(column, other)).sum();
        let pairs = others.iter().enumerate().flat_map(|(place, &b)| others[place + 1..].iter().map(move |&c| (b, c)));
        let among: f64 = pairs.map(|(b, c)| scores.get(b, c)).sum();
        match first {
            First::Rho => to / (set.len() as f64 + among).max(1.0).sqrt(),
            // As printed: for every other column, all others but this one.
            First::RhoPrinted => {
                let but = |b: AttrId| others.iter().filter(move |&&c| c != b).map(move |&c| scores.get(b, c));
                let among: f64 = others.iter().flat_map(|&b| but(b)).sum();
                to / (set.len() as f64 + among).max(1.0).sqrt()
            }
            First::Sum => to,
        }
    };
    for (shape, (domain, cliques)) in shapes().into_iter().enumerate() {
        for seed in 0..20 {
            let scores = random_scores(domain.len(), seed + 100 * shape as u64);
            for (cells, first) in [(16, First::Rho), (165, First::Rho), (165, First::RhoPrinted), (165, First::Sum)] {
                let universe = Universe::with_cells(&domain, cliques.clone(), cells, 64);
                let mut left = naive(&domain, &cliques, cells, 64);
                let chosen = initial::choose(&universe, &scores, first, &Halt::never()).unwrap();
                assert_eq!(chosen.len(), domain.len());
                for (set, column) in chosen.iter().zip(domain.attributes()) {
                    assert!(set.contains(column) && left.contains(set));
                    let value = |set: &Clique| direct(column, set, &scores, first);
                    let best = left.iter().filter(|set| set.contains(column)).map(value).fold(f64::MIN, f64::max);
                    assert!((value(set) - best).abs() < 1e-9, "{set:?}: {} instead of {best}", value(set));
                    if first != First::Sum {
                        assert!((initial::rho(column, set, &scores, first) - value(set)).abs() < 1e-9);
                    }
                    left.remove(set);
                }
            }
        }
    }
}

/// In the paper's table 2 the third column hangs on the first: R is 3.3333 against 1.3333 and
/// 0.2222.
#[test]
fn rho_of_the_papers_table() {
    let pairs = [clique(&[0, 1]), clique(&[0, 2]), clique(&[1, 2])];
    let scores = Scores::of(3, &pairs, [0.2222, 3.3333, 1.3333]);
    let rho = |column: u32, set: &[u32]| initial::rho(AttrId(column), &clique(set), &scores, First::Rho);
    assert!((rho(0, &[0, 2]) - 3.3333 / 2f64.sqrt()).abs() < 1e-9);
    assert!((rho(0, &[0, 1, 2]) - 3.5555 / (3.0 + 1.3333f64).sqrt()).abs() < 1e-9);
    assert_eq!(rho(0, &[0]), 0.0);
    let printed = initial::rho(AttrId(0), &clique(&[0, 1, 2]), &scores, First::RhoPrinted);
    assert!((printed - 3.5555 / (3.0 + 2.0 * 1.3333f64).sqrt()).abs() < 1e-9);
    // A negative sum of pairs does not turn the root around.
    let noisy = Scores::of(3, &pairs, [5.0, 5.0, -100.0]);
    assert_eq!(initial::rho(AttrId(0), &clique(&[0, 1, 2]), &noisy, First::Rho), 10.0);
}

/// Pairs enter by score as long as every clique of a triangulation from scratch stays within
/// bounds, and what was left out would not have fitted.
#[test]
fn graphs_are_greedy_and_within_bounds() {
    for seed in 0..10 {
        let domain = Domain::new(vec![2, 3, 4, 2, 5, 3, 2, 4]);
        let scores = random_scores(8, 500 + seed);
        let bounds = Bounds { clique: 60, total: 100_000 };
        let cliques = graph::cliques(&domain, &[], &scores, bounds, &Halt::never()).unwrap();
        assert!(cliques.iter().all(|clique| domain.cells(clique).unwrap() <= bounds.clique));
        // By hand, with a new triangulation for every try.
        let largest = |pairs: &[Clique]| {
            let tree = JunctionTree::new(&domain, pairs, &[]).unwrap();
            tree.cliques().iter().map(|clique| domain.cells(clique).unwrap()).max().unwrap()
        };
        let mut inside: Vec<Clique> = Vec::new();
        for pair in scores.ranked() {
            inside.push(pair);
            if largest(&inside) > bounds.clique {
                inside.pop();
            }
        }
        // Triangulations are rules of thumb: growing by parts may refuse a pair that a fresh one
        // takes, rarely.
        let held = inside.iter().filter(|pair| cliques.iter().any(|clique| pair.is_subset(clique))).count();
        assert!(held * 10 >= inside.len() * 8, "{held} of {}", inside.len());
        // The best pair is always in.
        assert!(cliques.iter().any(|clique| scores.ranked()[0].is_subset(clique)));
    }
    let domain = Domain::new(vec![10; 5]);
    let none =
        graph::cliques(&domain, &[], &random_scores(5, 1), Bounds { clique: 10, total: 1000 }, &Halt::never()).unwrap();
    assert_eq!(none.len(), 5, "no pair fits");
    let all =
        graph::cliques(&domain, &[], &random_scores(5, 1), Bounds { clique: 100_000, total: 100_000 }, &Halt::never())
            .unwrap();
    assert_eq!(all, [clique(&[0, 1, 2, 3, 4])]);
}
