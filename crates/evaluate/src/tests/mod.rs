pub(crate) mod fixture;
mod fixtures;
mod whole;

use lookalike_schema::{AttrId, Clique, Schema};
use lookalike_table::{CellCounts, Table};

use crate::{EvaluateError, MarginalLists, all_pairs, compare, marginal_distances, total_variation};

fn schema(sizes: &[u32]) -> Schema {
    let columns: Vec<String> = sizes.iter().enumerate().map(|(index, size)| format!("\"c{index}\": {size}")).collect();
    Schema::parse(&format!("{{{}}}", columns.join(", ")), "domain.json").unwrap()
}

fn table(sizes: &[u32], columns: &[&[u32]]) -> Table {
    Table::from_columns(&schema(sizes), columns.iter().map(|column| column.to_vec()).collect())
}

fn clique(attributes: &[u32]) -> Clique {
    Clique::new(attributes.iter().copied().map(AttrId))
}

/// A few thousand rows of a simple pattern, different for each salt.
fn pattern(sizes: &[u32], rows: u64, salt: u64) -> Vec<Vec<u32>> {
    let code = |row: u64, column: u64, size: u32| {
        let mixed = (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (column + 7 * salt)).rotate_left(23);
        ((mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as u32 % size).min((row % 5) as u32 + size / 2)
    };
    sizes.iter().enumerate().map(|(c, &size)| (0..rows).map(|row| code(row, c as u64, size)).collect()).collect()
}

#[test]
fn by_hand() {
    let real = table(&[2, 2], &[&[0, 0, 1, 1], &[0, 1, 0, 1]]);
    let synthetic = table(&[2, 2], &[&[0, 1], &[0, 1]]);
    let found = marginal_distances(&real, &synthetic, &[clique(&[0]), clique(&[0, 1]), clique(&[])]).unwrap();
    assert_eq!(found, [0.0, 0.5, 0.0]);
}

#[test]
fn empty_tables() {
    let (none, some) = (table(&[3], &[&[]]), table(&[3], &[&[2]]));
    let distance = |a: &Table, b: &Table| marginal_distances(a, b, &[clique(&[0])]).unwrap()[0];
    assert_eq!(distance(&none, &none), 0.0);
    assert_eq!([distance(&none, &some), distance(&some, &none)], [1.0, 1.0]);
    assert_eq!(distance(&some, &some), 0.0);
}

#[test]
fn every_form_of_counts_gives_the_same_distance() {
    let (left, right) = ([5u64, 0, 3, 0, 0, 2, 1], [0u64, 1, 3, 0, 4, 0, 1]);
    let dense = |counts: &[u64]| CellCounts::Dense(counts.to_vec());
    let sparse = |counts: &[u64]| {
        let entries = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        CellCounts::Sparse(entries.map(|(cell, &count)| (cell as u64, count)).collect())
    };
    let wanted = left.iter().zip(&right).map(|(&a, &b)| (a as f64 / 11.0 - b as f64 / 9.0).abs()).sum::<f64>() / 2.0;
    for (a, b) in [
        (dense(&left), dense(&right)),
        (sparse(&left), sparse(&right)),
        (dense(&left), sparse(&right)),
        (sparse(&left), dense(&right)),
    ] {
        assert!((total_variation(&a, &b) - wanted).abs() < 1e-12);
        assert!((total_variation(&b, &a) - wanted).abs() < 1e-12);
    }
}

/// Against brute force over the rows, through wide cliques that are counted sparsely and over
/// several batches.
#[test]
fn large_and_many_cliques() {
    let sizes = [300, 400, 500, 7, 2];
    let (left, right) = (pattern(&sizes, 3000, 1), pattern(&sizes, 2000, 2));
    let real = Table::from_columns(&schema(&sizes), left.clone());
    let synthetic = Table::from_columns(&schema(&sizes), right.clone());
    let cliques: Vec<Clique> =
        (1..32u32).map(|set| Clique::new((0..5).filter(|a| set >> a & 1 == 1).map(AttrId))).collect();
    let found = marginal_distances(&real, &synthetic, &cliques).unwrap();
    for (clique, found) in cliques.iter().zip(found) {
        let mut cells = std::collections::BTreeMap::new();
        for (columns, rows, weight) in [(&left, 3000, 1.0 / 3000.0), (&right, 2000, -1.0 / 2000.0)] {
            let key =
                |row: usize| -> Vec<u32> { clique.attributes().iter().map(|a| columns[a.index()][row]).collect() };
            (0..rows).for_each(|row| *cells.entry(key(row)).or_insert(0.0) += weight);
        }
        let wanted = cells.values().map(|difference: &f64| difference.abs()).sum::<f64>() / 2.0;
        assert!((found - wanted).abs() < 1e-9, "{clique:?}: {found} instead of {wanted}");
    }
}

#[test]
fn comparisons_hold_every_column_and_pair() {
    let sizes = [3, 4, 5];
    let real = Table::from_columns(&schema(&sizes), pattern(&sizes, 500, 1));
    let synthetic = Table::from_columns(&schema(&sizes), pattern(&sizes, 400, 2));
    let found = compare(&real, &synthetic, &|| false).unwrap();
    assert_eq!((found.real_rows, found.synthetic_rows), (500, 400));
    let pairs = all_pairs(real.domain());
    assert_eq!(pairs, [clique(&[0, 1]), clique(&[0, 2]), clique(&[1, 2])]);
    let wanted = marginal_distances(&real, &synthetic, &pairs).unwrap();
    assert!(found.pairs.iter().map(|pair| pair.distance).eq(wanted.iter().copied()));
    assert!((found.mean_pair_distance() - wanted.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    let worst = found.worst_pairs(2);
    assert!(worst.len() == 2 && worst[0].distance >= worst[1].distance);
    for (column, size) in found.columns.iter().zip(sizes) {
        assert_eq!((column.real.len(), column.synthetic.len()), (size as usize, size as usize));
        let half: f64 = column.real.iter().zip(&column.synthetic).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0;
        assert!((half - column.distance).abs() < 1e-12);
    }
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let (a, b) = (table(&[2], &[&[0]]), table(&[3], &[&[0]]));
    assert!(marginal_distances(&a, &b, &[]).is_err());
    assert!(marginal_distances(&a, &a, &[clique(&[1])]).is_err());
    assert!(compare(&a, &b, &|| false).is_err());
}

#[test]
fn lists_are_read_and_mistakes_are_named() {
    let schema = schema(&[2, 2, 2]);
    let lists =
        MarginalLists::parse(r#"{"3": [["c2", "c0", "c1"]], "2": [["c0", "c1"], ["c2", "c1"]]}"#, &schema).unwrap();
    assert_eq!(lists.by_ways[&2], [clique(&[0, 1]), clique(&[1, 2])]);
    assert_eq!(lists.by_ways[&3], [clique(&[0, 1, 2])]);
    let mistakes = [
        ("[]", "object"),
        ("{", "not JSON"),
        (r#"{"two": []}"#, "two"),
        (r#"{"2": {}}"#, "not a list"),
        (r#"{"2": ["c0"]}"#, "list of names"),
        (r#"{"2": [["c0", "c9"]]}"#, "c9"),
        (r#"{"2": [["c0", "c0"]]}"#, "1 different columns"),
        (r#"{"2": [["c0", 1]]}"#, "list of names"),
    ];
    for (text, word) in mistakes {
        match MarginalLists::parse(text, &schema) {
            Err(error @ EvaluateError::Lists { .. }) => assert!(error.to_string().contains(word), "{error}"),
            other => panic!("{text} gave {other:?}"),
        }
    }
}

/// The lists of the benchmark data, when they are there.
#[test]
fn benchmark_lists_are_read() {
    let Some(folder) = lookalike_testkit::benchmark_tables() else { return };
    for (name, ways) in [("adult", 4), ("nltcs", 4), ("acs", 4), ("br2000", 4)] {
        let read = |file: String| std::fs::read_to_string(folder.join(file)).unwrap();
        let schema = Schema::parse(&read(format!("{name}-domain.json")), "domain.json").unwrap();
        let lists = MarginalLists::parse(&read(format!("{name}-marginals.json")), &schema).unwrap();
        assert_eq!(lists.by_ways.len(), ways, "{name}");
        assert!(lists.by_ways.iter().all(|(ways, list)| list.iter().all(|clique| clique.len() == *ways)));
    }
}
