//! Numbers by categories: how much of a number's spread the groups explain, and what its mean is in
//! each group.

use lookalike_schema::AttrId;

use super::column::moments;

/// Groups of their own, at most: the commonest real values. All others are one group.
pub const MOST_GROUPS: usize = 30;
/// Fewer real values than this in a group are too few for its mean.
pub const LEAST_ROWS: u64 = 50;

/// The rows of two tables grouped by a column: by words, or by a number with few different values.
pub struct ValueGroups {
    /// The values of the groups; a NaN stands for missing cells, which are a group too.
    pub keys: Vec<f64>,
    /// The group of each row in the real and the other table; as many as there are keys is the
    /// group of all other values.
    members: [Vec<u8>; 2],
}

/// A number by a category in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupFigures {
    /// The column that makes the groups.
    pub category: AttrId,
    /// The column of numbers.
    pub number: AttrId,
    /// Correlation ratios; nothing where the number is constant.
    pub eta: [Option<f64>; 2],
    /// The root of the mean squared difference of group means, in real standard deviations. Nothing
    /// when no group is large enough.
    pub mean_error: Option<f64>,
    /// The group whose mean is furthest off.
    pub worst: Option<GroupMean>,
}

/// The mean of a number in one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupMean {
    /// The group's value; a NaN stands for missing cells.
    pub key: f64,
    /// Real and other rows that have the number.
    pub rows: [u64; 2],
    /// Means. Where the other table has no such row, its second mean is that of the whole column.
    pub means: [f64; 2],
    /// Their difference in real standard deviations.
    pub apart: f64,
}

impl ValueGroups {
    /// Groups by the commonest real values.
    pub fn new(real: &[f64], other: &[f64]) -> Self {
        let mut ascending: Vec<f64> = real.iter().copied().filter(|value| !value.is_nan()).collect();
        ascending.sort_unstable_by(f64::total_cmp);
        let mut counts: Vec<(f64, usize)> = ascending.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
        let missing = real.len() - ascending.len();
        if missing > 0 {
            counts.push((f64::NAN, missing));
        }
        // The first of equals is the smaller value.
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts.truncate(MOST_GROUPS);
        let keys: Vec<f64> = counts.into_iter().map(|(key, _)| key).collect();
        let mut places: Vec<(f64, u8)> = keys.iter().enumerate().map(|(group, &key)| (key, group as u8)).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let rest = keys.len() as u8;
        let gap = places.iter().find(|place| place.0.is_nan()).map_or(rest, |place| place.1);
        let group = |&value: &f64| match value.is_nan() {
            true => gap,
            false => places.binary_search_by(|place| place.0.total_cmp(&value)).map_or(rest, |found| places[found].1),
        };
        let members = [real.iter().map(group).collect(), other.iter().map(group).collect()];
        Self { keys, members }
    }

    /// The group of each row in the real (0) or the other (1) table.
    pub fn members(&self, side: usize) -> &[u8] {
        &self.members[side]
    }

    /// Rows and means of the groups, with the group of all other values last.
    fn means(&self, side: usize, values: &[f64]) -> Vec<(u64, f64)> {
        let mut sums = vec![(0u64, 0.0f64); self.keys.len() + 1];
        for (&group, &value) in self.members[side].iter().zip(values) {
            if !value.is_nan() {
                let sum = &mut sums[usize::from(group)];
                *sum = (sum.0 + 1, sum.1 + value);
            }
        }
        sums.into_iter().map(|(rows, sum)| (rows, sum / rows as f64)).collect()
    }

    /// Compares the groups' values of a number in the real and the other table. Groups of fewer
    /// than `least` real values have no say about means.
    pub fn compare(&self, columns: [AttrId; 2], real: &[f64], other: &[f64], least: u64) -> GroupFigures {
        let [category, number] = columns;
        let means = [self.means(0, real), self.means(1, other)];
        let whole = [real, other].map(|values| moments(values.iter().copied()));
        let eta = [0, 1].map(|side| eta(&means[side], whole[side]));
        let rows: u64 = means[0].iter().map(|group| group.0).sum();
        let deviation = Some((whole[0].1 / rows as f64).sqrt()).filter(|&found| found > 0.0).unwrap_or(1.0);
        let fallback = if whole[1].0.is_nan() { whole[0].0 } else { whole[1].0 };
        let one = |group: usize| {
            let (first, second) = (means[0][group], means[1][group]);
            let mean = if second.0 > 0 { second.1 } else { fallback };
            let apart = (mean - first.1).abs() / deviation;
            GroupMean { key: self.keys[group], rows: [first.0, second.0], means: [first.1, mean], apart }
        };
        let is_told = |group: &GroupMean| group.rows[0] >= least.max(1) && group.apart.is_finite();
        let groups: Vec<GroupMean> = (0..self.keys.len()).map(one).filter(is_told).collect();
        let square: f64 = groups.iter().map(|group| group.apart * group.apart).sum();
        GroupFigures {
            category,
            number,
            eta,
            mean_error: (!groups.is_empty()).then(|| (square / groups.len() as f64).sqrt()),
            worst: groups.into_iter().rev().max_by(|a, b| a.apart.total_cmp(&b.apart)),
        }
    }
}

/// The correlation ratio, corrected for the number of groups (Kelley's epsilon): the plain one
/// grows with it, and with few rows. `whole` is the mean of all values and the sum of squared
/// distances from it.
pub fn eta(groups: &[(u64, f64)], whole: (f64, f64)) -> Option<f64> {
    let used = || groups.iter().filter(|group| group.0 > 0);
    let rows: u64 = used().map(|group| group.0).sum();
    let between: f64 = used().map(|&(rows, mean)| rows as f64 * (mean - whole.0) * (mean - whole.0)).sum();
    let free = rows.saturating_sub(used().count() as u64).max(1);
    let square = 1.0 - (1.0 - between / whole.1) * (rows.saturating_sub(1) as f64) / free as f64;
    (rows > 1 && whole.1 > 0.0 && square.is_finite()).then(|| square.clamp(0.0, 1.0).sqrt())
}
