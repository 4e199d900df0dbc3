//! Mutual information against its definition and on the documents' tables.

use super::{evaluate, information, relations, tables};
use crate::scores::{GRID, MAX_ROWS};
use crate::{Candidate, CountTable, SelectQuery};
use lookalike_privacy::ScoreKind;
use lookalike_schema::Domain;

/// n I in bits, from the definition: entropies of the two sides less the entropy of both.
fn plain(table: &[u64], sizes: (usize, usize)) -> f64 {
    let n = table.iter().sum::<u64>() as f64;
    let entropy = |counts: Vec<u64>| {
        let counts = counts.into_iter().filter(|&count| count > 0).map(|count| count as f64 / n);
        -counts.map(|share| share * share.log2()).sum::<f64>()
    };
    let rows = (0..sizes.0).map(|row| table[row * sizes.1..(row + 1) * sizes.1].iter().sum()).collect();
    let columns = (0..sizes.1).map(|column| (0..sizes.0).map(|row| table[row * sizes.1 + column]).sum()).collect();
    n * (entropy(rows) + entropy(columns) - entropy(table.to_vec()))
}

#[test]
fn mutual_information_is_its_definition() {
    for (one, other) in [(2, 2), (2, 3), (3, 3)] {
        for rows in 1..=5 {
            for table in tables(rows, one * other) {
                let expected = plain(&table, (one, other)).max(0.0) * GRID as f64;
                for child in 0..2 {
                    let found = evaluate(&information(child, 2), &table, &[one as u32, other as u32]);
                    assert!((found as f64 - expected).abs() < 1.001, "{table:?}: {found} {expected}");
                    let entries = table.iter().enumerate().filter(|(_, count)| **count > 0);
                    let entries = entries.map(|(cell, &count)| (cell as u64, count)).collect();
                    let thin = CountTable::Sparse { entries, cells: table.len() as u64 };
                    let domain = Domain::new(vec![one as u32, other as u32]);
                    assert_eq!(information(child, 2).evaluate(&thin, rows, &domain), found);
                }
            }
        }
    }
}

#[test]
fn the_tables_of_the_documents() {
    let bits = |table: &[u64], values: u32| {
        let rows: u64 = table.iter().sum();
        evaluate(&information(0, 2), table, &[2, values]) as f64 / (GRID as f64 * rows as f64)
    };
    // PrivBayes 2014: table 3, and both distributions of example 2.
    assert!((bits(&[600, 0, 0, 0, 100, 100, 100, 100], 4) - 0.556780).abs() < 1e-6);
    assert!((bits(&[500, 0, 0, 0, 500, 0], 3) - 1.0).abs() < 1e-6);
    assert!((bits(&[0, 200, 300, 500, 0, 0], 3) - 1.0).abs() < 1e-6);
    // Copula data of the Aalborg report, rho 0.6 to 0.3: cells with P11 = P00.
    for (p11, expected) in [(352416, 0.124697), (333333, 0.081704), (315495, 0.050091), (298493, 0.027314)] {
        let p10 = 500_000 - p11;
        assert!((bits(&[p11, p10, p10, p11], 2) - expected).abs() < 2e-6, "{p11}");
    }
    // The extremal pair: all rows in one cell against one row moved to the opposite cell.
    assert_eq!(bits(&[1000, 0, 0, 0], 2), 0.0);
    assert!((bits(&[999, 0, 0, 1], 2) - 0.01140776).abs() < 2e-8);
}

#[test]
fn rounding_stays_within_what_is_declared_at_the_largest_n() {
    let half = MAX_ROWS / 2;
    let found = evaluate(&information(0, 2), &[half, 0, 0, half], &[2, 2]);
    let exact = i128::from(MAX_ROWS) * i128::from(GRID);
    let allowed = (MAX_ROWS as f64 / (1u64 << 40) as f64 * GRID as f64) as i128;
    assert!((found - exact).abs() <= allowed, "{found} {exact}");
    assert_eq!(evaluate(&information(0, 2), &[1, 0, 0, 0], &[2, 2]), 0);
    assert_eq!(evaluate(&information(0, 2), &[0, 0, 0, 0], &[2, 2]), 0);
}

#[test]
fn add_remove_is_refused_in_words_and_the_larger_figure_wins() {
    let [one, _, replace] = relations();
    let schema = crate::tests::schema(&[2, 3, 3]);
    let view = lookalike_schema::View::new(&schema);
    let candidate = |child: u32, parent: u32| Candidate {
        score: crate::Score::Information {
            child: lookalike_schema::AttrId(child),
            parents: lookalike_schema::Clique::single(lookalike_schema::AttrId(parent)),
        },
        weight: 1.0,
        offset: 0.0,
    };
    let query = SelectQuery {
        label: "pair".into(),
        candidates: vec![candidate(0, 1), candidate(1, 2)],
        epsilon: crate::tests::ratio(1, 2),
    };
    let prepare = |near| crate::scores::prepared::PreparedSelection::new(&query, &view, near);
    let Err(refusal) = prepare(one) else { panic!("I has no sensitivity under add/remove") };
    assert!(refusal.to_string().contains("relation replace-one"), "{refusal}");
    let prepared = prepare(replace).unwrap();
    let mut tally = prepared.tally();
    tally.score(0, CountTable::Dense(vec![1, 2, 0, 0, 1, 0]), view.domain()).unwrap();
    tally.score(1, CountTable::Dense(vec![1, 0, 0, 0, 3, 0, 0, 0, 0]), view.domain()).unwrap();
    let expected = ScoreKind::Information.sensitivity(replace, GRID, 4).unwrap();
    assert_eq!(tally.finish().unwrap().1, expected);
    assert!(expected > ScoreKind::BinaryInformation.sensitivity(replace, GRID, 4).unwrap());
    assert!(prepared.label().ends_with("sensitivity 2 log2((n+1)/2) + (n-1) log2((n+1)/(n-1))"));
}
