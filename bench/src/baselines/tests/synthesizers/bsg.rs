//! Entropies, merits, the test of plausible deniability by hand, and the whole.

use lookalike_privacy::SeededNoise;

use super::{apart, binary, even, make, mixed};
use crate::baselines::synthesizers::BaselineSynthesizer::Bsg;
use crate::baselines::synthesizers::SynthesisTask;
use crate::baselines::synthesizers::bsg::conditional::Conditional;
use crate::baselines::synthesizers::bsg::release::{alike, seed_cost};
use crate::baselines::synthesizers::bsg::settings::BsgSettings;
use crate::baselines::synthesizers::bsg::structure::{
    Network, entropy, entropy_sensitivity, merit, symmetric_uncertainty,
};

/// Every column of two to seven rows over four codes, and every row that could be added.
#[test]
fn no_row_moves_an_entropy_by_more_than_its_bound() {
    for rows in 2..=7u32 {
        let mut most = 0.0f64;
        for table in 0..4u32.pow(rows) {
            let mut codes: Vec<u32> = (0..rows).map(|place| table / 4u32.pow(place) % 4).collect();
            let before = entropy(&[&codes], &[4]);
            codes.push(0);
            for code in 0..4 {
                *codes.last_mut().unwrap() = code;
                most = most.max((entropy(&[&codes], &[4]) - before).abs());
            }
        }
        let bound = entropy_sensitivity(f64::from(rows));
        assert!(most <= bound && most > 0.3 * bound, "{most} of {bound} at {rows} rows");
    }
}

#[test]
fn entropies_tell_copies_from_strangers() {
    let (one, two) = (vec![0, 0, 1, 1], vec![0, 1, 0, 1]);
    let (h, both) = (entropy(&[&one], &[2]), entropy(&[&one, &two], &[2, 2]));
    assert!((h - 1.0).abs() < 1e-12 && (both - 2.0).abs() < 1e-12);
    assert_eq!(symmetric_uncertainty(h, h, both), 0.0);
    assert_eq!(symmetric_uncertainty(h, h, entropy(&[&one, &one], &[2, 2])), 1.0);
}

/// Columns 1 and 2 both tell column 0, and each other; column 3 tells less but something new.
#[test]
fn parents_are_relevant_and_do_not_repeat_each_other() {
    let alike = [[1.0, 0.8, 0.7, 0.5], [0.8, 1.0, 1.0, 0.0], [0.7, 1.0, 1.0, 0.0], [0.5, 0.0, 0.0, 1.0]];
    let alike = alike.map(|row| row.to_vec());
    assert!((merit(&alike, 0, &[1, 3]) - 1.3 / 2f64.sqrt()).abs() < 1e-12);
    assert!((merit(&alike, 0, &[1, 2]) - 1.5 / 2.0).abs() < 1e-12, "a repetition is worth nothing");
    let network = Network::of(&alike, &[2; 4], 16);
    assert_eq!(network.parents[0], [1, 3]);
    assert!(network.parents[1] == [2] && network.parents[2].is_empty(), "no cycles");
    let place = |column| network.order.iter().position(|&other| other == column).unwrap();
    assert!(network.parents.iter().enumerate().all(|(child, of)| of.iter().all(|&p| place(p) < place(child))));
    assert_eq!(Network::of(&alike, &[2; 4], 2).parents[0].len(), 1, "the cap is on joint codes");
}

/// 100 seeds; 40 begin like the record in a column, 10 in two. They lead to it with chances of
/// 0.01, 0.02 and 0.3: the powers of 1/4 are 3, 2 and 0.
#[test]
fn plausible_deniability_counts_seeds_of_the_same_power() {
    let (counts, chances) = ([100, 40, 10], [0.01, 0.02, 0.3]);
    assert_eq!([0, 1, 2].map(|own| alike(&counts, &chances, own, 4.0)), [60, 30, 10]);
    // At gamma 16, the first two share a power.
    assert_eq!([0, 1, 2].map(|own| alike(&counts, &chances, own, 16.0)), [90, 90, 10]);
}

/// t = 50 - 11.5 for one record at delta 1e-5.
#[test]
fn a_table_costs_far_more_than_a_record() {
    let [one, all] = seed_cost(&BsgSettings::default(), 21_574, 1e-5);
    assert!((one - (1.0 + (4.0f64 / 38.0).ln_1p())).abs() < 1e-12, "{one}");
    assert!(all > 21_574.0 && all < 1.2 * 21_574.0, "{all}");
    let weak = BsgSettings { plausible: 5, ..BsgSettings::default() };
    assert!(seed_cost(&weak, 1, 1e-5)[0].is_infinite());
}

#[test]
fn chances_follow_the_parents() {
    let sums = vec![vec![1.0, 4.0], vec![2.0, 4.0], vec![4.0, 4.0]];
    let table = Conditional { parents: vec![1], sizes: vec![3], sums };
    assert_eq!([0, 1].map(|code| table.chance(&[0, 0], code)), [0.25, 0.75]);
    assert_eq!([0, 1].map(|code| table.chance(&[0, 2], code)), [1.0, 0.0]);
}

#[test]
fn a_large_budget_nears_the_table() {
    for table in [binary(), mixed()] {
        let (near, far) = (apart(&table, &make(Bsg, &table, 1e4, 1), 2), apart(&table, &even(&table), 2));
        assert!(near < 0.4 * far, "{near} against {far}");
        assert!(apart(&table, &make(Bsg, &table, 0.05, 1), 2) > 1.5 * near);
    }
    let pure = SynthesisTask { table: &binary(), epsilon: 1.0, delta: 0.0, rows: 10 };
    assert!(Bsg.synthesize(&pure, &mut SeededNoise::new(1)).err().unwrap().to_string().contains("delta"));
}
