//! Columns with known counts, asked with Gaussian noise from a fixed stream: a test that passes
//! once passes always, and its limits leave several standard deviations.

use lookalike_schema::{AttrId, Grouping, Schema};

use super::Descent;
use crate::SampleRng;

const NOISE: f64 = 10.0;

fn column(entry: &str) -> Schema {
    Schema::parse(&format!("grid = 1000000\n[columns.a]\n{entry}"), "test").unwrap()
}

fn normal(rng: &mut SampleRng) -> f64 {
    let unit = |rng: &mut SampleRng| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    (-2.0 * (1.0 - unit(rng)).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

/// Goes down slot by slot, and gives the counts of all codes.
fn descended(schema: &Schema, counts: &[f64], slots: u32, noise: f64) -> Vec<f64> {
    answered(7, schema, counts, slots, noise).counts(counts.iter().sum())
}

/// The answers of such a way down.
fn answered(seed: u64, schema: &Schema, counts: &[f64], slots: u32, noise: f64) -> Descent {
    let mut rng = SampleRng::new(seed, "descent", 0);
    let mut answer = |kinds: Option<&Grouping>| -> Vec<f64> {
        let mut sums = vec![0.0; kinds.map_or(counts.len(), |kinds| kinds.groups() as usize)];
        let kind = |code: usize| kinds.map_or(code, |kinds| kinds.group(code as u32) as usize);
        counts.iter().enumerate().for_each(|(code, count)| sums[kind(code)] += count);
        sums.iter().map(|sum| (sum + noise * normal(&mut rng)).round()).collect()
    };
    let rows: f64 = counts.iter().sum();
    let mut descent = Descent::new(schema.codec(AttrId(0)));
    for slot in 0..slots {
        if slot > 0 {
            descent.refine(rows);
        }
        let values = answer(descent.partition().as_ref());
        descent.take(&values, noise * noise);
    }
    for season in &mut descent.seasons {
        season.take(&answer(Some(&season.kinds)), noise * noise);
    }
    descent
}

fn spread(counts: &[f64]) -> f64 {
    let codes: Vec<f64> = (0..counts.len()).map(|code| code as f64).collect();
    spread_of(&codes, counts)
}

fn spread_of(values: &[f64], counts: &[f64]) -> f64 {
    let rows: f64 = counts.iter().sum();
    let moment = |power: i32| values.iter().zip(counts).map(|(value, n)| value.powi(power) * n).sum::<f64>();
    (moment(2) / rows - (moment(1) / rows).powi(2)).sqrt()
}

#[test]
fn heaped_values_stay_heaped() {
    let schema = column("type = 'integer'\nrange = [0, 99999]\nmissing = true\n");
    let mut counts = vec![0.0; 100_001];
    (0..20_000).for_each(|code| counts[code] = 0.5);
    (1..=20).for_each(|heap| counts[1000 * heap] += 500.0);
    counts[100_000] = 700.0;
    let found = descended(&schema, &counts, 6, NOISE);
    for heap in (1..=20).map(|heap| 1000 * heap) {
        assert!((found[heap] - 500.0).abs() < 6.0 * NOISE, "{heap}: {}", found[heap]);
        assert!(found[heap + 3] < 50.0, "{heap}");
    }
    assert!((found[100_000] - 700.0).abs() < 4.0 * NOISE, "the missing code is a cell of its own");
    assert!((found.iter().sum::<f64>() - counts.iter().sum::<f64>()).abs() < 1e-6);
    // The control: one slot has nothing but wide cells.
    assert!(descended(&schema, &counts, 1, NOISE)[5000] < 50.0);
}

#[test]
fn nobody_is_put_where_nobody_is_and_tails_are_not_cut() {
    let schema = column("type = 'integer'\nrange = [0, 999999]\n");
    for scale in [20.0, 3000.0] {
        let counts: Vec<f64> = (0..1_000_000).map(|code| 5000.0 / scale * (-f64::from(code) / scale).exp()).collect();
        let found = descended(&schema, &counts, 6, NOISE);
        let ratio = spread(&found) / spread(&counts);
        assert!((0.85..1.2).contains(&ratio), "scale {scale}: {ratio}");
        let beyond: f64 = found[(12.0 * scale) as usize..].iter().sum();
        assert!(beyond < 50.0, "scale {scale}: {beyond}");
    }
}

#[test]
fn few_answers_without_noise_are_exact() {
    let schema = column("type = 'number'\nrange = [-1, 1]\ndecimals = 1\n");
    let counts: Vec<f64> = (0..21).map(|code| f64::from(100 + code)).collect();
    let found = descended(&schema, &counts, 3, 1e-6);
    assert!(found.iter().zip(&counts).all(|(found, count)| (found - count).abs() < 1e-3), "{found:?}");
}

/// The root mean square over twenty streams of the logarithm of the spread's ratio.
fn away(schema: &Schema, counts: &[f64], noise: f64) -> f64 {
    let rows: f64 = counts.iter().sum();
    let values: Vec<f64> = (0..counts.len()).map(|code| value(schema, code as u32)).collect();
    let square = |seed: u64| {
        let found = answered(seed, schema, counts, 6, noise).counts(rows);
        (spread_of(&values, &found) / spread_of(&values, counts)).ln().powi(2)
    };
    ((0..20).map(square).sum::<f64>() / 20.0).sqrt()
}

/// The middle of a code's values.
fn value(schema: &Schema, code: u32) -> f64 {
    schema.codec(AttrId(0)).raw_decoded(code, 1 << 63).unwrap_or(0.0)
}

/// A tail of which nothing stands out of the noise: it is no longer than it would be if what is
/// seen before it went on. Streams are fixed, so the test never fails by chance.
#[test]
fn noise_makes_no_tails() {
    let schema = column("type = 'integer'\nrange = [0, 200]\n");
    let shape: Vec<f64> = (0..=200).map(|code| (1.0 + f64::from(code) / 12.0).powi(-4)).collect();
    let all: f64 = shape.iter().sum();
    let counts: Vec<f64> = shape.iter().map(|density| 4406.0 * density / all).collect();
    let found = away(&schema, &counts, 131.0);
    assert!(found < 0.45, "{found}");
}

/// Few rows in a range five thousand times their scale. A run of cells that stand out together only
/// with the empty ones behind them would reach to the range's end, and the spread be off by a
/// factor of three and more.
#[test]
fn a_wide_range_makes_no_tail() {
    let schema = column("type = 'integer'\nrange = [0, 999999]\n");
    let counts: Vec<f64> = (0..1_000_000).map(|code| 22.0 * (-f64::from(code) / 200.0).exp()).collect();
    let found = away(&schema, &counts, 100.0);
    assert!(found < 0.5, "{found}");
}

/// Codes that grow with their distance from 0, on both sides: tails are drawn on the scale of
/// values.
#[test]
fn tails_follow_values_where_codes_grow() {
    let text = "grid = 50000\n[columns.a]\ntype = 'number'\nrange = [-100, 100]\ndecimals = 6\n";
    let schema = Schema::parse(text, "test").unwrap();
    let codec = schema.codec(AttrId(0));
    let below = |value: f64| 0.5 + 0.5 * value.signum() * (1.0 - (1.0 + value.abs() / 4.0).powi(-3));
    let edge = |code: u32| if code < codec.size() { codec.raw_decoded(code, 0).unwrap_or(0.0) } else { 100.0 };
    let counts: Vec<f64> =
        (0..codec.size()).map(|code| 4400.0 * (below(edge(code + 1)) - below(edge(code))).max(0.0)).collect();
    let found = away(&schema, &counts, 100.0);
    assert!(found < 0.35, "{found}");
}

/// Six rows a day, twice as many on two days of the week and in three months: no day stands out of
/// the noise, and all days of a kind together do.
#[test]
fn weekdays_and_months_are_kept() {
    let schema = column("type = 'date'\nrange = ['2019-01-01', '2021-12-31']\nmissing = true\n");
    let codec = schema.codec(AttrId(0));
    let kinds = codec.recurring();
    let doubled = |kind: u32, few: u32| if kind < few { 2.0 } else { 1.0 };
    let day = |code: u32| 4.0 * doubled(kinds[0].group(code), 2) * doubled(kinds[1].group(code), 3);
    let mut counts: Vec<f64> = (0..codec.present()).map(day).collect();
    counts.push(200.0);
    let rows: f64 = counts.iter().sum();
    let distance = |found: &[f64], kinds: &Grouping| {
        let mut sums = vec![0.0; kinds.groups() as usize];
        let group_of = kinds.group_of();
        let pairs = found.iter().zip(&counts).zip(group_of.iter());
        pairs.for_each(|((found, count), &kind)| sums[kind as usize] += found - count);
        sums.iter().map(|sum: &f64| sum.abs()).sum::<f64>() / (2.0 * rows)
    };
    let mut descent = answered(5, &schema, &counts, 3, 40.0);
    let found = descent.counts(rows);
    descent.seasons.clear();
    let plain = descent.counts(rows);
    assert!((found.iter().sum::<f64>() - rows).abs() < 1e-6 * rows);
    for kinds in &kinds {
        assert!(distance(&found, kinds) < 0.04, "{}", distance(&found, kinds));
    }
    // The control; months are seen by the slots too.
    assert!(distance(&plain, &kinds[0]) > 0.08, "{}", distance(&plain, &kinds[0]));
}
