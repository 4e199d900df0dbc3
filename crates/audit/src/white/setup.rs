//! A mechanism made ready: two tables, a question, and the number that is watched in its answers.

use lookalike_curator::scores::GRID;
use lookalike_curator::{
    Cancel, Candidate, CountQuery, Curator, HistogramQuery, MarginalQuery, Noise, Score, ScoreQuery, SelectQuery,
};
use lookalike_privacy::{
    Budget, CountSensitivity, Delta, Epsilon, MechanismKind, Neighbours, Plan, PlanItem, PrivacyError, Rational,
    Relation, SCORE_GRID, ScoreKind, SmoothedHistogram, Step,
};
use lookalike_schema::{AttrId, Clique};

use super::canary::{ScoreCanary, pairs};
use super::{Mechanism, MechanismForm, NoiseKind};
use crate::AuditError;
use crate::attack::{Auditable, Side};
use crate::bound::GaussianFamily;
use crate::neighbours::NeighbourTables;

/// The delta of Gaussian mechanisms.
pub(crate) const DELTA: f64 = 1e-5;

/// The odds of the rising candidate of a selection when the canary is there. Rare enough that the
/// ratio comes near to its bound, frequent enough to be counted.
const ODDS: f64 = 0.25;

/// How a mechanism is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoiseFault {
    /// As the product does.
    None,
    /// With half the noise: half of sigma or of the scale; a selection, or a histogram's rows, at
    /// twice the epsilon.
    HalvedNoise,
    /// A selection with its sensitivity divided by this. P(i) goes with epsilon q / (2
    /// sensitivity), so it is the selection at an epsilon that is larger by the factor.
    Sensitivity(f64),
    /// Values with a threshold that is two deviations of the noise too low.
    LowThreshold,
    /// With the seeded test noise, the same in every run.
    #[cfg(feature = "broken")]
    SeededNoise,
}

impl NoiseFault {
    /// By how much a selection's epsilon grows.
    fn factor(self) -> f64 {
        match self {
            NoiseFault::HalvedNoise => 2.0,
            NoiseFault::Sensitivity(factor) => factor,
            _ => 1.0,
        }
    }
}

/// A mechanism with its canary.
pub struct Setup {
    door: NeighbourTables,
    ask: Ask,
    family: Option<GaussianFamily>,
    delta: f64,
    #[cfg(feature = "broken")]
    fault: NoiseFault,
}

enum Ask {
    Marginals { queries: Vec<MarginalQuery>, cells: Vec<Watched> },
    RowCount(CountQuery, Watched),
    Select(SelectQuery),
    Score(ScoreQuery, Watched),
    Histogram(HistogramQuery),
}

/// A cell that the canary moves. Laplace noise shows nothing beyond the two counts, so values are
/// clamped to them.
struct Watched {
    query: usize,
    cell: usize,
    sign: i64,
    range: Option<(i64, i64)>,
}

impl Watched {
    fn value(&self, noisy: i64) -> i64 {
        self.sign * self.range.map_or(noisy, |(low, high)| noisy.clamp(low, high))
    }
}

impl Setup {
    /// Calibrates the mechanism for one answer at `epsilon`, as the product does, and breaks it if
    /// asked to.
    pub fn new(mechanism: Mechanism, epsilon: f64, fault: NoiseFault) -> Result<Self, AuditError> {
        let neighbours = mechanism.neighbours()?;
        let delta = if mechanism.is_gaussian() { DELTA } else { 0.0 };
        let making = Making { neighbours, delta, epsilon, fault };
        match mechanism.form {
            MechanismForm::Marginals(many, noise) => making.marginals(many, noise),
            MechanismForm::RowCount(noise) => making.row_count(noise),
            MechanismForm::Selection(kind) => making.selection(kind),
            MechanismForm::Score(kind, noise) => making.score(kind, noise),
            MechanismForm::Histogram => making.histogram(),
            MechanismForm::Values => Err(unplanned("values")),
        }
    }

    fn answers(&self, curator: &mut Curator, runs: usize) -> Result<Vec<i64>, AuditError> {
        let mut scores = Vec::with_capacity(runs);
        match &self.ask {
            Ask::Marginals { queries, cells } => {
                let repeated: Vec<MarginalQuery> = (0..runs).flat_map(|_| queries.iter().cloned()).collect();
                let answers = curator.marginals(&repeated)?;
                for run in answers.chunks(queries.len()) {
                    scores.push(cells.iter().map(|cell| cell.value(run[cell.query].values[cell.cell])).sum());
                }
            }
            Ask::RowCount(query, watched) => {
                for _ in 0..runs {
                    scores.push(watched.value(curator.row_count(query)?.value));
                }
            }
            Ask::Select(query) => {
                for _ in 0..runs {
                    scores.push(i64::from(curator.select(query)?.index == 0));
                }
            }
            Ask::Score(query, watched) => {
                let repeated = vec![query.clone(); runs];
                scores.extend(curator.noisy_scores(&repeated)?.iter().map(|score| watched.value(score.value)));
            }
            Ask::Histogram(query) => {
                for _ in 0..runs {
                    let drawn = curator.histogram(query)?.cells;
                    scores.push(drawn.iter().filter(|&&cell| cell == 1).count() as i64);
                }
            }
        }
        Ok(scores)
    }
}

impl Auditable for Setup {
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        #[cfg(feature = "broken")]
        if self.fault == NoiseFault::SeededNoise {
            // Every release of such a program repeats the same stream.
            let one = |_| {
                let noise = Box::new(lookalike_privacy::SeededNoise::new(0));
                self.answers(&mut self.door.curator_with(side, noise, cancel)?, 1)
            };
            return Ok((0..runs).map(one).collect::<Result<Vec<_>, _>>()?.concat());
        }
        self.answers(&mut self.door.curator(side, cancel)?, runs)
    }

    fn delta(&self) -> f64 {
        self.delta
    }

    fn family(&self) -> Option<GaussianFamily> {
        // Nothing is known of the form of noise that is no noise.
        #[cfg(feature = "broken")]
        if self.fault == NoiseFault::SeededNoise {
            return None;
        }
        self.family
    }
}

impl NoiseKind {
    /// The form of the noise on this many cells, each moved this far, where it is Gaussian.
    fn family(self, cells: u32, shift: u32) -> Option<GaussianFamily> {
        (self == NoiseKind::Gaussian).then_some(GaussianFamily { cells, shift })
    }
}

/// What all forms share on the way.
struct Making {
    neighbours: Neighbours,
    delta: f64,
    epsilon: f64,
    fault: NoiseFault,
}

impl Making {
    /// The two tables, behind doors.
    fn door(&self, sizes: &[u32], tables: [Vec<Vec<u32>>; 2]) -> Result<NeighbourTables, AuditError> {
        NeighbourTables::new(sizes, tables, self.neighbours, self.delta)
    }

    fn setup(&self, door: NeighbourTables, ask: Ask, family: Option<GaussianFamily>) -> Setup {
        Setup {
            door,
            ask,
            family,
            delta: self.delta,
            #[cfg(feature = "broken")]
            fault: self.fault,
        }
    }

    /// The step of one query of a plan with `copies` of it, at the claimed epsilon.
    fn step(
        &self,
        kind: MechanismKind,
        sensitivity: CountSensitivity,
        copies: u32,
        epsilon: f64,
    ) -> Result<Step, AuditError> {
        let item = PlanItem { label: "audit".into(), kind, sensitivity, share: 1.0, copies };
        let cap = Budget { epsilon: Epsilon::new(epsilon)?, delta: Delta::new(self.delta)? };
        let plan = Plan { items: vec![item] }.calibrate(cap)?;
        let step = plan.steps().first().map(|planned| planned.step.clone());
        step.ok_or_else(|| PrivacyError::Plan { what: "nothing to audit: the answer is public".into() }.into())
    }

    /// The calibrated noise, halved if the fault says so.
    fn noise(&self, noise: NoiseKind, sensitivity: CountSensitivity, copies: u32) -> Result<Noise, AuditError> {
        let kind = match noise {
            NoiseKind::Gaussian => MechanismKind::Gaussian,
            NoiseKind::Laplace => MechanismKind::Laplace,
        };
        let less = |scale: Rational, part: f64| {
            if self.fault == NoiseFault::HalvedNoise { Rational::at_least(scale.to_f64() / part) } else { Ok(scale) }
        };
        Ok(match self.step(kind, sensitivity, copies, self.epsilon)? {
            Step::Gaussian { sigma_squared, .. } => Noise::Gaussian(less(sigma_squared, 4.0)?),
            Step::Laplace { scale, .. } => Noise::Laplace(less(scale, 2.0)?),
            Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => {
                return Err(unplanned("noise on counts"));
            }
        })
    }

    /// One-way marginals of columns of two codes: the canary has code 1 everywhere. Without it the
    /// table is empty, or its one row has code 0.
    fn marginals(&self, many: u32, noise: NoiseKind) -> Result<Setup, AuditError> {
        let c = self.neighbours.contribution();
        let replaced = self.neighbours.relation() == Relation::ReplaceOne;
        let before = if replaced { vec![0] } else { Vec::new() };
        let tables = [before, vec![1; c as usize]].map(|column| vec![column; many as usize]);
        let door = self.door(&vec![2; many as usize], tables)?;
        let shape = self.noise(noise, self.neighbours.marginal(), many)?;
        let queries = (0..many).map(|a| MarginalQuery { clique: Clique::single(AttrId(a)), noise: shape }).collect();
        let range = (noise == NoiseKind::Laplace).then_some((0, i64::from(c)));
        let mut cells = Vec::new();
        for query in 0..many as usize {
            cells.push(Watched { query, cell: 1, sign: 1, range });
            if replaced {
                cells.push(Watched { query, cell: 0, sign: -1, range });
            }
        }
        let family = noise.family(cells.len() as u32, c);
        Ok(self.setup(door, Ask::Marginals { queries, cells }, family))
    }

    fn row_count(&self, noise: NoiseKind) -> Result<Setup, AuditError> {
        let c = self.neighbours.contribution();
        let door = self.door(&[2], [vec![vec![]], vec![vec![1; c as usize]]])?;
        let query = CountQuery { noise: self.noise(noise, self.neighbours.row_count(), 1)? };
        let range = (noise == NoiseKind::Laplace).then_some((0, i64::from(c)));
        let watched = Watched { query: 0, cell: 0, sign: 1, range };
        Ok(self.setup(door, Ask::RowCount(query, watched), noise.family(1, c)))
    }

    fn pairs(&self, kind: ScoreKind) -> Result<[ScoreCanary; 2], AuditError> {
        pairs(kind, self.neighbours).ok_or_else(|| {
            PrivacyError::Plan { what: format!("score {} has no sensitivity under this relation", kind.name()) }.into()
        })
    }

    /// Two candidates: the canary raises the score of the first and lowers that of the second. An
    /// offset makes the first a rare choice, where the ratio of the two chances comes near to its
    /// bound.
    fn selection(&self, kind: ScoreKind) -> Result<Setup, AuditError> {
        let pairs = self.pairs(kind)?;
        let tables = tables(&pairs);
        let rows = tables[0][0].len() as u64;
        let sensitivity = kind.sensitivity(self.neighbours, GRID, rows)? as f64 / GRID as f64;
        let [up, down] = &pairs;
        let gap = up.score(kind, true) - down.score(kind, true);
        let offset = 2.0 * sensitivity / self.epsilon * ODDS.ln() - gap;
        let candidates = vec![
            Candidate { score: score_of(kind, up, 0), weight: 1.0, offset },
            Candidate { score: score_of(kind, down, 2), weight: 1.0, offset: 0.0 },
        ];
        let sizes = [up.sizes, down.sizes].concat();
        let door = self.door(&sizes, tables)?;
        let step =
            self.step(MechanismKind::Exponential, self.neighbours.marginal(), 1, self.epsilon * self.fault.factor())?;
        let Step::Exponential { epsilon } = step else {
            return Err(unplanned("a selection"));
        };
        Ok(self.setup(door, Ask::Select(SelectQuery { label: "audit".into(), candidates, epsilon }), None))
    }

    fn score(&self, kind: ScoreKind, noise: NoiseKind) -> Result<Setup, AuditError> {
        // The pair that moves further.
        let [up, down] = self.pairs(kind)?;
        let moved = |pair: &ScoreCanary| (pair.score(kind, true) - pair.score(kind, false)).abs();
        let pair = if moved(&up) >= moved(&down) { up } else { down };
        let tables = tables(std::slice::from_ref(&pair));
        let sensitivity = self.neighbours.score(kind, tables[0][0].len() as u64)?;
        let shift = sensitivity.l1() as u32;
        let query = ScoreQuery { score: score_of(kind, &pair, 0), noise: self.noise(noise, sensitivity, 1)? };
        let on_grid = |with: bool| (pair.score(kind, with) * SCORE_GRID as f64).floor() as i64;
        let (one, other) = (on_grid(false), on_grid(true));
        let range = (noise == NoiseKind::Laplace).then_some((one.min(other), one.max(other)));
        // Larger when the canary is there, as sources want it.
        let watched = Watched { query: 0, cell: 0, sign: if other > one { 1 } else { -1 }, range };
        let door = self.door(&pair.sizes, tables)?;
        Ok(self.setup(door, Ask::Score(query, watched), noise.family(1, shift)))
    }

    /// Two rows in the first of two cells, then one of them in the other; two rows are drawn.
    fn histogram(&self) -> Result<Setup, AuditError> {
        let facts = SmoothedHistogram { cells: 2, rows: 2, draws: 2 };
        let door = self.door(&[2], [vec![vec![0, 0]], vec![vec![0, 1]]])?;
        let epsilon = self.epsilon * self.fault.factor();
        let step = self.step(MechanismKind::Histogram(facts), self.neighbours.marginal(), 1, epsilon)?;
        let Step::Histogram { smoothing, .. } = step else {
            return Err(unplanned("a histogram"));
        };
        Ok(self.setup(door, Ask::Histogram(HistogramQuery { draws: facts.draws, smoothing }), None))
    }
}

fn unplanned(what: &str) -> AuditError {
    PrivacyError::Plan { what: format!("{what} was planned as something else") }.into()
}

/// The columns of some pairs beside each other, without the canary and with it.
fn tables(pairs: &[ScoreCanary]) -> [Vec<Vec<u32>>; 2] {
    [false, true].map(|with| {
        let column = |pair: &ScoreCanary, place: usize| pair.rows(with).iter().map(|row| row[place]).collect();
        pairs.iter().flat_map(|pair| [column(pair, 0), column(pair, 1)]).collect()
    })
}

/// The score of the pair that stands in the table from column `first` on.
fn score_of(kind: ScoreKind, pair: &ScoreCanary, first: u32) -> Score {
    let (child, parents) = (AttrId(first), Clique::single(AttrId(first + 1)));
    match kind {
        ScoreKind::Dependence => Score::Dependence { child, parents },
        ScoreKind::MaximumJoint => Score::MaximumJoint { child, parents },
        ScoreKind::Information | ScoreKind::BinaryInformation => Score::Information { child, parents },
        ScoreKind::Distance => {
            let clique = parents.union(&Clique::single(child));
            Score::DistanceToModel { clique, expected: pair.expected.clone().into() }
        }
    }
}
