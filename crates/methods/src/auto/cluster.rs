//! Coarse levels of columns: values that go with the same values of other columns are put
//! together.
//!
//! Post-processing of the model, which is made of paid answers.

use lookalike_schema::Grouping;

/// The numbers of groups that a column is put into, finest first.
const LEVELS: [usize; 3] = [8, 4, 2];
/// A level that keeps more than this share of the values is not worth having.
const MOST_KEPT: f64 = 0.67;

/// Groupings of one column, each coarser than the one before.
///
/// `profiles[v]` is the mass of value `v` together with each value of each other column. Two groups
/// cost what putting them together moves: the L1 distance of both to their mean. The cheapest two
/// go together until few enough are left.
pub(super) fn levels(profiles: Vec<Vec<f64>>) -> Vec<Grouping> {
    let values = profiles.len();
    let wanted = LEVELS.into_iter().filter(|&level| level as f64 <= MOST_KEPT * values as f64);
    let mut wanted = wanted.peekable();
    let mut made = Vec::new();
    let mut groups = Groups::new(profiles);
    while let Some(&level) = wanted.peek() {
        if groups.alive.len() > level {
            groups.join_nearest();
        } else {
            wanted.next();
            // Groups are numbered without gaps.
            made.extend(Grouping::new(groups.numbered(values)).ok());
        }
    }
    made
}

struct Groups {
    profiles: Vec<Vec<f64>>,
    masses: Vec<f64>,
    members: Vec<Vec<usize>>,
    /// Groups that have not been joined to another.
    alive: Vec<usize>,
    /// The cost of joining two groups; only entries `[a][b]` with `a < b` count.
    costs: Vec<Vec<f64>>,
}

impl Groups {
    fn new(profiles: Vec<Vec<f64>>) -> Self {
        let count = profiles.len();
        let masses = profiles.iter().map(|profile| profile.iter().sum()).collect();
        let members = (0..count).map(|value| vec![value]).collect();
        let mut groups =
            Self { profiles, masses, members, alive: (0..count).collect(), costs: vec![vec![0.0; count]; count] };
        for a in 0..count {
            for b in a + 1..count {
                groups.costs[a][b] = groups.cost(a, b);
            }
        }
        groups
    }

    fn cost(&self, a: usize, b: usize) -> f64 {
        let (one, two) = (self.masses[a], self.masses[b]);
        if one <= 0.0 || two <= 0.0 {
            return 0.0;
        }
        let (one, two) = (one / (one + two), two / (one + two));
        let pairs = self.profiles[a].iter().zip(&self.profiles[b]);
        pairs.map(|(x, y)| (x - (x + y) * one).abs() + (y - (x + y) * two).abs()).sum()
    }

    fn join_nearest(&mut self) {
        let mut best = (f64::INFINITY, 0, 0);
        for (place, &a) in self.alive.iter().enumerate() {
            for &b in &self.alive[place + 1..] {
                let cost = self.costs[a][b];
                if cost < best.0 {
                    best = (cost, a, b);
                }
            }
        }
        let (_, a, b) = best;
        self.alive.retain(|&group| group != b);
        let (joined, members) = (std::mem::take(&mut self.profiles[b]), std::mem::take(&mut self.members[b]));
        self.profiles[a].iter_mut().zip(joined).for_each(|(sum, part)| *sum += part);
        self.members[a].extend(members);
        self.masses[a] += self.masses[b];
        for &other in &self.alive {
            if other != a {
                self.costs[a.min(other)][a.max(other)] = self.cost(a.min(other), a.max(other));
            }
        }
    }

    fn numbered(&self, values: usize) -> Vec<u32> {
        let mut group_of = vec![0; values];
        for (number, &group) in self.alive.iter().enumerate() {
            self.members[group].iter().for_each(|&value| group_of[value] = number as u32);
        }
        group_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_behave_alike_go_together_at_every_level() {
        // Nine values of three kinds, with different masses; kinds 0 and 1 are nearer to each other
        // than to 2.
        let kinds = [[0.9, 0.1, 0.0], [0.7, 0.3, 0.0], [0.0, 0.1, 0.9]];
        let profile = |value: usize| kinds[value % 3].iter().map(|p| p * (1.0 + value as f64)).collect();
        let made = levels((0..9).map(profile).collect());
        let counts: Vec<u32> = made.iter().map(Grouping::groups).collect();
        assert_eq!(counts, [4, 2], "8 of 9 is not worth having");
        let coarse = made[1].group_of();
        for value in 0..9 {
            assert_eq!(coarse[value] == coarse[2], value % 3 == 2, "{coarse:?}");
        }
        // The coarse level joins groups of the fine one.
        let fine = made[0].group_of();
        for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
            assert!(fine[a] != fine[b] || coarse[a] == coarse[b]);
        }
    }

    #[test]
    fn few_values_have_no_levels_and_empty_ones_do_no_harm() {
        assert!(levels(vec![vec![1.0, 2.0]; 2]).is_empty());
        assert!(levels(Vec::new()).is_empty());
        let made = levels(vec![vec![0.0, 0.0]; 12]);
        assert_eq!(made.iter().map(Grouping::groups).collect::<Vec<_>>(), [8, 4, 2]);
    }
}
