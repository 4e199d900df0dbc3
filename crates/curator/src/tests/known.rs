//! Scores that an earlier selection had: not counted again, charged again, the same to the last
//! grid step.

use lookalike_schema::{AttrId, Clique, View};

use super::{Setting, add_remove, brute_force, budget, clique, ratio, schema};
use crate::scores::known::KnownScores;
use crate::scores::prepared::PreparedSelection;
use crate::{Candidate, Score, SelectQuery};

fn dependence(child: u32, parents: &[u32]) -> Candidate {
    Candidate { score: Score::Dependence { child: AttrId(child), parents: clique(parents) }, weight: 1.0, offset: 0.0 }
}

fn query(candidates: Vec<Candidate>) -> SelectQuery {
    SelectQuery { label: "a parent".into(), candidates, epsilon: ratio(50, 1) }
}

#[test]
fn only_new_candidates_are_counted() {
    let rows = (0..200u32).map(|k| vec![k % 2, k % 2, k / 2 % 2, k / 4 % 2]).collect();
    let mut bench = Setting { sizes: vec![2; 4], rows, budget: budget(500.0, 0.0), ..Setting::default() }.open();
    bench.curator.set_door_memory(0);
    let mut select = |candidates: Vec<Candidate>| {
        let (looks, records) = (bench.looks(), bench.records());
        let index = bench.curator.select(&query(candidates)).unwrap().index;
        assert_eq!(bench.records(), records + 1, "every selection is charged");
        let seen: Vec<Clique> = bench.looks.lock().unwrap()[looks..].iter().flat_map(|look| look.0.clone()).collect();
        (index, seen)
    };
    assert_eq!(select(vec![dependence(0, &[2]), dependence(0, &[1])]), (1, vec![clique(&[0, 1]), clique(&[0, 2])]));
    let mixed = || vec![dependence(0, &[1]), dependence(0, &[3]), dependence(0, &[2])];
    assert_eq!(select(mixed()), (0, vec![clique(&[0, 3])]));
    assert_eq!(select(mixed()), (0, vec![]));
    // Weights and offsets are the query's own.
    let heavy = Candidate { offset: 1_000.0, ..dependence(0, &[3]) };
    assert_eq!(select(vec![dependence(0, &[1]), heavy, dependence(0, &[2])]), (1, vec![]));
    // The same clique with another child is another score.
    assert_eq!(select(vec![dependence(1, &[0]), dependence(0, &[1])]).1, [clique(&[0, 1])]);
}

#[test]
fn known_scores_are_the_scores() {
    let sizes = [2, 3, 2, 2];
    let view = View::new(&schema(&sizes));
    let rows: Vec<Vec<u32>> = (0..97u32).map(|k| vec![k * k % 2, k * 5 % 7 % 3, k / 3 % 2, k * k / 5 % 2]).collect();
    let mut known = KnownScores::default();
    let mut run = |candidates: Vec<Candidate>, remember: bool| {
        let query = query(candidates);
        let mut prepared = PreparedSelection::new(&query, &view, add_remove()).unwrap();
        if remember {
            prepared.take_known(&known);
        }
        let mut tally = prepared.tally();
        for (place, clique) in prepared.cliques().iter().enumerate() {
            tally.score(place, brute_force(&rows, view.domain(), clique, false), view.domain()).unwrap();
        }
        if remember {
            tally.keep_in(&mut known);
        }
        (tally.finish().unwrap(), prepared.cliques().len())
    };
    let first = || vec![dependence(0, &[1, 2]), dependence(1, &[0, 2]), dependence(3, &[1])];
    let weighted = Candidate { weight: 0.3, offset: 2.5, ..dependence(1, &[0, 2]) };
    let second = || vec![dependence(3, &[0, 1]), weighted.clone(), dependence(0, &[1, 2]), dependence(2, &[0, 1])];
    for (candidates, counted) in [(first(), 2), (second(), 2), (first(), 0), (second(), 0)] {
        let (fresh, _) = run(candidates.clone(), false);
        assert!(fresh.0.iter().any(|&score| score != 0));
        assert_eq!(run(candidates, true), (fresh, counted));
    }
}

/// Scores against a fixed vector are kept for that vector alone: another one is counted for.
#[test]
fn distances_are_kept_for_their_own_vector() {
    let rows = (0..60u32).map(|k| vec![k % 2, k / 2 % 2, k / 4 % 2]).collect();
    let mut bench = Setting { sizes: vec![2; 3], rows, budget: budget(500.0, 0.0), ..Setting::default() }.open();
    bench.curator.set_door_memory(0);
    let distance = |attributes: &[u32], expected: Vec<f64>| Candidate {
        score: Score::DistanceToModel { clique: clique(attributes), expected: expected.into() },
        weight: 1.0,
        offset: 0.0,
    };
    let mut seen = |candidates: Vec<Candidate>| -> Vec<Clique> {
        let looks = bench.looks();
        bench.curator.select(&query(candidates)).unwrap();
        bench.looks.lock().unwrap()[looks..].iter().flat_map(|look| look.0.clone()).collect()
    };
    let both = |third: f64| vec![distance(&[0, 1], vec![15.0; 4]), distance(&[1, 2], vec![1.0, 2.0, third, 4.0])];
    assert_eq!(seen(both(3.0)), [clique(&[0, 1]), clique(&[1, 2])]);
    assert_eq!(seen(both(3.0)), []);
    assert_eq!(seen(both(3.0000001)), [clique(&[1, 2])]);
    // The same numbers on another clique, or in another order, are another score.
    assert_eq!(seen(vec![distance(&[0, 2], vec![15.0; 4])]), [clique(&[0, 2])]);
    assert_eq!(seen(vec![distance(&[1, 2], vec![2.0, 1.0, 3.0, 4.0])]), [clique(&[1, 2])]);
}
