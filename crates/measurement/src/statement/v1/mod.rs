//! Versions 1 and 2 of `privacy.json`. These structs are the format: they are frozen, and inner
//! types are never serialized. Version 2 has stages of discovery, threshold queries, and facts that
//! are assumed to be public; statements without them are written in version 1.

mod step;

use lookalike_privacy::{Budget, Composition, DiscoveryCost, Neighbours, Relation};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::step::StepV1;
use super::content::{
    Charge, ChargeCost, Guarantee, Planned, ReleaseFacts, ReleaseFile, StageComposition, StatedStage, Statement, Used,
    close,
};
use super::error::{StatementError, damaged, disagrees};
use super::words::NOT_PRIVATE;

const FORMAT: &str = "lookalike-statement";
/// The version that is written without discovery and assumptions, and the newest.
const PLAIN: u64 = 1;
const VERSION: u64 = 2;
/// The composition of a stage that follows no plan.
const FILTER: &str = "filter";
/// The composition of a stage in which facts of the schema were bought.
const DISCOVERY: &str = "discovery";
/// More text than any statement has: a million charges need less.
const LONGEST_TEXT: usize = 1 << 29;
/// A reader must not be talked into filling the memory.
const MOST_CHARGES: u64 = 1 << 22;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementV1 {
    format: String,
    version: u64,
    marks: Vec<String>,
    guarantee: GuaranteeV1,
    /// Facts of the schema that were accepted in bulk.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    assumed_public: Vec<String>,
    neighbours: NeighboursV1,
    stages: Vec<StageV1>,
    charges: Vec<ChargeV1>,
    used: BudgetV1,
    charged_runs: u64,
    software: Vec<SoftwareV1>,
    job: Map<String, Value>,
    files: Vec<FileV1>,
    /// A digest of the text before it, put there by whoever publishes the file. Read over: the
    /// publisher checks it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seal: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GuaranteeV1 {
    /// Both are null when there is no guarantee.
    epsilon: Option<f64>,
    delta: Option<f64>,
    sentence: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    reasons: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetV1 {
    epsilon: f64,
    delta: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NeighboursV1 {
    relation: String,
    contribution: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StageV1 {
    cap: BudgetV1,
    composition: String,
    planned: Vec<PlannedV1>,
    /// What discovery may cost of rho and tau; absent for other stages, and at delta 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rho: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    tau: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedV1 {
    label: String,
    copies: u64,
    step: StepV1,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChargeV1 {
    label: String,
    /// From 1; null for a free query outside all stages.
    stage: Option<usize>,
    step: StepV1,
    /// What one of them costs.
    cost: CostV1,
    /// The number of equal charges, one after the other.
    #[serde(skip_serializing_if = "is_one", default = "one")]
    copies: u64,
}

fn one() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde calls
fn is_one(copies: &u64) -> bool {
    *copies == 1
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostV1 {
    /// epsilon | rho
    unit: String,
    amount: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SoftwareV1 {
    name: String,
    version: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileV1 {
    name: String,
    bytes: u64,
    sha256: String,
}

/// The text of a statement.
pub(super) fn write(statement: &Statement) -> String {
    let file = StatementV1 {
        format: FORMAT.into(),
        version: if is_plain(&statement.stages, &statement.assumed_public) { PLAIN } else { VERSION },
        marks: statement.marks().into_iter().map(String::from).collect(),
        guarantee: GuaranteeV1::of(statement),
        assumed_public: statement.assumed_public.clone(),
        neighbours: NeighboursV1 {
            relation: statement.neighbours.relation().name().into(),
            contribution: statement.neighbours.contribution(),
        },
        stages: statement.stages.iter().map(StageV1::of).collect(),
        charges: ChargeV1::list(&statement.charges, &statement.stages),
        used: BudgetV1 { epsilon: statement.used.epsilon, delta: statement.used.delta },
        charged_runs: statement.facts.charged_runs,
        software: statement
            .facts
            .software
            .iter()
            .cloned()
            .map(|(name, version)| SoftwareV1 { name, version })
            .collect(),
        job: statement.facts.job.clone(),
        files: statement
            .facts
            .files
            .iter()
            .cloned()
            .map(|ReleaseFile { name, bytes, sha256 }| FileV1 { name, bytes, sha256 })
            .collect(),
        seal: None,
    };
    // Strings, finite numbers and maps with string keys: nothing in it can fail to be JSON.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

fn is_plain(stages: &[StatedStage], assumed: &[String]) -> bool {
    assumed.is_empty() && !stages.iter().any(|stage| matches!(stage.composition, StageComposition::Discovery(_)))
}

/// Reads the text of a statement: first what it claims to be, then the version's own structs.
pub(super) fn read(text: &str) -> Result<Statement, StatementError> {
    /// Every version begins with these.
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u64,
    }
    if text.len() > LONGEST_TEXT {
        return Err(damaged("the file is longer than any statement"));
    }
    let unreadable = |error: serde_json::Error| damaged(format!("not a statement of this program: {error}"));
    let head: Head = serde_json::from_str(text).map_err(unreadable)?;
    if head.format != FORMAT {
        return Err(damaged(format!("the format is not {FORMAT:?}")));
    }
    if head.version > VERSION {
        return Err(StatementError::Newer { found: head.version, known: VERSION });
    }
    let file: StatementV1 = serde_json::from_str(text).map_err(unreadable)?;
    file.statement()
}

impl StatementV1 {
    fn statement(self) -> Result<Statement, StatementError> {
        let version = self.version;
        if version < PLAIN {
            return Err(damaged(format!("there is no format version {version}")));
        }
        let neighbours = self.neighbours.neighbours()?;
        let stages = self.stages.into_iter().enumerate();
        let stages: Vec<StatedStage> =
            stages.map(|(place, stage)| stage.stage(place, neighbours)).collect::<Result<_, _>>()?;
        let expected = if is_plain(&stages, &self.assumed_public) { PLAIN } else { VERSION };
        if version != expected {
            return Err(damaged(format!("version {version} does not have what it says, or has more")));
        }
        let charges = charges(self.charges, neighbours, &stages)?;
        let sentence = self.guarantee.sentence.clone();
        let statement = Statement {
            guarantee: self.guarantee.guarantee()?,
            is_private: !self.marks.iter().any(|mark| mark == NOT_PRIVATE),
            sentence,
            assumed_public: self.assumed_public,
            neighbours,
            stages,
            charges,
            used: Used { epsilon: self.used.epsilon, delta: self.used.delta },
            facts: ReleaseFacts {
                charged_runs: self.charged_runs,
                software: self.software.into_iter().map(|software| (software.name, software.version)).collect(),
                job: self.job,
                files: self.files.into_iter().map(FileV1::file).collect::<Result<_, _>>()?,
            },
        };
        let promised = matches!(statement.guarantee, Guarantee::Holds(_));
        if statement.marks() != self.marks || (promised && !statement.is_private) {
            return Err(damaged("the marks do not fit the guarantee"));
        }
        Ok(statement)
    }
}

impl GuaranteeV1 {
    fn of(statement: &Statement) -> Self {
        let sentence = statement.sentence.clone();
        match &statement.guarantee {
            Guarantee::Holds(budget) => {
                let (epsilon, delta) = (Some(budget.epsilon.get()), Some(budget.delta.get()));
                Self { epsilon, delta, sentence, reasons: Vec::new() }
            }
            Guarantee::None { reasons } => Self { epsilon: None, delta: None, sentence, reasons: reasons.clone() },
        }
    }

    fn guarantee(self) -> Result<Guarantee, StatementError> {
        match (self.epsilon, self.delta) {
            (Some(epsilon), Some(delta)) => Ok(Guarantee::Holds(BudgetV1 { epsilon, delta }.budget()?)),
            (None, None) => Ok(Guarantee::None { reasons: self.reasons }),
            _ => Err(damaged("a guarantee needs both epsilon and delta, or neither")),
        }
    }
}

impl BudgetV1 {
    fn of(budget: Budget) -> Self {
        Self { epsilon: budget.epsilon.get(), delta: budget.delta.get() }
    }

    fn budget(&self) -> Result<Budget, StatementError> {
        Ok(Budget::new(self.epsilon, self.delta)?)
    }
}

impl NeighboursV1 {
    fn neighbours(&self) -> Result<Neighbours, StatementError> {
        let relation = Relation::from_name(&self.relation);
        let relation = relation.ok_or_else(|| damaged(format!("unknown relation {:?}", self.relation)))?;
        Ok(Neighbours::new(relation, self.contribution)?)
    }
}

impl StageV1 {
    fn of(stage: &StatedStage) -> Self {
        let composition = match stage.composition {
            StageComposition::Plan(composition) => composition.name(),
            StageComposition::Filter => FILTER,
            StageComposition::Discovery(_) => DISCOVERY,
        };
        let total = match stage.composition {
            StageComposition::Discovery(total) if !stage.cap.is_pure() => Some(total),
            _ => None,
        };
        let planned = stage.planned.iter().map(|planned| PlannedV1 {
            label: planned.label.clone(),
            copies: planned.copies,
            step: StepV1::of(&planned.step),
        });
        Self {
            cap: BudgetV1::of(stage.cap),
            composition: composition.into(),
            planned: planned.collect(),
            rho: total.map(|total| total.amount),
            tau: total.map(|total| total.tau),
        }
    }

    fn stage(self, place: usize, neighbours: Neighbours) -> Result<StatedStage, StatementError> {
        let place = format!("stage {}", place + 1);
        let cap = self.cap.budget()?;
        let composition = match (self.composition.as_str(), Composition::from_name(&self.composition)) {
            (FILTER, _) => StageComposition::Filter,
            (DISCOVERY, _) => {
                let missing = || damaged(format!("{place}: discovery without its rho and tau"));
                let total = match self.rho.zip(self.tau) {
                    None if cap.is_pure() => (cap.epsilon.get(), 0.0),
                    total => total.filter(|_| !cap.is_pure()).ok_or_else(missing)?,
                };
                StageComposition::Discovery(DiscoveryCost { amount: total.0, tau: total.1 })
            }
            (_, Some(composition)) => StageComposition::Plan(composition),
            (other, None) => return Err(damaged(format!("{place}: unknown composition {other:?}"))),
        };
        let planned = self.planned.into_iter().map(|planned| {
            let step = planned.step.step(&place, neighbours)?;
            Ok(Planned { label: planned.label, step, copies: planned.copies })
        });
        let planned = planned.collect::<Result<_, StatementError>>()?;
        Ok(StatedStage { cap, composition, planned })
    }
}

/// All charges, copies spelled out.
fn charges(list: Vec<ChargeV1>, neighbours: Neighbours, stages: &[StatedStage]) -> Result<Vec<Charge>, StatementError> {
    let copies = list.iter().fold(0u64, |sum, charge| sum.saturating_add(charge.copies));
    if copies > MOST_CHARGES || list.iter().any(|charge| charge.copies == 0) {
        return Err(damaged("the charges have copies that no statement has"));
    }
    let mut charges = Vec::with_capacity(list.len());
    for (place, charge) in list.into_iter().enumerate() {
        let copies = charge.copies as usize;
        charges.extend(std::iter::repeat_n(charge.charge(place, neighbours, stages)?, copies));
    }
    Ok(charges)
}

impl ChargeV1 {
    /// Equal charges in a row are written once, with their number.
    fn list(charges: &[Charge], stages: &[StatedStage]) -> Vec<Self> {
        let equal = charges.chunk_by(|one, other| one == other);
        equal.map(|copies| Self { copies: copies.len() as u64, ..Self::of(&copies[0], stages) }).collect()
    }

    fn of(charge: &Charge, stages: &[StatedStage]) -> Self {
        let cost = ChargeCost::of(charge, stages);
        Self {
            label: charge.label.clone(),
            stage: charge.stage.map(|stage| stage + 1),
            step: StepV1::of(&charge.step),
            cost: CostV1 { unit: cost.unit.into(), amount: cost.amount },
            copies: 1,
        }
    }

    fn charge(self, place: usize, neighbours: Neighbours, stages: &[StatedStage]) -> Result<Charge, StatementError> {
        let place = format!("charge {}", place + 1);
        let step = self.step.step(&place, neighbours)?;
        let stage = match self.stage {
            None => None,
            Some(stage) if (1..=stages.len()).contains(&stage) => Some(stage - 1),
            Some(stage) => return Err(damaged(format!("{place}: there is no stage {stage}"))),
        };
        let charge = Charge { label: self.label, step, stage };
        let cost = ChargeCost::of(&charge, stages);
        if self.cost.unit != cost.unit || !close(self.cost.amount, cost.amount) {
            let stated = format!("{} {}", self.cost.unit, self.cost.amount);
            return Err(disagrees(&place, format!("the stated cost is {stated}, but its scale gives {cost}")));
        }
        Ok(charge)
    }
}

impl FileV1 {
    /// The name must stay inside the release folder, whoever wrote the statement.
    fn file(self) -> Result<ReleaseFile, StatementError> {
        let outside =
            self.name.is_empty() || self.name == "." || self.name == ".." || self.name.contains(['/', '\\', ':', '\0']);
        if outside {
            return Err(damaged("a file of the release is named with a path"));
        }
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if self.sha256.len() != 64 || !self.sha256.bytes().all(hex) {
            return Err(damaged(format!("the hash of {:?} is not 64 hexadecimal digits", self.name)));
        }
        Ok(ReleaseFile { name: self.name, bytes: self.bytes, sha256: self.sha256 })
    }
}
