//! A random forest on coded columns.

use rayon::prelude::*;

use crate::EvaluationRng;

/// Trees on bootstrap samples, each split chosen among random columns by Gini impurity, leaves
/// grown until they are pure or small.
///
/// Codes of ordered columns are split by a threshold; others are first put in order of the share of
/// the node's commonest class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forest {
    /// The number of trees.
    pub trees: usize,
    /// Splits from the root to a leaf, at most.
    pub depth: usize,
    /// Rows that a leaf has at least.
    pub least: usize,
    /// The seed of samples and choices.
    pub seed: u64,
}

impl Default for Forest {
    fn default() -> Self {
        Self { trees: 60, depth: 24, least: 1, seed: 0 }
    }
}

/// Columns to learn from.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The codes of each column, all of one length.
    pub columns: &'a [Vec<u32>],
    /// The number of codes of each column.
    pub sizes: &'a [u32],
    /// Whether the codes of a column ascend with its values.
    pub ordered: &'a [bool],
}

impl Inputs<'_> {
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// A trained forest.
#[derive(Clone, Debug)]
pub struct ForestFit {
    trees: Vec<DecisionTree>,
    classes: usize,
}

#[derive(Clone, Debug)]
struct DecisionTree {
    nodes: Vec<TreeNode>,
    /// Which rows it has not seen.
    unseen: Vec<bool>,
}

#[derive(Clone, Debug)]
enum TreeNode {
    /// Chances of the classes.
    Leaf(Box<[f32]>),
    /// Codes whose bit is set go left.
    Branch { column: u32, goes_left: Box<[u64]>, left: u32, right: u32 },
}

struct TreeSplit {
    column: usize,
    goes_left: Box<[u64]>,
    impurity: f64,
}

impl Forest {
    /// Trains on rows and their classes, which are below `classes`.
    pub fn fit(&self, inputs: Inputs<'_>, labels: &[u32], classes: usize) -> ForestFit {
        let grow = |index: usize| {
            let mut rng = EvaluationRng::new(self.seed, "forest", index as u64);
            let rows = inputs.rows() as u32;
            let mut sample: Vec<u32> = (0..rows).map(|_| rng.below(rows)).collect();
            let mut unseen = vec![true; rows as usize];
            sample.iter().for_each(|&row| unseen[row as usize] = false);
            let mut grower = Grower { forest: self, inputs, labels, classes, rng, nodes: Vec::new() };
            grower.grow(&mut sample, 0);
            DecisionTree { nodes: grower.nodes, unseen }
        };
        ForestFit { trees: (0..self.trees).into_par_iter().map(grow).collect(), classes }
    }
}

struct Grower<'a> {
    forest: &'a Forest,
    inputs: Inputs<'a>,
    labels: &'a [u32],
    classes: usize,
    rng: EvaluationRng,
    nodes: Vec<TreeNode>,
}

impl Grower<'_> {
    /// Grows the node of these rows; gives its number.
    fn grow(&mut self, rows: &mut [u32], depth: usize) -> u32 {
        let mut counts = vec![0u32; self.classes];
        rows.iter().for_each(|&row| counts[self.labels[row as usize] as usize] += 1);
        let number = self.nodes.len() as u32;
        let total = rows.len().max(1) as f32;
        self.nodes.push(TreeNode::Leaf(counts.iter().map(|&count| count as f32 / total).collect()));
        let pure = counts.iter().filter(|&&count| count > 0).count() < 2;
        if pure || depth >= self.forest.depth || rows.len() < 2 * self.forest.least.max(1) {
            return number;
        }
        let Some(split) = self.best_split(rows, &counts) else { return number };
        let codes = &self.inputs.columns[split.column];
        let goes = |row: u32| bit(&split.goes_left, codes[row as usize]);
        // Left ones to the front.
        let mut front = 0;
        for place in 0..rows.len() {
            if goes(rows[place]) {
                rows.swap(front, place);
                front += 1;
            }
        }
        let (left, right) = rows.split_at_mut(front);
        let left = self.grow(left, depth + 1);
        let right = self.grow(right, depth + 1);
        self.nodes[number as usize] =
            TreeNode::Branch { column: split.column as u32, goes_left: split.goes_left, left, right };
        number
    }

    /// The best split among random columns: the square root of their number, and more until one of
    /// them can split at all.
    fn best_split(&mut self, rows: &[u32], counts: &[u32]) -> Option<TreeSplit> {
        let columns = self.inputs.columns.len();
        let wanted = (columns as f64).sqrt().floor().max(1.0) as usize;
        let mut order: Vec<usize> = (0..columns).collect();
        let mut best: Option<TreeSplit> = None;
        for tried in 0..columns {
            let pick = tried + self.rng.below((columns - tried) as u32) as usize;
            order.swap(tried, pick);
            if let Some(split) = self.split_on(order[tried], rows, counts)
                && best.as_ref().is_none_or(|best| split.impurity < best.impurity)
            {
                best = Some(split);
            }
            if tried + 1 >= wanted && best.is_some() {
                break;
            }
        }
        best
    }

    /// The best split on one column, when it has more than one code here.
    fn split_on(&self, column: usize, rows: &[u32], counts: &[u32]) -> Option<TreeSplit> {
        let (codes, size) = (&self.inputs.columns[column], self.inputs.sizes[column] as usize);
        let classes = self.classes;
        let (table, mut present) = self.tally(codes, size, rows);
        if present.len() < 2 {
            return None;
        }
        let cells = |code: u32| &table[code as usize * classes..(code as usize + 1) * classes];
        if !self.inputs.ordered[column] {
            let common = counts.iter().enumerate().max_by_key(|(_, count)| **count).map_or(0, |(class, _)| class);
            let share =
                |code: &u32| f64::from(cells(*code)[common]) / f64::from(cells(*code).iter().sum::<u32>().max(1));
            present.sort_by(|a, b| share(a).total_cmp(&share(b)).then(a.cmp(b)));
        }
        let mut left = vec![0u32; classes];
        let (mut best, mut cut, mut seen) = (f64::INFINITY, 0, 0usize);
        for (place, &code) in present[..present.len() - 1].iter().enumerate() {
            for (sum, count) in left.iter_mut().zip(cells(code)) {
                *sum += count;
                seen += *count as usize;
            }
            if seen < self.forest.least || rows.len() - seen < self.forest.least {
                continue;
            }
            // Rows times Gini impurity, up to a constant: minus the sums of squares over the sizes.
            let (mut a, mut b) = (0.0, 0.0);
            for (&inside, &all) in left.iter().zip(counts) {
                a += f64::from(inside) * f64::from(inside);
                b += f64::from(all - inside) * f64::from(all - inside);
            }
            let impurity = -a / seen as f64 - b / (rows.len() - seen) as f64;
            if impurity < best {
                (best, cut) = (impurity, place + 1);
            }
        }
        if best.is_infinite() {
            return None;
        }
        let mut goes_left = vec![0u64; size.div_ceil(64)].into_boxed_slice();
        present[..cut].iter().for_each(|&code| goes_left[code as usize / 64] |= 1 << (code % 64));
        Some(TreeSplit { column, goes_left, impurity: best })
    }

    /// Counts of the codes and classes of these rows, and the codes that occur, ascending.
    fn tally(&self, codes: &[u32], size: usize, rows: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let mut table = vec![0u32; size * self.classes];
        for &row in rows {
            table[codes[row as usize] as usize * self.classes + self.labels[row as usize] as usize] += 1;
        }
        let cells = table.chunks_exact(self.classes).enumerate();
        let present = cells.filter(|(_, cells)| cells.iter().any(|&count| count > 0)).map(|(code, _)| code as u32);
        let present = present.collect();
        (table, present)
    }
}

#[inline]
fn bit(bits: &[u64], code: u32) -> bool {
    bits[code as usize / 64] >> (code % 64) & 1 == 1
}

impl DecisionTree {
    fn leaf(&self, inputs: &Inputs<'_>, row: usize) -> &[f32] {
        let mut at = 0usize;
        loop {
            match &self.nodes[at] {
                TreeNode::Leaf(chances) => return chances,
                TreeNode::Branch { column, goes_left, left, right } => {
                    let code = inputs.columns[*column as usize][row];
                    at = if bit(goes_left, code) { *left } else { *right } as usize;
                }
            }
        }
    }
}

impl ForestFit {
    /// The mean chances of the classes for each row.
    pub fn chances(&self, inputs: Inputs<'_>) -> Vec<Vec<f64>> {
        self.mean(inputs, |_, _| true)
    }

    /// The likeliest class of each row, the first of equals.
    pub fn predict(&self, inputs: Inputs<'_>) -> Vec<u32> {
        self.chances(inputs).iter().map(|chances| super::largest(chances)).collect()
    }

    /// For each of the rows it was trained on, the mean over the trees that have not seen it. A row
    /// that every tree has seen gets equal chances.
    pub fn unseen_chances(&self, inputs: Inputs<'_>) -> Vec<Vec<f64>> {
        self.mean(inputs, |tree, row| tree.unseen.get(row).copied().unwrap_or(true))
    }

    fn mean(&self, inputs: Inputs<'_>, counts: impl Fn(&DecisionTree, usize) -> bool + Sync) -> Vec<Vec<f64>> {
        let row = |row: usize| {
            let mut sum = vec![0.0; self.classes];
            let mut trees = 0.0;
            for tree in self.trees.iter().filter(|tree| counts(tree, row)) {
                sum.iter_mut().zip(tree.leaf(&inputs, row)).for_each(|(sum, chance)| *sum += f64::from(*chance));
                trees += 1.0;
            }
            let equal = 1.0 / self.classes.max(1) as f64;
            sum.iter_mut().for_each(|sum| *sum = if trees > 0.0 { *sum / trees } else { equal });
            sum
        };
        (0..inputs.rows()).into_par_iter().map(row).collect()
    }
}
