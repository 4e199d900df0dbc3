//! The header of version 3, which is written: made to grow.
//!
//! A later program may add keys to the header, keys to its parts, and sections; an older one reads
//! past what it does not know. What must not be read past stands in `needs`, one word each: a
//! program that does not know a word refuses the file and says so. A change that this cannot
//! express is a new version.

use lookalike_schema::{AttrId, Domain, Grouping};
use serde::{Deserialize, Serialize};

use super::coarse::{FileGroups, indices};
use super::sections::{RUNS, STRUCTURE, Sections, in_runs};
use super::structure::{FileStructure, has_runs};
use crate::copula::Copula;
use crate::{AnswerAxis, KeptAnswer, Model, ModelError, Replacement, refuse_if};

/// The words of `needs` that this program knows. A new kind of structure, a new kind of column that
/// decoding depends on, or a rule about rows is a new word.
const KNOWN: [&str; 2] = [COPULA, RUNS];

/// The number of rows: one float.
pub(super) const ROWS: &str = "rows";
/// The variances of the measured marginals.
pub(super) const MEASURED: &str = "measured variances";
/// The variances of the answers.
const ANSWER_VARIANCES: &str = "answer variances";
/// The correlations of the copula.
pub(super) const COPULA: &str = "copula";
/// One section an answer.
const ANSWER: &str = "answer";

/// Everything but the numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    /// What a program must know to read this file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// The method's name.
    pub method: String,
    /// The guarantee in one line.
    pub guarantee: String,
    /// How rows are drawn unless told otherwise.
    pub replacement: Replacement,
    /// What the sections called `structure` mean.
    pub structure: FileStructure,
    /// The measured marginals' columns.
    pub measured: Vec<Vec<u32>>,
    /// Groups of codes that answers speak of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groupings: Vec<FileGroups>,
    /// The noisy answers' columns; their values are sections of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Vec<FileAxis>>,
    /// The columns of the copula.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copula: Vec<u32>,
    /// The name and the number of floats of each section.
    pub sections: Vec<(String, u64)>,
    /// The schema, in the shape of a schema file: what decoding and writing need.
    pub schema: serde_json::Value,
}

/// A column of an answer.
#[derive(Serialize, Deserialize)]
pub(super) struct FileAxis {
    /// The column's number.
    column: u32,
    /// The place of its groups in `groupings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grouping: Option<u32>,
}

impl Header {
    /// The header and its sections, in the order in which they are written.
    pub fn of<'a>(model: &'a Model) -> (Self, Vec<Vec<f64>>) {
        let (structure, numbers) = FileStructure::of(model.structure());
        let mut sections: Vec<(String, Vec<f64>)> = vec![(ROWS.to_owned(), vec![model.total()])];
        sections.push((MEASURED.to_owned(), model.measured().iter().map(|one| one.variance).collect()));
        sections.extend(numbers.into_iter().map(|numbers| (STRUCTURE.to_owned(), numbers.to_vec())));
        let mut groupings: Vec<&Grouping> = Vec::new();
        let mut axis = |axis: &'a AnswerAxis| {
            let grouping = axis.grouping.as_ref().map(|grouping| {
                let place = groupings.iter().position(|known| **known == **grouping).unwrap_or_else(|| {
                    groupings.push(grouping);
                    groupings.len() - 1
                });
                place as u32
            });
            FileAxis { column: axis.column.0, grouping }
        };
        let answers: Vec<Vec<FileAxis>> =
            model.answers().iter().map(|answer| answer.axes().iter().map(&mut axis).collect()).collect();
        if !answers.is_empty() {
            sections.push((ANSWER_VARIANCES.to_owned(), model.answers().iter().map(KeptAnswer::variance).collect()));
            sections.extend(model.answers().iter().map(|answer| (ANSWER.to_owned(), answer.values().to_vec())));
        }
        if let Some(copula) = model.copula() {
            sections.push((COPULA.to_owned(), copula.correlations.clone()));
        }
        let has_runs = has_runs(model.structure()) || groupings.iter().any(|grouping| grouping.is_long());
        let shortened = in_runs(&mut sections, model.schema().domain());
        let copula = model.copula().map(|_| COPULA.to_owned());
        let header = Self {
            // Rows rest on them.
            needs: copula.into_iter().chain((has_runs || shortened).then(|| RUNS.to_owned())).collect(),
            method: model.origin().method.clone(),
            guarantee: model.origin().guarantee.clone(),
            replacement: model.replacement(),
            structure,
            measured: model.measured().iter().map(|one| indices(&one.clique)).collect(),
            groupings: groupings.into_iter().map(FileGroups::of).collect(),
            answers,
            copula: model.copula().map_or_else(Vec::new, |copula| copula.columns.clone()),
            sections: sections.iter().map(|(name, section)| (name.clone(), section.len() as u64)).collect(),
            schema: model.schema().to_json(),
        };
        (header, sections.into_iter().map(|(_, section)| section).collect())
    }

    pub fn parse(bytes: &[u8]) -> Result<Self, ModelError> {
        let wrong = |error: serde_json::Error| ModelError::damaged(format!("its header does not hold: {error}"));
        // The words first: what a newer program wrote may have any shape.
        #[derive(Deserialize)]
        struct Requirements {
            #[serde(default)]
            needs: Vec<String>,
        }
        let Requirements { needs } = serde_json::from_slice(bytes).map_err(wrong)?;
        if let Some(word) = needs.iter().find(|word| !KNOWN.contains(&word.as_str())) {
            return Err(ModelError::File {
                what: format!("made by a newer lookalike: it holds {word:?}, which this one does not know"),
                help: "update lookalike".into(),
            });
        }
        serde_json::from_slice(bytes).map_err(wrong)
    }

    /// The copula as it stands in the file.
    pub fn copula(&self, sections: &mut Sections) -> Result<Option<Copula>, ModelError> {
        if self.copula.is_empty() {
            return Ok(None);
        }
        Ok(Some(Copula { columns: self.copula.clone(), correlations: sections.one(COPULA)? }))
    }

    /// The noisy answers, checked against the schema's sizes.
    pub fn answers(&mut self, domain: &Domain, sections: &mut Sections) -> Result<Vec<KeptAnswer>, ModelError> {
        if self.answers.is_empty() {
            return Ok(Vec::new());
        }
        let (variances, values) = (sections.one(ANSWER_VARIANCES)?, sections.take(ANSWER));
        let uneven = variances.len() != self.answers.len() || values.len() != self.answers.len();
        refuse_if(uneven, "there is not one section and one variance for each answer")?;
        let groupings = std::mem::take(&mut self.groupings).into_iter().map(FileGroups::grouping);
        let groupings = groupings.collect::<Result<Vec<_>, _>>()?;
        let axis = |axis: &FileAxis| {
            let known = |place: u32| {
                groupings.get(place as usize).cloned().ok_or_else(|| ModelError::shape("an answer names no groups"))
            };
            Ok(AnswerAxis { column: AttrId(axis.column), grouping: axis.grouping.map(known).transpose()? })
        };
        let mut answers = Vec::with_capacity(values.len());
        for ((axes, values), variance) in self.answers.iter().zip(values).zip(variances) {
            let axes = axes.iter().map(axis).collect::<Result<Vec<_>, ModelError>>()?;
            answers.push(KeptAnswer::stored(domain, axes, values, variance)?);
        }
        Ok(answers)
    }
}
