//! A release and a comparison to show.

use lookalike_evaluate::marginals::{KMarginal, MarginalDistance, Ways, sample_cliques};
use lookalike_evaluate::{ColumnComparison, PairDistance, TableComparison};
use lookalike_measurement::Statement;
use lookalike_measurement::statement::ReleaseFacts;
use lookalike_model::{KeptAnswer, MeasuredClique, Model, Origin};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{
    Budget, ChargedQuery, Delta, Epsilon, Ledger, MechanismKind, Neighbours, Plan, PlanItem, Relation,
};
use lookalike_schema::{AttrId, Clique, Schema};

/// Columns of every type, with names that would break a careless page.
pub(super) const SCHEMA: &str = r#"
[columns.person]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 20
missing = true

[columns."<script>alert(1)</script>"]
type = "category"
values = ["none & nothing", "<b>primary</b>", "a \"quoted\", word", "tertiary education of a long name"]
other = "elsewhere"

[columns.employed]
type = "boolean"

[columns.income]
type = "number"
range = [0, 100000]
edges = [0, 1000.5, 20000, 50000, 100000]

[columns.born]
type = "date"
range = ["1920-01-01", "2020-12-31"]
bins = 40

[columns.notes]
type = "ignore"

[[impossible]]
age = "< 15"
employed = true
"#;

pub(super) fn schema() -> Schema {
    Schema::parse(SCHEMA, "test.toml").unwrap()
}

pub(super) fn model() -> Model {
    let schema = schema();
    let weights = schema
        .domain()
        .sizes()
        .iter()
        .map(|&size| (0..size).map(|code| 1.0 / (1.0 + (f64::from(code) - f64::from(size) / 3.0).abs())).collect());
    let weights = weights.collect();
    let origin = Origin { method: "independent".into(), guarantee: "epsilon 1, delta 1e-9".into() };
    let measured =
        schema.domain().attributes().map(|a| MeasuredClique { clique: Clique::single(a), variance: 900.0 }).collect();
    let model = Model::product(schema, 45_222.0, weights, measured, origin).unwrap();
    let answer = |one: &MeasuredClique| {
        let counts = model.marginal(&one.clique).unwrap().iter().map(|share| share * model.total()).collect();
        KeptAnswer::plain(model.schema().domain(), &one.clique, counts, one.variance).unwrap()
    };
    let answers = model.measured().iter().map(answer).collect();
    model.with_answers(answers)
}

/// A statement with one count and the marginals of all columns, charged against a fixed plan.
pub(super) fn statement(delta: f64, is_private: bool) -> Statement {
    let schema = schema();
    let names = schema.domain().attributes().map(|attribute| schema.column(attribute).name.clone());
    let names: Vec<String> = names.collect();
    statement_of(delta, is_private, &[&names[..]; 4].concat())
}

/// A statement with one count and these marginals.
pub(super) fn statement_of(delta: f64, is_private: bool, marginals: &[String]) -> Statement {
    statement_for(Relation::AddRemove, delta, is_private, marginals)
}

/// The same for either relation.
pub(super) fn statement_for(relation: Relation, delta: f64, is_private: bool, marginals: &[String]) -> Statement {
    let schema = schema();
    let neighbours = Neighbours::new(relation, 1).unwrap();
    let budget = Budget { epsilon: Epsilon::new(1.0).unwrap(), delta: Delta::new(delta).unwrap() };
    let kind = if delta == 0.0 { MechanismKind::Laplace } else { MechanismKind::Gaussian };
    let item = |label: &str, share, copies| PlanItem {
        label: label.into(),
        kind,
        sensitivity: neighbours.marginal(),
        share,
        copies,
    };
    let plan = Plan { items: vec![item("number of rows", 0.01, 1), item("marginals", 0.99, marginals.len() as u32)] };
    let plan = plan.calibrate(budget).unwrap();
    let mut ledger = Ledger::open(Box::new(MemoryStore::new()), budget, neighbours).unwrap();
    ledger.commit(plan.clone()).unwrap();
    let mut labels = vec!["row count".to_string()];
    labels.extend(marginals.iter().map(|names| format!("marginal of {names}")));
    let queries: Vec<ChargedQuery> = labels
        .into_iter()
        .zip(plan.steps())
        .map(|(label, planned)| ChargedQuery { label, step: planned.step.clone() })
        .collect();
    ledger.charge_batch(&queries).unwrap();
    let mut job = serde_json::Map::new();
    job.insert("method".into(), "independent".into());
    job.insert("set".into(), serde_json::json!({"count-share": 0.01}));
    job.insert("<i>odd</i>".into(), serde_json::Value::Null);
    let facts =
        ReleaseFacts { charged_runs: 2, software: vec![("lookalike".into(), "0.1.0".into())], job, files: vec![] };
    Statement::from_ledger(&ledger, &schema, is_private, facts).unwrap()
}

pub(super) fn comparison() -> TableComparison {
    let model = model();
    let domain = model.schema().domain().clone();
    let columns = domain
        .attributes()
        .map(|attribute| {
            let real = model.marginal(&Clique::single(attribute)).unwrap();
            let synthetic = real.iter().enumerate().map(|(code, share)| share * if code % 2 == 0 { 1.1 } else { 0.9 });
            ColumnComparison { attribute, synthetic: synthetic.collect(), real, distance: 0.05 }
        })
        .collect();
    let count = domain.len() as u32;
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    let pairs =
        pairs.map(|(a, b)| PairDistance { first: AttrId(a), second: AttrId(b), distance: f64::from(a * b) / 40.0 });
    TableComparison { real_rows: 45_000, synthetic_rows: 45_222, columns, pairs: pairs.collect() }
}

/// All sets of three columns, on a part of the real rows.
pub(super) fn triples() -> Ways {
    let (cliques, all) = sample_cliques(model().schema().domain(), 3, 20, 0);
    let one = |(place, clique)| MarginalDistance { clique, distance: place as f64 / 100.0, floor: 0.01 };
    let marginals = cliques.into_iter().enumerate().map(one).collect();
    let score = KMarginal { score: 950.0, subsample: Some(0.1), floor_score: 990.0 };
    Ways { ways: 3, all, rows: [40_000, 45_222], marginals, score }
}
