//! Candidate cliques as a method's rounds ask for them: fewer than all pairs, wider, with less in
//! common.

use lookalike_schema::{AttrId, Clique, Domain};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::simulate::draw::below;

/// Candidates have at most this many cells, as a useful share of noise allows.
const MOST_CELLS: u64 = 10_000;

/// Different cliques of 3 to 5 attributes, drawn at random.
pub fn random(domain: &Domain, count: usize) -> Vec<Clique> {
    let all: Vec<AttrId> = domain.attributes().collect();
    let mut draw = draws(7);
    collect(domain, count, || Clique::new((0..3 + draw(3)).map(|_| all[draw(all.len() as u32) as usize])))
}

/// One round of PrivBayes: half of the attributes are chosen; a candidate is another one with 2 or
/// 3 of the chosen.
pub fn round(domain: &Domain, count: usize) -> Vec<Clique> {
    let all: Vec<AttrId> = domain.attributes().collect();
    let (chosen, left) = all.split_at(all.len() / 2);
    let mut draw = draws(8);
    collect(domain, count, || {
        let child = left[draw(left.len() as u32) as usize];
        Clique::new((0..2 + draw(2)).map(|_| chosen[draw(chosen.len() as u32) as usize]).chain([child]))
    })
}

/// Numbers below a bound, the same for the same seed.
fn draws(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    move |bound| below(&mut rng, bound)
}

fn collect(domain: &Domain, count: usize, mut next: impl FnMut() -> Clique) -> Vec<Clique> {
    let mut cliques = std::collections::BTreeSet::new();
    // Few columns have few cliques: the draw ends in any case.
    for _ in 0..100 * count {
        let clique = next();
        if clique.len() >= 3 && cliques.len() < count && domain.cells(&clique).is_some_and(|cells| cells <= MOST_CELLS)
        {
            cliques.insert(clique);
        }
    }
    cliques.into_iter().collect()
}
