//! Every score over all tiny tables: is its value right, and is its sensitivity true?
//!
//! Tables are vectors of counts, not sequences of rows: scores see counts only, so this is all
//! tables.

mod derived;
mod information;
mod maximum_joint;
mod sensitivity;
mod value;
mod weighted;

use lookalike_privacy::{Neighbours, Relation};
use lookalike_schema::{AttrId, Clique, Domain};

use crate::scores::GRID;
use crate::{CountTable, Score};

/// All count tables with `rows` rows over `cells` cells.
pub(super) fn tables(rows: u64, cells: usize) -> Vec<Vec<u64>> {
    fn fill(left: u64, table: &mut Vec<u64>, cell: usize, all: &mut Vec<Vec<u64>>) {
        if cell + 1 == table.len() {
            table[cell] = left;
            all.push(table.clone());
            return;
        }
        for count in 0..=left {
            table[cell] = count;
            fill(left - count, table, cell + 1, all);
        }
    }
    let mut all = Vec::new();
    fill(rows, &mut vec![0; cells], 0, &mut all);
    all
}

/// All tables one neighbour step away. Under add/remove these are the larger ones: the relation is
/// symmetric.
pub(super) fn neighbours_of(table: &[u64], neighbours: Neighbours) -> Vec<Vec<u64>> {
    match neighbours.relation() {
        // A person with fewer rows than the contribution is a neighbour too.
        Relation::AddRemove => {
            let added = (1..=u64::from(neighbours.contribution())).flat_map(|rows| tables(rows, table.len()));
            added.map(|added| table.iter().zip(added).map(|(count, more)| count + more).collect()).collect()
        }
        Relation::ReplaceOne => {
            let mut all = Vec::new();
            for from in (0..table.len()).filter(|&from| table[from] > 0) {
                for to in (0..table.len()).filter(|&to| to != from) {
                    let mut other = table.to_vec();
                    other[from] -= 1;
                    other[to] += 1;
                    all.push(other);
                }
            }
            all
        }
    }
}

/// Every relation with the contributions that are tested.
pub(super) fn relations() -> [Neighbours; 3] {
    let new = |relation, contribution| Neighbours::new(relation, contribution).unwrap();
    [new(Relation::AddRemove, 1), new(Relation::AddRemove, 2), new(Relation::ReplaceOne, 1)]
}

/// All shapes of two attributes with up to 3 codes each.
pub(super) fn shapes() -> Vec<Vec<u32>> {
    (1..=3).flat_map(|one| (1..=3).map(move |other| vec![one, other])).collect()
}

/// The score of a dense table over a whole domain.
pub(super) fn evaluate(score: &Score, counts: &[u64], sizes: &[u32]) -> i128 {
    let rows = counts.iter().sum();
    score.evaluate(&CountTable::Dense(counts.to_vec()), rows, &Domain::new(sizes.to_vec()))
}

/// The declared sensitivity on the fine grid of selections.
pub(super) fn declared(score: &Score, sizes: &[u32], neighbours: Neighbours, rows: u64) -> u64 {
    declared_in(score, &Domain::new(sizes.to_vec()), neighbours, rows)
}

pub(super) fn declared_in(score: &Score, domain: &Domain, neighbours: Neighbours, rows: u64) -> u64 {
    score.kind(domain).sensitivity(neighbours, GRID, rows).unwrap()
}

/// The declared sensitivity on the grid of noise.
pub(super) fn declared_for_noise(score: &Score, sizes: &[u32], neighbours: Neighbours, rows: u64) -> u64 {
    neighbours.score(score.kind(&Domain::new(sizes.to_vec())), rows).unwrap().l1()
}

/// Attribute `child` against all the other attributes of a domain.
pub(super) fn dependence(child: u32, attributes: u32) -> Score {
    let parents = Clique::new((0..attributes).filter(|&other| other != child).map(AttrId));
    Score::Dependence { child: AttrId(child), parents }
}

/// F of attribute `child` against all the other attributes of a domain.
pub(super) fn maximum_joint(child: u32, attributes: u32) -> Score {
    let Score::Dependence { child, parents } = dependence(child, attributes) else { unreachable!() };
    Score::MaximumJoint { child, parents }
}

/// Mutual information of attribute `child` with all the other attributes of a domain.
pub(super) fn information(child: u32, attributes: u32) -> Score {
    let Score::Dependence { child, parents } = dependence(child, attributes) else { unreachable!() };
    Score::Information { child, parents }
}

/// All attributes of a domain against a vector.
pub(super) fn distance(expected: Vec<f64>, attributes: u32) -> Score {
    Score::DistanceToModel { clique: Clique::new((0..attributes).map(AttrId)), expected: expected.into() }
}
