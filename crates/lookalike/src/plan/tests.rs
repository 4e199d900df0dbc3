//! Predictions are finite, fall with rows and epsilon, and answer both ways round.

use lookalike_schema::{Id, Integer};
use lookalike_testkit::integers as schema;

use super::*;

fn spec(rows: u64, epsilon: &[f64]) -> PlanSpec {
    PlanSpec { rows: Some(rows), epsilon: epsilon.to_vec(), delta: Some(1e-6), ..PlanSpec::default() }
}

fn one(sizes: &[u32], rows: u64, epsilon: f64) -> Prospect {
    spec(rows, &[epsilon]).plan(&schema(sizes)).unwrap().prospects.remove(0)
}

fn means(prospect: &Prospect) -> Vec<f64> {
    prospect.distances.iter().flatten().map(|expected| expected.mean).collect()
}

#[test]
fn errors_fall_with_epsilon_and_with_rows() {
    let tables: [&[u32]; 4] = [&[2; 16], &[16, 7, 16, 5, 2, 41, 3], &[2, 5, 10, 3, 16, 2, 7, 24], &[9, 40_000, 3, 3]];
    for sizes in tables {
        for rows in [2_000, 45_000] {
            let at: Vec<Prospect> =
                [0.05, 0.1, 0.2, 0.8, 3.2, 20.0].iter().map(|&epsilon| one(sizes, rows, epsilon)).collect();
            for pair in at.windows(2) {
                for (less, more) in means(&pair[0]).into_iter().zip(means(&pair[1])) {
                    assert!(
                        more <= less * 1.001,
                        "{sizes:?}, {rows} rows: {less} at {}, {more} at {}",
                        pair[0].epsilon,
                        pair[1].epsilon
                    );
                }
                assert!(pair[1].pair_noise <= pair[0].pair_noise && pair[1].column_noise <= pair[0].column_noise);
            }
        }
        for epsilon in [0.1, 3.0] {
            let few = means(&one(sizes, 2_000, epsilon));
            let many = means(&one(sizes, 200_000, epsilon));
            assert!(few.iter().zip(&many).all(|(few, many)| many < few), "{sizes:?} at {epsilon}: {few:?} {many:?}");
        }
    }
}

#[test]
fn everything_is_finite_at_the_edges() {
    let wide = vec![7; 200];
    let edges: [(&[u32], u64); 7] = [
        (&[3], 100),
        (&[2, 2], 1),
        (&[2, 2], 0),
        (&wide, 50_000),
        (&[40_000, 2], 1_000),
        (&[1, 1, 1], 10),
        (&[2; 5], 1 << 40),
    ];
    for (sizes, rows) in edges {
        for delta in [0.0, 1e-9] {
            let spec = PlanSpec { delta: Some(delta), ..spec(rows, &[0.01, 1.0, 50.0]) };
            for prospect in spec.plan(&schema(sizes)).unwrap().prospects {
                let ranges = prospect.distances.iter().flatten();
                assert_eq!(ranges.clone().count(), sizes.len().min(3));
                for ExpectedDistance { mean, low, high } in ranges {
                    assert!(
                        mean.is_finite() && (0.0..=1.0).contains(mean) && low <= mean && mean <= high && *high <= 1.0
                    );
                    assert!(*mean == 0.0 || high / low <= 4.000_001, "{low} to {high}");
                }
                let others =
                    [prospect.column_noise, prospect.pair_noise, prospect.smallest_group, prospect.seconds.unwrap()];
                assert!(
                    others.iter().all(|value| value.is_finite() && *value >= 0.0),
                    "{sizes:?} {rows}: {prospect:?}"
                );
                assert!(prospect.worst_case.upper >= 0.0 && (0.0..=1.0).contains(&prospect.worst_case.lower));
            }
        }
    }
}

#[test]
fn the_epsilon_that_is_answered_gives_the_error_back() {
    let sizes = [2, 5, 10, 3, 16, 2, 7, 24];
    for (error, way) in [(0.02, 2), (0.05, 3), (0.01, 1)] {
        let asked = PlanSpec { error: Some(error), way: Some(way), epsilon: Vec::new(), ..spec(20_000, &[]) };
        let needed = asked.plan(&schema(&sizes)).unwrap().needed.remove(0);
        let epsilon = needed.epsilon.unwrap();
        let back = one(&sizes, 20_000, epsilon).distances[way as usize - 1].unwrap().mean;
        assert!((back / error - 1.0).abs() < 0.02 && back <= error, "{error} {way}: {epsilon} gives {back}");
        assert_eq!(back, needed.expected);
    }
    // Three rows will not do.
    let asked = PlanSpec { error: Some(0.001), epsilon: Vec::new(), ..spec(3, &[]) };
    let needed = asked.plan(&schema(&sizes)).unwrap().needed.remove(0);
    assert!(needed.epsilon.is_none() && needed.expected > 0.001);
}

#[test]
fn all_methods_have_a_line_or_a_reason() {
    let all = PlanSpec { methods: vec!["all".into()], delta: None, ..spec(5_000, &[1.0]) };
    let plan = all.plan(&schema(&[2, 3, 4, 5, 6])).unwrap();
    assert_eq!(plan.prospects.len() + plan.refused.len(), methods().len(), "{:?}", plan.refused);
    for prospect in &plan.prospects {
        assert!(prospect.distances[0].is_some_and(|it| it.mean > 0.0 && it.mean < 1.0), "{}", prospect.method);
    }
    // Named, a method that cannot do it is a mistake.
    let named = PlanSpec { methods: vec!["histogram".into()], delta: Some(1e-6), ..spec(5_000, &[1.0]) };
    assert!(named.plan(&schema(&[2, 3])).is_err());
}

#[test]
fn replacing_costs_more_than_adding_and_slow_machines_take_longer() {
    let replace = PlanSpec { relation: Some("replace-one".into()), ..spec(5_000, &[1.0]) };
    let replace = replace.plan(&schema(&[2, 3, 4])).unwrap().prospects.remove(0);
    let add = one(&[2, 3, 4], 5_000, 1.0);
    assert!(replace.column_noise > add.column_noise && means(&replace)[1] > means(&add)[1]);
    let slow = PlanSpec { work_seconds: Some(3.0 * REFERENCE_SECONDS), ..spec(5_000, &[1.0]) };
    let slow = slow.plan(&schema(&[2, 3, 4])).unwrap().prospects.remove(0);
    assert!((slow.seconds.unwrap() / add.seconds.unwrap() - 3.0).abs() < 1e-9);
    assert!(calibration_work() > 0.0);
}

#[test]
fn rows_that_stay_elsewhere_are_read_in_every_pass() {
    let at = |engine: &str| PlanSpec { engine: Some(engine.into()), ..spec(1_000_000, &[1.0]) };
    let planned = |engine: &str| at(engine).plan(&schema(&[2, 300, 70_000])).unwrap().prospects.remove(0);
    let (here, sql, spark) = (one(&[2, 300, 70_000], 1_000_000, 1.0), planned("sql"), planned("spark"));
    assert_eq!((here.read_bytes, sql.passes, spark.passes), (Some(0), here.passes, here.passes));
    let passes = here.passes.unwrap();
    assert_eq!((sql.read_bytes, spark.read_bytes), (Some(passes * 12_000_000), Some(passes * 7_000_000)));
    assert!(sql.seconds.is_none() && sql.memory_bytes <= here.memory_bytes);
    assert!(at("abacus").plan(&schema(&[2, 3])).unwrap_err().to_string().contains("engine"));
}

#[test]
fn mistakes_are_told() {
    let wrong = |spec: PlanSpec| spec.plan(&schema(&[2, 3])).unwrap_err().to_string();
    let rows = Some(100);
    assert!(wrong(PlanSpec::default()).contains("number of rows"));
    assert!(wrong(PlanSpec { rows, ..PlanSpec::default() }).contains("epsilon"));
    assert!(wrong(spec(100, &[0.0])).contains("epsilon"));
    assert!(wrong(PlanSpec { error: Some(1.5), ..spec(100, &[]) }).contains("error"));
    assert!(wrong(PlanSpec { error: Some(0.1), way: Some(4), ..spec(100, &[]) }).contains("way"));
    assert!(wrong(PlanSpec { methods: vec!["magic".into()], ..spec(100, &[1.0]) }).contains("magic"));
    assert!(wrong(PlanSpec { relation: Some("odd".into()), ..spec(100, &[1.0]) }).contains("relation"));
}

#[test]
fn figures_are_rounded_up_to_three_digits() {
    for (value, rounded) in [(0.12341, 0.124), (1.0, 1.0), (57.31, 57.4), (0.00100001, 0.00101), (99.99, 100.0)] {
        assert_eq!(rounded_up(value), rounded);
    }
}

fn by_person(contribution: &[u32]) -> PlanSpec {
    let (unit, contribution) = (Some("id".into()), contribution.to_vec());
    PlanSpec { unit, contribution, persons: Some(5_000), ..spec(20_000, &[0.5, 1.0]) }
}

fn visits() -> Schema {
    let mut columns = Schema::builder().column("id", Id);
    for name in ["a", "b", "c", "d"] {
        columns = columns.column(name, Integer::range(0, 4));
    }
    columns.build().unwrap()
}

#[test]
fn contributions_are_compared_from_stated_facts() {
    let plan = by_person(&[5, 1, 2, 2, 10]).plan(&visits()).unwrap();
    let at = |epsilon: f64| plan.prospects.iter().filter(move |it| it.epsilon == epsilon);
    for epsilon in [0.5, 1.0] {
        let told: Vec<u32> = at(epsilon).map(|it| it.contribution).collect();
        assert_eq!(told, [1, 2, 5, 10]);
        let rows: Vec<u64> = at(epsilon).map(|it| it.kept.unwrap().rows).collect();
        assert!(rows[0] == 5_000 && rows.is_sorted() && rows[3] <= 20_000, "{rows:?}");
        let noise: Vec<f64> = at(epsilon).map(|it| it.column_noise).collect();
        assert!(noise.is_sorted() && noise[3] > 3.0 * noise[0], "{noise:?}");
    }
    // One row a person is a record each, of as many rows as there are persons.
    let alone = spec(5_000, &[0.5]).plan(&visits()).unwrap().prospects.remove(0);
    let one = at(0.5).next().unwrap();
    assert_eq!((one.distances, one.column_noise), (alone.distances, alone.column_noise));
    assert!(one.worst_case.upper < at(0.5).next_back().unwrap().worst_case.upper);
}

#[test]
fn every_method_has_more_noise_for_more_rows_a_person() {
    let spec = PlanSpec { methods: vec!["all".into()], delta: None, ..by_person(&[1, 8]) };
    let plan = spec.plan(&visits()).unwrap();
    let (refused, ones): (Vec<_>, Vec<_>) = (plan.refused, plan.prospects);
    assert!(refused.len() < methods().len() / 2, "{refused:?}");
    for two in ones.chunks(2) {
        let [one, eight] = two else { panic!("a contribution is missing") };
        assert_eq!((one.method, one.epsilon), (eight.method, eight.epsilon));
        assert!(eight.column_noise > 2.0 * one.column_noise, "{one:?} {eight:?}");
    }
}

#[test]
fn an_error_needs_an_epsilon_for_each_contribution() {
    let asked = PlanSpec { error: Some(0.05), epsilon: Vec::new(), ..by_person(&[1, 20]) };
    let needed = asked.plan(&visits()).unwrap().needed;
    assert_eq!(needed.iter().map(|it| it.contribution).collect::<Vec<_>>(), [1, 20]);
    assert!(needed[1].epsilon.unwrap() > needed[0].epsilon.unwrap(), "{needed:?}");
}

#[test]
fn mistakes_about_persons_are_told() {
    let wrong = |spec: PlanSpec| spec.plan(&visits()).unwrap_err().to_string();
    let good = || by_person(&[2]);
    assert!(wrong(PlanSpec { unit: None, ..good() }).contains("whose row"));
    assert!(wrong(PlanSpec { unit: None, persons: None, ..good() }).contains("whose row"));
    assert!(wrong(PlanSpec { contribution: vec![], ..good() }).contains("how many rows"));
    assert!(wrong(PlanSpec { contribution: vec![0], ..good() }).contains("contribution"));
    assert!(wrong(PlanSpec { contribution: vec![1 << 30], ..good() }).contains("noise can hide"));
    assert!(wrong(PlanSpec { unit: Some("a".into()), ..good() }).contains("modelled"));
    assert!(wrong(PlanSpec { unit: Some("nobody".into()), ..good() }).contains("nobody"));
    assert!(wrong(PlanSpec { relation: Some("replace-one".into()), ..good() }).contains("replace-one"));
    assert!(wrong(PlanSpec { persons: None, contribution: vec![1, 2], ..good() }).contains("number of persons"));
    // One contribution without persons: all rows are taken to be read.
    let plan = PlanSpec { persons: None, ..good() }.plan(&visits()).unwrap();
    assert!(plan.prospects.iter().all(|it| it.kept.is_none() && it.contribution == 2));
}
