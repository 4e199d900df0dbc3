//! What a round may choose from: public, before any look.

use lookalike_model::SampleRng;
use lookalike_schema::Clique;

use crate::MethodError;
use crate::graphical::{Columns, GrowingModel};
use crate::rounds::WeightedCandidate;
use crate::workload::Workload;

/// The sets of the workload, closed downwards, with their weights.
pub(super) struct Pool {
    sets: Vec<(Clique, f64)>,
    most: usize,
}

/// What limits a round's choice.
pub(super) struct Bounds {
    /// The round's number, which picks among too many.
    pub round: u64,
    /// The most cells of the tree.
    pub cells: u64,
    /// What the noise of a measurement moves each cell by, on average.
    pub noise: f64,
}

impl Pool {
    /// Sets whose columns count in the workload; a set of the model's columns is one of the
    /// schema's.
    pub fn new(workload: &Workload, most: usize) -> Self {
        let weights = workload.column_weights();
        let weight = |set: &Clique| set.attributes().iter().map(|attribute| weights[attribute.index()]).sum();
        let sets = workload.closure().into_iter().map(|set| (weight(&set), set)).map(|(weight, set)| (set, weight));
        Self { sets: sets.collect(), most }
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The candidates of a round. Left out are sets that would make the tree too large, and sets
    /// whose noise would drown the whole table; when there are too many, a random part stays, pairs
    /// and wider sets in equal parts. There is always one, unless the workload has no set of two
    /// columns.
    pub fn weighted(&self, model: &GrowingModel, bounds: &Bounds) -> Result<Vec<WeightedCandidate>, MethodError> {
        let columns = model.columns();
        let useful = |set: &Clique| columns.cells(set) as f64 * bounds.noise <= model.total();
        let mut kept: Vec<&(Clique, f64)> = self.sets.iter().filter(|(set, _)| useful(set)).collect();
        self.cut(&mut kept, bounds.round);
        let mut candidates = Vec::new();
        for (set, weight) in kept {
            if model.holds(set) || model.has_room_for(set, bounds.cells)? {
                let offset = -(columns.cells(set) as f64) * bounds.noise;
                candidates.push(WeightedCandidate { clique: set.clone(), weight: *weight, offset, expected: None });
            }
        }
        if candidates.is_empty() {
            candidates.extend(self.smallest(columns));
        }
        Ok(candidates)
    }

    /// At most `most`, at random, by the round's own stream.
    fn cut(&self, kept: &mut Vec<&(Clique, f64)>, round: u64) {
        if kept.len() <= self.most {
            return;
        }
        let pairs = kept.partition_point(|(set, _)| set.len() == 2);
        let mut rng = SampleRng::new(0, "aim candidates", round);
        let wide = kept.split_off(pairs);
        let half = self.most / 2;
        let (few, many) = (kept.len().min(half.max(self.most.saturating_sub(wide.len()))), self.most);
        draw(kept, few, &mut rng);
        let mut wide = wide;
        draw(&mut wide, many - kept.len().min(many), &mut rng);
        kept.append(&mut wide);
    }

    /// The set with the fewest cells: for when none fits.
    fn smallest(&self, columns: &Columns) -> Option<WeightedCandidate> {
        let (set, weight) = self.sets.iter().min_by_key(|(set, _)| columns.cells(set))?;
        Some(WeightedCandidate { clique: set.clone(), weight: *weight, offset: 0.0, expected: None })
    }
}

/// Keeps `keep` items, drawn without replacement, in their order.
fn draw<T>(items: &mut Vec<T>, keep: usize, rng: &mut SampleRng) {
    let mut left = items.len();
    let mut wanted = keep.min(left);
    items.retain(|_| {
        // Of those left, each is wanted with the same chance.
        let take = rng.below(left) < wanted;
        left -= 1;
        wanted -= usize::from(take);
        take
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_keep_the_wanted_number_and_every_item_has_its_chance() {
        let mut seen = [0u32; 10];
        for round in 0..2000 {
            let mut items: Vec<usize> = (0..10).collect();
            draw(&mut items, 3, &mut SampleRng::new(0, "aim candidates", round));
            assert!(items.len() == 3 && items.is_sorted());
            items.iter().for_each(|&item| seen[item] += 1);
        }
        // 600 expected, standard deviation 20.5: five of them. The stream is fixed, so this cannot
        // fail by chance.
        assert!(seen.iter().all(|&seen| (498..702).contains(&seen)), "{seen:?}");
        let mut few = vec![1, 2];
        draw(&mut few, 5, &mut SampleRng::new(0, "aim candidates", 0));
        assert_eq!(few, [1, 2]);
    }
}
