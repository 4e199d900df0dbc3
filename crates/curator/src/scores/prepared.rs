//! A selection made ready: checked, weighted and put on the grid, from public information alone;
//! then tallied.

use std::collections::{BTreeMap, HashSet};

use lookalike_privacy::{Neighbours, ScoreKind};
use lookalike_schema::{Clique, Domain, View};

use crate::scores::known::KnownScores;
use crate::scores::{GRID, MAX_ROWS};
use crate::{Candidate, CountTable, CuratorError, SelectQuery, check};

/// Weights are whole numbers of 1/65536 of the largest weight, rounded down.
const WEIGHT_STEPS: f64 = 65536.0;

/// The largest offset, in rows.
const LARGEST_OFFSET: f64 = (1u64 << 60) as f64;

/// The n at which kinds of score are compared for the label: which of them is larger does not
/// depend on n.
const LABEL_ROWS: u64 = 1000;

/// The parts of an epsilon that the exact sampler takes.
const LARGEST_EPSILON_PART: u64 = 1 << 62;

/// A checked selection: public weights and offsets on the grid, and the distinct cliques to count.
///
/// # Privacy
/// A candidate's score is w (raw + offset). Weights w and offsets are public and are rounded to
/// whole numbers before anything is counted; raw is a whole number of grid steps. The product is
/// exact, so that one neighbour step changes it by at most (largest w) times the sensitivity of
/// raw, with no further rounding to cover.
pub(crate) struct PreparedSelection<'a> {
    query: &'a SelectQuery,
    neighbours: Neighbours,
    /// The rows of the table of sensitivities that occur.
    kinds: Vec<ScoreKind>,
    weights: Vec<u64>,
    offsets: Vec<i128>,
    cliques: Vec<Clique>,
    /// For each clique, the candidates that are scored on it.
    candidates: Vec<Vec<usize>>,
    /// Candidates whose raw scores earlier selections have computed.
    known: Vec<(usize, i128)>,
    known_rows: Option<u64>,
}

impl<'a> PreparedSelection<'a> {
    /// Checks everything that can be wrong without looking at a row.
    pub fn new(query: &'a SelectQuery, view: &View, neighbours: Neighbours) -> Result<Self, CuratorError> {
        let first = query.candidates.first().ok_or_else(|| check::query("a selection needs a candidate".into()))?;
        if query.epsilon.numerator().max(query.epsilon.denominator()) > LARGEST_EPSILON_PART {
            return Err(check::query("the epsilon of a selection needs a fraction with parts of at most 2^62".into()));
        }
        let mut grouped: BTreeMap<Clique, Vec<usize>> = BTreeMap::new();
        let mut kinds = Vec::new();
        for (index, candidate) in query.candidates.iter().enumerate() {
            if candidate.score.name() != first.score.name() {
                return Err(check::query("the candidates of a selection are scored by two different scores".into()));
            }
            candidate.check()?;
            candidate.score.check(view)?;
            let kind = candidate.score.kind(view.domain());
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            grouped.entry(candidate.score.clique()).or_default().push(index);
        }
        let (cliques, candidates) = grouped.into_iter().unzip();
        let weights = whole_weights(&query.candidates);
        let offsets = query.candidates.iter().map(|candidate| (candidate.offset * GRID as f64).round() as i128);
        let offsets = offsets.collect();
        let prepared = Self {
            query,
            neighbours,
            kinds,
            weights,
            offsets,
            cliques,
            candidates,
            known: Vec::new(),
            known_rows: None,
        };
        // The sensitivity falls as n grows (R), or is far below 2^62 (the others), so n = 1 shows
        // whether it fits.
        prepared.sensitivity(1)?;
        Ok(prepared)
    }

    /// The charge's label: what is selected, from how many candidates, by which score.
    pub fn label(&self) -> String {
        let (label, many) = (&self.query.label, self.query.candidates.len());
        let Some(first) = self.query.candidates.first() else { return label.clone() };
        let words = self.largest(LABEL_ROWS).map(|(_, kind)| kind.sensitivity_in_words(self.neighbours));
        let sensitivity = words.unwrap_or_default();
        format!("{label}: one of {many} by {}, sensitivity {sensitivity}", first.score.name())
    }

    /// The distinct cliques, in the order in which [`Tally::score`] wants their tables.
    pub fn cliques(&self) -> &[Clique] {
        &self.cliques
    }

    /// Takes what earlier selections have computed, and leaves out the cliques that need not be
    /// counted again.
    pub fn take_known(&mut self, known: &KnownScores) {
        let candidates = self.query.candidates.iter().enumerate();
        self.known = candidates.filter_map(|(index, c)| known.get(&c.score).map(|raw| (index, raw))).collect();
        self.known_rows = known.rows();
        let found: HashSet<usize> = self.known.iter().map(|&(index, _)| index).collect();
        let cliques = std::mem::take(&mut self.cliques).into_iter().zip(std::mem::take(&mut self.candidates));
        (self.cliques, self.candidates) =
            cliques.filter(|(_, asked)| asked.iter().any(|index| !found.contains(index))).unzip();
    }

    /// A tally of what is known.
    pub fn tally(&self) -> Tally<'_> {
        let mut raws = vec![0; self.weights.len()];
        self.known.iter().for_each(|&(index, raw)| raws[index] = raw);
        Tally { prepared: self, raws, rows: self.known_rows }
    }

    /// The largest sensitivity of all kinds of score that occur.
    fn largest(&self, rows: u64) -> Result<(u64, ScoreKind), CuratorError> {
        let mut largest = (0, ScoreKind::Dependence);
        for &kind in &self.kinds {
            let steps = kind.sensitivity(self.neighbours, GRID, rows)?;
            if steps > largest.0 {
                largest = (steps, kind);
            }
        }
        Ok(largest)
    }

    /// Of all candidates together: the largest weight times the sensitivity of the raw score, in
    /// grid steps.
    fn sensitivity(&self, rows: u64) -> Result<u64, CuratorError> {
        let (raw, _) = self.largest(rows)?;
        // All weights 0: no score depends on the rows, and any sensitivity above 0 will do.
        let weight = self.weights.iter().copied().max().unwrap_or(1).max(1);
        raw.checked_mul(weight).ok_or_else(|| check::query("the contribution is too large for a selection".into()))
    }
}

impl Candidate {
    fn check(&self) -> Result<(), CuratorError> {
        if !(self.weight.is_finite() && self.weight >= 0.0) {
            return Err(check::query("the weight of a candidate must be a finite number, 0 or above".into()));
        }
        if !self.offset.is_finite() || self.offset.abs() > LARGEST_OFFSET {
            return Err(check::query("the offset of a candidate must be a finite number of rows".into()));
        }
        Ok(())
    }
}

/// The weights as small whole numbers in the same proportions: only proportions matter to a
/// selection, because the sensitivity is in the same unit. Equal weights become 1.
fn whole_weights(candidates: &[Candidate]) -> Vec<u64> {
    let largest = candidates.iter().map(|candidate| candidate.weight).fold(0.0, f64::max);
    let whole = |weight: f64| if largest > 0.0 { (weight / largest * WEIGHT_STEPS) as u64 } else { 0 };
    let weights: Vec<u64> = candidates.iter().map(|candidate| whole(candidate.weight)).collect();
    let divisor = weights.iter().copied().fold(0, gcd).max(1);
    weights.into_iter().map(|weight| weight / divisor).collect()
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The scores so far. Unprintable, as it depends on exact counts.
pub(crate) struct Tally<'a> {
    prepared: &'a PreparedSelection<'a>,
    /// On the grid, before weights and offsets.
    raws: Vec<i128>,
    rows: Option<u64>,
}

crate::unprintable::assert_lacks!(Tally<'static>: std::fmt::Debug, Clone);

impl Tally<'_> {
    /// Scores every candidate of one clique and uses up its table.
    pub fn score(&mut self, place: usize, table: CountTable, domain: &Domain) -> Result<(), CuratorError> {
        let rows = total(&table, &mut self.rows)?;
        for &index in &self.prepared.candidates[place] {
            self.raws[index] = self.prepared.query.candidates[index].score.evaluate(&table, rows, domain);
        }
        Ok(())
    }

    /// Keeps the new scores for later selections.
    pub fn keep_in(&self, known: &mut KnownScores) {
        for &index in self.prepared.candidates.iter().flatten() {
            known.keep(&self.prepared.query.candidates[index].score, self.raws[index], self.rows.unwrap_or(0));
        }
    }

    /// The scores and their sensitivity, in the same unit.
    pub fn finish(self) -> Result<(Vec<i128>, u64), CuratorError> {
        // Not used under add/remove, where n is private.
        let rows = self.rows.unwrap_or(0);
        let parts = self.raws.iter().zip(&self.prepared.weights).zip(&self.prepared.offsets);
        let scores = parts.map(|((&raw, &weight), &offset)| i128::from(weight) * (raw + offset)).collect();
        Ok((scores, self.prepared.sensitivity(rows)?))
    }
}

/// The table's total, which all tables of one engine share.
pub(crate) fn total(table: &CountTable, known: &mut Option<u64>) -> Result<u64, CuratorError> {
    let rows = table.total().filter(|&rows| rows <= MAX_ROWS).ok_or_else(|| engine("more rows than a table has"))?;
    if *known.get_or_insert(rows) != rows {
        return Err(engine("two tables of the same rows have different totals"));
    }
    Ok(rows)
}

fn engine(what: &str) -> CuratorError {
    CuratorError::Engine { what: what.into() }
}
