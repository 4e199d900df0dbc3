//! Mechanisms that are broken on purpose, as published programs were. Each must be caught by the
//! audit that the true mechanism passes.
//!
//! Half the noise and a wrong sensitivity are [`NoiseFault`](crate::white::NoiseFault)s of the
//! mechanisms themselves: the curator is asked for less noise than the claim needs, so no door has
//! to be opened. The ones in this file go beside the door: they make their own tables, so they may
//! count them. Only the seeded noise needs something that the shipped program lacks; it is behind
//! the build feature `broken`.

use lookalike_curator::{Cancel, MarginalQuery, Noise};
use lookalike_privacy::{DiscreteLaplace, Neighbours, NoiseRng, Rational, Relation};
use lookalike_schema::{AttrId, Clique};

use crate::AuditError;
use crate::attack::{Auditable, Side};
use crate::neighbours::NeighbourTables;

/// The list of categories is read from the rows: the marginal has a cell for every value that
/// occurs, and no other.
pub struct CategoriesFromData {
    doors: [NeighbourTables; 2],
    query: MarginalQuery,
}

impl CategoriesFromData {
    /// Honest Laplace noise for `epsilon`, on a list of cells that is not.
    pub fn new(epsilon: f64) -> Result<Self, AuditError> {
        let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
        let door = |codes: Vec<u32>| {
            let categories = codes.iter().max().map_or(0, |most| most + 1);
            NeighbourTables::new(&[categories], [vec![codes.clone()], vec![codes]], neighbours, 0.0)
        };
        let noise = Noise::Laplace(Rational::at_least(1.0 / epsilon)?);
        let query = MarginalQuery { clique: Clique::single(AttrId(0)), noise };
        Ok(Self { doors: [door(vec![0, 1, 1])?, door(vec![0, 1, 1, 2])?], query })
    }
}

impl Auditable for CategoriesFromData {
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        let answers = self.doors[side as usize].curator(side, cancel)?.marginals(&vec![self.query.clone(); runs])?;
        Ok(answers.iter().map(|answer| answer.values.len() as i64).collect())
    }
}

/// Noise is added after normalizing: the share of a value among few rows gets the noise of a count
/// among all.
pub struct NoiseAfterNormalizing {
    noise: DiscreteLaplace,
}

impl NoiseAfterNormalizing {
    /// Rows of the table, none of which is in the canary's group.
    const ROWS: i64 = 100;

    /// Laplace noise of scale 2 / epsilon on P(value | group) times n, as if one row moved it by 2
    /// at most.
    pub fn new(epsilon: f64) -> Result<Self, AuditError> {
        Ok(Self { noise: DiscreteLaplace::new(Rational::at_least(2.0 / epsilon)?)? })
    }
}

impl Auditable for NoiseAfterNormalizing {
    fn scores(&self, side: Side, runs: usize, _cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        // An empty group is uniform over the two values; the canary alone in it makes one of them
        // certain.
        let scaled = if side == Side::Before { Self::ROWS / 2 } else { Self::ROWS + 1 };
        let mut values = vec![scaled; runs];
        self.noise.add_to(&mut values, &mut NoiseRng::from_os()?);
        Ok(values)
    }
}
