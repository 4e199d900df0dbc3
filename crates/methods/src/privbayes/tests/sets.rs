//! Candidate parent sets against all subsets.

use lookalike_schema::{AttrId, Domain};

use crate::privbayes::layout::generator;
use crate::privbayes::params::PrivBayesParams;
use crate::privbayes::sets::{Allowed, Pool};

/// The candidates of an attribute after all earlier ones were taken in.
fn parent_sets(
    allowed: &Allowed,
    domain: &Domain,
    child: AttrId,
    earlier: &[AttrId],
    most: usize,
    shuffle: u64,
) -> Vec<Vec<AttrId>> {
    let params = PrivBayesParams { shuffle, ..Default::default() };
    let mut random = generator(&params, 0);
    let mut pool = Pool::new(child, &[]);
    for (place, &new) in earlier.iter().enumerate() {
        let grown = pool.grow(allowed, domain, &earlier[..place], new, most, &mut random);
        assert!(grown <= most);
    }
    pool.sets.sort();
    pool.sets
}

/// Every allowed set of the columns before the last, and of these the maximal ones.
fn brute_force(allowed: &Allowed, sizes: &[u32]) -> Vec<Vec<AttrId>> {
    let earlier = sizes.len() - 1;
    let fits = |mask: usize| {
        let parents: Vec<u32> =
            (0..earlier).filter(|&place| mask >> place & 1 == 1).map(|place| sizes[place]).collect();
        allowed.fits(sizes[earlier], &parents)
    };
    let all: Vec<usize> = (0..1 << earlier).filter(|&mask| fits(mask)).collect();
    let kept = all.iter().filter(|&&mask| match allowed.any_size {
        true => mask != 0 || all.len() == 1,
        false => !all.iter().any(|&other| other != mask && other & mask == mask),
    });
    let set = |&mask: &usize| (0..earlier as u32).filter(|place| mask >> place & 1 == 1).map(AttrId).collect();
    let mut sets: Vec<Vec<AttrId>> = kept.map(set).collect();
    if sets.is_empty() {
        sets.push(Vec::new());
    }
    sets.sort();
    sets
}

#[test]
fn listed_sets_are_all_the_maximal_ones() {
    let domains: [&[u32]; 6] =
        [&[2; 8], &[2, 3, 4, 5, 6, 7, 8], &[9, 2, 2, 30, 4, 4, 3], &[100, 2], &[5], &[2, 2, 1000, 2, 900, 3, 3]];
    for sizes in domains {
        let domain = Domain::new(sizes.to_vec());
        let earlier: Vec<AttrId> = domain.attributes().take(sizes.len() - 1).collect();
        let child = AttrId(sizes.len() as u32 - 1);
        for cells in [1, 2, 4, 10, 24, 60, 250, 100_000_000] {
            for degree in [0, 1, 2, 3, usize::MAX] {
                for any_size in [false, true] {
                    let allowed = Allowed { cells, degree, any_size };
                    let found = parent_sets(&allowed, &domain, child, &earlier, 1000, 0);
                    assert_eq!(found, brute_force(&allowed, sizes), "{sizes:?} {allowed:?}");
                }
            }
        }
    }
}

#[test]
fn too_many_sets_are_drawn_and_each_is_maximal() {
    let sizes: Vec<u32> = (0..200).map(|place| 2 + place % 9).collect();
    let domain = Domain::new(sizes.clone());
    let earlier: Vec<AttrId> = domain.attributes().take(199).collect();
    for (degree, cells) in [(usize::MAX, 3000), (3, 1 << 20)] {
        let allowed = Allowed { cells, degree, any_size: false };
        let found = parent_sets(&allowed, &domain, AttrId(199), &earlier, 4, 0);
        assert!((500..800).contains(&found.len()), "{}", found.len());
        for set in &found {
            let mut parents: Vec<u32> = set.iter().map(|&parent| domain.size(parent)).collect();
            assert!(allowed.fits(domain.size(AttrId(199)), &parents));
            // One more, the smallest that is left, is one too many.
            parents.push(earlier.iter().filter(|one| !set.contains(one)).map(|&one| domain.size(one)).min().unwrap());
            assert!(!allowed.fits(domain.size(AttrId(199)), &parents), "{set:?}");
        }
        // Public randomness: the same again with the same key, other sets with another.
        assert_eq!(parent_sets(&allowed, &domain, AttrId(199), &earlier, 4, 0), found);
        assert_ne!(parent_sets(&allowed, &domain, AttrId(199), &earlier, 4, 1), found);
    }
}
