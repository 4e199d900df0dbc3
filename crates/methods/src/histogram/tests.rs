use lookalike_privacy::noise::testing::{ALPHA, chi_square_tail};
use lookalike_privacy::{Relation, Step};
use lookalike_schema::Schema;

use crate::histogram::{HistogramParams, Reach};
use crate::settings::Parameters;
use crate::tests::{Bench, Watch, bench, budget, one_record, schema};
use crate::{Method, MethodError, Outcome, PaidRows, Request, build};

fn method(smoothing: Option<&str>) -> Box<dyn Method> {
    let settings: Vec<_> = smoothing.iter().map(|value| ("smoothing".to_string(), value.to_string())).collect();
    build("histogram", &settings).unwrap()
}

fn run(bench: &mut Bench, smoothing: Option<&str>, rows: Option<u64>) -> Result<PaidRows, MethodError> {
    match method(smoothing).run(&mut bench.curator, &Request { rows, ..Request::default() }, &Watch::default())? {
        Outcome::Rows(paid) => Ok(paid),
        Outcome::Model(_) => panic!("a model"),
    }
}

/// A table of two columns (2 and 3 codes) with `counts` records in its 6 cells.
fn columns(counts: [usize; 6]) -> Vec<Vec<u32>> {
    let cells = counts.iter().enumerate().flat_map(|(cell, &count)| std::iter::repeat_n(cell as u32, count));
    let cells: Vec<u32> = cells.collect();
    vec![cells.iter().map(|cell| cell / 3).collect(), cells.iter().map(|cell| cell % 3).collect()]
}

const COUNTS: [usize; 6] = [400, 10, 90, 200, 50, 250];

fn door(rules: &str, epsilon: f64, seed: u64) -> Bench {
    bench(&schema(&[2, 3], rules), 1000, columns(COUNTS), budget(epsilon, 0.0), Relation::ReplaceOne, seed)
}

/// The p-value of drawn cells against expected shares; impossible cells (share 0) must not occur.
fn fit(paid: &PaidRows, shares: &[f64]) -> f64 {
    let draws = paid.drawn.cells.len() as f64;
    let mut seen = vec![0.0; shares.len()];
    paid.drawn.cells.iter().for_each(|&cell| seen[cell as usize] += 1.0);
    let possible = || seen.iter().zip(shares).filter(|(_, share)| **share > 0.0);
    assert!(seen.iter().zip(shares).all(|(seen, share)| *share > 0.0 || *seen == 0.0), "an impossible row");
    let statistic = possible().map(|(seen, share)| (seen - draws * share).powi(2) / (draws * share)).sum();
    chi_square_tail(statistic, possible().count() - 1)
}

/// Chi-square with a false-alarm rate of 1e-6 each; the noise is seeded, so the test does not
/// flicker. The control: rows of one end do not pass for rows of the other.
#[test]
fn much_budget_follows_the_table_and_next_to_none_is_uniform() {
    let rule = "[[impossible]]\nc0 = \"v1\"\nc1 = \"v2\"\n";
    let table: Vec<f64> = COUNTS.iter().map(|&count| count as f64 / 1000.0).collect();
    // Records in the impossible cell become uniform rows over the five others.
    let ruled: Vec<f64> = (0..6).map(|cell| if cell == 5 { 0.0 } else { table[cell] + table[5] / 5.0 }).collect();
    let (flat, flat_ruled) = (vec![1.0 / 6.0; 6], [vec![0.2; 5], vec![0.0]].concat());
    for (rules, table, flat) in [("", table, flat), (rule, ruled, flat_ruled)] {
        let rows = Some(30_000);
        let rich = run(&mut door(rules, 1e6, 1), None, rows).unwrap();
        let poor = run(&mut door(rules, 1e-3, 2), None, rows).unwrap();
        assert!(fit(&rich, &table) > ALPHA && fit(&poor, &flat) > ALPHA);
        assert!(fit(&rich, &flat) < ALPHA && fit(&poor, &table) < ALPHA, "the control");
        // In between the mixture, and not the table.
        let mut bench = door(rules, 1e3, 3);
        let some = run(&mut bench, None, rows).unwrap();
        let Step::Histogram { smoothing, .. } = some.drawn.step else { panic!() };
        let d = smoothing.to_f64();
        assert!((0.1..0.2).contains(&d), "{d}");
        let mixture: Vec<f64> = table.iter().zip(&flat).map(|(table, flat)| (1.0 - d) * table + d * flat).collect();
        assert!(fit(&some, &mixture) > ALPHA && fit(&some, &table) < ALPHA);
    }
}

#[test]
fn the_whole_budget_is_spent_and_never_more() {
    for epsilon in [0.05, 1.0, 30.0] {
        for rows in [None, Some(1), Some(7), Some(1000), Some(5000)] {
            for smoothing in [None, Some("1"), Some("0.9999")] {
                let mut bench = door("", epsilon, 4);
                let paid = match run(&mut bench, smoothing, rows) {
                    Ok(paid) => paid,
                    Err(error) => {
                        assert!(smoothing == Some("0.9999"), "{error}");
                        continue;
                    }
                };
                assert!(rows.is_none_or(|rows| rows == paid.drawn.cells.len() as u64));
                let ledger = bench.curator.close();
                let used = ledger.used().unwrap();
                assert!(used <= epsilon && used >= 0.98 * epsilon, "{used} of {epsilon}, {rows:?} rows");
                assert_eq!(ledger.charged().len(), 3, "the public count, twice, and the rows");
            }
        }
    }
}

#[test]
fn the_values_of_the_report_and_the_chosen_number_of_rows() {
    let choose = |smoothing, rows, epsilon| {
        Reach::choose(
            &HistogramParams { smoothing },
            100,
            10_000,
            budget(epsilon, 0.0),
            &Request { rows, ..Request::default() },
        )
    };
    for (epsilon, smoothing) in [(0.1, 0.990099), (1.0, 0.909050), (10.0, 0.498749), (100.0, 0.086827)] {
        let reach = choose(None, Some(1000), epsilon).unwrap();
        assert!((reach.smoothing() - smoothing).abs() < 5e-7, "{epsilon}");
    }
    // ln(1 + m/n) = ln 1.01 is the price of a row at one half.
    let reach = choose(None, None, 1.0).unwrap();
    assert_eq!(reach.facts().draws, 100);
    assert!((0.49..=0.5).contains(&reach.smoothing()));
    assert_eq!(choose(Some(0.9), None, 1.0).unwrap().facts().draws, 900);
    assert_eq!(choose(None, None, 1e6).unwrap().facts().draws, 10_000, "never more than there are records");
    assert_eq!(choose(None, None, 1e-6).unwrap().facts().draws, 1);
    // What the page of the method prints.
    assert_eq!(
        choose(None, Some(1000), 1.0).unwrap().words(),
        [
            "1000 rows of 100 possible combinations, 9.1% of them drawn from the 10000 records and the others uniform \
             (smoothing 0.90905)",
            "epsilon 1 allows this many rows at this smoothing: 11 at 0.1, 100 at 0.5, 900 at 0.9; choose by the number of rows, \
             or set smoothing",
        ]
    );
    let refused = choose(Some(0.5), Some(1000), 1.0).unwrap_err().to_string();
    assert_eq!(
        refused,
        "budget: 1000 rows at a smoothing of 0.5 cost epsilon 9.950331, above 1; at this smoothing the budget allows at most \
         100 rows, and 1000 rows need a smoothing of 0.90905"
    );
    // Both mends do.
    assert!(choose(Some(0.5), Some(100), 1.0).is_ok() && choose(Some(0.5), Some(101), 1.0).is_err());
    assert!(choose(Some(0.90905), Some(1000), 1.0).is_ok());
    assert!(choose(Some(1e-9), None, 0.1).unwrap_err().to_string().contains("at most 0 rows"));
}

/// The chosen number of rows tells most: k (1 - d)^2 falls on both sides of it.
#[test]
fn one_half_is_the_best_smoothing() {
    let told = |rows| {
        let facts = Reach::choose(
            &HistogramParams::default(),
            100,
            10_000,
            budget(1.0, 0.0),
            &Request { rows, ..Request::default() },
        )
        .unwrap();
        facts.facts().draws as f64 * (1.0 - facts.smoothing()).powi(2)
    };
    assert!(told(None) > told(Some(50)) && told(None) > told(Some(200)));
}

#[test]
fn refused_from_public_facts_alone() {
    let (relation, pure) = (|relation| lookalike_privacy::Neighbours::new(relation, 1).unwrap(), budget(1.0, 0.0));
    let accept = |schema: &Schema, neighbours, budget, rows| {
        method(None)
            .accept(schema, neighbours, budget, &Request { rows, ..Request::default() })
            .err()
            .map(|error| error.to_string())
    };
    let (small, replace) = (schema(&[2, 3], ""), relation(Relation::ReplaceOne));
    assert_eq!(accept(&small, replace, pure, Some(5)), None);
    let told = |refusal: Option<String>, word: &str| {
        let text = refusal.expect("a refusal");
        assert!(text.contains(word) && text.lines().count() == 1, "{text}");
    };
    told(accept(&small, relation(Relation::AddRemove), pure, None), "relation replace-one");
    told(accept(&small, replace, budget(1.0, 1e-9), None), "delta");
    told(accept(&small, replace, pure, Some(0)), "1 to");
    told(accept(&small, replace, pure, Some(1 << 40)), "1 to");
    told(accept(&schema(&[300, 300, 300], ""), replace, pure, None), "27000000");
    // No single rule empties a column; together they leave no row.
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n[[impossible]]\nc0 = \"v0\"\nc1 = \"v1\"\n[[impossible]]\nc0 = \"v1\"\n";
    told(accept(&schema(&[2, 2], rules), replace, pure, None), "every combination");
    // And again at the door, before anything is counted.
    let mut wrong = bench(&small, 1000, columns(COUNTS), pure, Relation::AddRemove, 1);
    assert!(run(&mut wrong, None, None).is_err());
    assert!(wrong.looks.lock().unwrap().is_empty());
}

#[test]
fn empty_tables_one_record_and_ids_alone() {
    for rows in [0, 1] {
        let codes = vec![vec![1; rows], vec![2; rows]];
        for asked in [None, Some(50)] {
            let mut bench = bench(&schema(&[2, 3], ""), rows, codes.clone(), budget(1.0, 0.0), Relation::ReplaceOne, 6);
            let paid = run(&mut bench, None, asked).unwrap();
            assert_eq!(paid.drawn.cells.len() as u64, asked.unwrap_or(1));
            assert!(bench.curator.close().used().unwrap() <= 1.0);
        }
    }
    let ids = Schema::parse("[columns.who]\ntype = \"id\"\n", "ids.toml").unwrap();
    let mut bench = bench(&ids, 30, vec![], budget(1.0, 0.0), Relation::ReplaceOne, 6);
    assert!(run(&mut bench, None, None).is_ok());
}

/// The forecast takes the larger of two errors. A table with one value a column meets the one,
/// equally frequent values the other (40 seeded runs, within a tenth).
#[test]
fn the_forecast_is_what_is_reached() {
    let cap = budget(1.0, 0.0);
    let schema = schema(&[2, 3], "");
    let forecast = method(None)
        .forecast(&crate::PublicFacts { schema: &schema, rows: 6000, neighbours: one_record(), budget: cap })
        .unwrap();
    let distance = |paid: &PaidRows, truth: [&[f64]; 2]| {
        let shares = paid.drawn.shares(schema.domain());
        let one = |(seen, truth): (&Vec<f64>, &&[f64])| {
            0.5 * seen.iter().zip(*truth).map(|(seen, truth)| (seen - truth).abs()).sum::<f64>()
        };
        shares.iter().zip(&truth).map(one).sum::<f64>() / 2.0
    };
    let reached = |codes: Vec<Vec<u32>>, truth: [&[f64]; 2]| -> f64 {
        let one = |seed| {
            let mut bench = bench(&schema, 6000, codes.clone(), cap, Relation::ReplaceOne, seed);
            distance(&run(&mut bench, None, None).unwrap(), truth) / 40.0
        };
        (0..40).map(one).sum()
    };
    let single = reached(columns([6000, 0, 0, 0, 0, 0]), [&[1.0, 0.0], &[1.0, 0.0, 0.0]]);
    assert!((single / forecast.tvd1 - 1.0).abs() < 0.1, "forecast {}, reached {single}", forecast.tvd1);
    let even = reached(columns([1000; 6]), [&[0.5; 2], &[1.0 / 3.0; 3]]);
    assert!(even < forecast.tvd1, "{even}");
    assert_eq!(forecast.model_bytes, 0);
    assert!(forecast.cell_noise > 1.0);
    assert_eq!(method(None).allowance(&schema, 6000, cap, &Request::default()).unwrap().len(), 2);
    // A limit that a small table could not keep is no reason to have no forecast.
    assert!(
        method(Some("1e-9"))
            .forecast(&crate::PublicFacts { schema: &schema, rows: 10, neighbours: one_record(), budget: cap })
            .is_ok()
    );
}

#[test]
fn settings_and_words() {
    for value in ["0", "-1", "1.1", "nan", "much", ""] {
        let settings = [("smoothing".to_string(), value.to_string())];
        let refusal = build("histogram", &settings).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refusal.contains("smoothing") && refusal.contains("auto"), "{value}: {refusal}");
    }
    assert!(HistogramParams { smoothing: Some(f64::NAN) }.check().is_err());
    let paid = run(&mut door("", 1.0, 9), None, Some(20)).unwrap();
    let words = paid.words.join(" ");
    for wanted in ["20 rows", "6 possible", "may therefore agree with a real record", "To undo it"] {
        assert!(words.contains(wanted), "{wanted}: {words}");
    }
    let shares = paid.drawn.shares(schema(&[2, 3], "").domain());
    assert!(shares.iter().all(|column| (column.iter().sum::<f64>() - 1.0).abs() < 1e-12));
}
