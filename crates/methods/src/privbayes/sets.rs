//! Which parent sets are candidates.
//!
//! Sets that a rule allows are closed downwards: a part of an allowed set is allowed. Only maximal
//! ones are candidates, because a larger set never has a lower score. They are listed one by one
//! while that is cheap, and drawn at random otherwise: with 200 columns there are more of them than
//! could ever be listed.
//!
//! An attribute's candidates are a [`Pool`] that grows by the sets with the newest attribute. What
//! was a candidate once has been scored, so keeping it costs no time.

use lookalike_model::SampleRng;
use lookalike_schema::{AttrId, Domain};

/// How many steps the listing may take for each set that is wanted, and besides.
const STEPS_A_SET: usize = 64;
const STEPS: usize = 4096;

/// Random sets are drawn this many times for each that is wanted; repeats are dropped.
const DRAWS_A_SET: usize = 4;

/// Which parent sets an attribute may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowed {
    /// The most cells of the attribute and its parents together.
    pub cells: u64,
    /// The most parents.
    pub degree: usize,
    /// All sets but the empty one, instead of maximal ones only.
    pub any_size: bool,
}

impl Allowed {
    /// Whether an attribute of that many codes may have these parents.
    pub fn fits(&self, size: u32, parents: &[u32]) -> bool {
        let cells = parents.iter().try_fold(u64::from(size), |cells, &parent| cells.checked_mul(parent.into()));
        parents.len() <= self.degree && cells.is_some_and(|cells| cells <= self.cells)
    }
}

/// The parent sets of one attribute that are candidates so far, each ascending.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub child: AttrId,
    /// Parents that are tried first in half of the sets that are drawn.
    kin: Vec<AttrId>,
    pub sets: Vec<Vec<AttrId>>,
}

impl Pool {
    /// Before there is any attribute to depend on.
    pub fn new(child: AttrId, kin: &[AttrId]) -> Self {
        Self { child, kin: kin.to_vec(), sets: vec![Vec::new()] }
    }

    /// Takes in a new attribute behind the earlier ones: sets that it fits into are candidates no
    /// more, and at most `most` sets with it become some. Returns how many are new.
    ///
    /// What a set scored in an earlier round need not be counted again, so time goes into the new
    /// ones only.
    pub fn grow(
        &mut self,
        allowed: &Allowed,
        domain: &Domain,
        earlier: &[AttrId],
        new: AttrId,
        most: usize,
        random: &mut SampleRng,
    ) -> usize {
        let size = domain.size(self.child);
        let sizes = |set: &[AttrId]| set.iter().chain([&new]).map(|&one| domain.size(one)).collect::<Vec<u32>>();
        if !allowed.fits(size, &sizes(&[])) || most == 0 {
            return 0;
        }
        let mut sets = self.sets_with(allowed, domain, earlier, new, most, random);
        let fresh = sets.len();
        // Where there are too many sets for all to be listed, a set that could be larger still is
        // better than none.
        self.sets.retain(|set| if allowed.any_size { !set.is_empty() } else { !allowed.fits(size, &sizes(set)) });
        self.sets.append(&mut sets);
        fresh
    }

    /// At most `most` maximal sets (or sets of any size) that contain `new`.
    fn sets_with(
        &self,
        allowed: &Allowed,
        domain: &Domain,
        earlier: &[AttrId],
        new: AttrId,
        most: usize,
        random: &mut SampleRng,
    ) -> Vec<Vec<AttrId>> {
        let (size, with) = (domain.size(self.child), domain.size(new));
        // The smallest first: whether a set is maximal then hangs on the first one that was left
        // out.
        let mut items: Vec<(u64, AttrId)> = earlier
            .iter()
            .filter(|&&parent| allowed.fits(size, &[with, domain.size(parent)]))
            .map(|&parent| (u64::from(domain.size(parent)), parent))
            .collect();
        items.sort_unstable();
        let mut listing = Listing {
            items: &items,
            degree: allowed.degree - 1,
            room: allowed.cells / (u64::from(size) * u64::from(with)).max(1),
            any_size: allowed.any_size,
            steps: STEPS_A_SET.saturating_mul(most).saturating_add(STEPS),
            found: Vec::new(),
        };
        let complete = listing.list(0, 1, None, &mut Vec::new());
        let mut sets =
            if complete { std::mem::take(&mut listing.found) } else { listing.drawn(&self.kin, most, random) };
        thin_out(&mut sets, most, random);
        for set in &mut sets {
            set.push(new);
            set.sort_unstable();
        }
        sets.sort_unstable();
        sets
    }
}

/// Keeps `most` of a list, any with the same chance.
pub(super) fn thin_out<T>(list: &mut Vec<T>, most: usize, random: &mut SampleRng) {
    if list.len() > most {
        for place in 0..most {
            let other = place + random.below(list.len() - place);
            list.swap(place, other);
        }
        list.truncate(most);
    }
}

/// The listing of all sets, until it takes too long.
struct Listing<'a> {
    items: &'a [(u64, AttrId)],
    degree: usize,
    room: u64,
    any_size: bool,
    steps: usize,
    found: Vec<Vec<AttrId>>,
}

impl Listing<'_> {
    /// Goes through the items from `place` on, with the chosen ones of `cells` cells. `left_out` is
    /// the size of the first item that would still fit and was left out. False when the steps are
    /// used up.
    fn list(&mut self, place: usize, cells: u64, left_out: Option<u64>, chosen: &mut Vec<AttrId>) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let fits = |size: u64| chosen.len() < self.degree && size.saturating_mul(cells) <= self.room;
        // Items ascend, so when the next one does not fit, none of the rest does.
        let next = self.items.get(place).filter(|item| fits(item.0));
        let Some(&(size, item)) = next else {
            let maximal = left_out.is_none_or(|size| !fits(size));
            if maximal || self.any_size {
                self.found.push(chosen.clone());
            }
            return true;
        };
        chosen.push(item);
        let with = self.list(place + 1, cells * size, left_out, chosen);
        chosen.pop();
        with && (self.pointless(place + 1, cells, left_out.unwrap_or(size), chosen.len())
            || self.list(place + 1, cells, left_out.or(Some(size)), chosen))
    }

    /// Whether no maximal set can come of leaving an item out: all that could be added would still
    /// leave room for it.
    fn pointless(&self, place: usize, cells: u64, left_out: u64, chosen: usize) -> bool {
        let rest = &self.items[place..];
        let all = rest.iter().fold(cells.saturating_mul(left_out), |cells, item| cells.saturating_mul(item.0));
        !self.any_size && chosen + rest.len() < self.degree && all <= self.room
    }

    /// Random maximal sets (of random size, where any will do): the items in random order, each
    /// added where it fits. Repeats are dropped.
    fn drawn(&self, kin: &[AttrId], most: usize, random: &mut SampleRng) -> Vec<Vec<AttrId>> {
        let mut sets = std::collections::BTreeSet::new();
        let mut order = self.items.to_vec();
        let smallest = self.items.first().map_or(1, |item| item.0);
        for _ in 0..most.saturating_mul(DRAWS_A_SET) {
            if sets.len() == most {
                break;
            }
            let (mut cells, mut set) = (1u64, Vec::new());
            let mut ahead = 0;
            if random.next_u64().is_multiple_of(2) {
                order.sort_unstable_by_key(|item| (!kin.contains(&item.1), *item));
                ahead = order.iter().take_while(|item| kin.contains(&item.1)).count();
            }
            let degree = self.degree.min(self.items.len());
            let degree = if self.any_size { random.below(degree + 1) } else { degree };
            for place in 0..order.len() {
                if set.len() == degree || cells.saturating_mul(smallest) > self.room {
                    break;
                }
                let end = if place < ahead { ahead } else { order.len() };
                let other = place + random.below(end - place);
                order.swap(place, other);
                let (size, item) = order[place];
                if cells.saturating_mul(size) <= self.room {
                    cells *= size;
                    set.push(item);
                }
            }
            set.sort_unstable();
            sets.insert(set);
        }
        sets.into_iter().collect()
    }
}
