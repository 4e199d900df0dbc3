//! Simulated tables against their own distributions. Seeds are fixed, so nothing here fails by
//! chance; the bounds are at five standard errors or more, so that another seed would pass too.

use lookalike_schema::{AttrId, Clique};
use lookalike_table::Table;

use super::boolean::{l2, total_variation};
use super::design::{Link, TableDesign};
use super::{BooleanNetwork, Copula, SpearmanExample, TABLES, generate, nist};
use crate::marginal::masses;
use crate::network_score::{NetworkFamily, joints, mutual_information};

fn joint(table: &Table, attributes: impl IntoIterator<Item = u32>) -> Vec<f64> {
    let clique = Clique::new(attributes.into_iter().map(AttrId));
    masses(table, &clique).unwrap().iter().map(|count| count / table.rows() as f64).collect()
}

fn information(table: &Table, child: u32, parents: &[u32]) -> f64 {
    let family = NetworkFamily { child: AttrId(child), parents: parents.iter().map(|&p| AttrId(p)).collect() };
    mutual_information(&joints(table, &[family]).unwrap()[0], table.domain().size(AttrId(child)) as usize)
}

/// P(X = 1, Y = 1) of two columns whose normals have this correlation: 1/4 + asin(rho) / (2 pi).
fn both_ones(rho: f64) -> f64 {
    0.25 + rho.asin() / (2.0 * std::f64::consts::PI)
}

/// The joint distribution of two columns, in the order 00, 01, 10, 11.
fn pair(rho: f64) -> [f64; 4] {
    let both = both_ones(rho);
    [both, 0.5 - both, 0.5 - both, both]
}

#[test]
fn copula_golden_values() {
    let golden =
        [(0.6, 0.352416, 0.124697), (0.5, 0.333333, 0.081704), (0.4, 0.315495, 0.050091), (0.3, 0.298493, 0.027314)];
    for (rho, both, bits) in golden {
        assert!((both_ones(rho) - both).abs() < 1e-6, "{rho}");
        assert!((mutual_information(&pair(rho), 2) - bits).abs() < 1e-6, "{rho}");
    }
}

#[test]
fn copula_tables_have_the_pairs_of_the_matrix() {
    let table = Copula::report().unwrap().table(200_000, 1).unwrap();
    for (a, row) in super::copula::MATRIX_4_6.iter().enumerate() {
        for (b, &rho) in row.iter().enumerate().skip(a + 1) {
            let seen = joint(&table, [a as u32, b as u32]);
            for (cell, expected) in pair(rho).into_iter().enumerate() {
                let error = (expected * (1.0 - expected) / 200_000.0f64).sqrt();
                assert!((seen[cell] - expected).abs() < 5.0 * error, "({a}, {b}) cell {cell}: {}", seen[cell]);
            }
        }
    }
}

#[test]
fn copula_refuses_what_is_no_correlation_matrix() {
    assert!(Copula::new(&[vec![1.0, 0.5], vec![0.4, 1.0]]).is_err());
    assert!(Copula::new(&[vec![1.0, 1.0], vec![1.0, 1.0]]).is_err());
    assert!(Copula::new(&[vec![2.0]]).is_err());
    assert!(Copula::new(&[vec![1.0, 0.0]]).is_err());
}

#[test]
fn the_spearman_example_has_the_report_s_correlation() {
    let example = SpearmanExample::new(10_000, 1);
    assert!(example.first.iter().chain(&example.second).all(|value| (0.0..=1.0).contains(value)));
    let rho = lookalike_evaluate::hypothesis::spearman(&example.first, &example.second).unwrap().rho;
    assert!((rho - 0.94).abs() < 0.01, "{rho}");
    let table = example.table().unwrap();
    assert_eq!(table.domain().sizes(), [10, 10]);
    assert_eq!(table.codes(AttrId(1)).unwrap()[7], (example.second[7] * 10.0) as u32);
}

#[test]
fn boolean_networks_have_their_degree_and_a_joint_that_their_rows_follow() {
    let network = BooleanNetwork::random(7, 3, 5);
    for column in 0..7 {
        let family = &network.families()[column];
        assert_eq!(family.len(), column.min(3) + 1);
        assert_eq!(family.attributes().last(), Some(&AttrId(column as u32)));
    }
    let exact = network.joint().unwrap();
    assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let table = network.table(400_000, 2).unwrap();
    let seen = joint(&table, 0..7);
    // The expected distance is at most sqrt(cells / (2 pi n)) = 0.0071.
    assert!(total_variation(&exact, &seen) < 0.010);
    let other = BooleanNetwork::random(7, 3, 6).joint().unwrap();
    assert!(total_variation(&other, &seen) > 0.2 && l2(&other, &seen) > 0.05);
    assert_eq!(BooleanNetwork::random(7, 3, 5), network);
}

#[test]
fn a_network_fitted_to_its_rows_is_near_and_obeys_their_marginals() {
    let network = BooleanNetwork::random(6, 2, 9);
    let table = network.table(200_000, 3).unwrap();
    let fitted = network.fitted_to(&table).unwrap();
    assert!(total_variation(&fitted.joint().unwrap(), &network.joint().unwrap()) < 0.01);
    // The last family's parents are columns that the network may make dependent in other ways; the
    // first columns are exact.
    let first: f64 = fitted.joint().unwrap()[32..].iter().sum();
    assert!((first - joint(&table, [0])[1]).abs() < 1e-12);
    assert!(BooleanNetwork::random(21, 2, 0).joint().is_err());
}

#[test]
fn sums_are_seen_by_three_columns_and_by_no_two() {
    let table = generate("interactions", 1).unwrap();
    for group in [0, 4, 8, 12] {
        let whole = information(&table, group + 2, &[group, group + 1]);
        assert!(whole > 0.7 * f64::from(table.domain().size(AttrId(group))).log2(), "{whole}");
        assert!(information(&table, group + 2, &[group]) < 0.01);
        assert!(information(&table, group + 2, &[group + 1]) < 0.01);
    }
    assert!(information(&table, 4, &[0]) < 0.002);
}

#[test]
fn designs_are_the_same_for_a_seed_on_any_number_of_threads() {
    let design = TableDesign { rows: 40_000, columns: nist::columns() };
    let codes = |table: &Table| (0..98).map(|i| table.codes(AttrId(i)).unwrap()).collect::<Vec<_>>();
    let run = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        codes(&pool.install(|| design.table(seed)).unwrap())
    };
    let one = run(1, 1);
    assert!(one == run(3, 1));
    assert!(one != run(3, 2));
    assert!(one[0][..1000] != one[0][16_384..17_384], "chunks have their own streams");
}

#[test]
fn the_nist_shape() {
    let design = TableDesign { rows: nist::ROWS, columns: nist::columns() };
    assert_eq!((design.rows, design.columns.len()), (662_000, 98));
    let wide = design.columns.iter().filter(|column| column.0 > 50).count();
    let thousands = design.columns.iter().filter(|column| column.0 >= 1_000).count();
    assert_eq!(wide, 33);
    assert!((3..10).contains(&thousands), "{thousands}");
    let table = TableDesign { rows: 30_000, columns: nist::columns() }.table(1).unwrap();
    let narrow: Vec<u32> = (0..98).filter(|&i| table.domain().size(AttrId(i)) <= 50).collect();
    let dependent = narrow.windows(2).filter(|pair| information(&table, pair[1], &[pair[0]]) > 0.1).count();
    assert!(dependent >= 8, "{dependent} neighbouring pairs depend on each other");
}

#[test]
fn links_do_what_they_say() {
    let columns = vec![
        (4, Link::Even),
        (12, Link::Ordered { parent: 0, noise: 0 }),
        (2, Link::Ordered { parent: 0, noise: 0 }),
        (4, Link::Ordered { parent: 0, noise: 128 }),
        (1000, Link::LongTailed),
        (50, Link::Shuffled { parent: 0, noise: 0 }),
    ];
    let table = TableDesign { rows: 20_000, columns }.table(1).unwrap();
    let column = |i: u32| table.codes(AttrId(i)).unwrap();
    let (first, stretched, squeezed, half) = (column(0), column(1), column(2), column(3));
    assert!(first.iter().zip(&stretched).all(|(a, b)| b / 3 == *a));
    assert!(first.iter().zip(&squeezed).all(|(a, b)| a / 2 == *b));
    // Free draws hit the parent's code too: a half plus a quarter of a half, for an even parent.
    let same = first.iter().zip(&half).filter(|(a, b)| a == b).count() as f64 / 20_000.0;
    assert!((same - 0.625).abs() < 0.02, "{same}");
    let tail = column(4);
    let (head, rest) = (tail.iter().filter(|&&c| c < 31).count(), tail.iter().filter(|&&c| c >= 500).count());
    assert!(head > 9_000 && rest > 1_000, "{head} {rest}");
    assert!(information(&table, 5, &[0]) > 1.99);
}

#[test]
fn designs_that_cannot_be_followed_are_refused() {
    let refused = |columns: Vec<(u32, Link)>| TableDesign { rows: 1, columns }.table(0).is_err();
    assert!(refused(vec![(2, Link::Ordered { parent: 0, noise: 0 })]));
    assert!(refused(vec![(2, Link::Even), (2, Link::Sum { parents: [0, 1], noise: 0 })]));
    assert!(refused(vec![(0, Link::Even)]));
}

#[test]
fn generated_tables_have_their_shapes_and_names() {
    let shapes = [("interactions", 16, 50_000), ("wide-column", 12, 50_000), ("columns-100", 100, 50_000)];
    let more = [("rows-2000", 15, 2_000), ("independent", 15, 50_000), ("copula", 5, 1_000), ("spearman", 2, 10_000)];
    for (name, columns, rows) in shapes.into_iter().chain(more) {
        let table = generate(name, 1).unwrap();
        assert_eq!((table.domain().len(), table.rows()), (columns, rows), "{name}");
    }
    let wide = generate("wide-column", 1).unwrap();
    assert_eq!(wide.domain().sizes().iter().max(), Some(&40_000));
    assert!(information(&wide, 3, &[2]) > 1.0);
    let more = generate("independent@70001", 1).unwrap();
    assert_eq!((more.domain().len(), more.rows()), (15, 70_001));
    assert!(generate("independent@many", 1).is_err());
    let mut names = TABLES.map(|table| table.name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TABLES.len());
    let refusal = generate("nonsense", 1).err().unwrap().to_string();
    assert!(refusal.contains("rows-5m"), "{refusal}");
}

#[test]
fn the_independent_table_is_independent_and_the_forest_is_not() {
    let (loose, tied) = (generate("independent", 2).unwrap(), generate("columns-100", 2).unwrap());
    // Under independence 2 n ln2 I is about chi-square with (a-1)(b-1) degrees of freedom.
    for (a, b) in [(0, 1), (2, 3), (4, 9), (7, 13)] {
        let freedom = f64::from((loose.domain().size(AttrId(a)) - 1) * (loose.domain().size(AttrId(b)) - 1));
        let statistic = 2.0 * 50_000.0 * std::f64::consts::LN_2 * information(&loose, a, &[b]);
        assert!(statistic < freedom + 6.0 * (2.0 * freedom).sqrt() + 12.0, "({a}, {b}): {statistic} of {freedom}");
    }
    let strong = (1..100).filter(|&i| (0..i).rev().take(6).any(|p| information(&tied, i, &[p]) > 0.1)).count();
    assert!(strong > 50, "{strong}");
}

/// The largest tables, in full: `cargo test --release -- --ignored` shows how long they take.
#[test]
#[ignore = "takes gigabytes and seconds"]
#[allow(clippy::print_stderr)]
fn the_largest_tables_in_full() {
    for (name, columns, rows) in [("nist", 98, 662_000), ("rows-5m", 12, 5_000_000)] {
        let start = std::time::Instant::now();
        let table = generate(name, 1).unwrap();
        eprintln!("{name}: {:.2} s", start.elapsed().as_secs_f64());
        assert_eq!((table.domain().len(), table.rows()), (columns, rows));
    }
}

#[test]
fn varied_tables_are_the_same_each_time_and_differ_from_each_other() {
    let shapes: Vec<Vec<u32>> = [1, 2, 7]
        .map(|number| {
            let name = format!("varied-{number}@700");
            let (table, again) = (generate(&name, 1).unwrap(), generate(&name, 1).unwrap());
            assert_eq!(table.rows(), 700);
            for attribute in table.domain().attributes() {
                let codes = table.codes(attribute).unwrap();
                assert!(codes.iter().all(|&code| code < table.domain().size(attribute)));
                assert_eq!(codes, again.codes(attribute).unwrap());
            }
            table.domain().sizes().to_vec()
        })
        .into();
    assert!(shapes[0] != shapes[1] && shapes[1] != shapes[2]);
    // Every seventh has a column of many values.
    assert!(shapes[2].iter().any(|&size| size >= 500) && shapes[0].iter().all(|&size| size <= 64));
    assert!(generate("varied-x", 1).is_err());
}
