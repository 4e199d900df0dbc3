//! A mechanism with its scale and sensitivity, as version 1 writes it: exactly, and once more for
//! people.

use lookalike_privacy::{
    CountSensitivity, Neighbours, NoisedScore, Rational, ScoreKind, SmoothedHistogram, Step, StepParts,
};
use serde::{Deserialize, Serialize};

use crate::statement::content::{close, public_step};
use crate::statement::error::{StatementError, damaged, disagrees};

/// The mechanism of a public count.
const PUBLIC: &str = "public";

/// What the scale of a mechanism is.
fn parameter(mechanism: &str) -> Option<&'static str> {
    match mechanism {
        "gaussian" => Some("sigma_squared"),
        "laplace" => Some("scale"),
        "exponential" => Some("epsilon"),
        "histogram" => Some("smoothing"),
        "threshold" => Some("sigma_squared"),
        _ => None,
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepV1 {
    /// gaussian | laplace | exponential | histogram | threshold | public
    mechanism: String,
    /// What the scale is: sigma_squared | scale | epsilon | smoothing; absent for a public count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    parameter: Option<String>,
    /// "numerator/denominator": what was drawn with, exactly.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    scale: Option<String>,
    /// The same as a decimal, for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    scale_decimal: Option<f64>,
    /// Absent for a selection, whose epsilon says it all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    sensitivity: Option<SensitivityV1>,
    /// For rows drawn from a smoothed histogram: what its cost follows from, besides the smoothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    histogram: Option<HistogramV1>,
    /// The smallest noisy count that a threshold query releases, from version 2 on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    threshold: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HistogramV1 {
    cells: u64,
    rows: u64,
    draws: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SensitivityV1 {
    l1: u64,
    l2: f64,
    /// By how much single cells differ between neighbours.
    shifts: Vec<u32>,
    /// For noise on a score: which score.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    score: Option<ScoreV1>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreV1 {
    /// R | L1 | F | I | I-binary
    name: String,
    /// Scales and shifts are in steps, of which `grid` make one row.
    grid: u64,
    /// The public n that the shift follows from; absent where it does not matter.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rows: Option<u64>,
}

impl StepV1 {
    pub fn of(step: &Step) -> Self {
        let StepParts { mechanism, scale, sensitivity, histogram, threshold } = step.parts();
        if step.is_free() {
            return Self { mechanism: PUBLIC.into(), ..Self::default() };
        }
        let sensitivity = sensitivity.map(|sensitivity| SensitivityV1 {
            l1: sensitivity.l1(),
            l2: (sensitivity.l2_squared() as f64).sqrt(),
            shifts: sensitivity.shifts().to_vec(),
            score: sensitivity.score().map(|score| ScoreV1 {
                name: score.kind.name().into(),
                grid: sensitivity.grid(),
                rows: score.rows,
            }),
        });
        Self {
            mechanism: mechanism.into(),
            parameter: parameter(mechanism).map(Into::into),
            scale: Some(scale.fraction()),
            scale_decimal: Some(scale.to_f64()),
            sensitivity,
            histogram: histogram.map(|SmoothedHistogram { cells, rows, draws }| HistogramV1 { cells, rows, draws }),
            threshold,
        }
    }

    pub fn step(&self, place: &str, neighbours: Neighbours) -> Result<Step, StatementError> {
        let step = self.known_step(neighbours);
        let step =
            step.ok_or_else(|| damaged(format!("{place}: the mechanism, its scale or its sensitivity is wrong")))?;
        if !self.agrees(&Self::of(&step)) {
            return Err(disagrees(place, "the decimal scale or the sensitivity does not fit the exact figures".into()));
        }
        Ok(step)
    }

    fn known_step(&self, neighbours: Neighbours) -> Option<Step> {
        if self.parameter.as_deref() != parameter(&self.mechanism) {
            return None;
        }
        if self.mechanism == PUBLIC {
            return public_step(neighbours);
        }
        let scale = Rational::from_fraction(self.scale.as_deref()?)?;
        let histogram = self.histogram.as_ref();
        let histogram = histogram.map(|&HistogramV1 { cells, rows, draws }| SmoothedHistogram { cells, rows, draws });
        let step = Step::from_parts(&self.mechanism, scale, self.shifts(neighbours), histogram, self.threshold)?;
        let is_plain = histogram.is_none() && self.threshold.is_none();
        (is_plain || step.belongs_to(neighbours)).then_some(step)
    }

    fn shifts(&self, neighbours: Neighbours) -> Option<CountSensitivity> {
        let stated = self.sensitivity.as_ref()?;
        let score = match &stated.score {
            None => None,
            Some(score) => Some(NoisedScore { kind: ScoreKind::from_name(&score.name)?, rows: score.rows }),
        };
        let known = neighbours.with_shifts(&stated.shifts, score)?;
        let grid = stated.score.as_ref().map_or(1, |score| score.grid);
        (known.grid() == grid).then_some(known)
    }

    /// Whether the figures for people are those that follow from the exact ones.
    fn agrees(&self, exact: &Self) -> bool {
        let sensitivity = match (&self.sensitivity, &exact.sensitivity) {
            (None, None) => true,
            (Some(stated), Some(exact)) => stated.l1 == exact.l1 && close(stated.l2, exact.l2),
            _ => false,
        };
        let decimal = match (self.scale_decimal, exact.scale_decimal) {
            (None, None) => true,
            (Some(stated), Some(exact)) => close(stated, exact),
            _ => false,
        };
        let facts = self.histogram.is_some() == exact.histogram.is_some() && self.threshold == exact.threshold;
        sensitivity
            && facts
            && decimal
            && self.mechanism == exact.mechanism
            && self.scale.is_some() == exact.scale.is_some()
    }
}
