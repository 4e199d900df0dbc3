//! The paper's worked examples and settings.

use lookalike_curator::{Noise, Score, ScoreQuery};
use lookalike_privacy::{MechanismKind, Neighbours, Plan, PlanItem, Rational, Relation, ScoreKind};
use lookalike_schema::{AttrId, Clique};

use super::super::params::{Choice, First, PrivMrfParams};
use super::super::plan::Wants;
use super::super::universe::most_cells;
use crate::tests::{bench, budget, schema};

/// The paper's settings for `columns` columns.
fn published(columns: usize) -> Wants {
    let params = PrivMrfParams {
        ones_share: 0.0,
        score_share: 0.1,
        count_share: 0.01,
        select_share: 0.1,
        rounds: 0.8,
        candidates: 400,
        theta: 6.0,
        round_theta: 6.0,
        penalty: 0.0,
        first: First::Rho,
        choice: Choice::Gaussian,
        ..PrivMrfParams::default()
    };
    let neighbours = Neighbours::new(Relation::AddRemove, 1).unwrap();
    Wants {
        params,
        columns,
        slots: 1,
        counted: columns,
        pairs: columns * (columns - 1) / 2,
        neighbours,
        public_rows: 0,
    }
}

/// Sigmas in rows of a plan's items when g of equation 11 is given: an item with share s and m
/// queries of sensitivity D has `m D^2 / sigma^2 = s g`.
fn sigma(plan: &Plan, label: &str, sensitivity: f64, g: f64) -> f64 {
    let items: Vec<&PlanItem> = plan.items.iter().filter(|item| item.label == label).collect();
    let (share, copies) = items.iter().fold((0.0, 0), |sum, item| (sum.0 + item.share, sum.1 + item.copies));
    assert!(items.iter().all(|item| item.kind == MechanismKind::Gaussian));
    (f64::from(copies) * sensitivity * sensitivity / (share * g)).sqrt()
}

/// (0.8, 1e-5) with continuous noise allows g = 0.0478237; what the paper's shares make of it on
/// adult and on nltcs.
#[test]
fn the_papers_shares_give_the_papers_scales() {
    let g = 0.0478237;
    let near = |value: f64, wanted: f64| assert!((value / wanted - 1.0).abs() < 2e-4, "{value} instead of {wanted}");
    let adult = published(15);
    let plan = adult.plan(budget(0.8, 1e-5)).unwrap().plan.plan().clone();
    assert_eq!(adult.rounds(), 12);
    assert_eq!(plan.items.iter().filter(|item| item.label == "choices").map(|item| item.copies).sum::<u32>(), 12 * 400);
    near(sigma(&plan, "scores of pairs", 2.0, g), 296.35);
    near(sigma(&plan, "number of rows", 1.0, g), 45.73);
    near(sigma(&plan, "choices", 1.0, g), 1001.84);
    near(sigma(&plan, "first marginals", 1.0, g), 26.733);
    near(sigma(&plan, "marginals of rounds", 1.0, g), 26.733);
    let noise = |sigma: f64| sigma * std::f64::consts::FRAC_2_PI.sqrt();
    assert_eq!(most_cells(45_222.0, 6.0, noise(26.733)), 353);
    let plan = published(16).plan(budget(0.8, 1e-5)).unwrap().plan.plan().clone();
    near(sigma(&plan, "first marginals", 1.0, g), 27.224);
    assert_eq!(most_cells(21_574.0, 6.0, noise(27.224)), 165);
}

/// The real sensitivities are those of Lemma 2, up to the grid step of a score.
#[test]
fn the_plan_has_the_papers_sensitivities() {
    let neighbours = Neighbours::new(Relation::AddRemove, 1).unwrap();
    let rows = |kind: ScoreKind| {
        let sensitivity = neighbours.score(kind, 0).unwrap();
        sensitivity.shifts()[0] as f64 / sensitivity.grid() as f64
    };
    assert!((rows(ScoreKind::Dependence) - 2.0).abs() < 1e-3);
    assert!((rows(ScoreKind::Distance) - 1.0).abs() < 1e-3);
}

/// R of the paper's tables 1 and 2 taken as data: asked with noise so small that it rounds away.
#[test]
fn r_of_the_papers_tables() {
    let table2: [(u32, u32, u32, usize); 4] = [(0, 0, 1, 3), (0, 1, 0, 1), (1, 0, 0, 4), (1, 1, 0, 1)];
    let table1: [(u32, u32, u32, usize); 4] = [(0, 0, 1, 3), (0, 1, 0, 1), (1, 0, 0, 1), (1, 1, 0, 1)];
    for (table, expected) in [(table2, [0.2222, 3.3333, 1.3333]), (table1, [0.6667, 2.0, 2.0])] {
        let row = |&(a, b, c, times): &(u32, u32, u32, usize)| vec![[a, b, c]; times];
        let rows: Vec<[u32; 3]> = table.iter().flat_map(row).collect();
        let columns = (0..3).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        let mut bench = bench(&schema(&[2, 2, 2], ""), rows.len(), columns, budget(1e9, 1e-5), Relation::AddRemove, 1);
        bench.curator.commit_filter().unwrap();
        let noise = Noise::Gaussian(Rational::new(1, 1).unwrap());
        let query = |(a, b): (u32, u32)| {
            let score = Score::Dependence { child: AttrId(a), parents: Clique::single(AttrId(b)) };
            ScoreQuery { score, noise }
        };
        let queries: Vec<ScoreQuery> = [(0, 1), (0, 2), (1, 2)].into_iter().map(query).collect();
        let found = bench.curator.noisy_scores(&queries).unwrap();
        for (found, expected) in found.iter().zip(expected) {
            // A sigma of one grid step is a 4,096th of a row.
            assert!((found.rows() - expected).abs() < 0.005, "{} instead of {expected}", found.rows());
        }
    }
}

/// The marginals of table 2: 3, 1, 4, 1 and 1, 3, 5, 0, through the door.
#[test]
fn the_marginals_of_table_2() {
    let rows: Vec<[u32; 3]> = [vec![[0, 0, 1]; 3], vec![[0, 1, 0]; 1], vec![[1, 0, 0]; 4], vec![[1, 1, 0]; 1]].concat();
    let columns: Vec<Vec<u32>> = (0..3).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
    let mut bench = bench(&schema(&[2, 2, 2], ""), 9, columns, budget(1e9, 1e-5), Relation::AddRemove, 1);
    bench.curator.commit_filter().unwrap();
    let noise = Noise::Gaussian(Rational::new(1, 1000).unwrap());
    let query = |a, b| lookalike_curator::MarginalQuery { clique: Clique::new([AttrId(a), AttrId(b)]), noise };
    let found = bench.curator.marginals(&[query(0, 1), query(0, 2)]).unwrap();
    assert_eq!(found[0].values, [3, 1, 4, 1]);
    assert_eq!(found[1].values, [1, 3, 5, 0]);
}
