//! The evaluation for a program to read. Figures that do not exist are `null`, never NaN: that is
//! how `json!` writes numbers that are not finite.

use lookalike_schema::AttrId;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Evaluation, LEVEL, agreements, correlations};
use crate::columns::ColumnDetail;
use crate::compare::{ColumnComparison, LostCells};
use crate::disclosure::{Check, CheckWords};
use crate::hypothesis::ChiSquare;
use crate::marginals::Ways;
use crate::pairs::{PairComparison, PairStatistics};
use crate::predict::TargetResult;

/// Marginals named as the worst.
const WORST: usize = 10;

impl Evaluation {
    /// The whole evaluation as JSON: `steward_only` is always true.
    pub fn to_json(&self) -> Value {
        let (column_floor, pair_floor) = self.floors();
        let comparison = &self.comparison;
        let lost = comparison.lost_to_other(&self.schema);
        json!({
            "steward_only": true,
            "seed": self.seed,
            "rows": { "real": comparison.real_rows, "synthetic": comparison.synthetic_rows, "holdout": self.holdout_rows },
            "samples": self.samples(),
            "marginals": {
                "1": { "mean_tvd": comparison.mean_column_distance(), "floor": column_floor, "marginals": self.columns.len() },
                "2": {
                    "mean_tvd": comparison.mean_pair_distance(), "floor": pair_floor, "marginals": self.pairs.pairs.len(),
                    "k_marginal": self.pairs.score,
                    "worst": self.worst_pairs(WORST),
                },
                "wide": self.wide.iter().map(|ways| self.ways(ways)).collect::<Vec<_>>(),
            },
            "nist_2018": self.nist_json(),
            "columns": comparison.columns.iter().zip(&self.columns).map(|(column, detail)| {
                self.column(column, detail, lost.iter().find(|lost| lost.attribute == column.attribute))
            }).collect::<Vec<_>>(),
            "correlations": self.correlations_json(),
            "tests": self.tests_json(),
            "pairs": self.pairs.pairs.iter().map(|pair| self.pair(pair)).collect::<Vec<_>>(),
            "propensity": self.propensity.map(|found| json!({
                "rows": found.rows, "model": "logistic regression on single columns (one weight a code, ridge C = 100)",
                "pmse": found.pmse, "pmse_ratio": found.ratio, "weights": found.weights,
                "normalized_by": "(k - 1) c (1 - c) / N, the mean when rows are dealt out at random",
                "forest_auc": found.forest_auc, "forest_auc_error": found.auc_error,
            })),
            "prediction": self.prediction_json(),
            "disclosure": self.disclosure_json(),
            "raw": self.raw.as_ref().map(|raw| self.raw_json(raw)),
        })
    }

    fn worst_pairs(&self, count: usize) -> Vec<Value> {
        let mut order: Vec<&PairComparison> = self.pairs.pairs.iter().collect();
        order.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let one = |pair: &&PairComparison| self.marginal(&[pair.first, pair.second], pair.distance, pair.floor);
        order.iter().take(count).map(one).collect()
    }

    pub(super) fn list(&self, attributes: &[AttrId]) -> Vec<&str> {
        attributes.iter().map(|&attribute| self.name(attribute)).collect()
    }

    fn marginal(&self, columns: &[AttrId], distance: f64, floor: f64) -> Value {
        json!({ "columns": self.list(columns), "tvd": distance, "floor": floor })
    }

    fn ways(&self, ways: &Ways) -> Value {
        let worst = ways.worst(WORST).into_iter();
        let worst = worst.map(|found| self.marginal(found.clique.attributes(), found.distance, found.floor));
        json!({
            "ways": ways.ways, "mean_tvd": ways.mean(), "floor": ways.floor(), "marginals": ways.marginals.len(),
            "all": ways.all, "rows": ways.rows, "k_marginal": ways.score, "worst": worst.collect::<Vec<_>>(),
        })
    }

    fn nist_json(&self) -> Value {
        let mut nist = json!(self.nist);
        nist["rows"] = json!(self.nist_rows);
        nist
    }

    fn column(&self, column: &ColumnComparison, detail: &ColumnDetail, lost: Option<&LostCells>) -> Value {
        let codec = self.schema.codec(column.attribute);
        let furthest = detail.furthest.iter().map(|&code| {
            json!({
                "value": codec.label(code), "real": column.real[code as usize], "synthetic": column.synthetic[code as usize],
            })
        });
        json!({
            "name": self.name(column.attribute), "type": codec.kind_name(), "tvd": column.distance, "floor": detail.floor,
            "lost_to_other": lost.map_or(0.0, |lost| lost.share), "lost": lost.is_some_and(|lost| lost.is_all),
            "missing": detail.missing, "furthest": furthest.collect::<Vec<_>>(),
            "numbers": detail.numbers.map(|numbers| json!({
                "mean": both(numbers.mean), "deviation": both(numbers.deviation), "quantile_05": both(numbers.low),
                "median": both(numbers.median), "quantile_95": both(numbers.high),
                "kolmogorov_smirnov": numbers.kolmogorov, "wasserstein": numbers.wasserstein,
            })),
        })
    }

    fn correlations_json(&self) -> Value {
        let mut all = json!({});
        for found in correlations(&self.pairs.pairs) {
            let (first, second, real, synthetic) = found.worst;
            let worst = json!({ "columns": self.list(&[first, second]), "real": real, "synthetic": synthetic });
            all[found.key] = json!({
                "pairs": found.pairs, "mean_absolute_difference": found.mean_difference, "worst": worst,
            });
        }
        all
    }

    fn tests_json(&self) -> Value {
        let mut tests = json!({ "level": LEVEL });
        for found in agreements(&self.pairs.pairs) {
            tests[found.key] = json!({
                "pairs": found.pairs, "agreement": found.share(), "both": found.both, "neither": found.neither,
                "lost": found.lost, "invented": found.invented,
            });
        }
        tests
    }

    fn pair(&self, pair: &PairComparison) -> Value {
        json!({
            "columns": self.list(&[pair.first, pair.second]), "tvd": pair.distance, "floor": pair.floor,
            "real": statistics(&pair.real), "synthetic": statistics(&pair.synthetic),
        })
    }

    fn prediction_json(&self) -> Value {
        let Some(found) = &self.prediction else { return Value::Null };
        json!({
            "train_rows": { "real": found.train[0], "synthetic": found.train[1] }, "test_rows": found.test, "rbf_rows": found.rbf,
            "tested_on_holdout": found.fresh, "ranking_agreement": found.ranking,
            "constant": self.list(&found.constant),
            "targets": found.targets.iter().map(|target| self.target(target)).collect::<Vec<_>>(),
        })
    }

    fn target(&self, target: &TargetResult) -> Value {
        let models = target.models.iter().map(|model| (model.model.key().to_owned(), json!(model)));
        json!({
            "target": self.name(target.target), "classes": target.classes, "grouped": target.grouped,
            "majority": target.majority, "misclassified": models.collect::<Map<_, _>>(),
        })
    }

    fn disclosure_json(&self) -> Value {
        let mut checks = json!({});
        for check in Check::ALL {
            let figures = match check {
                Check::ExactMatches => json!({
                    "matched": self.twins.matched, "rate": self.twins.match_rate(), "real_twin_rate": self.twins.real_rate(),
                    "different_real": self.twins.real_different, "different_synthetic": self.twins.synthetic_different,
                }),
                Check::UniqueRows => json!({
                    "unique": self.twins.unique, "reappear": self.twins.unique_matched, "rate": self.twins.unique_rate(),
                }),
                Check::Closeness => json!(self.closeness.map(|found| json!({
                    "median": named(found.median), "quantile_05": named(found.low), "at_zero": named(found.zero),
                    "synthetic_closer": found.closer, "standard_error": found.closer_error, "others_from_holdout": found.fresh,
                    "rows": found.queries, "closest_among": found.others,
                }))),
                Check::Guesses => json!(self.guesses.as_ref().map(|found| {
                    let [synthetic, real, commonest] = found.means();
                    let columns = found.columns.iter().zip(&self.columns).map(|([synthetic, real, commonest], column)| json!({
                        "column": self.name(column.attribute), "synthetic": synthetic, "other_people": real, "commonest": commonest,
                    }));
                    json!({
                        "synthetic": synthetic, "other_people": real, "commonest": commonest, "rows": found.victims,
                        "guessed_from": found.others, "columns": columns.collect::<Vec<_>>(),
                    })
                })),
                Check::Membership => json!(self.membership),
            };
            let CheckWords { key, reading, limit, .. } = check.words();
            checks[key] = json!({ "figures": figures, "reading": reading, "does_not_prove": limit });
        }
        checks
    }
}

fn statistics(found: &PairStatistics) -> Value {
    json!({
        "pearson": found.pearson, "spearman": found.spearman.map(|found| found.rho), "spearman_p": found.spearman.map(|found| found.p_value),
        "cramers_v": found.cramers_v, "mutual_information": found.mutual_information,
        "chi_square": test(&found.chi_square), "chi_square_yates": test(&found.yates),
    })
}

/// Nothing where there was nothing to test.
fn test(found: &ChiSquare) -> Option<&ChiSquare> {
    Some(found).filter(|found| found.degrees > 0)
}

pub(super) fn both<T: Serialize>(values: [T; 2]) -> Value {
    json!({ "real": values[0], "synthetic": values[1] })
}

/// Synthetic rows first, other real rows second.
fn named(values: [f64; 2]) -> Value {
    json!({ "synthetic": values[0], "other_real": values[1] })
}
