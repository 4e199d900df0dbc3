//! A plan for programs.

use serde_json::{Value, json};

use super::engine::PlannedEngine;
use super::{BudgetPlan, DiscoveryProspect, ExpectedDistance, STRENGTHS, TableProspect};

impl BudgetPlan {
    /// Everything that was worked out, for programs.
    pub fn to_json(&self) -> Value {
        let range = |expected: &Option<ExpectedDistance>| {
            expected.map(|it| json!({ "expected": it.mean, "low": it.low, "high": it.high }))
        };
        let prospects: Vec<Value> = self
            .prospects
            .iter()
            .map(|it| {
                let [one, two, three] = &it.distances;
                json!({
                    "method": it.method,
                    "epsilon": it.epsilon,
                    "delta": it.delta,
                    "contribution": it.contribution,
                    "kept": it.kept.map(|it| json!({ "rows": it.rows, "share": it.share, "low": it.low, "high": it.high })),
                    "tvd1": range(one),
                    "tvd2": range(two),
                    "tvd3": range(three),
                    "column_noise": it.column_noise,
                    "pair_noise": it.pair_noise,
                    "smallest_group": it.smallest_group,
                    "relations": it.relations.map(|it| {
                        let kept: Vec<Value> = STRENGTHS
                            .iter()
                            .zip(it.kept)
                            .map(|(strength, kept)| json!({ "correlation": strength, "kept": kept }))
                            .collect();
                        json!({ "tables": it.tables, "kept": kept, "too_wide": it.is_too_wide })
                    }),
                    "model_bytes": it.model_bytes,
                    "seconds": it.seconds,
                    "memory_bytes": it.memory_bytes,
                    "passes": it.passes,
                    "read_bytes": it.read_bytes,
                    "worst_case": {
                        "at_least": it.worst_case.lower,
                        "at_most": it.worst_case.upper,
                        "bits": it.worst_case.bits,
                        "degree": it.worst_case.degree,
                        "failure": it.worst_case.failure,
                    },
                })
            })
            .collect();
        let needed: Vec<Value> = self
            .needed
            .iter()
            .map(|it| json!({ "method": it.method, "contribution": it.contribution, "error": it.error, "way": it.way, "epsilon": it.epsilon, "expected": it.expected }))
            .collect();
        let found = |it: &DiscoveryProspect| {
            json!({
                "epsilon": it.epsilon,
                "delta": it.delta,
                "contribution": it.contribution,
                "noise": it.noise,
                "threshold": it.threshold,
                "smallest_threshold": it.smallest_threshold,
                "too_small": it.is_too_small,
            })
        };
        let table = |it: &TableProspect| {
            json!({
                "column": it.column,
                "epsilon": it.epsilon,
                "delta": it.delta,
                "contribution": it.contribution,
                "keys": it.keys,
                "noise": it.noise,
                "threshold": it.threshold,
            })
        };
        let tables: Vec<Value> = self.tables.iter().map(table).collect();
        let discovery: Vec<Value> = self.discovery.iter().map(found).collect();
        let refused: Vec<Value> =
            self.refused.iter().map(|(method, why)| json!({ "method": method, "why": why })).collect();
        json!({
            "columns": self.columns,
            "rows": self.rows,
            "unit": self.unit,
            "persons": self.persons,
            "engine": self.engine.map(PlannedEngine::name),
            "discovery": discovery,
            "tables": tables,
            "plans": prospects,
            "needed": needed,
            "refused": refused,
        })
    }
}
