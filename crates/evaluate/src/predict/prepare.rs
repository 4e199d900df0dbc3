//! Features and classes from coded rows.

use lookalike_schema::AttrId;

use super::result::PredictLimits;
use crate::CodedRows;
use crate::learn::{Examples, Inputs, Points};

/// How a target's classes and the other columns' features are made, fixed from the real training
/// rows.
pub struct Prepared {
    target: usize,
    classes: Grouped,
    features: Vec<(usize, Grouped)>,
    ordered: Vec<bool>,
}

/// The group of each code.
struct Grouped {
    group_of: Vec<u32>,
    groups: u32,
}

/// Features and classes of some rows.
pub struct Learnable {
    /// One vector of grouped codes for each feature column.
    pub columns: Vec<Vec<u32>>,
    /// The number of groups of each.
    pub sizes: Vec<u32>,
    /// Whether each is ordered.
    pub ordered: Vec<bool>,
    /// The class of each row.
    pub labels: Vec<u32>,
}

/// Fixes classes and features for a target.
pub fn prepare(rows: &CodedRows, ordered: &[bool], target: AttrId, limits: &PredictLimits) -> Prepared {
    let group =
        |column: usize, most: usize| Grouped::new(&rows.columns()[column], rows.sizes()[column], ordered[column], most);
    let others = (0..rows.sizes().len()).filter(|&column| column != target.index());
    let features: Vec<(usize, Grouped)> = others.map(|column| (column, group(column, limits.codes))).collect();
    Prepared {
        target: target.index(),
        classes: group(target.index(), limits.classes),
        ordered: features.iter().map(|&(column, _)| ordered[column]).collect(),
        features,
    }
}

impl Prepared {
    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes.groups as usize
    }

    /// Whether several codes share a class.
    pub fn groups_classes(&self) -> bool {
        (self.classes.groups as usize) < self.classes.group_of.len()
    }

    /// Features and classes of rows.
    pub fn apply(&self, rows: &CodedRows) -> Learnable {
        let map = |column: usize, grouped: &Grouped| {
            rows.columns()[column].iter().map(|&code| grouped.group_of[code as usize]).collect::<Vec<u32>>()
        };
        Learnable {
            columns: self.features.iter().map(|(column, grouped)| map(*column, grouped)).collect(),
            sizes: self.features.iter().map(|(_, grouped)| grouped.groups).collect(),
            ordered: self.ordered.clone(),
            labels: map(self.target, &self.classes),
        }
    }
}

impl Grouped {
    /// At most `most` groups: neighbours of about equal weight for ordered columns, the commonest
    /// codes and a rest for others.
    fn new(codes: &[u32], size: u32, ordered: bool, most: usize) -> Self {
        if size as usize <= most {
            return Self { group_of: (0..size).collect(), groups: size };
        }
        let mut counts = vec![0u64; size as usize];
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        if ordered {
            let total: u64 = counts.iter().sum::<u64>().max(1);
            let mut before = 0;
            let mut group_of = Vec::with_capacity(size as usize);
            let (mut group, mut last) = (0, None);
            for &count in &counts {
                // By the middle of the code's rows, so that one heavy code does not swallow its
                // neighbours' groups.
                let part = ((2 * before + count) as u128 * most as u128 / (2 * total) as u128).min(most as u128 - 1);
                if last.is_some_and(|last| last != part) {
                    group += 1;
                }
                last = Some(part);
                group_of.push(group);
                before += count;
            }
            return Self { group_of, groups: group + 1 };
        }
        let mut order: Vec<u32> = (0..size).collect();
        order.sort_by_key(|&code| std::cmp::Reverse(counts[code as usize]));
        let mut group_of = vec![most as u32 - 1; size as usize];
        for (group, &code) in order.iter().take(most - 1).enumerate() {
            group_of[code as usize] = group as u32;
        }
        Self { group_of, groups: most as u32 }
    }
}

impl Learnable {
    /// The codes, as a forest takes them.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { columns: &self.columns, sizes: &self.sizes, ordered: &self.ordered }
    }

    /// One feature a code, scaled so that every row has length 1, as PB14 does.
    pub fn one_hot(&self) -> Examples {
        Examples::one_hot(&self.columns, &self.sizes, |row| self.labels[row] == 1)
    }

    /// The codes as numbers, as the authors of PrivMRF do.
    pub fn points(&self, most: usize) -> Points {
        let rows = self.labels.len().min(most);
        let values = (0..rows).flat_map(|row| self.columns.iter().map(move |codes| f64::from(codes[row]))).collect();
        Points::new(self.columns.len(), values)
    }
}

/// The rows with at most `most` codes a column; wide columns are grouped by what `guide` holds of
/// them.
pub fn narrowed(guide: &CodedRows, rows: &CodedRows, ordered: &[bool], most: usize) -> CodedRows {
    let group = |column: usize| Grouped::new(&guide.columns()[column], rows.sizes()[column], ordered[column], most);
    let groups: Vec<Grouped> = (0..rows.sizes().len()).map(group).collect();
    let map =
        |(codes, grouped): (&Vec<u32>, &Grouped)| codes.iter().map(|&code| grouped.group_of[code as usize]).collect();
    let columns = rows.columns().iter().zip(&groups).map(map).collect();
    CodedRows::new(groups.iter().map(|grouped| grouped.groups).collect(), columns)
}
