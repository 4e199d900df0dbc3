//! Putting rare values together, from noisy counts that were paid for.
//!
//! A table over columns with many rare values is mostly noise. Values whose noisy count does not
//! stand out of the noise are put into one group; where values have an order, runs of rare
//! neighbours become groups of their own as soon as they stand out together. The model holds the
//! groups, and rows get their values again in the proportions of the noisy counts.
//!
//! # Privacy
//! Post-processing of noisy one-way marginals: free of charge.

use lookalike_model::{Descent, Rules};
use lookalike_schema::{AttrId, Codec, Grouping, Schema};

use super::{OneWayMarginal, OneWayMarginals};
use crate::MethodError;

/// Which values are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merging {
    /// Values with a noisy count below this many standard deviations of their noise are rare. 0:
    /// none is.
    pub threshold: f64,
    /// The most groups of a column. Columns with an order are then cut into runs of about equal
    /// counts; in others the most frequent values stay.
    pub most_groups: u32,
    /// The most groups of a column that was measured slot by slot, its codes without an order not
    /// counted.
    pub most_runs: u32,
    /// Columns with more ordered values than that are held as runs of neighbours, and no more of
    /// them than `most_runs`, however they were measured.
    pub run_values: u32,
}

/// The most groups of a column, unless the model's size asks for fewer.
pub const MOST_GROUPS: u32 = 128;
/// The most runs that a column of many ordered values is held as: what lies inside is filled in.
pub const MOST_RUNS: u32 = 32;
/// Of a run's weight, the part that goes by its share of the column's spread and not by its rows:
/// the last few percent of a long tail are where its relations are.
const SPREAD_SHARE: f64 = 0.3;
/// The fewest groups that a column is cut to.
const FEWEST_GROUPS: f64 = 8.0;

impl Default for Merging {
    /// The threshold that MST publishes, and [`MOST_GROUPS`] groups.
    fn default() -> Self {
        Self { threshold: 3.0, most_groups: MOST_GROUPS, most_runs: MOST_RUNS, run_values: u32::MAX }
    }
}

impl Merging {
    /// So few groups that tables of two columns, one for each of `columns` columns, stay within a
    /// tree of `cells` cells.
    pub fn for_pairs(threshold: f64, columns: usize, cells: u64) -> Self {
        let side = (cells as f64 / columns.max(1) as f64).sqrt();
        let most_groups = side.clamp(FEWEST_GROUPS, f64::from(MOST_GROUPS)) as u32;
        Self { threshold, most_groups, ..Self::default() }
    }

    /// For each column its groups, or `None` when there is nothing to put together.
    pub fn groupings(&self, schema: &Schema, ones: &OneWayMarginals) -> Result<Vec<Option<Grouping>>, MethodError> {
        let rules = Rules::new(schema)?;
        let columns = schema.domain().attributes().zip(ones.columns());
        Ok(columns.map(|(attribute, one)| self.column(schema, &rules, attribute, one)).collect())
    }

    /// Whether a column is held as runs of its ordered values.
    pub fn in_runs(&self, codec: &Codec) -> bool {
        codec.is_ordered() && codec.present() > self.run_values
    }

    fn column(&self, schema: &Schema, rules: &Rules, attribute: AttrId, one: &OneWayMarginal) -> Option<Grouping> {
        let codec = schema.codec(attribute);
        if let Some(descent) = &one.descent {
            return runs_together(descent, one, codec.present() as usize, self.most_runs);
        }
        let index = attribute.index();
        let value = |(code, &value): (usize, &f64)| if rules.allows(index, code) { value } else { 0.0 };
        let counts: Vec<f64> = one.values.iter().enumerate().map(value).collect();
        let least = self.threshold * one.variance.sqrt();
        // Of an ordered column, the codes before the missing one.
        let run = if codec.is_ordered() { codec.present() as usize } else { 0 };
        let in_runs = self.in_runs(codec);
        let together = if in_runs { runs_that_stand_out } else { rare_together };
        let mut group_of = together(&counts, run, least);
        let most = if in_runs { self.most_runs + (counts.len() - run) as u32 } else { self.most_groups };
        if distinct(&group_of) > most.max(1) as usize {
            group_of = if codec.is_ordered() { equal_runs(&counts, run, most) } else { frequent_alone(&counts, most) };
        }
        let home = group_of[most_frequent(&counts)];
        one.absent.iter().for_each(|&code| group_of[code] = home);
        let merges = distinct(&group_of) < counts.len();
        // Groups are numbered without gaps, so a grouping can be made of them.
        merges.then(|| Grouping::new(numbered(&group_of)).ok()).flatten()
    }
}

/// The group of each code: a code that stands out is its own; neighbours before `run` that stand
/// out together are one; the rest is one group.
fn rare_together(counts: &[f64], run: usize, least: f64) -> Vec<usize> {
    let rest = counts.len();
    let mut group_of = vec![rest; counts.len()];
    // The run of rare codes so far, and its sum.
    let (mut start, mut sum) = (0, 0.0);
    for (code, &count) in counts.iter().enumerate() {
        sum += count;
        let alone = count >= least;
        if alone {
            group_of[code] = code;
        } else if code < run && sum >= least * ((code + 1 - start) as f64).sqrt() {
            // A sum of m noisy counts has sqrt(m) times the noise.
            group_of[start..=code].fill(start);
        } else if code < run {
            continue;
        }
        (start, sum) = (code + 1, 0.0);
    }
    group_of
}

/// Runs of neighbours that stand out together; what is left over goes with the run before it. Codes
/// behind `run` are their own groups.
fn runs_that_stand_out(counts: &[f64], run: usize, least: f64) -> Vec<usize> {
    let mut group_of: Vec<usize> = (0..counts.len()).collect();
    // Where the run before begins, and the run so far with its sum.
    let (mut before, mut start, mut sum) = (None, 0, 0.0);
    for (code, &count) in counts.iter().enumerate().take(run) {
        // A value that stands out by itself is not put to rare ones before it, where there is
        // another run that these can go with.
        if let Some(before) = before
            && start < code
            && count >= least
        {
            group_of[start..code].fill(before);
            (start, sum) = (code, 0.0);
        }
        sum += count;
        // A sum of m noisy counts has sqrt(m) times the noise.
        if sum >= least * ((code + 1 - start) as f64).sqrt() {
            group_of[start..=code].fill(start);
            (before, start, sum) = (Some(start), code + 1, 0.0);
        }
    }
    group_of[start..run].fill(before.unwrap_or(start));
    group_of
}

/// The most frequent code. Its group takes in one that no row seems to have, which would only make
/// tables larger, and gives it no weight.
fn most_frequent(counts: &[f64]) -> usize {
    (0..counts.len()).max_by(|&a, &b| counts[a].total_cmp(&counts[b])).unwrap_or(0)
}

/// The most frequent codes are their own groups, the rest is one.
fn frequent_alone(counts: &[f64], groups: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]).then(a.cmp(&b)));
    let mut group_of = vec![counts.len(); counts.len()];
    order.iter().take(groups.saturating_sub(1) as usize).for_each(|&code| group_of[code] = code);
    group_of
}

/// Groups of the runs of a descent, cut by rows and partly by spread.
fn runs_together(descent: &Descent, one: &OneWayMarginal, present: usize, groups: u32) -> Option<Grouping> {
    let counts = &one.values;
    let total: f64 = counts.iter().sum();
    let mut starts: Vec<usize> = descent.shape(total).runs.iter().map(|run| run.codes.start as usize).skip(1).collect();
    starts.insert(0, 0);
    let sum = |of: &dyn Fn(usize) -> f64| (0..present).map(|code| of(code) * counts[code]).sum::<f64>().max(1e-9);
    let rows = sum(&|_| 1.0);
    let middle = sum(&|code| code as f64) / rows;
    let away = |code: usize| (code as f64 - middle).abs();
    let spread = sum(&away);
    let weight = |code: usize| counts[code] * ((1.0 - SPREAD_SHARE) / rows + SPREAD_SHARE * away(code) / spread);
    let ends = starts.iter().skip(1).copied().chain([present]);
    let weights: Vec<f64> = starts.iter().zip(ends).map(|(&start, end)| (start..end).map(weight).sum()).collect();
    let mut firsts: Vec<usize> =
        equal_runs(&weights, weights.len(), groups).into_iter().map(|run| starts[run]).collect();
    firsts.dedup();
    firsts.extend((present..counts.len()).filter(|&code| !one.absent.contains(&code)));
    let home = most_frequent(counts);
    let group = |code: usize| {
        let held = if one.absent.contains(&code) { home } else { code };
        firsts.partition_point(|&first| first <= held) as u32 - 1
    };
    Grouping::new((0..counts.len()).map(group).collect()).ok().filter(|made| (made.groups() as usize) < counts.len())
}

/// Runs of neighbours with about equal counts; codes behind `run` are their own groups.
pub fn equal_runs(counts: &[f64], run: usize, groups: u32) -> Vec<usize> {
    let behind = counts.len() - run;
    let runs = (groups as usize).saturating_sub(behind).max(1);
    let positive = |code: usize| counts[code].max(0.0);
    let mut left: f64 = (0..run).map(positive).sum();
    let mut group_of: Vec<usize> = (0..counts.len()).collect();
    let (mut start, mut made, mut sum) = (0, 0, 0.0);
    for (code, group) in group_of.iter_mut().enumerate().take(run) {
        // What is left is shared anew after each run, so that a heavy value does not leave later
        // runs without a share.
        let share = left / (runs - made).max(1) as f64;
        // A value that would bring the run farther above its share than it is below begins the next
        // one.
        if code > start && made + 1 < runs && sum + positive(code) - share > share - sum {
            left -= sum;
            (start, made, sum) = (code, made + 1, 0.0);
        }
        sum += positive(code);
        *group = start;
    }
    group_of
}

fn distinct(group_of: &[usize]) -> usize {
    let mut seen = vec![false; group_of.len() + 1];
    group_of.iter().for_each(|&group| seen[group] = true);
    seen.iter().filter(|&&seen| seen).count()
}

/// Groups numbered from 0 in the order of their first codes.
fn numbered(group_of: &[usize]) -> Vec<u32> {
    let mut number = vec![None; group_of.len() + 1];
    let mut next = 0;
    let mut of = |group: usize| {
        *number[group].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    group_of.iter().map(|&group| of(group)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of ordered values are runs of neighbours, and none of them is of rare values alone
    /// where another could take them.
    #[test]
    fn runs_are_of_neighbours() {
        let runs = |counts: &[f64], run: usize| numbered(&runs_that_stand_out(counts, run, 10.0));
        assert_eq!(runs(&[100.0, 50.0, 30.0], 3), [0, 1, 2], "each stands out by itself");
        assert_eq!(runs(&[100.0, 2.0, 50.0, -3.0, 4.0], 5), [0, 0, 1, 1, 1], "rare ones go to the run before");
        assert_eq!(runs(&[1.0, 2.0, 50.0], 3), [0, 0, 0], "or to the first that there is");
        assert_eq!(runs(&[8.0, 9.0, 8.0, 9.0], 4), [0, 0, 1, 1], "or stand out together");
        assert_eq!(runs(&[1.0, 1.0, 2.0, 3.0], 2), [0, 0, 1, 2], "codes without an order are their own");
        assert_eq!(runs(&[1.0, -1.0], 2), [0, 0]);
        assert!(runs(&[], 0).is_empty());
    }

    #[test]
    fn rare_values_go_together_and_runs_that_stand_out_stay() {
        // Without an order.
        let counts = [100.0, 2.0, -3.0, 50.0, 9.0];
        assert_eq!(numbered(&rare_together(&counts, 0, 10.0)), [0, 1, 1, 2, 1]);
        assert_eq!(distinct(&rare_together(&counts, 0, 0.0)), 5, "one negative value is a group of one");
        // With one: 8 + 9 stands out of the noise of two.
        let counts = [100.0, 8.0, 9.0, 8.0, 1.0, 60.0, 3.0, 4.0];
        assert_eq!(numbered(&rare_together(&counts, 7, 10.0)), [0, 1, 1, 2, 2, 3, 2, 2]);
    }

    #[test]
    fn at_most_so_many_groups() {
        let counts: Vec<f64> = (0..1000).map(|code| f64::from(code % 37)).collect();
        let frequent = frequent_alone(&counts, 64);
        assert_eq!(distinct(&frequent), 64);
        for runs in [1, 2, 7, 64] {
            let group_of = equal_runs(&counts, 999, runs + 1);
            assert!(distinct(&group_of) <= runs as usize + 1, "{runs}");
            assert!(distinct(&group_of) * 10 >= 9 * (runs as usize + 1), "{runs}");
            assert!(group_of[..999].is_sorted());
            let mut sums = vec![0.0; 1001];
            group_of.iter().zip(&counts).for_each(|(&group, count)| sums[group] += count);
            let share = counts[..999].iter().sum::<f64>() / f64::from(runs);
            assert!(sums[..999].iter().all(|&sum| sum <= 1.5 * share + 37.0), "{runs}");
        }
        // One value that holds nearly everything does not starve the rest.
        let mut heavy = vec![1.0; 100];
        heavy[10] = 1e6;
        assert!(distinct(&equal_runs(&heavy, 100, 10)) >= 9);
        // Nothing at all: still a grouping.
        assert_eq!(equal_runs(&[0.0; 5], 5, 1), [0; 5]);
    }

    /// A code that no row seems to have is in the group of the most frequent one, in every way of
    /// holding a column; one that has rows is not.
    #[test]
    fn absent_codes_have_no_group_of_their_own() {
        let text = "[columns.number]\ntype = 'integer'\nrange = [0, 3]\nmissing = true\n\
                    [columns.word]\ntype = 'category'\nvalues = ['a', 'b', 'c', 'd']\nmissing = true\n";
        let schema = Schema::parse(text, "test").unwrap();
        let rules = Rules::new(&schema).unwrap();
        let groups = |column: u32, run_values: u32, absent: &[usize]| {
            let values = vec![50.0, 40.0, 90.0, 60.0, if absent.is_empty() { 30.0 } else { 0.0 }];
            let one = OneWayMarginal { values, variance: 4.0, descent: None, absent: absent.to_vec() };
            let merging = Merging { run_values, ..Merging::default() };
            let grouping = merging.column(&schema, &rules, AttrId(column), &one);
            grouping.map(|grouping| grouping.group_of().to_vec())
        };
        for run_values in [2, u32::MAX] {
            assert_eq!(groups(0, run_values, &[4]), Some(vec![0, 1, 2, 3, 2]), "{run_values}");
            assert_eq!(groups(1, run_values, &[4]), Some(vec![0, 1, 2, 3, 2]), "{run_values}");
            assert_eq!((groups(0, run_values, &[]), groups(1, run_values, &[])), (None, None));
        }
    }

    /// The same of a column that is measured slot by slot.
    #[test]
    fn absent_codes_join_a_run() {
        let schema = Schema::parse("[columns.n]\ntype = 'integer'\nrange = [0, 99]\nmissing = true\n", "test");
        let schema = schema.unwrap().on_grid(1000).unwrap();
        let mut descent = Descent::new(schema.codec(AttrId(0)));
        let cells = descent.cells();
        descent.take(&vec![100.0; cells], 1.0);
        let values: Vec<f64> = (0..101).map(|code| if code < 100 { f64::from(code % 7 + 1) } else { 0.0 }).collect();
        let one = |absent| OneWayMarginal { values: values.clone(), variance: 1.0, descent: None, absent };
        let groups = |absent| runs_together(&descent, &one(absent), 100, 8).unwrap();
        let (with, without) = (groups(vec![]), groups(vec![100]));
        assert_eq!(without.groups() + 1, with.groups());
        assert_eq!(without.group(100), without.group(97), "that of the last of the most frequent codes");
        assert!(with.group_of()[..100] == without.group_of()[..100]);
    }
}
