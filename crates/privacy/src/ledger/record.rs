//! The v1 records of a ledger: one JSON object a line, closed by a checksum.
//!
//! ```text
//! {"v":1,"run":"6f0c...","seq":2,"charge":{"queries":[{"label":"of age",...}]},"sum":"89ab"}
//! ```
//! `sum` is the CRC-32 of everything before `,"sum"`: it tells a torn line from a whole one. It is
//! no protection against a forger. `seq` counts the records of one run from 0, so that a lost line
//! is noticed. These structs are the file format; the types of the crate are never serialized
//! themselves.

use serde::{Deserialize, Serialize};

use super::stage::DiscoveryCost;

use crate::{
    Budget, ChargedQuery, Composition, CountSensitivity, Neighbours, NoisedScore, PrivacyError, Rational, Relation,
    ScoreKind, SmoothedHistogram, Step, StepParts,
};

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;
/// How every record begins. Quotes inside JSON strings are escaped, so this cannot occur within a
/// label.
const START: &str = "{\"v\":";
/// The bytes of all queries of a journal together; a line of a few letters must not fill the
/// memory.
pub(crate) const MOST_QUERY_BYTES: u64 = 1 << 27;
/// The word for a stage of discovery in the place of its composition.
const DISCOVERY: &str = "discovery";
const SUM: &str = ",\"sum\":\"";

/// One line: who wrote it, the how-manieth of its run, and what it says.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    v: u32,
    pub run: String,
    pub seq: u64,
    #[serde(flatten)]
    pub body: RecordBody,
}

/// What a line says.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RecordBody {
    Open(OpenRecord),
    Stage(StageRecord),
    Charge(ChargeRecord),
}

/// The run's promise.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenRecord {
    pub relation: String,
    pub contribution: u32,
    pub epsilon: f64,
    pub delta: f64,
}

/// A stage: a fixed plan, or a filter when `steps` is absent.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StageRecord {
    pub epsilon: f64,
    pub delta: f64,
    pub composition: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub steps: Option<Vec<QueryRecord>>,
    /// What discovery may cost of rho and of tau; absent for every other stage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rho: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tau: Option<f64>,
}

/// One charge, with every query it pays for.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChargeRecord {
    pub queries: Vec<QueryRecord>,
}

/// One query, or `copies` equal ones in a row.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueryRecord {
    pub label: String,
    pub mechanism: String,
    /// "numerator/denominator" of sigma squared, of the Laplace scale, of the selection's epsilon,
    /// or of the smoothing.
    pub scale: String,
    /// By how much single cells differ between neighbours; absent for selections.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shifts: Option<Vec<u32>>,
    /// The score that got noise, by its name; absent for counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<String>,
    /// The public n that a score's sensitivity was computed from, or of a smoothed histogram.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<u64>,
    /// The cells and the drawn rows of a smoothed histogram.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cells: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draws: Option<u64>,
    /// The smallest noisy count that a threshold query releases.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threshold: Option<u64>,
    #[serde(skip_serializing_if = "is_one", default = "one")]
    pub copies: u64,
}

fn one() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde calls
fn is_one(copies: &u64) -> bool {
    *copies == 1
}

impl Record {
    pub(crate) fn new(run: &str, seq: u64, body: RecordBody) -> Self {
        Self { v: VERSION, run: run.to_owned(), seq, body }
    }

    /// The text of the line, without its end.
    pub(crate) fn to_text(&self) -> Result<String, PrivacyError> {
        let json =
            serde_json::to_string(self).map_err(|error| damaged(format!("a record cannot be written: {error}")))?;
        let Some(head) = json.strip_suffix('}') else {
            return Err(damaged("a record cannot be written: it is not an object".into()));
        };
        Ok(sealed(head))
    }

    /// All whole records in a line of a file. More than one only if a torn record was left without
    /// its line end and the next one was written behind it. Torn records give nothing; a newer
    /// version is an error.
    pub(crate) fn parse_all(text: &str) -> Result<Vec<Self>, PrivacyError> {
        let mut found = Vec::new();
        let mut rest = text;
        // Each sum closes the last record that was begun before it: one look at every byte,
        // whatever the line is.
        while let Some(sum) = rest.find(SUM) {
            if let Some(start) = rest[..sum].rfind(START)
                && let Some(line) = Self::parse(&rest[start..])?
            {
                found.push(line);
            }
            rest = &rest[sum + SUM.len()..];
        }
        Ok(found)
    }

    fn parse(text: &str) -> Result<Option<Self>, PrivacyError> {
        let Some((head, tail)) = text.split_once(SUM) else { return Ok(None) };
        let whole = tail.len() >= 10 && tail.get(..8) == Some(format!("{:08x}", crc32(head.as_bytes())).as_str());
        if !whole || tail.get(8..10) != Some("\"}") {
            return Ok(None);
        }
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let json = format!("{head}}}");
        let unreadable = |error: serde_json::Error| damaged(format!("a record cannot be read: {error}"));
        let version: Version = serde_json::from_str(&json).map_err(unreadable)?;
        if version.v > VERSION {
            return Err(damaged(format!("record version {} is newer than this program; use a newer one", version.v)));
        }
        serde_json::from_str(&json).map(Some).map_err(unreadable)
    }
}

impl OpenRecord {
    pub(crate) fn of(budget: Budget, neighbours: Neighbours) -> Self {
        let (epsilon, delta) = (budget.epsilon.get(), budget.delta.get());
        Self { relation: neighbours.relation().name().into(), contribution: neighbours.contribution(), epsilon, delta }
    }

    pub(crate) fn promise(&self) -> Result<(Budget, Neighbours), PrivacyError> {
        let relation = Relation::from_name(&self.relation);
        let relation = relation.ok_or_else(|| damaged(format!("unknown relation \"{}\"", self.relation)))?;
        let budget = Budget::new(self.epsilon, self.delta)?;
        Ok((budget, Neighbours::new(relation, self.contribution)?))
    }
}

impl StageRecord {
    pub(crate) fn of<'a>(
        cap: Budget,
        composition: Composition,
        steps: Option<impl Iterator<Item = (&'a str, &'a Step)>>,
    ) -> Self {
        Self {
            epsilon: cap.epsilon.get(),
            delta: cap.delta.get(),
            composition: composition.name().into(),
            steps: steps.map(QueryRecord::list),
            rho: None,
            tau: None,
        }
    }

    pub(crate) fn discovery(cap: Budget, total: DiscoveryCost) -> Self {
        let (epsilon, delta) = (cap.epsilon.get(), cap.delta.get());
        let in_rho = |part: f64| (!cap.is_pure()).then_some(part);
        let (rho, tau) = (in_rho(total.amount), in_rho(total.tau));
        Self { epsilon, delta, composition: DISCOVERY.into(), steps: None, rho, tau }
    }
}

impl ChargeRecord {
    pub(crate) fn of(queries: &[ChargedQuery]) -> Self {
        Self { queries: QueryRecord::list(queries.iter().map(|query| (query.label.as_str(), &query.step))) }
    }

    /// The queries as charged, copies spelled out. `room` is how many bytes of them may still be
    /// made; what is made is taken off it.
    pub(crate) fn queries(&self, neighbours: Neighbours, room: &mut u64) -> Result<Vec<ChargedQuery>, PrivacyError> {
        let mut queries = Vec::new();
        for query in &self.queries {
            let charged = ChargedQuery { label: query.label.clone(), step: query.step(neighbours)? };
            let bytes = size_of::<ChargedQuery>() + query.label.len();
            let rest = query.copies.checked_mul(bytes as u64).and_then(|bytes| room.checked_sub(bytes));
            *room = rest.ok_or_else(|| damaged(format!("the query \"{}\" has too many copies", query.label)))?;
            queries.extend(std::iter::repeat_n(charged, query.copies as usize));
        }
        Ok(queries)
    }
}

impl QueryRecord {
    /// Equal neighbours in the list are written once, with their number.
    fn list<'a>(steps: impl Iterator<Item = (&'a str, &'a Step)>) -> Vec<Self> {
        let mut list: Vec<Self> = Vec::new();
        let mut last: Option<(&str, &Step)> = None;
        for step in steps {
            match list.last_mut() {
                Some(query) if last == Some(step) => query.copies += 1,
                _ => list.push(Self::of(step.0, step.1)),
            }
            last = Some(step);
        }
        list
    }

    fn of(label: &str, step: &Step) -> Self {
        let StepParts { mechanism, scale, sensitivity, histogram, threshold } = step.parts();
        let score = sensitivity.and_then(CountSensitivity::score);
        Self {
            label: label.into(),
            mechanism: mechanism.into(),
            scale: scale.fraction(),
            shifts: sensitivity.map(|sensitivity| sensitivity.shifts().to_vec()),
            score: score.map(|score| score.kind.name().into()),
            rows: score.and_then(|score| score.rows).or(histogram.map(|histogram| histogram.rows)),
            cells: histogram.map(|histogram| histogram.cells),
            draws: histogram.map(|histogram| histogram.draws),
            threshold,
            copies: 1,
        }
    }

    fn step(&self, neighbours: Neighbours) -> Result<Step, PrivacyError> {
        self.known_step(neighbours).ok_or_else(|| damaged(format!("the query \"{}\" cannot be read", self.label)))
    }

    fn known_step(&self, neighbours: Neighbours) -> Option<Step> {
        let score = match &self.score {
            None => None,
            Some(name) => Some(NoisedScore { kind: ScoreKind::from_name(name)?, rows: self.rows }),
        };
        let sensitivity = self.shifts.as_ref().and_then(|shifts| neighbours.with_shifts(shifts, score));
        let facts = self.rows.zip(self.cells).zip(self.draws);
        let histogram = facts.map(|((rows, cells), draws)| SmoothedHistogram { cells, rows, draws });
        let scale = Rational::from_fraction(&self.scale)?;
        Step::from_parts(&self.mechanism, scale, sensitivity, histogram, self.threshold)
    }
}

/// A record's text with its checksum, ready to be written.
pub(super) fn sealed(head: &str) -> String {
    format!("{head}{SUM}{:08x}\"}}", crc32(head.as_bytes()))
}

fn damaged(what: String) -> PrivacyError {
    PrivacyError::Damaged { what }
}

/// CRC-32 as in gzip, bit by bit: records are short and a table would be longer than the loop.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}
