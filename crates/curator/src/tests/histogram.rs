//! Rows of a smoothed histogram: the exact output distribution keeps the claim, the door draws from
//! it, and the schema alone decides what is possible.

use lookalike_privacy::noise::testing::{ALPHA, chi_square_tail};
use lookalike_privacy::{
    Ledger, MechanismKind, Neighbours, Plan, PlanItem, PrivacyError, Rational, Relation, SeededNoise,
    SmoothedHistogram, Step,
};
use lookalike_schema::Schema;

use super::{Looks, Records, Rows, Setting, budget, ratio, replace_one};
use crate::{Cancel, Curator, CuratorError, HistogramQuery};

/// Two columns of two values; the last combination is impossible where `rule` is given.
fn two_columns(rule: bool) -> Schema {
    let column = |name: &str| format!("[columns.{name}]\ntype = \"category\"\nvalues = [\"a\", \"b\"]\n");
    let rule = if rule { "[[impossible]]\none = \"b\"\nother = \"b\"\n" } else { "" };
    Schema::parse(&format!("{}{}{rule}", column("one"), column("other")), "schema.toml").unwrap()
}

fn door(schema: &Schema, rows: Vec<Vec<u32>>, neighbours: Neighbours, looks: &Looks) -> Curator {
    let store = Records::default();
    let engine =
        Rows { rows, domain: schema.domain().clone(), sparse: true, looks: looks.clone(), store: store.clone() };
    let ledger = Ledger::open(Box::new(store), budget(1e9, 0.0), neighbours).unwrap();
    let mut curator =
        Curator::new(schema.clone(), Box::new(engine), ledger, Box::new(SeededNoise::new(7)), Cancel::new());
    curator.commit_filter().unwrap();
    curator
}

/// The chance of each cell in one draw, from the definition: rows of impossible cells become
/// uniform.
fn chances(rows: &[usize], possible: &[bool], smoothing: f64) -> Vec<f64> {
    let m = possible.iter().filter(|&&possible| possible).count() as f64;
    let n = rows.len() as f64;
    let mut chances: Vec<f64> = possible.iter().map(|&possible| if possible { smoothing / m } else { 0.0 }).collect();
    for &row in rows {
        for (cell, chance) in chances.iter_mut().enumerate().filter(|(cell, _)| possible[*cell]) {
            *chance += (1.0 - smoothing) / n * if possible[row] { f64::from(u8::from(cell == row)) } else { 1.0 / m };
        }
    }
    chances
}

/// All sequences of `length` numbers below `below`.
fn sequences(length: usize, below: usize) -> Vec<Vec<usize>> {
    (0..below.pow(length as u32))
        .map(|mut code| {
            (0..length)
                .map(|_| {
                    let digit = code % below;
                    code /= below;
                    digit
                })
                .collect()
        })
        .collect()
}

/// Every table of up to 4 rows over 4 cells, every replacement, every set of possible cells, two
/// drawn rows: the loss of every outcome is at most the claim, and somewhere nearly as large.
#[test]
fn the_exact_output_distribution_keeps_the_pure_claim() {
    for possible in [vec![true; 4], vec![true, true, true, false], vec![true, false, true, false]] {
        let m = possible.iter().filter(|&&possible| possible).count() as u64;
        for (part, whole) in [(1, 20), (1, 2), (9, 10)] {
            for n in 1..=4usize {
                let smoothing = ratio(part, whole);
                let facts = SmoothedHistogram { cells: m, rows: n as u64, draws: 2 };
                let claim = facts.epsilon(smoothing);
                let mut worst = 0.0f64;
                for rows in sequences(n, 4) {
                    for other in 0..4 {
                        let mut replaced = rows.clone();
                        replaced[0] = other;
                        let here = chances(&rows, &possible, smoothing.to_f64());
                        let there = chances(&replaced, &possible, smoothing.to_f64());
                        for draws in
                            sequences(2, 4).into_iter().filter(|draws| draws.iter().all(|&cell| possible[cell]))
                        {
                            let loss: f64 = draws.iter().map(|&cell| (here[cell] / there[cell]).ln()).sum();
                            worst = worst.max(loss.abs());
                        }
                    }
                }
                assert!(worst <= claim, "{possible:?} {part}/{whole} {n} rows: {worst} > {claim}");
                assert!(worst >= claim * (1.0 - 1e-9), "the bound is met: {worst} of {claim}");
            }
        }
    }
}

/// Chi-square with false-alarm rate 1e-6 each; seeded. Another smoothing is noticed.
#[test]
fn the_door_draws_from_that_distribution() {
    let rows = vec![vec![0, 0], vec![0, 0], vec![0, 1], vec![1, 1]];
    for rule in [false, true] {
        let schema = two_columns(rule);
        let possible = [true, true, true, !rule];
        let mut curator = door(&schema, rows.clone(), replace_one(), &Looks::default());
        assert_eq!(curator.histogram_cells().unwrap(), if rule { 3 } else { 4 });
        let drawn = curator.histogram(&HistogramQuery { draws: 40_000, smoothing: ratio(3, 10) }).unwrap();
        let mut seen = [0.0; 4];
        drawn.cells.iter().for_each(|&cell| seen[cell as usize] += 1.0);
        assert!(!rule || seen[3] == 0.0, "an impossible row");
        let fit = |smoothing: f64| {
            let expected = chances(&[0, 0, 1, 3], &possible, smoothing);
            let cells = (0..4).filter(|&cell| possible[cell]);
            let statistic =
                cells.map(|cell| (seen[cell] - 40_000.0 * expected[cell]).powi(2) / (40_000.0 * expected[cell]));
            chi_square_tail(statistic.sum(), possible.iter().filter(|&&possible| possible).count() - 1)
        };
        assert!(fit(0.3) > ALPHA);
        assert!(fit(0.15) < ALPHA, "control: half the smoothing is noticed");
        let columns = drawn.columns(schema.domain());
        assert_eq!(columns.len(), 2);
        assert!(
            drawn.cells.iter().zip(&columns[0]).zip(&columns[1]).all(|((&cell, &one), &other)| cell == 2 * one + other)
        );
    }
}

#[test]
fn it_is_charged_before_the_look_and_its_cost_is_the_formula() {
    let looks = Looks::default();
    let mut curator = door(&two_columns(false), vec![vec![0, 1]; 50], replace_one(), &looks);
    let query = HistogramQuery { draws: 20, smoothing: ratio(1, 4) };
    let drawn = curator.histogram(&query).unwrap();
    // The public n, then all columns.
    assert_eq!(looks.lock().unwrap().iter().map(|look| look.0[0].len()).collect::<Vec<_>>(), [0, 2]);
    let ledger = curator.close();
    assert_eq!(ledger.charged()[1].label, "20 rows of a smoothed histogram of all columns");
    assert_eq!(ledger.charged()[1].step, drawn.step);
    let expected = 20.0 * (0.75 * 4.0 / (50.0 * 0.25) + 1.0f64).ln();
    assert!((ledger.used().unwrap() / expected - 1.0).abs() < 1e-12);
}

#[test]
fn a_plan_finds_the_smoothing_and_spends_the_whole_budget() {
    let mut bench = Setting { neighbours: replace_one(), budget: budget(0.7, 0.0), ..Setting::default() }.bench();
    let histogram = SmoothedHistogram { cells: bench.curator.histogram_cells().unwrap(), rows: 3, draws: 5 };
    let plan = |histogram| Plan {
        items: vec![PlanItem {
            label: "rows".into(),
            kind: MechanismKind::Histogram(histogram),
            sensitivity: replace_one().marginal(),
            share: 1.0,
            copies: 1,
        }],
    };
    let calibrated = bench.curator.commit(&plan(histogram)).unwrap();
    let Step::Histogram { smoothing, .. } = calibrated.steps()[0].step else { panic!() };
    let refused = bench.curator.histogram(&HistogramQuery { draws: 6, smoothing });
    assert!(matches!(refused, Err(CuratorError::Privacy(PrivacyError::Refused { .. }))), "one row more");
    assert_eq!(bench.curator.histogram(&HistogramQuery { draws: 5, smoothing }).unwrap().cells.len(), 5);
    let used = bench.curator.close().used().unwrap();
    assert!((0.699999..=0.7).contains(&used), "{used}");
    // A plan for another n than the table's is no plan for it.
    let mut bench = Setting { neighbours: replace_one(), budget: budget(0.7, 0.0), ..Setting::default() }.bench();
    let calibrated = bench.curator.commit(&plan(SmoothedHistogram { rows: 300, ..histogram })).unwrap();
    let Step::Histogram { smoothing, .. } = calibrated.steps()[0].step else { panic!() };
    assert!(bench.curator.histogram(&HistogramQuery { draws: 5, smoothing }).is_err());
    // With a delta the plan is refused: the cost is pure.
    let pure_only = plan(histogram).calibrate(budget(0.7, 1e-5)).unwrap_err().to_string();
    assert!(pure_only.contains("pure epsilon"), "{pure_only}");
}

#[test]
fn what_makes_no_sense_is_refused_before_any_look() {
    let schema = two_columns(false);
    let ask = |draws: u64, smoothing: Rational| HistogramQuery { draws, smoothing };
    let looks = Looks::default();
    for relation in [Relation::AddRemove, Relation::ReplaceOne] {
        let mut curator = door(&schema, vec![vec![0, 0]], Neighbours::new(relation, 1).unwrap(), &looks);
        let refused = curator.histogram(&ask(if relation == Relation::AddRemove { 1 } else { 0 }, ratio(1, 2)));
        let Err(CuratorError::Query { what }) = refused else { panic!("{relation:?}") };
        assert_eq!(what.contains("relation replace-one"), relation == Relation::AddRemove, "{what}");
        assert!(curator.histogram(&ask(1, ratio(3, 2))).is_err());
    }
    let wide = super::schema(&[300, 300, 300]);
    let mut curator = door(&wide, vec![], replace_one(), &looks);
    assert!(curator.histogram_cells().unwrap_err().to_string().contains("27000000 combinations"));
    assert!(crate::histogram_cells(&wide).unwrap_err().to_string().contains("at most 16777216"));
    assert!(crate::histogram_cells(&super::schema(&[300; 9])).unwrap_err().to_string().contains("more than 2^64"));
    assert!(curator.histogram(&ask(1, ratio(1, 2))).is_err());
    assert!(looks.lock().unwrap().is_empty());
}

#[test]
fn an_empty_table_gives_uniform_rows() {
    let mut curator = door(&two_columns(true), vec![], replace_one(), &Looks::default());
    let drawn = curator.histogram(&HistogramQuery { draws: 3_000, smoothing: ratio(1, 100) }).unwrap();
    for cell in 0..3 {
        let share = drawn.cells.iter().filter(|&&drawn| drawn == cell).count() as f64 / 3_000.0;
        // 4.9 standard errors.
        assert!((share - 1.0 / 3.0).abs() < 0.0422, "{cell}: {share}");
    }
}
