//! The benchmark tables of the papers, or stand-ins for them, and the marginals they are judged on.

use std::path::Path;

use anyhow::{Result, bail};
use lookalike_evaluate::{MarginalLists, marginal_distances};
use lookalike_schema::{Clique, Schema};
use lookalike_table::{Input, Table};

use super::recorder::Recorder;
use crate::marginal::{all_marginals, mean};
use crate::run::{Quiet, read_options};
use crate::simulate::{BooleanNetwork, generate};

/// The benchmark tables, as their files and as the papers call them.
pub(super) const TABLES: [(&str, &str); 4] =
    [("nltcs", "NLTCS"), ("acs", "ACS"), ("adult", "Adult"), ("br2000", "BR2000")];
/// The epsilons of PrivBayes 2014.
pub(super) const PB14_EPSILONS: [f64; 6] = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
/// Four of them, for studies in which all six would take many hours.
pub(super) const PB14_FOUR_EPSILONS: [f64; 4] = [0.05, 0.2, 0.8, 1.6];
/// Three of the six epsilons of PrivMRF 2021: the one that others published figures for, which
/// comes first so that a study that is stopped early has it, and the ends.
pub(super) const MRF_EPSILONS: [f64; 3] = [0.8, 0.1, 3.2];

/// Those of a table: all on the smallest, and the first ones on the others, where runs take minutes
/// each.
pub(super) fn on_table<'a>(epsilons: &'a [f64], file: &str, first: usize) -> &'a [f64] {
    if file == "nltcs" { epsilons } else { &epsilons[..first] }
}

/// A benchmark table, or a generated one that takes its place, which is then noted.
pub(super) fn table(name: &str, recorder: &mut Recorder) -> Result<Table> {
    let settings = recorder.settings;
    let file = |folder: &Path, ending: &str| folder.join(format!("{name}{ending}"));
    if let Some(folder) = &settings.data {
        let (csv, domain) = (file(folder, ".csv"), file(folder, "-domain.json"));
        if csv.is_file() && domain.is_file() {
            let schema = Schema::parse(&std::fs::read_to_string(&domain)?, name)?;
            return Ok(Table::read(&Input::Path(csv), &schema, &read_options(), &Quiet)?);
        }
    }
    if !settings.simulated {
        bail!(
            "the table {name}.csv with {name}-domain.json is needed: name their folder in LOOKALIKE_DATA, or \
             take a generated stand-in with --simulated"
        );
    }
    let table = stand_in(name)?;
    let (rows, columns) = (table.rows(), table.domain().len());
    recorder
        .note(format!("{name} was not there: a generated table of {rows} rows and {columns} columns stands in for it"));
    Ok(table)
}

/// Binary tables for binary ones, and as many rows and columns.
fn stand_in(name: &str) -> Result<Table> {
    match name {
        "nltcs" => BooleanNetwork::random(16, 2, 1).table(21_574, 2),
        "acs" => BooleanNetwork::random(23, 2, 3).table(47_461, 4),
        "br2000" => generate("rows-2000@28000", 1),
        _ => generate("rows-2000@45222", 1),
    }
}

/// `count` sets of `ways` columns, spread evenly over all of them: the same for everybody.
pub(super) fn some_marginals(table: &Table, ways: usize, count: usize) -> Vec<Clique> {
    let all = all_marginals(table.domain(), ways);
    if all.len() <= count {
        return all;
    }
    // Steps of the golden ratio visit all parts alike.
    let place = |index: usize| ((index as f64 * 0.618_033_988_749_895).fract() * all.len() as f64) as usize;
    (0..count).map(|index| all[place(index)].clone()).collect()
}

/// The marginals that a benchmark table's own figures are about (`NAME-marginals.json`), at most
/// `count` of them; without the file, [`some_marginals`].
pub(super) fn listed_marginals(
    name: &str,
    table: &Table,
    ways: usize,
    count: usize,
    recorder: &Recorder,
) -> Result<Vec<Clique>> {
    let path = recorder.settings.data.as_ref().map(|folder| folder.join(format!("{name}-marginals.json")));
    if let Some(path) = path.filter(|path| path.is_file()) {
        let lists = MarginalLists::parse(&std::fs::read_to_string(path)?, table.schema())?;
        if let Some(list) = lists.by_ways.get(&ways) {
            return Ok(list.iter().take(count).cloned().collect());
        }
    }
    Ok(some_marginals(table, ways, count))
}

/// The mean distance of each list of marginals.
pub(super) fn distances(real: &Table, synthetic: &Table, lists: &[Vec<Clique>]) -> Result<Vec<f64>> {
    lists.iter().map(|list| Ok(mean(&marginal_distances(real, synthetic, list)?))).collect()
}
