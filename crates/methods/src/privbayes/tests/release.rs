//! What is charged, and what becomes of hard tables.

use lookalike_model::Sampling;
use lookalike_privacy::{Relation, Step};
use lookalike_schema::{AttrId, Clique, Schema};

use super::{door, fit};
use crate::tests::{bench, budget, one_record, schema};
use crate::{Forecast, build};

/// Used at most the cap and at least 0.98 of it, whatever the columns, the budget, the relation and
/// the encoding.
#[test]
fn the_budget_is_used_and_never_passed() {
    let tables: [&[u32]; 6] = [&[2; 8], &[3, 2, 4, 5, 3], &[2, 900, 3, 2, 2], &[4], &[3, 3], &[1, 2, 1, 40, 40]];
    for sizes in tables {
        for (epsilon, delta) in [(0.1, 0.0), (1.0, 0.0), (8.0, 0.0), (0.1, 1e-9), (1.0, 1e-5)] {
            for relation in [Relation::AddRemove, Relation::ReplaceOne] {
                for encoding in ["vanilla", "binary"] {
                    let mut bench = door(&schema(sizes, ""), sizes, 3000, budget(epsilon, delta), relation, 5);
                    let model = fit(&mut bench, &[("encoding", encoding), ("candidates", "200")]).unwrap();
                    let ledger = bench.curator.close();
                    let used = ledger.used().unwrap();
                    let word = format!("{sizes:?} {epsilon} {delta} {relation:?} {encoding}");
                    assert!(used <= epsilon && used >= 0.98 * epsilon, "{word}: {used}");
                    let gaussian = ledger.charged().iter().any(|one| matches!(one.step, Step::Gaussian { .. }));
                    assert_eq!(gaussian, delta > 0.0, "{word}");
                    assert!(relation == Relation::AddRemove || model.rows() == 3000, "{word}");
                }
            }
        }
    }
}

/// The journal lists the count, the selections with their score and sensitivity, and the marginals,
/// in this order.
#[test]
fn the_journal_tells_the_story() {
    let sizes = [3, 2, 4, 5, 3];
    for delta in [0.0, 1e-6] {
        let mut bench = door(&schema(&sizes, ""), &sizes, 800, budget(1.0, delta), Relation::AddRemove, 2);
        fit(&mut bench, &[]).unwrap();
        let ledger = bench.curator.close();
        assert_eq!(ledger.stages().len(), if delta == 0.0 { 3 } else { 2 });
        let labels: Vec<&str> = ledger.charged().iter().map(|query| query.label.as_str()).collect();
        assert_eq!(labels[0], "row count");
        assert!(labels[1].starts_with("parents in the network, selection 1 of 4: one of "), "{labels:?}");
        assert!(labels[4].contains("by dependence R, sensitivity 2"), "{labels:?}");
        assert!(labels[5..].iter().all(|label| label.starts_with("marginal of ")), "{labels:?}");
        // The selections have half of what the count left: of epsilon, or of rho.
        let cost = |step: &Step| if delta == 0.0 { step.pure_epsilon().unwrap() } else { step.rho() };
        let sum = |steps: &[lookalike_privacy::ChargedQuery]| steps.iter().map(|query| cost(&query.step)).sum::<f64>();
        let (network, tables) = (sum(&ledger.charged()[1..5]), sum(&ledger.charged()[5..]));
        assert!((network / tables - 1.0).abs() < 0.01, "{network} {tables}");
        let count = ledger.charged()[0].step.pure_epsilon().unwrap();
        assert!((count - 0.01).abs() < 1e-6, "{count}");
    }
}

/// Nobody, one row, and all rows alike: a model each time, whose columns sum to 1 and whose rows
/// can be drawn.
#[test]
fn hard_tables_give_a_model() {
    let sizes = [2, 5, 3, 1, 700];
    let schema = schema(&sizes, "");
    for (rows, delta, encoding) in
        [(0, 0.0, "vanilla"), (1, 0.0, "binary"), (0, 1e-9, "binary"), (1, 1e-9, "vanilla"), (900, 0.0, "vanilla")]
    {
        for seed in 0..4 {
            let columns = vec![vec![0; rows]; sizes.len()];
            let mut bench = bench(&schema, rows, columns, budget(0.1, delta), Relation::AddRemove, seed);
            let model = fit(&mut bench, &[("encoding", encoding)]).unwrap();
            for attribute in schema.domain().attributes() {
                let found = model.marginal(&Clique::single(attribute)).unwrap();
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
            assert_eq!(model.sampler(&Sampling::new(10, 1)).unwrap().block(0).columns[0].len(), 10);
        }
    }
}

#[test]
fn ids_alone_give_a_model_with_a_row_count() {
    let schema = Schema::parse("[columns.who]\ntype = \"id\"\n", "ids.toml").unwrap();
    for (relation, delta) in [(Relation::AddRemove, 0.0), (Relation::AddRemove, 1e-9), (Relation::ReplaceOne, 0.0)] {
        let mut bench = bench(&schema, 500, vec![], budget(1.0, delta), relation, 8);
        let model = fit(&mut bench, &[]).unwrap();
        assert!(model.rows().abs_diff(500) < 60, "{}", model.rows());
    }
}

/// Every row breaks a rule, and still none that is drawn does: neither with columns nor with bits.
#[test]
fn impossible_rules_are_kept_however_the_rows_are() {
    let rules = "[[impossible]]\nc0 = \"v1\"\n[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n[[impossible]]\nc1 = \"v1\"\nc2 = \"v2\"\n";
    let schema = schema(&[3, 2, 3], rules);
    let columns = vec![vec![1; 300], vec![0; 300], vec![2; 300]];
    for encoding in ["vanilla", "binary"] {
        for degree in ["auto", "0", "1"] {
            let mut bench = bench(&schema, 300, columns.clone(), budget(2.0, 1e-9), Relation::AddRemove, 5);
            let model = fit(&mut bench, &[("encoding", encoding), ("degree", degree)]).unwrap();
            let block = model.sampler(&Sampling::new(2000, 3)).unwrap().block(0);
            for row in 0..2000 {
                let codes: Vec<u32> = block.columns.iter().map(|column| column[row]).collect();
                assert!(!schema.forbids(&codes), "{encoding} {degree}: {codes:?}");
            }
            let joint = model.marginal(&Clique::new([AttrId(0), AttrId(1)])).unwrap();
            assert_eq!([joint[0], joint[2], joint[3]], [0.0; 3]);
        }
    }
}

/// A combination of parents that nobody has falls back to the column's own noisy shape.
#[test]
fn parents_without_weight_fall_back_to_the_column() {
    let columns = vec![vec![0; 1000], (0..1000).map(|row| u32::from(row % 10 == 0)).collect()];
    let mut bench = bench(&schema(&[3, 2], ""), 1000, columns, budget(1e6, 0.0), Relation::ReplaceOne, 5);
    let model = fit(&mut bench, &[]).unwrap();
    let bytes = model.to_bytes();
    assert!(!bytes.is_empty());
    let joint = model.marginal(&Clique::new([AttrId(0), AttrId(1)])).unwrap();
    assert!((joint[0] - 0.9).abs() < 1e-3 && (joint[1] - 0.1).abs() < 1e-3, "{joint:?}");
}

/// 200 columns: every selection is bounded by the layout, not by the number of parent sets.
#[test]
fn many_columns_finish() {
    let sizes = vec![3u32; 60];
    let schema = schema(&sizes, "");
    let mut bench = door(&schema, &sizes, 400, budget(50.0, 0.0), Relation::AddRemove, 5);
    fit(&mut bench, &[("candidates", "120")]).unwrap();
    let ledger = bench.curator.close();
    let candidates = |label: &str| label.split("one of ").nth(1)?.split(' ').next()?.parse::<usize>().ok();
    let asked: Vec<usize> = ledger.charged().iter().filter_map(|query| candidates(&query.label)).collect();
    assert_eq!(asked.len(), 59);
    // There are 171,000 parent sets and more in the middle.
    assert!(asked.iter().all(|&asked| asked <= 120) && asked[30] >= 100, "{asked:?}");
}

#[test]
fn forecasts_are_sane() {
    let cap = budget(1.0, 0.0);
    let method = build("privbayes", &[]).unwrap();
    let Forecast { tvd1, cell_noise, model_bytes, .. } = method
        .forecast(&crate::PublicFacts {
            schema: &schema(&[10, 30, 4], ""),
            rows: 30_000,
            neighbours: one_record(),
            budget: cap,
        })
        .unwrap();
    assert!(tvd1 > 0.0 && tvd1 < 0.2 && cell_noise > 1.0 && model_bytes > 8 * 44, "{tvd1} {cell_noise} {model_bytes}");
    let ids = Schema::parse("[columns.who]\ntype = \"id\"\n", "ids.toml").unwrap();
    assert_eq!(
        method
            .forecast(&crate::PublicFacts { schema: &ids, rows: 10, neighbours: one_record(), budget: cap })
            .unwrap()
            .tvd1,
        0.0
    );
}
