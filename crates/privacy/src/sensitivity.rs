//! What one neighbour step can do to counts and to scores that get noise.

use crate::score::{NoisedScore, SCORE_GRID, ScoreKind};
use crate::{Neighbours, PrivacyError, Relation};

impl Neighbours {
    /// The worst change of the counts of one marginal.
    pub fn marginal(self) -> CountSensitivity {
        match self.relation() {
            Relation::AddRemove => CountSensitivity::counts(vec![self.contribution()]),
            Relation::ReplaceOne => CountSensitivity::counts(vec![1, 1]),
        }
    }

    /// The worst change of the row count.
    pub fn row_count(self) -> CountSensitivity {
        match self.relation() {
            Relation::AddRemove => CountSensitivity::counts(vec![self.contribution()]),
            Relation::ReplaceOne => CountSensitivity::counts(vec![]),
        }
    }

    /// The worst change of a score that gets noise, in steps of the public grid [`SCORE_GRID`].
    /// `rows` is the public n under replace-one; under add/remove it is not used and may be
    /// anything.
    ///
    /// Refused: mutual information under add/remove, and a contribution beyond what 32 bits hold.
    pub fn score(self, kind: ScoreKind, rows: u64) -> Result<CountSensitivity, PrivacyError> {
        let steps = kind.sensitivity(self, SCORE_GRID, rows)?;
        let steps = u32::try_from(steps)
            .map_err(|_| PrivacyError::Plan { what: "the contribution is too large for noise on a score".into() })?;
        Ok(CountSensitivity { shifts: vec![steps], score: Some(NoisedScore::new(kind, self.relation(), rows)) })
    }

    /// The sensitivity with these shifts, if it is one of this relation's: for readers of journals
    /// and statements.
    pub fn with_shifts(self, shifts: &[u32], score: Option<NoisedScore>) -> Option<CountSensitivity> {
        let known = match score {
            None => vec![self.marginal(), self.row_count()],
            Some(score) => self.score(score.kind, score.rows.unwrap_or(0)).into_iter().collect(),
        };
        known.into_iter().find(|known| known.shifts == shifts && known.score == score)
    }
}

/// The worst pair of neighbouring count vectors: they differ in these many coordinates, by these
/// amounts. A score that gets noise is a vector of one coordinate, in grid steps.
///
/// It is made by [`Neighbours`] only, so that a sensitivity always comes from the relation and the
/// contribution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CountSensitivity {
    shifts: Vec<u32>,
    score: Option<NoisedScore>,
}

impl CountSensitivity {
    fn counts(shifts: Vec<u32>) -> Self {
        Self { shifts, score: None }
    }

    /// The score that it is about; `None` for counts.
    pub fn score(&self) -> Option<NoisedScore> {
        self.score
    }

    /// How many steps of the noise make one row: 1 for counts.
    pub fn grid(&self) -> u64 {
        if self.score.is_some() { SCORE_GRID } else { 1 }
    }

    /// The amounts by which single cells differ.
    pub fn shifts(&self) -> &[u32] {
        &self.shifts
    }

    /// The L1 sensitivity.
    pub fn l1(&self) -> u64 {
        self.shifts.iter().map(|&shift| u64::from(shift)).sum()
    }

    /// The square of the L2 sensitivity.
    pub fn l2_squared(&self) -> u64 {
        self.shifts.iter().map(|&shift| u64::from(shift) * u64::from(shift)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tables of `rows` rows over `cells` cells, as counts.
    fn tables(rows: u32, cells: usize) -> Vec<Vec<i64>> {
        if cells == 1 {
            return vec![vec![i64::from(rows)]];
        }
        let mut all = Vec::new();
        for first in 0..=rows {
            for rest in tables(rows - first, cells - 1) {
                all.push([vec![i64::from(first)], rest].concat());
            }
        }
        all
    }

    /// The marginals of counts over `shape` (two columns): the first column, the second, both, and
    /// the row count.
    fn marginals(counts: &[i64], shape: (usize, usize)) -> [Vec<i64>; 4] {
        let (mut first, mut second) = (vec![0; shape.0], vec![0; shape.1]);
        for (cell, count) in counts.iter().enumerate() {
            first[cell / shape.1] += count;
            second[cell % shape.1] += count;
        }
        [first, second, counts.to_vec(), vec![counts.iter().sum()]]
    }

    fn distances(a: &[i64], b: &[i64]) -> (u64, u64) {
        let each = a.iter().zip(b).map(|(x, y)| x.abs_diff(*y));
        (each.clone().sum(), each.map(|distance| distance * distance).sum())
    }

    /// Whether one person's rows turn one table into the other.
    fn are_neighbours(a: &[i64], b: &[i64], neighbours: Neighbours) -> bool {
        let (added, removed): (i64, i64) = a
            .iter()
            .zip(b)
            .map(|(x, y)| ((y - x).max(0), (x - y).max(0)))
            .fold((0, 0), |sum, (more, less)| (sum.0 + more, sum.1 + less));
        match neighbours.relation() {
            Relation::AddRemove => added.min(removed) == 0 && added + removed <= i64::from(neighbours.contribution()),
            Relation::ReplaceOne => added == removed && added <= 1,
        }
    }

    #[test]
    fn declared_sensitivities_hold_and_are_reached_on_all_small_tables() {
        for neighbours in [
            Neighbours::new(Relation::AddRemove, 1).unwrap(),
            Neighbours::new(Relation::AddRemove, 2).unwrap(),
            Neighbours::new(Relation::ReplaceOne, 1).unwrap(),
        ] {
            let mut worst = [(0, 0); 2];
            for shape in [(1, 1), (1, 2), (2, 2), (3, 1), (2, 3), (3, 3)] {
                for rows in 0..=6u32 {
                    // Row counts that a neighbour can have. Tables with 6 rows are the last on the
                    // larger side.
                    let reach = match neighbours.relation() {
                        Relation::AddRemove => (rows..=(rows + neighbours.contribution()).min(6)).collect(),
                        Relation::ReplaceOne => vec![rows],
                    };
                    let here = tables(rows, shape.0 * shape.1);
                    for other in reach.into_iter().map(|rows| tables(rows, shape.0 * shape.1)) {
                        for a in &here {
                            for b in other.iter().filter(|b| are_neighbours(a, b, neighbours)) {
                                let pairs = marginals(a, shape).into_iter().zip(marginals(b, shape));
                                for (index, (x, y)) in pairs.enumerate() {
                                    let declared =
                                        if index == 3 { neighbours.row_count() } else { neighbours.marginal() };
                                    let (l1, l2_squared) = distances(&x, &y);
                                    assert!(l1 <= declared.l1() && l2_squared <= declared.l2_squared());
                                    let seen = &mut worst[usize::from(index == 3)];
                                    *seen = (seen.0.max(l1), seen.1.max(l2_squared));
                                }
                            }
                        }
                    }
                }
            }
            let (marginal, count) = (neighbours.marginal(), neighbours.row_count());
            assert_eq!(worst, [(marginal.l1(), marginal.l2_squared()), (count.l1(), count.l2_squared())]);
        }
    }

    #[test]
    fn the_table_of_the_specification() {
        let add_remove = Neighbours::new(Relation::AddRemove, 1).unwrap();
        assert_eq!((add_remove.marginal().l1(), add_remove.marginal().l2_squared()), (1, 1));
        assert_eq!(add_remove.row_count().l1(), 1);
        let three = Neighbours::new(Relation::AddRemove, 3).unwrap();
        assert_eq!((three.marginal().l1(), three.marginal().l2_squared()), (3, 9));
        let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
        assert_eq!((replace.marginal().l1(), replace.marginal().l2_squared()), (2, 2));
        assert_eq!(replace.row_count().l1(), 0);
        assert!(Neighbours::new(Relation::ReplaceOne, 2).is_err());
        assert!(Neighbours::new(Relation::AddRemove, 0).is_err());
    }

    #[test]
    fn shifts_are_read_back_only_where_they_belong() {
        let add_remove = Neighbours::new(Relation::AddRemove, 2).unwrap();
        assert_eq!(add_remove.with_shifts(&[2], None), Some(add_remove.marginal()));
        assert_eq!(add_remove.with_shifts(&[1], None), None);
        assert_eq!(add_remove.with_shifts(&[], None), None);
        let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
        assert_eq!(replace.with_shifts(&[], None), Some(replace.row_count()));
        assert_eq!(replace.with_shifts(&[1, 1], None), Some(replace.marginal()));
        // A score's shift counts only with the score and the n that it follows from.
        let score = replace.score(ScoreKind::Dependence, 1000).unwrap();
        let shifts = score.shifts().to_vec();
        assert_eq!(shifts, [3 * 4096 + 9 + 1]);
        assert_eq!(replace.with_shifts(&shifts, score.score()), Some(score.clone()));
        assert_eq!(replace.with_shifts(&shifts, None), None);
        let other = NoisedScore { rows: Some(2000), ..score.score().unwrap() };
        assert_eq!(replace.with_shifts(&shifts, Some(other)), None);
        assert_eq!(add_remove.with_shifts(&shifts, score.score()), None);
        let four = add_remove.score(ScoreKind::Dependence, 7).unwrap();
        assert_eq!((four.shifts(), four.score().unwrap().rows), (&[4 * 4096 + 1][..], None));
        assert_eq!(four, add_remove.score(ScoreKind::Dependence, 8).unwrap(), "a private n plays no part");
        let with_n = NoisedScore { rows: Some(7), ..four.score().unwrap() };
        assert_eq!(add_remove.with_shifts(four.shifts(), Some(with_n)), None);
    }
}
