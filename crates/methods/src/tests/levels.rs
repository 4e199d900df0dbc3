use lookalike_model::Sampling;
use lookalike_privacy::{Budget, Relation};
use lookalike_schema::{Integer, Schema};

use super::{bench, fit, settings};
use crate::graphical::detail::GRID;
use crate::{MethodError, build};

/// Two numbers without bins: whole thousands, and about the same with a few steps of their own.
fn columns(rows: u32) -> Vec<Vec<u32>> {
    let thousands = |row: u32| row.wrapping_mul(2_654_435_761) % 50 * 1000;
    let first: Vec<u32> = (0..rows).map(thousands).collect();
    let second = first.iter().zip(0..).map(|(&value, row): (&u32, u32)| value + row % 7 * 500).collect();
    vec![first, second]
}

fn correlation(a: &[u32], b: &[u32]) -> f64 {
    let mean = |of: &dyn Fn(usize) -> f64| (0..a.len()).map(of).sum::<f64>() / a.len() as f64;
    let (x, y) = (|row: usize| f64::from(a[row]), |row: usize| f64::from(b[row]));
    let (mx, my) = (mean(&x), mean(&y));
    let covariance = mean(&|row| (x(row) - mx) * (y(row) - my));
    covariance / (mean(&|row| (x(row) - mx).powi(2)) * mean(&|row| (y(row) - my).powi(2))).sqrt()
}

/// With levels, numbers keep their heaps and their relation in a range of 100,000 values. The seeds
/// are fixed, so there is no false alarm.
#[test]
fn levels_keep_heaps_and_relations_in_every_method() {
    let schema = Schema::builder()
        .column("a", Integer::range(0, 99_999))
        .column("b", Integer::range(0, 99_999))
        .build()
        .unwrap()
        .on_grid(GRID)
        .unwrap();
    for (method, delta) in [("mst", 1e-6), ("mst", 0.0), ("aim", 1e-6), ("aim", 0.0), ("privmrf", 1e-6)] {
        let budget = Budget::new(4.0, delta).unwrap();
        let mut bench = bench(&schema, 4000, columns(4000), budget, Relation::AddRemove, 11);
        let model = fit(method, &mut bench, &[("levels", "true")]).unwrap();
        let rows = model.sampler(&Sampling::new(4000, 3)).unwrap().block(0).columns;
        let kept = correlation(&rows[0], &rows[1]);
        assert!(kept > 0.9, "{method} at delta {delta} keeps {kept}");
        let heaped = rows[0].iter().filter(|&&value| value % 1000 == 0).count();
        assert!(heaped > 2000 || delta == 0.0, "{method}: {heaped} of 4000 are whole thousands");
        assert!(bench.curator.share_spent() <= 1.0, "{method}");
    }
}

/// Six numbers that are nearly the same: noise puts few rows far from the diagonals, fewer than it
/// does where cells that should be empty keep their noise. The seeds are fixed.
#[test]
fn cells_that_should_be_empty_stay_nearly_so() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let schema = names.iter().fold(Schema::builder(), |builder, name| builder.column(*name, Integer::range(0, 9_999)));
    let schema = schema.build().unwrap().on_grid(GRID).unwrap();
    let value = |row: u32, column: u32| (row.wrapping_mul(2_654_435_761) >> 8 & 8191) + row % (20 + column);
    let columns: Vec<Vec<u32>> = (0..6).map(|column| (0..4000).map(|row| value(row, column)).collect()).collect();
    let budget = Budget::new(1.0, 1e-6).unwrap();
    let far = |setting: &'static str| {
        let mut bench = bench(&schema, 4000, columns.clone(), budget, Relation::AddRemove, 5);
        let model = fit("auto", &mut bench, &[("shrinkage", setting)]).unwrap();
        let rows = model.sampler(&Sampling::new(4000, 3)).unwrap().block(0).columns;
        let pairs = (0..6).flat_map(|one| (0..one).map(move |two| (one, two)));
        pairs
            .map(|(one, two)| rows[one].iter().zip(&rows[two]).filter(|(a, b)| a.abs_diff(**b) > 3000).count())
            .sum::<usize>()
    };
    let (with, without) = (far("true"), far("false"));
    assert!(3 * with < 2 * without, "{with} with it and {without} without");
}

/// What a column of dates is asked beside its slots is in every plan: weekdays, and months where
/// there are two years of them.
#[test]
fn the_calendar_is_paid_for_in_every_method() {
    for range in ["['2021-01-01', '2021-03-31']", "['2019-01-01', '2021-12-31']"] {
        let text = format!(
            "grid = {GRID}\n[columns.day]\ntype = 'date'\nrange = {range}\n[columns.a]\ntype = 'integer'\nrange = [0, 9]"
        );
        let schema = Schema::parse(&text, "test").unwrap();
        let rows: Vec<Vec<u32>> = vec![(0..600).map(|row| row % 89).collect(), (0..600).map(|row| row % 10).collect()];
        for (method, delta) in [("auto", 1e-6), ("auto", 0.0), ("mst", 1e-6), ("aim", 0.0), ("privmrf", 1e-6)] {
            let budget = Budget::new(1.0, delta).unwrap();
            let mut bench = bench(&schema, 600, rows.clone(), budget, Relation::AddRemove, 3);
            let levels: &[(&str, &str)] = if method == "auto" { &[] } else { &[("levels", "true")] };
            fit(method, &mut bench, levels).unwrap();
            let used = bench.curator.close().used().unwrap();
            assert!((0.5..=1.0).contains(&used), "{method} at delta {delta}: {used}");
        }
    }
}

#[test]
fn levels_need_the_columns_own_counts() {
    let refused = build("privmrf", &settings(&[("levels", "true"), ("ones-share", "0")]));
    let Err(MethodError::Setting { help, .. }) = refused else { panic!("it was taken") };
    assert!(help.contains("levels"), "{help}");
}
