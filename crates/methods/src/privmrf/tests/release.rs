//! What is charged, and what becomes of hard tables.

use lookalike_model::{Model, Sampling};
use lookalike_privacy::{Relation, Step};
use lookalike_schema::{AttrId, Clique, Schema};

use super::{fit, settings};
use crate::tests::{bench, budget, chained, one_record, schema};
use crate::{Forecast, MethodError, build};

/// As published, but for the number of candidates.
const PUBLISHED: [(&str, &str); 9] = [
    ("ones-share", "0"),
    ("score-share", "0.1"),
    ("select-share", "0.1"),
    ("rounds", "0.8"),
    ("theta", "6"),
    ("round-theta", "6"),
    ("choice", "gaussian"),
    ("penalty", "0"),
    ("candidates", "20"),
];

/// Used at most the cap, and most of it, whatever the columns, the budget, the relation and the
/// settings.
#[test]
fn the_budget_is_used_and_never_passed() {
    let tables: [&[u32]; 5] = [&[2; 6], &[2, 900, 3, 2], &[4], &[3, 3], &[1, 2, 1, 40, 40]];
    for sizes in tables {
        for (epsilon, delta) in [(0.1, 1e-9), (2.0, 0.0), (10.0, 1e-5)] {
            for relation in [Relation::AddRemove, Relation::ReplaceOne] {
                for set in [&[("candidates", "30"), ("rounds", "1")][..], &PUBLISHED] {
                    let columns = chained(sizes, 1500);
                    let mut bench = bench(&schema(sizes, ""), 1500, columns, budget(epsilon, delta), relation, 5);
                    let model = fit(&mut bench, set).unwrap();
                    let used = bench.curator.close().used().unwrap();
                    let word = format!("{sizes:?} {epsilon} {delta} {relation:?} {set:?}");
                    assert!(used <= epsilon, "{used}: {word}");
                    // Fewer candidates than were paid for are skipped steps; so are choices among
                    // none.
                    assert!(used >= 0.75 * epsilon, "{used}: {word}");
                    assert!(model.marginal(&Clique::single(AttrId(0))).is_ok());
                }
            }
        }
    }
}

/// One plan: columns, scores, first marginals, then a choice and a marginal a round, in the shares
/// that were set.
#[test]
fn the_charges_are_the_plans() {
    let sizes = [2, 3, 2, 4, 2];
    let mut bench = bench(&schema(&sizes, ""), 2000, chained(&sizes, 2000), budget(1.0, 1e-5), Relation::AddRemove, 1);
    let set = [("ones-share", "0.2"), ("score-share", "0.1"), ("select-share", "0.3"), ("rounds", "0.8")];
    fit(&mut bench, &set).unwrap();
    let ledger = bench.curator.close();
    let charged = ledger.charged();
    assert_eq!(charged.len(), 5 + 10 + 5 + 4 + 4);
    let total: f64 = charged.iter().map(|query| query.step.rho()).sum();
    let share = |from: usize, to: usize| charged[from..to].iter().map(|query| query.step.rho()).sum::<f64>() / total;
    assert!((share(0, 5) - 0.2).abs() < 1e-3 && (share(5, 15) - 0.1).abs() < 1e-3);
    let choices: Vec<usize> =
        (0..charged.len()).filter(|&place| matches!(charged[place].step, Step::Exponential { .. })).collect();
    assert_eq!(choices, [20, 22, 24, 26]);
    let chosen: f64 = choices.iter().map(|&place| charged[place].step.rho()).sum();
    assert!((chosen / total - 0.3).abs() < 1e-3);
}

/// As published with delta above 0: the row count, then as many noisy distances as there are
/// candidates.
#[test]
fn the_published_way_pays_for_every_candidate() {
    let sizes = [2; 6];
    let mut bench = bench(&schema(&sizes, ""), 2000, chained(&sizes, 2000), budget(1.0, 1e-5), Relation::AddRemove, 1);
    fit(&mut bench, &PUBLISHED).unwrap();
    let ledger = bench.curator.close();
    assert!(ledger.charged().iter().all(|query| matches!(query.step, Step::Gaussian { .. })));
    // 1 row count, 15 scores, 6 first marginals, 4 rounds of 20 candidates and a marginal.
    assert_eq!(ledger.charged().len(), 1 + 15 + 6 + 4 * 21);
}

fn distance(model: &Model, columns: &[Vec<u32>], clique: &Clique, sizes: &[u32]) -> f64 {
    let found = model.marginal(clique).unwrap();
    let mut truth = vec![0.0; found.len()];
    let mut cells = vec![0; columns[0].len()];
    for a in clique.attributes() {
        let codes = cells.iter_mut().zip(&columns[a.index()]);
        codes.for_each(|(cell, &code)| *cell = *cell * sizes[a.index()] as usize + code as usize);
    }
    cells.iter().for_each(|&cell| truth[cell] += 1.0 / cells.len() as f64);
    truth.iter().zip(&found).map(|(a, b): (&f64, _)| (a - b).abs()).sum::<f64>() / 2.0
}

/// With next to no noise, columns that hang together come back together: pairs are far closer than
/// independent ones.
#[test]
fn pairs_come_back_together() {
    let sizes = [2, 3, 2, 4, 2, 3];
    let columns = chained(&sizes, 4000);
    for set in [&[][..], &PUBLISHED] {
        let open = || bench(&schema(&sizes, ""), 4000, columns.clone(), budget(50.0, 1e-5), Relation::AddRemove, 3);
        let model = fit(&mut open(), set).unwrap();
        let alone = crate::tests::fit("independent", &mut open(), &[]).unwrap();
        let (mut ours, mut theirs) = (0.0, 0.0);
        for (a, b) in (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))) {
            let pair = Clique::new([AttrId(a), AttrId(b)]);
            ours += distance(&model, &columns, &pair, &sizes);
            theirs += distance(&alone, &columns, &pair, &sizes);
        }
        assert!(ours < 0.05 * theirs, "{ours} and {theirs} with {set:?}");
    }
}

#[test]
fn hard_tables_give_a_model() {
    let tables: [(&[u32], usize); 7] = [
        (&[], 10),
        (&[1], 0),
        (&[3], 1),
        (&[2, 2], 1),
        (&[40_000, 3, 2], 300),
        (&[2, 2], 5000),
        (&[40_000, 40_000], 50),
    ];
    for (sizes, rows) in tables {
        for (epsilon, delta) in [(0.05, 1e-9), (8.0, 1e-9), (1.0, 0.0)] {
            for set in [&[][..], &PUBLISHED] {
                let columns = chained(sizes, rows);
                let mut bench =
                    bench(&schema(sizes, ""), rows, columns, budget(epsilon, delta), Relation::AddRemove, 9);
                let model = fit(&mut bench, set).unwrap();
                let block = model.sampler(&Sampling::new(20, 1)).unwrap().block(0);
                assert_eq!(block.columns.len(), sizes.len());
                assert!(block.columns.iter().zip(sizes).all(|(column, &size)| column.iter().all(|&code| code < size)));
            }
        }
    }
}

#[test]
fn impossible_combinations_never_occur() {
    let rules =
        "[[impossible]]\nc0 = \"v1\"\nc2 = \"v0\"\n[[impossible]]\nc1 = \"v2\"\nc3 = [\"v0\", \"v1\"]\nc4 = \"v0\"\n";
    let sizes = [2, 3, 2, 4, 2];
    let schema = schema(&sizes, rules);
    for (set, seed) in [(&[][..], 1), (&PUBLISHED, 2), (&[("ones-share", "0.3"), ("merge", "20")], 3)] {
        // The rows do not keep to the rules.
        let mut bench = bench(&schema, 900, chained(&sizes, 900), budget(1.0, 1e-9), Relation::AddRemove, seed);
        let model = fit(&mut bench, set).unwrap();
        let rows = model.sampler(&Sampling::new(3000, seed)).unwrap().block(0).columns;
        for row in 0..rows[0].len() {
            let codes: Vec<u32> = rows.iter().map(|column| column[row]).collect();
            assert!(!schema.impossible().iter().any(|rule| rule.forbids(&codes)), "{codes:?}");
        }
    }
}

#[test]
fn a_contradictory_schema_costs_nothing() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n[[impossible]]\nc0 = \"v0\"\nc1 = \"v1\"\n[[impossible]]\nc0 = \"v1\"\n";
    let mut bench = bench(&schema(&[2, 2], rules), 4, chained(&[2, 2], 4), budget(1.0, 1e-9), Relation::AddRemove, 1);
    let before = bench.records.records().len();
    assert!(matches!(fit(&mut bench, &[]), Err(MethodError::Model(_))));
    assert_eq!(bench.records.records().len(), before);
}

/// The same answers give the same model, whatever the rows are.
#[test]
fn a_model_follows_from_the_answers_alone() {
    let sizes = [2, 3, 20, 4, 2];
    let schema = schema(&sizes, "");
    let recording = lookalike_curator::Recording::new();
    let open = |columns, rows| bench(&schema, rows, columns, budget(1.0, 1e-9), Relation::AddRemove, 4);
    let mut first = open(chained(&sizes, 700), 700);
    first.curator.record_on(&recording);
    let mut second = open(vec![vec![0; 300]; 5], 300);
    second.curator.replay_from(&recording);
    let (first, second) = (fit(&mut first, &[]).unwrap(), fit(&mut second, &[]).unwrap());
    assert_eq!(first.to_bytes(), second.to_bytes());
}

#[test]
fn forecasts_are_finite_and_fall_with_epsilon() {
    let method = build("privmrf", &[]).unwrap();
    let schema = schema(&[2, 3, 4], "");
    let at = |epsilon| {
        method
            .forecast(&crate::PublicFacts {
                schema: &schema,
                rows: 10_000,
                neighbours: one_record(),
                budget: budget(epsilon, 1e-9),
            })
            .unwrap()
    };
    let (little, much): (Forecast, Forecast) = (at(0.1), at(5.0));
    assert!(much.cell_noise < little.cell_noise && much.tvd1.is_finite());
    let ids = Schema::parse("[columns.who]\ntype = \"id\"\n", "ids.toml").unwrap();
    assert_eq!(
        method
            .forecast(&crate::PublicFacts {
                schema: &ids,
                rows: 10,
                neighbours: one_record(),
                budget: budget(1.0, 0.0)
            })
            .unwrap()
            .tvd1,
        0.0
    );
}

#[test]
fn shares_that_leave_nothing_are_refused() {
    for pairs in [
        &[("ones-share", "0.5"), ("score-share", "0.5")][..],
        &[("theta", "0")],
        &[("rounds", "-1")],
        &[("width", "1")],
        &[("choice", "best")],
    ] {
        assert!(matches!(build("privmrf", &settings(pairs)), Err(MethodError::Setting { .. })), "{pairs:?}");
    }
}
