//! `auto`: the number of rows that its plan follows from, the look before tables are measured, and
//! what is done when only chance is left.

use lookalike_model::{SampleRng, Sampling};
use lookalike_privacy::{CalibratedPlan, Relation, Step};
use lookalike_schema::Schema;

use crate::tests::{Watch, bench, budget, chained, fit, schema};
use crate::{Outcome, Request, build};

const SIZES: [u32; 10] = [6; 10];
const ROWS: usize = 20_000;

/// Columns that know nothing of one another.
fn unrelated(sizes: &[u32], rows: usize) -> Vec<Vec<u32>> {
    let column = |(place, &size): (usize, &u32)| {
        let mut rng = SampleRng::new(place as u64, "unrelated", 0);
        // The smaller of two, so that values are not all as frequent.
        let mut code = || (rng.next_u64() % u64::from(size)) as u32;
        (0..rows).map(|_| code().min(code())).collect()
    };
    sizes.iter().enumerate().map(column).collect()
}

/// Whole numbers from 0, whose bins nobody stated.
fn numbers(sizes: &[u32]) -> Schema {
    let entry =
        |(column, size): (usize, &u32)| format!("[columns.c{column}]\ntype = 'integer'\nrange = [0, {}]\n", size - 1);
    Schema::parse(&sizes.iter().enumerate().map(entry).collect::<String>(), "test").unwrap()
}

/// What was charged: looks at distances, choices, and tables of two and more columns.
fn spent(sizes: &[u32], columns: Vec<Vec<u32>>, epsilon: f64, relation: Relation, seed: u64) -> [usize; 3] {
    let mut bench = bench(&schema(sizes, ""), columns[0].len(), columns, budget(epsilon, 1e-6), relation, seed);
    let model = fit("auto", &mut bench, &[]).unwrap();
    let tables = model.measured().iter().filter(|covered| covered.clique.len() > 1).count();
    let ledger = bench.curator.close();
    assert!(ledger.used().unwrap() <= epsilon);
    let count = |is: &dyn Fn(&Step) -> bool| ledger.charged().iter().filter(|query| is(&query.step)).count();
    let is_look = |step: &Step| matches!(step, Step::Gaussian { sensitivity, .. } if sensitivity.score().is_some());
    [count(&is_look), count(&|step| matches!(step, Step::Exponential { .. })), tables]
}

/// Three tables are looked at, each after two choices, and nothing is spent on tables: over three
/// seeds and both relations. That their distances are above the noise by chance would take several
/// of their own standard deviations.
#[test]
fn where_columns_are_independent_no_table_is_bought() {
    for relation in [Relation::AddRemove, Relation::ReplaceOne] {
        for seed in 0..3 {
            assert_eq!(spent(&SIZES, unrelated(&SIZES, ROWS), 0.1, relation, seed), [3, 6, 0], "{relation:?} {seed}");
        }
    }
}

/// With a larger budget the columns' own errors stand out of the noise of a table. They are known,
/// and deceive the look seldom: in about one run of ten. Taken for a relation, they would deceive
/// it in every second.
#[test]
fn what_the_columns_have_wrong_is_not_taken_for_a_relation() {
    let sizes = [2, 10, 10, 3, 16, 2, 14, 24, 4, 6, 2, 32, 6, 9, 3];
    let gave_up = |&seed: &u64| {
        let [looks, _, tables] = spent(&sizes, unrelated(&sizes, 50_000), 0.5, Relation::AddRemove, seed);
        (looks, tables) == (3, 0)
    };
    let told: Vec<u64> = (0..6).filter(gave_up).collect();
    assert!(told.len() >= 4, "{told:?}");
}

/// The control: the same budget, and columns of which each follows the one before.
#[test]
fn where_they_are_not_the_look_finds_it() {
    for seed in 0..3 {
        let [looks, choices, tables] = spent(&SIZES, chained(&SIZES, ROWS), 0.1, Relation::AddRemove, seed);
        assert!((1..=3).contains(&looks) && choices > 10 && tables > 5, "{seed}: {looks} {choices} {tables}");
    }
}

/// With a large budget the first tables have taught enough: nobody looks.
#[test]
fn what_is_plain_is_not_looked_at() {
    assert_eq!(spent(&SIZES, chained(&SIZES, ROWS), 5.0, Relation::AddRemove, 1)[0], 0);
}

/// Where tables show nothing but chance, and that stands out of the noise, two share the draws of a
/// turn; there are 35 turns. The control has a budget whose noise hides chance.
#[test]
fn tables_share_draws_where_only_chance_is_left() {
    let sizes = [2; 14];
    let tables = |epsilon| spent(&sizes, chained(&sizes, ROWS), epsilon, Relation::AddRemove, 3);
    let ([_, many_choices, many], [_, choices, few]) = (tables(8.0), tables(0.5));
    assert!(many > 40 && few <= 35, "{many} tables and {few}");
    assert!(many_choices <= 70 && choices <= 76, "{many_choices} choices and {choices}");
}

/// A hundred rows of 10,000 are a class: over twelve seeds its size is nearer to that where the
/// target is named than where it is not (errors of 17 and 21 rows; without the counts in the end
/// both are the same). The seeds are fixed; with others the bounds fail about once in ten times.
#[test]
fn a_rare_class_of_the_target_is_measured_again() {
    let mut sizes = [20; 8];
    sizes[7] = 2;
    let schema = numbers(&sizes);
    let mut columns = chained(&sizes, 10_000);
    columns[7] = (0..10_000).map(|row| u32::from(row % 100 == 0)).collect();
    let off = |target: Option<&str>| {
        let request = Request { target: target.map(String::from), ..Request::default() };
        let class = |seed| {
            let mut bench = bench(&schema, 10_000, columns.clone(), budget(1.0, 1e-9), Relation::AddRemove, seed);
            let method = build("auto", &[]).unwrap();
            let Outcome::Model(model) = method.run(&mut bench.curator, &request, &Watch::default()).unwrap() else {
                panic!("auto makes models");
            };
            let block = model.sampler(&Sampling::new(10_000, 1)).unwrap().block(0);
            block.columns[7].iter().filter(|&&code| code == 1).count() as f64 - 100.0
        };
        (0..12).map(|seed| class(seed).powi(2)).sum::<f64>() / 12.0
    };
    let (named, unnamed) = (off(Some("c7")), off(None));
    assert!(named.sqrt() < 20.0 && named < 0.75 * unnamed, "{named} {unnamed}");
}

/// The number of rows is bought as a pure stage of its own, and the plan behind it has fewer rounds
/// where rows are few for the noise: 1.4 a column and not 2.5, and three choices of the signal
/// test. Where the number is public there is one stage. Noise of 100 rows is far from mattering.
#[test]
fn few_rows_for_the_noise_have_fewer_rounds() {
    let sizes = [20; 8];
    let stages = |rows: usize, relation: Relation, pairs: &[(&str, &str)]| -> Vec<(bool, usize)> {
        let mut bench = bench(&numbers(&sizes), rows, chained(&sizes, rows), budget(1.0, 1e-6), relation, 1);
        fit("auto", &mut bench, pairs).unwrap();
        let ledger = bench.curator.close();
        assert!(ledger.used().unwrap() <= 1.0);
        let planned = ledger.stages().iter().filter_map(|stage| Some((stage.cap().is_pure(), stage.planned()?)));
        let choices = |plan: &CalibratedPlan| {
            plan.steps().iter().filter(|planned| matches!(planned.step, Step::Exponential { .. })).count()
        };
        planned.map(|(is_pure, plan)| (is_pure, choices(plan))).collect()
    };
    assert_eq!(stages(300, Relation::AddRemove, &[]), [(true, 0), (false, 12 + 3)]);
    assert_eq!(stages(10_000, Relation::AddRemove, &[]), [(true, 0), (false, 20 + 3)]);
    assert_eq!(stages(300, Relation::ReplaceOne, &[]), [(false, 12 + 3)]);
    assert_eq!(stages(300, Relation::AddRemove, &[("row-count", "false")]), [(false, 20 + 3)]);
}
