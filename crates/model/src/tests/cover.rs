//! Error bars of shown groups hold the truth as often as they say.
//!
//! Each test draws the noise [`TIMES`] times from a fixed stream. Every measured count and every
//! share must be held in 95% of the draws, and every bound of a count in 97.5%, less three standard
//! errors. An interval of exactly that chance fails with a chance of 0.2%, a bound with 0.3%. About
//! 100 are near it: the false-alarm rate of all tests together is about 20% at most, for the
//! streams that were picked.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Filter, Grouping, Schema};

use super::support::{coded_model, origin};
use crate::{
    AnswerAxis, Calibrated, Factor, Interval, JunctionTree, KeptAnswer, MOST_WORK, Model, Refinement, SampleRng,
};

const TIMES: u32 = 400;
const CODES: [u32; 3] = [4_000, 600, 2];
/// Where the groups begin that the model holds, and shows, behind the first one.
const SHOWN: [&[u32]; 2] = [&[250, 700, 1_000, 1_001, 1_500, 2_000, 2_001, 2_750], &[90, 200, 300, 455]];

/// The axes of an answer, a column and where its groups begin each, and the variance of its noise.
type Told<'a> = (&'a [(u32, &'a [u32])], f64);

/// Three slots of `pay`, of which each splits cells of the one before, two of `age`, and pairs in
/// groups of their own. 700 and 455 begin no group of a slot; 600, 2,300 and 250 are shown nowhere.
const ANSWERS: [Told; 8] = [
    (&[(0, &[500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500])], 400.0),
    (&[(0, &[250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 2_750, 3_000, 3_500])], 400.0),
    (
        &[(0, &[125, 250, 500, 625, 750, 1_000, 1_001, 1_250, 1_500, 1_750, 2_000, 2_001, 2_250, 2_500, 2_750, 3_000])],
        400.0,
    ),
    (&[(1, &[100, 200, 300, 400, 500])], 400.0),
    (&[(1, &[30, 60, 90, 150, 200, 250, 300, 350, 400, 450, 500])], 400.0),
    (&[(0, &[600, 1_001, 2_300]), (1, &[250, 400])], 225.0),
    (&[(0, &[250, 1_000, 2_000, 2_750]), (1, &[50, 90, 300])], 625.0),
    (&[(0, &[1_000, 2_000]), (2, &[1])], 225.0),
];

fn schema() -> Schema {
    let text = "grid = 100000\n[columns.pay]\ntype = 'integer'\nrange = [0, 3999]\n\
                [columns.age]\ntype = 'integer'\nrange = [0, 599]\n\
                [columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n";
    Schema::parse(text, "test").unwrap()
}

fn cut(column: u32, starts: &[u32]) -> Arc<Grouping> {
    let group = |code| starts.iter().filter(|&&start| start <= code).count() as u32;
    Arc::new(Grouping::new((0..CODES[column as usize]).map(group).collect()).unwrap())
}

/// Rows whose `pay` is heaped at two values and has a long tail, and whose `age` follows it.
fn rows() -> Vec<[u32; 3]> {
    let mut rng = SampleRng::new(1, "rows", 0);
    let mut row = || {
        let pay = match rng.uniform() {
            heap if heap < 0.25 => 1_000,
            heap if heap < 0.35 => 2_000,
            _ => (4_000.0 * rng.uniform().powi(2)) as u32,
        };
        let age = (f64::from(pay) / 10.0 + 200.0 * rng.uniform()) as u32;
        [pay, age, u32::from(rng.uniform() < 0.3)]
    };
    (0..12_000).map(|_| row()).collect()
}

/// A model that holds `pay` and `age` in the shown groups. What it says of them is of no matter:
/// error bars stand on the answers.
fn model() -> Model {
    let refinements = [0, 1].map(|column| Some(Refinement::uniform(cut(column, SHOWN[column as usize]))));
    let domain = Domain::new(vec![SHOWN[0].len() as u32 + 1, SHOWN[1].len() as u32 + 1, 2]);
    let all = Clique::new([AttrId(0), AttrId(1), AttrId(2)]);
    let tree = JunctionTree::new(&domain, std::slice::from_ref(&all), &[]).unwrap();
    let even = Factor::new(&domain, &all, vec![1.0; domain.cells(&all).unwrap() as usize]).unwrap();
    let calibrated = Calibrated::new(&tree, &[even.ln()]).unwrap();
    let refinements = refinements.into_iter().chain([None]).collect();
    Model::tree(schema(), &calibrated, 12_000.0, refinements, vec![], origin()).unwrap()
}

/// An answer before noise: its axes, the exact counts, and the variance.
fn exact(rows: &[[u32; 3]], told: &Told) -> (Vec<AnswerAxis>, Vec<f64>, f64) {
    let axis = |&(column, starts): &(u32, &[u32])| AnswerAxis {
        column: AttrId(column),
        grouping: (starts.len() + 1 < CODES[column as usize] as usize).then(|| cut(column, starts)),
    };
    let axes: Vec<AnswerAxis> = told.0.iter().map(axis).collect();
    let mut counts = vec![0.0; told.0.iter().map(|(_, starts)| starts.len() + 1).product()];
    for row in rows {
        let group = |&(column, starts): &(u32, &[u32])| starts.partition_point(|&start| start <= row[column as usize]);
        counts[told.0.iter().fold(0, |cell, axis| cell * (axis.1.len() + 1) + group(axis))] += 1.0;
    }
    (axes, counts, told.1)
}

/// A standard normal number (Box and Muller).
fn normal(rng: &mut SampleRng) -> f64 {
    (-2.0 * (1.0 - rng.uniform()).ln()).sqrt() * (std::f64::consts::TAU * rng.uniform()).cos()
}

/// How often a cell was held, as a measured one and as a bound, and how often not.
#[derive(Clone, Default)]
struct Held {
    measured: (u32, u32),
    bound: (u32, u32),
}

impl Held {
    fn add(&mut self, interval: Interval, truth: f64) {
        let class = if interval.is_bound() { &mut self.bound } else { &mut self.measured };
        let holds = interval.low <= truth && truth <= interval.high;
        *class = (class.0 + u32::from(holds), class.1 + u32::from(!holds));
    }

    /// Whether a cell is held less often than the intervals say, by more than three standard
    /// errors.
    fn is_short(&self, bound: f64) -> bool {
        let short = |(held, not): (u32, u32), share: f64| {
            let times = f64::from(held + not);
            f64::from(held) < share * times - 3.0 * (share * (1.0 - share) * times).sqrt()
        };
        short(self.measured, 0.95) || short(self.bound, bound)
    }
}

/// How often the cells of a question are held, the shares of them, and last all rows.
fn held(answers: &[Told], columns: &[u32], condition: &str, work: f64) -> Vec<Held> {
    held_with(1.0, answers, columns, condition, work)
}

/// The same where the noise has `summed` times the variance that is stated.
fn held_with(summed: f64, answers: &[Told], columns: &[u32], condition: &str, work: f64) -> Vec<Held> {
    let (rows, model) = (rows(), model());
    let exact: Vec<_> = answers.iter().map(|told| exact(&rows, told)).collect();
    let filter = match condition {
        "" => Filter::everything(),
        _ => Filter::parse(model.schema(), condition).unwrap(),
    };
    let clique = Clique::new(columns.iter().map(|&column| AttrId(column)));
    let shown = model.shown(&clique, &filter).unwrap();
    let mut truth = vec![0.0; shown.cells().unwrap() as usize];
    for row in rows.iter().filter(|row| filter.holds(row.as_slice())) {
        let group = |one: AttrId| {
            let code = row[one.index()];
            shown.grouping(one).map_or(code, |grouping| grouping.group(code)) as usize
        };
        truth[clique.attributes().iter().fold(0, |cell, &one| cell * shown.size(one) + group(one))] += 1.0;
    }
    let all: f64 = truth.iter().sum();
    let mut held = vec![Held::default(); 2 * truth.len() + 1];
    for time in 0..TIMES {
        let mut rng = SampleRng::new(2, "noise", u64::from(time));
        let mut noisy = |(axes, counts, variance): &(Vec<AnswerAxis>, Vec<f64>, f64)| {
            let values = counts.iter().map(|count| count + (summed * variance).sqrt() * normal(&mut rng)).collect();
            KeptAnswer::stored(model.schema().domain(), axes.clone(), values, *variance).unwrap()
        };
        let answers = exact.iter().map(&mut noisy).collect();
        let model = model.clone().with_answers(answers);
        let bars = model.shown(&clique, &filter).unwrap().error_bars(work).unwrap();
        // No printed count or share widens the intervals.
        for (cell, &count) in truth.iter().enumerate() {
            held[cell].add(bars.count(cell, f64::NAN), count);
            held[truth.len() + cell].add(bars.share(cell, f64::NAN), count / all);
        }
        held[2 * truth.len()].add(bars.total(f64::NAN), all);
    }
    held
}

/// Asserts that no interval is short, and how many cells were measured and how many were not.
fn assert_held(held: &[Held], measured: usize, bounds: usize) {
    let shares = held.len() / 2..held.len() - 1;
    for (cell, one) in held.iter().enumerate() {
        let bound = if shares.contains(&cell) { 0.95 } else { 0.975 };
        assert!(!one.is_short(bound), "{cell} of {}: {:?} measured, {:?} bounds", held.len(), one.measured, one.bound);
    }
    let number = |of: fn(&Held) -> (u32, u32)| held[..shares.start].iter().filter(|held| of(held) != (0, 0)).count();
    assert_eq!((number(|held| held.measured), number(|held| held.bound)), (measured, bounds));
}

/// By least squares, and on the most exact single answers.
const WORK: [f64; 2] = [MOST_WORK, 0.0];

#[test]
fn groups_of_one_column_are_held() {
    for work in WORK {
        assert_held(&held(&ANSWERS, &[0], "", work), 7, 2);
        assert_held(&held(&ANSWERS, &[1], "", work), 3, 2);
    }
}

#[test]
fn pairs_of_shown_columns_are_held() {
    for work in WORK {
        assert_held(&held(&ANSWERS, &[0, 1], "", work), 2, 43);
        assert_held(&held(&ANSWERS, &[0, 2], "", work), 0, 18);
    }
}

/// 1,250 cuts a shown group where a group of two slots begins, and 2,600 where none does.
#[test]
fn pieces_of_groups_are_held() {
    for work in WORK {
        assert_held(&held(&ANSWERS, &[0], "pay >= 1250 and pay < 2600", work), 3, 8);
        assert_held(&held(&ANSWERS, &[0, 1], "pay >= 1250 and pay < 2600", work), 0, 55);
        assert_held(&held(&ANSWERS, &[1], "pay >= 1000 and pay < 2750", work), 1, 4);
        assert_held(&held(&ANSWERS, &[1], "pay >= 1000 and pay < 2750 and age >= 60", work), 0, 6);
    }
}

/// Three columns that always go together, measured one by one: each of three limits matters.
#[test]
fn cells_at_several_limits_at_once_are_held() {
    let model = coded_model(&[&[1.0, 1.0][..]; 3], 1_000.0, "");
    let (domain, all) = (model.schema().domain(), Clique::new([AttrId(0), AttrId(1), AttrId(2)]));
    for work in WORK {
        let mut held = Held::default();
        for time in 0..TIMES {
            let mut rng = SampleRng::new(3, "noise", u64::from(time));
            let mut noisy = |column| {
                let values = [700.0, 300.0].map(|count| count + 20.0 * normal(&mut rng)).to_vec();
                KeptAnswer::plain(domain, &Clique::single(AttrId(column)), values, 400.0).unwrap()
            };
            let answers = (0..3).map(&mut noisy).collect();
            let bars = model.clone().with_answers(answers).error_bars(&all, &Filter::everything(), work).unwrap();
            held.add(bars.count(0, f64::NAN), 700.0);
        }
        assert!(!held.is_short(0.975) && held.bound.0 + held.bound.1 == TIMES, "{:?}", held.bound);
    }
}

/// The negative control: each noisy count is the sum of two noisy cells, and the variance that is
/// stated that of one. All measured counts are short: they are held in 83% of the draws.
#[test]
fn a_variance_that_is_too_small_is_caught() {
    for (column, measured) in [(0, 7), (1, 3)] {
        let held = held_with(2.0, &ANSWERS, &[column], "", MOST_WORK);
        let counts = held[..held.len() / 2].iter().filter(|held| held.measured != (0, 0));
        assert_eq!(counts.map(|held| held.is_short(0.975)).collect::<Vec<_>>(), vec![true; measured]);
    }
}
