//! Noisy scores of many pairs or sets in one batch.

use lookalike_measurement::NoisyScore;
use lookalike_privacy::Relation;
use lookalike_schema::Clique;

use super::{Curator, PIECE_CELLS};
use crate::paid::PaidBatch;
use crate::scores::noisy::PreparedScores;
use crate::{CountQuery, CuratorError, Noise, ScoreQuery};

impl Curator {
    /// Noisy scores: one durable charge that lists every query, then as many passes as the tables
    /// need memory for. A query that stands twice in the batch is paid twice and answered with
    /// fresh noise.
    ///
    /// Under replace-one the sensitivity may depend on n, which is public: it is counted first, and
    /// the free look is recorded like any other.
    ///
    /// # Privacy
    /// A score is an integer on the public grid [`SCORE_GRID`](lookalike_privacy::SCORE_GRID),
    /// computed exactly from exact counts ([`scores`](crate::scores)), and gets one draw of
    /// discrete Gaussian or Laplace noise. Its sensitivity is
    /// [`ScoreKind::sensitivity`](lookalike_privacy::ScoreKind::sensitivity), from the relation and
    /// the contribution (and, under replace-one, the public n). Every score noised is paid for,
    /// whatever is done with it.
    ///
    /// # Errors
    /// Before the charge: unknown attributes, too many cells, a score that the relation has no
    /// sensitivity for, a scale that cannot be drawn, a refusal of the ledger, a stop. After it: a
    /// fault of the engine, or a stop; the charge stays.
    pub fn noisy_scores(&mut self, queries: &[ScoreQuery]) -> Result<Vec<NoisyScore>, CuratorError> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        for query in queries {
            query.score.check(&self.view)?;
        }
        let public_rows = match self.neighbours().relation() {
            Relation::AddRemove => None,
            Relation::ReplaceOne => Some(self.public_rows()?),
        };
        let prepared = PreparedScores::new(queries, &self.view, self.ledger.neighbours(), public_rows)?;
        let charges = prepared.charges(&self.view);
        let receipt = self.charge(&charges)?;
        let mut batch = PaidBatch::new(receipt, prepared.cliques());
        let mut tally = prepared.tally();
        while let Some(piece) = batch.look(&mut self.lookout(), PIECE_CELLS)? {
            for (place, table) in piece.tables.into_iter().enumerate() {
                self.check_before(table.cells())?;
                // The table ends here: only scores go on.
                tally.score(piece.first + place, table, self.view.domain())?;
            }
        }
        let answers = tally.release(self.noise.as_mut());
        self.station.hand_over(answers, &self.ledger)
    }

    /// The row count where it is public.
    pub(super) fn public_rows(&mut self) -> Result<u64, CuratorError> {
        // The scale is not used: a public count gets no noise.
        let query = CountQuery { noise: Noise::Laplace(lookalike_privacy::Rational::new(1, 1)?) };
        let step = query.step(self.neighbours());
        let label = crate::check::PUBLIC_ROW_COUNT.into();
        let receipt = self.charge(&[lookalike_privacy::ChargedQuery { label, step }])?;
        let tables = self.look_at_all(receipt, &[Clique::new([])])?;
        Ok(tables.first().and_then(crate::CountTable::total).unwrap_or(0))
    }
}
