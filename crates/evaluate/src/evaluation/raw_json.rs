//! Raw figures for a program to read. Figures that do not exist are `null`, never NaN: that is how
//! `json!` writes numbers that are not finite.

use lookalike_schema::AttrId;
use serde_json::{Map, Value, json};

use super::json::both;
use super::{Evaluation, RawEvaluation};
use crate::columns::shown;
use crate::raw::correlate::Correlations;
use crate::raw::group::GroupMean;
use crate::raw::summary::{KeptCorrelations, RawSummary};
use crate::raw::{GroupFigures, NumberSummary, QUANTILES, RawColumn, RawPair, STRONG};

impl Evaluation {
    pub(super) fn raw_json(&self, raw: &RawEvaluation) -> Value {
        let columns = raw.synthetic.columns.iter().zip(&raw.bins.columns);
        let pairs = raw.synthetic.pairs.iter().zip(&raw.bins.pairs);
        let groups = raw.synthetic.groups.iter().zip(&raw.bins.groups);
        json!({
            "rows": both(raw.rows),
            "sampled": raw.is_sample(),
            "pair_rows": both(raw.synthetic.rows),
            "synthetic": self.raw_summary(&raw.synthetic.summary()),
            "bins": self.raw_summary(&raw.bins.summary()),
            "columns": columns.map(|(found, bins)| self.raw_column(found.0, &found.1, &bins.1)).collect::<Vec<_>>(),
            "pairs": pairs.map(|(found, bins)| self.raw_pair(found, bins)).collect::<Vec<_>>(),
            "groups": groups.map(|(found, bins)| self.raw_group(found, bins)).collect::<Vec<_>>(),
            "missing_together": raw.synthetic.missing.iter().map(|pair| json!({
                "columns": self.list(&[pair.first, pair.second]), "real": pair.share[0], "synthetic": pair.share[1],
            })).collect::<Vec<_>>(),
        })
    }

    fn raw_summary(&self, found: &RawSummary) -> Value {
        let kept = |kept: &KeptCorrelations| {
            json!({
                "strong_kept": kept.share, "strong_pairs": kept.pairs, "strong_above": STRONG,
                "mean_absolute_difference": kept.mean_difference,
            })
        };
        json!({
            "kolmogorov_smirnov": found.kolmogorov,
            "pearson": kept(&found.pearson), "spearman": kept(&found.spearman),
            "slope_error": found.slope_error,
            "slopes": found.slopes.iter().map(|slope| json!({
                "columns": self.list(&[slope.pair.first, slope.pair.second]), "real": slope.pair.real.slope,
                "other": slope.pair.other.slope, "ratio": slope.ratio,
            })).collect::<Vec<_>>(),
            "eta_difference": found.eta_difference, "group_means": found.group_means,
            "log_deviation_ratio": { "median": found.deviation_median, "worst": found.deviation_worst.map(|worst| json!({
                "column": self.name(worst.0), "value": worst.1,
            })) },
            "missing_difference": found.missing, "missing_together_difference": found.missing_together,
        })
    }

    fn raw_column(&self, attribute: AttrId, found: &RawColumn, bins: &RawColumn) -> Value {
        json!({
            "name": self.name(attribute), "type": self.schema.codec(attribute).kind_name(), "counts": found.counts(),
            "kolmogorov_smirnov": { "synthetic": found.kolmogorov, "bins": bins.kolmogorov },
            "deviation_ratio": { "synthetic": found.deviation_ratio(), "bins": bins.deviation_ratio() },
            "missing": { "real": found.missing[0], "synthetic": found.missing[1], "bins": bins.missing[1] },
            "real": spread(found.spread[0]), "synthetic": spread(found.spread[1]), "bins": spread(bins.spread[1]),
        })
    }

    fn raw_pair(&self, found: &RawPair, bins: &RawPair) -> Value {
        let three = |of: fn(&Correlations) -> Option<f64>| json!({ "real": of(&found.real), "synthetic": of(&found.other), "bins": of(&bins.other) });
        json!({
            "columns": self.list(&[found.first, found.second]),
            "rows": { "real": found.real.rows, "synthetic": found.other.rows },
            "pearson": three(|found| found.pearson), "spearman": three(|found| found.spearman), "slope": three(|found| found.slope),
        })
    }

    fn raw_group(&self, found: &GroupFigures, bins: &GroupFigures) -> Value {
        json!({
            "category": self.name(found.category), "number": self.name(found.number),
            "eta": { "real": found.eta[0], "synthetic": found.eta[1], "bins": bins.eta[1] },
            "mean_error": { "synthetic": found.mean_error, "bins": bins.mean_error },
            "worst": found.worst.map(|worst| json!({
                "value": self.group_name(found.category, &worst), "real": worst.means[0], "synthetic": worst.means[1],
                "deviations": worst.apart, "rows": worst.rows,
            })),
        })
    }

    /// The word or number that makes a group.
    pub fn group_name(&self, category: AttrId, group: &GroupMean) -> String {
        let codec = self.schema.codec(category);
        match group.key {
            key if key.is_nan() => "(missing)".to_owned(),
            key if codec.is_numeric() => shown(codec, key),
            key => codec.label(key as u32),
        }
    }
}

fn spread(found: Option<NumberSummary>) -> Value {
    let Some(found) = found else { return Value::Null };
    let quantiles = QUANTILES.iter().zip(found.quantiles);
    let quantiles = quantiles.map(|(share, value)| (format!("{:02.0}", 100.0 * share), json!(value)));
    json!({
        "values": found.values, "mean": found.mean, "deviation": found.deviation,
        "quantiles": Value::Object(quantiles.collect::<Map<_, _>>()),
    })
}
