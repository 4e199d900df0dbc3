//! Trees of random graphs, grown and from scratch.

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use super::JunctionTree;
use super::graph::Heuristic;
use crate::pgm::factor::tests::noise;

fn clique(members: &[u32]) -> Clique {
    Clique::new(members.iter().copied().map(AttrId))
}

/// Every input lies in a clique, no clique lies in another, and each attribute's cliques hang
/// together.
fn assert_valid(tree: &JunctionTree, inputs: &[Clique]) {
    for input in inputs {
        assert!(input.is_empty() || tree.home(input).is_some(), "{input:?} is not covered");
    }
    let count = tree.cliques().len();
    let edges: usize = (0..count).map(|node| tree.neighbours(node).len()).sum();
    assert_eq!(edges, 2 * count.saturating_sub(1), "not a tree");
    for (node, one) in tree.cliques().iter().enumerate() {
        assert!(tree.cliques().iter().enumerate().all(|(other, two)| node == other || !one.is_subset(two)));
        for &other in tree.neighbours(node) {
            assert!(tree.neighbours(other).contains(&node));
        }
    }
    for attribute in tree.domain().attributes() {
        let holders: Vec<usize> = (0..count).filter(|&node| tree.cliques()[node].contains(attribute)).collect();
        let joined: usize = holders
            .iter()
            .map(|&node| tree.neighbours(node).iter().filter(|other| holders.contains(other)).count())
            .sum();
        assert!(!holders.is_empty(), "{attribute:?} is in no clique");
        assert_eq!(joined, 2 * (holders.len() - 1), "the cliques of {attribute:?} do not hang together");
    }
}

fn random_clique(next: &mut impl FnMut() -> f64, attributes: usize) -> Clique {
    let size = 1 + (next() * 3.0) as usize;
    // Mostly near each other, as real measurements are; sometimes anywhere.
    let center = next() * attributes as f64;
    let spread = if next() < 0.3 { attributes as f64 } else { 4.0 };
    Clique::new((0..size).map(|_| {
        let place = center + spread * (next() - 0.5);
        AttrId((place.max(0.0) as usize).min(attributes - 1) as u32)
    }))
}

/// The fewest cells that the tree says it has room for with another clique, by bisection.
fn cost_of_adding(tree: &JunctionTree, clique: &Clique) -> u64 {
    let (mut low, mut high) = (0, u64::MAX >> 11);
    while low < high {
        let middle = low + (high - low) / 2;
        if tree.has_room_for(clique, middle).unwrap() { high = middle } else { low = middle + 1 }
    }
    low
}

#[test]
fn simple_shapes() {
    let domain = Domain::new(vec![2, 3, 4, 5, 6]);
    let shapes: Vec<(Vec<Clique>, u64)> = vec![
        (vec![], 20),
        (vec![clique(&[])], 20),
        (vec![clique(&[0, 1]), clique(&[1, 2]), clique(&[2, 3]), clique(&[3, 4])], 6 + 12 + 20 + 30),
        (vec![clique(&[0, 1]), clique(&[0, 1]), clique(&[1])], 6 + 4 + 5 + 6),
        (vec![clique(&[0, 4]), clique(&[1, 4]), clique(&[2, 4]), clique(&[3, 4])], 12 + 18 + 24 + 30),
        (vec![clique(&[0, 1, 2, 3, 4])], 720),
        // A loop of four: two triangles, the cheaper diagonal being 0-2 (2*3*4 + 2*4*5) or 1-3
        // (2*3*5 + 3*4*5).
        (vec![clique(&[0, 1]), clique(&[1, 2]), clique(&[2, 3]), clique(&[0, 3])], 24 + 40 + 6),
    ];
    for (cliques, cells) in shapes {
        let tree = JunctionTree::new(&domain, &cliques, &[]).unwrap();
        assert_valid(&tree, &cliques);
        assert_eq!(tree.cells(), cells, "{cliques:?}");
    }
    let nothing = JunctionTree::new(&Domain::new(vec![]), &[], &[]).unwrap();
    assert_eq!(nothing.cells(), 0);
}

#[test]
fn rules_are_covered_and_checked() {
    let domain = Domain::new(vec![2, 3, 4]);
    let rule = |parts: Vec<(u32, Vec<u32>)>| ImpossibleRule {
        parts: parts.into_iter().map(|(attribute, codes)| (AttrId(attribute), codes)).collect(),
    };
    let tree = JunctionTree::new(&domain, &[clique(&[0, 1])], &[rule(vec![(0, vec![1]), (2, vec![0, 3])])]).unwrap();
    assert_valid(&tree, &[clique(&[0, 1]), clique(&[0, 2])]);
    assert_eq!(tree.rules().len(), 1);
    for bad in [vec![(3, vec![0])], vec![(0, vec![2])], vec![], vec![(0, vec![0]), (0, vec![1])]] {
        assert!(JunctionTree::new(&domain, &[], &[rule(bad)]).is_err());
    }
    assert!(JunctionTree::new(&domain, &[clique(&[3])], &[]).is_err());
    assert!(tree.has_room_for(&clique(&[3]), 100).is_err());
    assert!(tree.clone().add(&clique(&[0, 3])).is_err());
}

/// A tree that grew is valid, costs what was said or less, and is at most a tenth larger than one
/// made from scratch: on 1,000 random graphs.
#[test]
fn grown_trees_are_as_good_as_new_ones() {
    let mut next = noise(7);
    let sizes = [2u32, 5, 10, 3, 20, 7];
    let (mut cheaper, mut dearer) = (0, 0);
    for round in 0..1000 {
        let attributes = 3 + (next() * 22.0) as usize;
        let domain = Domain::new((0..attributes).map(|_| sizes[(next() * 5.999) as usize]).collect());
        let mut tree = JunctionTree::new(&domain, &[], &[]).unwrap();
        let mut cliques = Vec::new();
        for _ in 0..2 + round % 20 {
            let clique = random_clique(&mut next, attributes);
            let said = cost_of_adding(&tree, &clique);
            assert!(tree.has_room_for(&clique, said).unwrap() && !tree.has_room_for(&clique, said - 1).unwrap());
            tree.add(&clique).unwrap();
            assert!(tree.cells() <= said, "{} cells, {said} were said", tree.cells());
            cliques.push(clique);
        }
        assert_valid(&tree, &cliques);
        let scratch = JunctionTree::new(&domain, &cliques, &[]).unwrap();
        assert!(tree.cells() as f64 <= 1.1 * scratch.cells() as f64, "{} against {}", tree.cells(), scratch.cells());
        match tree.cells().cmp(&scratch.cells()) {
            std::cmp::Ordering::Less => cheaper += 1,
            std::cmp::Ordering::Greater => dearer += 1,
            std::cmp::Ordering::Equal => {}
        }
    }
    assert!(cheaper >= dearer, "{cheaper} cheaper, {dearer} dearer");
}

/// What a candidate is said to cost, without adding it, is close to what building anew gives.
#[test]
fn the_forecast_is_close() {
    let mut next = noise(3);
    let mut far = 0;
    for _ in 0..200 {
        let domain = Domain::new((0..20).map(|_| 2 + (next() * 9.0) as u32).collect());
        let mut cliques: Vec<Clique> = (0..15).map(|_| random_clique(&mut next, 20)).collect();
        let tree = JunctionTree::new(&domain, &cliques, &[]).unwrap();
        let extra = random_clique(&mut next, 20);
        let said = cost_of_adding(&tree, &extra) as f64;
        cliques.push(extra);
        let scratch = JunctionTree::new(&domain, &cliques, &[]).unwrap().cells() as f64;
        far += usize::from((said / scratch - 1.0).abs() > 0.1);
    }
    assert!(far <= 20, "{far} of 200 forecasts were off by more than a tenth");
}

#[test]
fn the_cheapest_heuristic_is_taken() {
    let mut next = noise(11);
    for _ in 0..50 {
        let domain = Domain::new((0..12).map(|_| 2 + (next() * 20.0) as u32).collect());
        let cliques: Vec<Clique> = (0..14).map(|_| random_clique(&mut next, 12)).collect();
        let best = JunctionTree::new(&domain, &cliques, &[]).unwrap();
        let each = [Heuristic::MinFill, Heuristic::MinSize, Heuristic::WeightedFill].map(|heuristic| {
            let mut tree = JunctionTree::uncovered(&domain, &cliques, &[]).unwrap();
            let found = tree.graph().eliminate(&tree.sizes(), heuristic);
            tree.rebuild(found.cliques);
            tree
        });
        each.iter().for_each(|tree| assert_valid(tree, &cliques));
        assert_eq!(Some(best.cells()), each.iter().map(JunctionTree::cells).min());
    }
}

#[test]
fn wide_domains_need_several_words() {
    let domain = Domain::new(vec![3; 200]);
    let mut tree = JunctionTree::new(&domain, &[], &[]).unwrap();
    let cliques: Vec<Clique> = (0..199).map(|a| clique(&[a, a + 1])).chain([clique(&[0, 199])]).collect();
    cliques.iter().for_each(|clique| tree.add(clique).unwrap());
    assert_valid(&tree, &cliques);
    assert_eq!(tree.cells(), 198 * 27);
}

#[test]
fn cells_that_a_rule_about_one_attribute_forbids_are_cleared_and_not_counted() {
    let rule = |parts: Vec<(u32, Vec<u32>)>| ImpossibleRule {
        parts: parts.into_iter().map(|(attribute, codes)| (AttrId(attribute), codes)).collect(),
    };
    // The last rule is about two attributes: it forbids no code of either.
    let rules = [rule(vec![(0, vec![1])]), rule(vec![(2, vec![0, 3])]), rule(vec![(1, vec![0]), (0, vec![0])])];
    let tree = JunctionTree::new(&Domain::new(vec![2, 3, 4]), &[], &rules).unwrap();
    for picked in [&[0, 1, 2][..], &[0, 2], &[1, 2], &[1]] {
        let sizes: Vec<usize> = picked.iter().map(|&attribute| [2, 3, 4][attribute as usize]).collect();
        let mut cells = vec![1.0; sizes.iter().product()];
        tree.clear_impossible(&clique(picked), &mut cells);
        for (place, cell) in cells.iter().enumerate() {
            let mut rest = place;
            let codes = sizes.iter().rev().map(|size| (rest % size, rest /= size).0).collect::<Vec<_>>();
            let is_forbidden =
                |(&attribute, code): (&u32, &usize)| matches!((attribute, code), (0, 1) | (2, 0) | (2, 3));
            assert_eq!(*cell == 0.0, picked.iter().zip(codes.iter().rev()).any(is_forbidden), "{picked:?} {place}");
        }
        assert_eq!(tree.possible_cells(&clique(picked)) as f64, cells.iter().sum::<f64>(), "{picked:?}");
    }
}
