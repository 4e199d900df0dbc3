use lookalike_model::{Model, Sampling};
use lookalike_privacy::Relation;
use lookalike_schema::{AttrId, Clique};

use crate::tests::{Bench, bench, budget, chained, schema};
use crate::{MethodError, Observer, Outcome, Request, build};

const SOURCES: [&str; 2] = ["privbayes", "privbayes-nist"];

fn fit(bench: &mut Bench, source: &str) -> Result<Model, MethodError> {
    crate::tests::fit("pb-pgm", bench, &[("marginals", source)])
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

/// Used at most the cap and most of it, pure or not, whatever the columns and the relation.
#[test]
fn the_budget_is_used_and_never_passed() {
    let tables: [&[u32]; 5] = [&[2; 6], &[3, 2, 4, 5], &[2, 900, 3], &[4], &[3, 3]];
    for sizes in tables {
        for (epsilon, delta) in [(0.1, 0.0), (2.0, 0.0), (0.1, 1e-9), (3.0, 1e-5)] {
            for relation in [Relation::AddRemove, Relation::ReplaceOne] {
                for source in SOURCES {
                    let columns = chained(sizes, 1000);
                    let mut bench = bench(&schema(sizes, ""), 1000, columns, budget(epsilon, delta), relation, 5);
                    fit(&mut bench, source).unwrap();
                    let used = bench.curator.close().used().unwrap();
                    let word = format!("{used}: {sizes:?} {epsilon} {delta} {relation:?} {source}");
                    assert!(used <= epsilon && used >= 0.75 * epsilon, "{word}");
                }
            }
        }
    }
}

/// The model holds what was measured: with next to no noise, pairs that hang together come back,
/// with both kinds of noise.
#[test]
fn pairs_come_back_together() {
    let sizes = [2, 3, 2, 4, 2];
    let columns = chained(&sizes, 4000);
    for source in SOURCES {
        for delta in [0.0, 1e-5] {
            let mut bench =
                bench(&schema(&sizes, ""), 4000, columns.clone(), budget(80.0, delta), Relation::AddRemove, 3);
            let model = fit(&mut bench, source).unwrap();
            for pair in (0..4).map(|a| Clique::new([AttrId(a), AttrId(a + 1)])) {
                let apart = distance(&model, &columns, &pair, &sizes);
                assert!(apart < 0.02, "{apart} {source} {delta} {pair:?}");
            }
        }
    }
}

#[test]
fn hard_tables_give_a_model() {
    let tables: [(&[u32], usize); 6] =
        [(&[], 10), (&[1], 0), (&[3], 1), (&[2, 2], 1), (&[40_000, 3, 2], 300), (&[40_000, 40_000], 50)];
    for (sizes, rows) in tables {
        for (epsilon, delta) in [(0.05, 0.0), (8.0, 1e-9)] {
            for source in SOURCES {
                let mut bench = bench(
                    &schema(sizes, ""),
                    rows,
                    chained(sizes, rows),
                    budget(epsilon, delta),
                    Relation::AddRemove,
                    9,
                );
                let model = fit(&mut bench, source).unwrap();
                let block = model.sampler(&Sampling::new(20, 1)).unwrap().block(0);
                assert_eq!(block.columns.len(), sizes.len());
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
    for source in SOURCES {
        let mut bench = bench(&schema, 900, chained(&sizes, 900), budget(1.0, 0.0), Relation::AddRemove, 2);
        let model = fit(&mut bench, source).unwrap();
        let rows = model.sampler(&Sampling::new(3000, 1)).unwrap().block(0).columns;
        for row in 0..rows[0].len() {
            let codes: Vec<u32> = rows.iter().map(|column| column[row]).collect();
            assert!(!schema.impossible().iter().any(|rule| rule.forbids(&codes)), "{codes:?}");
        }
    }
}

/// Remembers remarks.
#[derive(Default)]
struct Notes(std::sync::Mutex<Vec<String>>);

impl Observer for Notes {
    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

/// Too little memory for all that was measured: narrower tables, and a sentence that says so; else
/// the exact model, and a sentence.
#[test]
fn the_route_is_said_aloud() {
    let sizes = [6; 8];
    let run = |memory: u64| {
        let mut bench =
            bench(&schema(&sizes, ""), 3000, chained(&sizes, 3000), budget(20.0, 0.0), Relation::AddRemove, 3);
        let notes = Notes::default();
        let request = Request { memory: Some(memory), ..Request::default() };
        let method = build("pb-pgm", &[]).unwrap();
        let Outcome::Model(model) = method.run(&mut bench.curator, &request, &notes).unwrap() else { panic!() };
        (model, notes.0.into_inner().unwrap())
    };
    let (exact, words) = run(1 << 30);
    assert!(words[0].starts_with("The model is exact"), "{words:?}");
    // Room for the measurements (12 numbers a cell), but not for the tree beside them.
    let cells: u64 = exact.measured().iter().map(|measured| 6u64.pow(measured.clique.len() as u32)).sum();
    let (model, words) = run(4 * cells * 12 * 8);
    assert!(words[0].contains("tables would have made the model too large"), "{words:?}");
    assert!(words[1].starts_with("The model is exact"), "{words:?}");
    assert!(model.measured().iter().any(|measured| measured.clique.len() > 1));
    let block = model.sampler(&Sampling::new(50, 1)).unwrap().block(0);
    assert_eq!(block.columns.len(), 8);
}

/// The same answers give the same model, whatever the rows are.
#[test]
fn a_model_follows_from_the_answers_alone() {
    let sizes = [2, 3, 5, 4];
    let schema = schema(&sizes, "");
    for source in SOURCES {
        let recording = lookalike_curator::Recording::new();
        let mut first = bench(&schema, 700, chained(&sizes, 700), budget(1.0, 0.0), Relation::AddRemove, 4);
        first.curator.record_on(&recording);
        let mut second = bench(&schema, 300, vec![vec![0; 300]; 4], budget(1.0, 0.0), Relation::AddRemove, 8);
        second.curator.replay_from(&recording);
        let (one, two) = (fit(&mut first, source).unwrap(), fit(&mut second, source).unwrap());
        assert_eq!(one.to_bytes(), two.to_bytes());
    }
}
