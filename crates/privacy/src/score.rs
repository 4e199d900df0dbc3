//! What one neighbour step can do to a score on exact counts.
//!
//! The scores themselves are computed behind the door, in the curator's crate, where every figure
//! of this file is checked by brute force over all tiny tables. The figures are here because noise
//! on a score is charged like noise on a count: plans, ledgers and statements must be able to tell
//! a true sensitivity from a made-up one.
//!
//! All scores are in count form (unit: rows), so that n is no divisor: F and R of PrivBayes times
//! n, mutual information in bits times n.

use crate::{Neighbours, PrivacyError, Relation};

/// Steps of the public grid in one row, for scores that get noise: noise is integer, so scores are
/// too.
///
/// One grid step is added to every sensitivity. On this grid that is 1/8192 of the sensitivity of
/// R, and the exact sampler still takes a sigma of half a million rows.
pub const SCORE_GRID: u64 = 1 << 12;

/// The float error of mutual information in count form, in bits a row. The curator's
/// `information.rs` derives it.
const INFORMATION_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// A score on exact counts, with a proven sensitivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreKind {
    /// R: half the sum of |c_ab - c_a c_b / n|.
    Dependence,
    /// The L1 distance of a marginal's counts to a fixed vector.
    Distance,
    /// F of PrivBayes: minus the distance to the nearest maximum joint distribution. Binary
    /// attributes only.
    MaximumJoint,
    /// Mutual information in bits, times n. Replace-one only.
    Information,
    /// The same where the attribute or the set has at most two values, which halves the
    /// sensitivity.
    BinaryInformation,
}

impl ScoreKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Dependence, Self::Distance, Self::MaximumJoint, Self::Information, Self::BinaryInformation];

    /// The name in journals and statements.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dependence => "R",
            Self::Distance => "L1",
            Self::MaximumJoint => "F",
            Self::Information => "I",
            Self::BinaryInformation => "I-binary",
        }
    }

    /// The score with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The sensitivity in rows as a formula, for people.
    pub fn sensitivity_in_words(self, neighbours: Neighbours) -> String {
        let c = u64::from(neighbours.contribution());
        match (self, neighbours.relation()) {
            (Self::Dependence, Relation::AddRemove) => (2 * c).to_string(),
            (Self::Dependence, Relation::ReplaceOne) => "3 + 2/n".into(),
            (Self::Distance | Self::MaximumJoint, Relation::AddRemove) => c.to_string(),
            (Self::Distance, Relation::ReplaceOne) => "2".into(),
            (Self::MaximumJoint, Relation::ReplaceOne) => "1".into(),
            (Self::Information, _) => "2 log2((n+1)/2) + (n-1) log2((n+1)/(n-1))".into(),
            (Self::BinaryInformation, _) => "log2 n + (n-1) log2(n/(n-1))".into(),
        }
    }

    /// Whether the sensitivity under this relation is a function of the public n.
    fn depends_on_rows(self, relation: Relation) -> bool {
        match self {
            Self::Dependence => relation == Relation::ReplaceOne,
            Self::Distance | Self::MaximumJoint => false,
            Self::Information | Self::BinaryInformation => true,
        }
    }

    /// The most that one neighbour step changes the score on a grid of `grid` steps a row, in grid
    /// steps. `rows` is the public n under replace-one and is not used under add/remove.
    ///
    /// # Privacy
    /// | score | add/remove, contribution c | replace-one |
    /// |---|---|---|
    /// | R | 2 c | 3 + 2/n |
    /// | L1 distance to a fixed vector | c | 2 |
    /// | F | c | 1 |
    /// | n I, the attribute or the set binary | - | log2 n + (n-1) log2(n/(n-1)) |
    /// | n I, else | - | 2 log2((n+1)/2) + (n-1) log2((n+1)/(n-1)) |
    ///
    /// Times the grid, rounded up, plus one step for the floor of the score. n I adds twice its
    /// float error first. Refused: mutual information under add/remove, where no useful bound is
    /// known and n is not public; and what does not fit in 64 bits.
    pub fn sensitivity(self, neighbours: Neighbours, grid: u64, rows: u64) -> Result<u64, PrivacyError> {
        let c = u64::from(neighbours.contribution());
        let whole = |rows: u64| rows.checked_mul(grid);
        let steps = match (self, neighbours.relation()) {
            (Self::Dependence, Relation::AddRemove) => whole(2 * c),
            // With n = 0 there is no neighbour.
            (Self::Dependence, Relation::ReplaceOne) => {
                whole(3).zip(whole(2)).and_then(|(three, two)| three.checked_add(two.div_ceil(rows.max(1))))
            }
            (Self::Distance | Self::MaximumJoint, Relation::AddRemove) => whole(c),
            (Self::Distance, Relation::ReplaceOne) => whole(2),
            (Self::MaximumJoint, Relation::ReplaceOne) => whole(1),
            (Self::Information | Self::BinaryInformation, Relation::AddRemove) => {
                return Err(PrivacyError::Plan {
                    what: "mutual information (score I) needs a public n: use the relation replace-one, or the score R"
                        .into(),
                });
            }
            (Self::Information | Self::BinaryInformation, Relation::ReplaceOne) => {
                let bits = information(self == Self::BinaryInformation, rows) + 2.0 * INFORMATION_ERROR * rows as f64;
                let steps = (bits * grid as f64 * (1.0 + 1e-12)).ceil();
                (steps < (1u64 << 62) as f64).then_some(steps as u64)
            }
        };
        steps.and_then(|steps| steps.checked_add(1)).ok_or_else(|| PrivacyError::Plan {
            what: "the contribution is too large for a score's sensitivity".into(),
        })
    }
}

/// The sensitivity of n I in bits, from the public n. A few roundings of each term, which the
/// caller's factor covers: every term is positive.
fn information(binary: bool, rows: u64) -> f64 {
    if rows < 2 {
        return 0.0;
    }
    let n = rows as f64;
    // ln_1p, because n/(n-1) loses all digits of a large n.
    if binary {
        n.log2() + (n - 1.0) * (1.0 / (n - 1.0)).ln_1p() / std::f64::consts::LN_2
    } else {
        2.0 * ((n + 1.0) / 2.0).log2() + (n - 1.0) * (2.0 / (n - 1.0)).ln_1p() / std::f64::consts::LN_2
    }
}

/// A score whose noise was charged: its kind and, where the sensitivity depends on it, the public
/// n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoisedScore {
    /// Which score.
    pub kind: ScoreKind,
    /// The public n that the sensitivity was computed from; `None` where it does not matter.
    pub rows: Option<u64>,
}

impl NoisedScore {
    pub(crate) fn new(kind: ScoreKind, relation: Relation, rows: u64) -> Self {
        Self { kind, rows: kind.depends_on_rows(relation).then_some(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add_remove(contribution: u32) -> Neighbours {
        Neighbours::new(Relation::AddRemove, contribution).unwrap()
    }

    fn replace_one() -> Neighbours {
        Neighbours::new(Relation::ReplaceOne, 1).unwrap()
    }

    #[test]
    fn the_table_of_the_specification() {
        let grid = 1 << 16;
        let of = |kind: ScoreKind, neighbours, rows| kind.sensitivity(neighbours, grid, rows).unwrap();
        assert_eq!(of(ScoreKind::Dependence, add_remove(1), 9), 2 * grid + 1);
        assert_eq!(of(ScoreKind::Dependence, add_remove(3), 9), 6 * grid + 1);
        assert_eq!(of(ScoreKind::Dependence, replace_one(), 4), 3 * grid + grid / 2 + 1);
        assert_eq!(of(ScoreKind::Dependence, replace_one(), 0), 5 * grid + 1);
        assert_eq!(of(ScoreKind::Distance, replace_one(), 9), 2 * grid + 1);
        assert_eq!(of(ScoreKind::MaximumJoint, replace_one(), 9), grid + 1);
        assert_eq!(of(ScoreKind::MaximumJoint, add_remove(2), 9), 2 * grid + 1);
        for kind in [ScoreKind::Information, ScoreKind::BinaryInformation] {
            assert!(kind.sensitivity(add_remove(1), grid, 9).is_err());
            assert_eq!(of(kind, replace_one(), 0), 1);
            assert_eq!(of(kind, replace_one(), 1), 2, "only the float error and the grid step");
        }
    }

    #[test]
    fn mutual_information_has_the_known_sensitivity() {
        // The extremal pair: all n rows in one cell against one row moved to the opposite cell.
        assert!((information(true, 1000) / 1000.0 - 0.01140776).abs() < 5e-9);
        let n = 1000f64;
        let general = 2.0 / n * ((n + 1.0) / 2.0).log2() + (n - 1.0) / n * ((n + 1.0) / (n - 1.0)).log2();
        assert!((information(false, 1000) / n - general).abs() < 1e-12);
        // No digits are lost at a large n: (n-1) ln(n/(n-1)) goes to 1.
        assert!((information(true, 1 << 48) - 48.0 - std::f64::consts::LOG2_E).abs() < 1e-9);
    }

    #[test]
    fn names_are_read_back() {
        for kind in ScoreKind::ALL {
            assert_eq!(ScoreKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(ScoreKind::from_name("r"), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(ScoreKind::Dependence.sensitivity(add_remove(u32::MAX), 1 << 40, 1).is_err());
        assert!(ScoreKind::Dependence.sensitivity(add_remove(u32::MAX), 1 << 16, 1).is_ok());
    }
}
