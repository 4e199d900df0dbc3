//! Generated tables as files, in the shape of the benchmark tables: `NAME.csv`, `NAME-domain.json`,
//! `NAME-marginals.json`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::{Map, Value, json};

use super::draw::below;
use super::tables::generate;
use crate::marginal::subsets;

/// Generated tables that methods are compared on are drawn with this seed.
pub const TABLE_SEED: u64 = 1;
/// Their marginals are drawn with this one.
pub const MARGINALS_SEED: u64 = 2026;
/// At most this many marginals of each number of columns, as for the benchmark tables.
pub const MARGINALS: usize = 300;
/// The numbers of columns whose marginals are judged.
pub const WAYS: [usize; 4] = [2, 3, 4, 5];

/// Draws the table of this name (see [`generate`]) and writes its three files.
pub fn write(name: &str, folder: &Path) -> Result<()> {
    let table = generate(name, TABLE_SEED)?;
    let path = |suffix: &str| folder.join(format!("{name}{suffix}"));
    let sizes = table.domain().sizes();
    let domain: Map<String, Value> =
        sizes.iter().enumerate().map(|(index, &size)| (column(index), json!(size))).collect();
    save(&path("-domain.json"), Value::Object(domain).to_string().as_bytes())?;
    save(&path("-marginals.json"), lists(sizes.len()).to_string().as_bytes())?;
    let csv = path(".csv");
    rows(&table, &csv).with_context(|| format!("cannot write {}", csv.display()))
}

fn column(index: usize) -> String {
    format!("c{index}")
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn rows(table: &Table, path: &Path) -> Result<()> {
    let columns: Vec<Vec<u32>> =
        table.domain().attributes().map(|attribute| table.codes(attribute)).collect::<Result<_, _>>()?;
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let header: Vec<String> = (0..columns.len()).map(column).collect();
    writeln!(out, "{}", header.join(","))?;
    for row in 0..table.rows() as usize {
        for (index, codes) in columns.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(out, "{comma}{}", codes[row])?;
        }
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// For each number of columns all sets, or [`MARGINALS`] different ones from the fixed seed.
fn lists(columns: usize) -> Value {
    let mut rng = ChaCha8Rng::seed_from_u64(MARGINALS_SEED);
    let mut lists = Map::new();
    for ways in WAYS {
        let possible =
            (0..ways).fold(1, |sets, taken| sets * columns.saturating_sub(taken) as u128 / (taken as u128 + 1));
        let mut sets = BTreeSet::new();
        if possible <= MARGINALS as u128 {
            sets.extend(subsets(&(0..columns).collect::<Vec<_>>(), ways));
        }
        while possible > MARGINALS as u128 && sets.len() < MARGINALS {
            let set: BTreeSet<usize> = (0..ways).map(|_| below(&mut rng, columns as u32) as usize).collect();
            if set.len() == ways {
                sets.insert(set.into_iter().collect());
            }
        }
        let names: Vec<Vec<String>> = sets.into_iter().map(|set| set.into_iter().map(column).collect()).collect();
        lists.insert(ways.to_string(), json!(names));
    }
    Value::Object(lists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Benchmark, MethodSetting};

    #[test]
    fn lists_hold_all_sets_or_three_hundred_and_are_the_same_each_time() {
        let few = lists(5);
        let sizes = ["2", "3", "4", "5"].map(|ways| few[ways].as_array().unwrap().len());
        assert_eq!(sizes, [10, 10, 5, 1]);
        let many = lists(100);
        assert!(["2", "3", "4", "5"].iter().all(|ways| many[*ways].as_array().unwrap().len() == MARGINALS));
        assert_eq!(many, lists(100));
    }

    #[test]
    fn a_written_table_is_read_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        write("rows-2000@300", folder.path()).unwrap();
        let read = Benchmark::open(folder.path(), "rows-2000@300").unwrap();
        let table = read.read(&folder.path().join("rows-2000@300.csv")).unwrap();
        let drawn = generate("rows-2000@300", TABLE_SEED).unwrap();
        for attribute in drawn.domain().attributes() {
            assert_eq!(table.codes(attribute).unwrap(), drawn.codes(attribute).unwrap());
        }
        assert_eq!(read.distances(&drawn).unwrap(), [0.0; 5]);
        let made = read.make(&MethodSetting::new("independent", 1.0, 1e-5), 0).unwrap();
        assert!(made.used <= 1.0 && read.distances(&made.table).unwrap().iter().all(|tvd| *tvd > 0.0));
    }
}
