//! Coarse levels of ordered columns, before anything is chosen: runs of groups with about equal
//! counts, each level inside the one before.

use lookalike_schema::{AttrId, Clique, Grouping};

use crate::MethodError;
use crate::graphical::merge::equal_runs;
use crate::graphical::{CoarseLevel, GrowingModel, Merging};
use crate::rounds::Run;

/// The numbers of groups of the levels, finest first; codes without an order come on top.
const LEVELS: [u32; 4] = [16, 8, 4, 2];
/// A level that keeps more than this share of the groups is not worth its place.
const MOST_KEPT: f64 = 0.67;

/// The attributes of each column, finest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ladder(Vec<Vec<usize>>);

impl Ladder {
    /// Adds coarse levels of the columns that are held as runs of their values.
    pub fn add(run: &mut Run, merging: &Merging) -> Result<Self, MethodError> {
        let (columns, counts) = (run.model.columns().len(), run.model.counts_alone()?);
        let mut ladder = Self((0..columns).map(|column| vec![column]).collect());
        let mut levels: Vec<CoarseLevel> = Vec::new();
        let schema = run.curator.schema().clone();
        for attribute in schema.domain().attributes().filter(|&attribute| merging.in_runs(schema.codec(attribute))) {
            let column = attribute.index();
            let present = schema.codec(attribute).present();
            // Groups in order come first, codes without an order behind them.
            let grouping = run.model.columns().grouping(column);
            let ordered = grouping.map_or(present, |grouping| grouping.group(present - 1) + 1) as usize;
            let mut from = column;
            for starts in nested(&counts[column][..ordered]) {
                let behind = ordered..counts[column].len();
                let firsts: Vec<usize> = starts.into_iter().chain(behind).collect();
                let group = |held: usize| firsts.partition_point(|&first| first <= held) as u32 - 1;
                let groups = (0..counts[column].len()).map(group).collect();
                // Groups are numbered without gaps.
                let Ok(grouping) = Grouping::new(groups) else { continue };
                levels.push(CoarseLevel { column, from, grouping });
                from = columns + levels.len() - 1;
                ladder.0[column].push(from);
            }
        }
        run.model.add_coarse_levels(run.curator, &levels)?;
        Ok(ladder)
    }

    /// Whether a column has coarse levels.
    pub fn has(&self, column: usize) -> bool {
        self.0.get(column).is_some_and(|levels| levels.len() > 1)
    }

    /// Whether any column has them.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|levels| levels.len() < 2)
    }

    /// The finest level of a column with at most `most` groups, or the coarsest there is.
    pub fn coarse(&self, model: &GrowingModel, column: usize, most: u32) -> usize {
        let sizes = model.columns().domain().sizes();
        let Some(levels) = self.0.get(column) else { return column };
        let small = levels.iter().copied().find(|&level| sizes[level] <= most);
        small.or(levels.last().copied()).unwrap_or(column)
    }

    /// The levels of a pair's columns whose table has the most cells, but no more than this.
    pub fn finest(&self, model: &GrowingModel, pair: &Clique, most: f64) -> Clique {
        let sizes = model.columns().domain().sizes();
        let [a, b] = pair.attributes() else { return pair.clone() };
        let cells = |a: usize, b: usize| f64::from(sizes[a]) * f64::from(sizes[b]);
        let levels = |attribute: &AttrId| {
            self.0.get(model.columns().column_of(attribute.index())).map_or(&[][..], Vec::as_slice)
        };
        let mut best = (a.index(), b.index());
        for (&a, &b) in levels(a).iter().flat_map(|a| levels(b).iter().map(move |b| (a, b))) {
            if cells(a, b) <= most && cells(a, b) > cells(best.0, best.1) {
                best = (a, b);
            }
        }
        Clique::new([best.0, best.1].map(|attribute| AttrId(attribute as u32)))
    }
}

/// Where the groups of each level start.
fn nested(counts: &[f64]) -> Vec<Vec<usize>> {
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut held: Vec<usize> = (0..counts.len()).collect();
    for level in LEVELS {
        if f64::from(level) > MOST_KEPT * held.len() as f64 {
            continue;
        }
        let ends = held.iter().skip(1).copied().chain([counts.len()]);
        let masses: Vec<f64> = held.iter().zip(ends).map(|(&start, end)| counts[start..end].iter().sum()).collect();
        let mut starts: Vec<usize> =
            equal_runs(&masses, masses.len(), level).into_iter().map(|run| held[run]).collect();
        starts.dedup();
        levels.push(starts.clone());
        held = starts;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::nested;

    #[test]
    fn each_level_is_inside_the_one_before_and_has_about_equal_counts() {
        let counts: Vec<f64> = (0..30).map(|group| f64::from(group % 7 + 1)).collect();
        let levels = nested(&counts);
        assert_eq!(levels.iter().map(Vec::len).collect::<Vec<_>>(), [16, 8, 4, 2]);
        for pair in levels.windows(2) {
            assert!(pair[1].iter().all(|start| pair[0].contains(start)));
        }
        let half: f64 = counts[..levels[3][1]].iter().sum();
        assert!((half / counts.iter().sum::<f64>() - 0.5).abs() < 0.1);
        assert!(nested(&[1.0, 2.0]).is_empty());
        assert_eq!(nested(&[1.0, 1.0, 1.0]), [vec![0, 2]]);
    }
}
