//! Rows behind a schema without some of their columns.

use std::sync::Arc;

use lookalike_privacy::{Ledger, SeededNoise};
use lookalike_schema::{AttrId, Clique, Derived, Grouping, Schema};

use super::{Looks, Records, Rows, add_remove, budget, gaussian, replace_one, schema};
use crate::narrowed::Narrowed;
use crate::{Cancel, Counts, Curator, CuratorError, MarginalQuery, Noise, Permit};

/// Rows of four columns, each with another number of codes.
fn rows() -> Vec<Vec<u32>> {
    (0..200u32).map(|row| vec![row % 2, row / 2 % 3, row * 7 % 4, row * row % 5]).collect()
}

fn engine(sizes: &[u32], rows: Vec<Vec<u32>>) -> Box<dyn Counts> {
    let (looks, store) = (Looks::default(), Records::default());
    Box::new(Rows { rows, domain: schema(sizes).domain().clone(), sparse: false, looks, store })
}

fn door(schema: Schema, engine: Box<dyn Counts>) -> Curator {
    let ledger = Ledger::open_for_discovery(Box::new(Records::default()), budget(50.0, 1e-6), add_remove()).unwrap();
    Curator::new(schema, engine, ledger, Box::new(SeededNoise::new(3)), Cancel::new())
}

/// The schema of some of the columns `0`, `1` and so on of a wider one.
fn part(whole: &Schema, kept: &[usize]) -> Schema {
    let mut json = whole.to_json();
    let names: Vec<String> = whole.columns().iter().map(|column| column.name.clone()).collect();
    let gone = names.iter().enumerate().filter(|(place, _)| !kept.contains(place));
    gone.for_each(|(_, name)| drop(json["columns"].as_object_mut().unwrap().shift_remove(name)));
    Schema::parse(&json.to_string(), "part").unwrap()
}

/// Whatever is asked behind the narrower schema has the answer that rows without the other columns
/// give: every set of columns, own and derived, with the same noise.
#[test]
fn it_is_as_if_the_other_columns_were_not_there() {
    let sizes = [2, 3, 4, 5];
    for kept in [vec![0, 1, 2, 3], vec![1, 3], vec![0, 2, 3], vec![2], vec![0, 1]] {
        let whole = schema(&sizes);
        let left = part(&whole, &kept);
        let own_rows: Vec<Vec<u32>> = rows().iter().map(|row| kept.iter().map(|&at| row[at]).collect()).collect();
        let own_sizes: Vec<u32> = kept.iter().map(|&at| sizes[at]).collect();
        let mut doors = [
            door(whole, engine(&sizes, rows())).narrowed(left.clone()).unwrap(),
            door(left.clone(), engine(&own_sizes, own_rows)),
        ];
        let half = |size: u32| (0..size).map(|code| code % 2).collect::<Vec<u32>>();
        let grouped = |place: usize, size: u32| Derived {
            base: AttrId(place as u32),
            grouping: Arc::new(Grouping::new(half(size)).unwrap()),
            name: format!("half of {place}"),
        };
        let derived: Vec<Derived> = own_sizes.iter().enumerate().map(|(place, &size)| grouped(place, size)).collect();
        let count = 2 * kept.len();
        let answers = doors.each_mut().map(|door| {
            door.derive(&derived).unwrap();
            door.commit_filter().unwrap();
            let sets = (0u32..1 << count).map(|set| {
                let clique = Clique::new((0..count as u32).filter(|place| set >> place & 1 == 1).map(AttrId));
                MarginalQuery { clique, noise: gaussian(&[], 100_000).noise }
            });
            let queries: Vec<MarginalQuery> = sets.collect();
            assert!(matches!(queries[0].noise, Noise::Gaussian(_)));
            let answers = door.marginals(&queries).unwrap();
            answers.into_iter().map(|answer| answer.values).collect::<Vec<_>>()
        });
        assert_eq!(answers[0], answers[1], "{kept:?}");
        // The control: the answers are not all alike.
        assert!(answers[0].windows(2).any(|pair| pair[0] != pair[1]), "{kept:?}");
    }
}

#[test]
fn other_columns_are_refused() {
    let whole = || schema(&[2, 3, 4]);
    let refused = |left: Schema| {
        let rows = engine(&[2, 3, 4], vec![vec![1, 2, 3]]);
        let narrowed = door(whole(), rows).narrowed(left);
        assert!(matches!(narrowed.map(|_| ()), Err(CuratorError::Query { .. })));
    };
    // Another number of codes, another name, and another order.
    refused(schema(&[3, 3, 4]));
    refused(schema(&[2, 3, 4, 5]));
    let names: Vec<String> = whole().columns().iter().rev().map(|column| column.name.clone()).collect();
    refused(whole().arranged(&names).unwrap());
}

/// Facts come first: nothing was charged before.
#[test]
fn facts_are_bought_before_anything_else() {
    let mut door = door(schema(&[2, 3]), engine(&[2, 3], vec![vec![1, 2]]));
    let total = door.commit_discovery(0.01).unwrap();
    assert!(total.amount > 0.0 && total.tau > 0.0);
    assert!(door.commit_discovery(0.1).is_err());
    // A query above the share is refused before a look.
    assert!(matches!(door.marginals(&[gaussian(&[0, 1], 1)]), Err(CuratorError::Privacy(_))));
}

/// The marginal of a key and what depends on it, and those of the columns that are left: over all
/// tables of up to three rows, and all of their neighbours, none moves by more than is declared.
#[test]
fn no_neighbour_moves_a_table_by_more_than_declared() {
    let cells: Vec<Vec<u32>> = (0..2).flat_map(|key| (0..3).map(move |value| vec![key, value])).collect();
    let whole = schema(&[2, 3]);
    let left = part(&whole, &[0]);
    let counts = |rows: &[Vec<u32>], clique: &Clique, is_narrow: bool| {
        let own = engine(&[2, 3], rows.to_vec());
        let own = match is_narrow {
            true => Box::new(Narrowed::new(own, &whole, &left).unwrap()),
            false => own,
        };
        own.count(std::slice::from_ref(clique), &[], Permit::new(1), &Cancel::new()).unwrap().remove(0).into_integers()
    };
    let cliques = [(Clique::new([AttrId(0), AttrId(1)]), false), (Clique::single(AttrId(0)), true)];
    let (added, replaced) = (add_remove().marginal(), replace_one().marginal());
    let mut tables: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    let mut worst = [0; 2];
    for _ in 0..3 {
        for table in &tables {
            for (clique, is_narrow) in &cliques {
                let moved = |other: &[Vec<u32>]| {
                    let (here, there) = (counts(table, clique, *is_narrow), counts(other, clique, *is_narrow));
                    let moves = here.iter().zip(there).map(|(one, other)| one.abs_diff(other)).collect::<Vec<_>>();
                    (moves.iter().sum::<u64>(), moves.iter().map(|step| step * step).sum::<u64>())
                };
                for cell in &cells {
                    let (l1, l2) = moved(&[table.as_slice(), std::slice::from_ref(cell)].concat());
                    assert!(l1 <= added.l1() && l2 <= added.l2_squared(), "{table:?} and {cell:?}");
                    worst[0] = worst[0].max(l1);
                    if let Some((_, rest)) = table.split_last() {
                        let (l1, l2) = moved(&[rest, std::slice::from_ref(cell)].concat());
                        assert!(l1 <= replaced.l1() && l2 <= replaced.l2_squared(), "{table:?} and {cell:?}");
                        worst[1] = worst[1].max(l1);
                    }
                }
            }
        }
        let longer = |table: &Vec<Vec<u32>>| {
            let with = |cell: &Vec<u32>| [table.as_slice(), std::slice::from_ref(cell)].concat();
            cells.iter().map(with).collect::<Vec<_>>()
        };
        tables = tables.iter().flat_map(longer).collect();
    }
    assert_eq!(worst, [added.l1(), replaced.l1()], "met exactly, so that half of it would be caught");
}
