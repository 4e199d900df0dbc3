//! Which tallies to keep so that every clique can be read off one of them.
//!
//! Counting a row costs about the same for a tally of two columns as for one of five, as long as
//! the tally fits in the first-level cache. So several small cliques share one wider tally and are
//! summed out of it at the end. This is a covering problem; a greedy answer is within a few percent
//! of the best that was tried. It depends on the cliques and the domain alone.

use std::collections::HashMap;

use lookalike_schema::{AttrId, Clique, Domain};

/// A tally is not widened beyond this many cells: 16-bit cells of this many fill half of a
/// first-level cache of 32 KiB, so that two threads can share one. Larger means fewer tallies, but
/// cache misses and more cells to sum out; 16,384 was no faster, 65,536 slower.
pub(crate) const SHARED_CELLS: u64 = 8_192;

/// A clique with more cells than this is counted sparsely.
pub(crate) const DENSE_CELLS: u64 = 1 << 24;

/// One tally to keep, and the requested cliques that it answers.
pub(crate) struct Tally {
    /// The attributes, first slowest. In a shared tally the largest column stands last, so that
    /// sums run over contiguous cells.
    pub(crate) attributes: Vec<AttrId>,
    pub(crate) cells: u64,
    /// Positions in the list of distinct cliques.
    pub(crate) answers: Vec<usize>,
}

impl Tally {
    pub(crate) fn is_sparse(&self) -> bool {
        self.cells > DENSE_CELLS
    }
}

/// The requested cliques without repeats, and the tallies that cover them.
pub(crate) struct Cover {
    /// For each requested clique, its position among the distinct ones.
    pub(crate) positions: Vec<usize>,
    pub(crate) distinct: Vec<Clique>,
    pub(crate) tallies: Vec<Tally>,
}

/// Plans the tallies. `None` when some clique has more cells than a `u64` can number.
pub(crate) fn cover(cliques: &[Clique], domain: &Domain) -> Option<Cover> {
    let mut seen = HashMap::new();
    let mut distinct: Vec<Clique> = Vec::new();
    let positions = cliques
        .iter()
        .map(|clique| {
            *seen.entry(clique).or_insert_with(|| {
                distinct.push(clique.clone());
                distinct.len() - 1
            })
        })
        .collect();
    let cells = distinct.iter().map(|clique| domain.cells(clique)).collect::<Option<Vec<u64>>>()?;
    let mut greedy = Greedy::new(&distinct, &cells, domain);
    // The widest cliques are the hardest to place, so they choose first.
    let mut order: Vec<usize> = (0..distinct.len()).filter(|&c| !distinct[c].is_empty()).collect();
    order.sort_by_key(|&c| std::cmp::Reverse(cells[c]));
    let tallies = order.into_iter().filter_map(|seed| greedy.tally(seed)).collect();
    Some(Cover { positions, distinct, tallies })
}

struct Greedy<'a> {
    distinct: &'a [Clique],
    cells: &'a [u64],
    domain: &'a Domain,
    /// How much it is worth to cover a clique: wide ones are harder to cover elsewhere.
    worth: Vec<f64>,
    /// The cliques that contain each attribute.
    incident: Vec<Vec<usize>>,
    covered: Vec<bool>,
    /// How many of each clique's attributes the tally in hand lacks.
    lacks: Vec<usize>,
    /// What adding each attribute to the tally in hand would newly cover.
    gain: Vec<f64>,
}

impl<'a> Greedy<'a> {
    fn new(distinct: &'a [Clique], cells: &'a [u64], domain: &'a Domain) -> Self {
        let mut incident = vec![Vec::new(); domain.len()];
        for (c, clique) in distinct.iter().enumerate() {
            for attribute in clique.attributes() {
                incident[attribute.index()].push(c);
            }
        }
        Self {
            distinct,
            cells,
            domain,
            worth: cells.iter().map(|&cells| (cells as f64).powf(0.75)).collect(),
            incident,
            covered: vec![false; distinct.len()],
            lacks: distinct.iter().map(Clique::len).collect(),
            gain: vec![0.0; domain.len()],
        }
    }

    /// The tally that grows from one clique, unless an earlier one covers it.
    fn tally(&mut self, seed: usize) -> Option<Tally> {
        if self.covered[seed] {
            return None;
        }
        let mut members: Vec<AttrId> = Vec::new();
        let mut touched = Vec::new();
        for &attribute in self.distinct[seed].attributes() {
            self.add(attribute, &mut members, &mut touched);
        }
        let mut cells = self.cells[seed];
        if cells > DENSE_CELLS {
            // A sparse tally answers only its own clique.
            touched.retain(|&c| c == seed || self.lacks[c] > 0);
        } else {
            while let Some(attribute) = self.best(&members, cells) {
                cells *= u64::from(self.domain.size(attribute));
                self.add(attribute, &mut members, &mut touched);
            }
        }
        let mut answers: Vec<usize> = touched.into_iter().filter(|&c| self.lacks[c] == 0).collect();
        answers.sort_unstable();
        answers.dedup();
        for &c in &answers {
            self.covered[c] = true;
        }
        self.reset(&members);
        if cells <= SHARED_CELLS {
            members.sort_by_key(|&a| (self.domain.size(a), a));
        }
        Some(Tally { attributes: members, cells, answers })
    }

    /// The attribute whose gain is largest for the room that it takes.
    fn best(&self, members: &[AttrId], cells: u64) -> Option<AttrId> {
        let mut best = None;
        let mut best_score = 0.0;
        for attribute in self.domain.attributes() {
            let size = self.domain.size(attribute);
            let fits = cells.saturating_mul(u64::from(size)) <= SHARED_CELLS;
            if self.gain[attribute.index()] > 0.0 && fits && !members.contains(&attribute) {
                let score = self.gain[attribute.index()] / f64::from(size.max(2)).ln();
                if score > best_score {
                    best_score = score;
                    best = Some(attribute);
                }
            }
        }
        best
    }

    fn add(&mut self, attribute: AttrId, members: &mut Vec<AttrId>, touched: &mut Vec<usize>) {
        members.push(attribute);
        for &c in &self.incident[attribute.index()] {
            if self.covered[c] {
                continue;
            }
            self.lacks[c] -= 1;
            match self.lacks[c] {
                0 => touched.push(c),
                1 => {
                    let last = self.distinct[c].attributes().iter().find(|a| !members.contains(a));
                    if let Some(last) = last {
                        self.gain[last.index()] += self.worth[c];
                    }
                }
                _ => {}
            }
        }
    }

    fn reset(&mut self, members: &[AttrId]) {
        for attribute in members {
            for &c in &self.incident[attribute.index()] {
                self.lacks[c] = self.distinct[c].len();
            }
        }
        self.gain.fill(0.0);
    }
}
