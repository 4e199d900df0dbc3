//! Networks chosen by F and by mutual information, at one budget: the sum of mutual information
//! that they hold.

use std::collections::HashMap;

use anyhow::Result;
use lookalike_schema::AttrId;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{information_sensitivity, select};
use super::source_tables::{PB14_EPSILONS, table};
use super::study::{Study, StudySettings};
use crate::marginal::{mean, subsets};
use crate::network_score::{NetworkFamily, f, joints, mutual_information};
use crate::plot::Panel;
use crate::simulate::draw::{below, coded_schema};

/// The network's share of the budget, as in the paper.
const BETA: f64 = 0.5;

/// The scores of families, each computed once.
struct ScoreCache<'a> {
    table: &'a Table,
    known: HashMap<NetworkFamily, [f64; 2]>,
}

impl ScoreCache<'_> {
    /// F/n and mutual information in bits.
    fn of(&mut self, families: &[NetworkFamily]) -> Result<Vec<[f64; 2]>> {
        let new: Vec<NetworkFamily> =
            families.iter().filter(|family| !self.known.contains_key(family)).cloned().collect();
        for (family, joint) in new.iter().zip(joints(self.table, &new)?) {
            self.known.insert(family.clone(), [f(&joint, 2)?, mutual_information(&joint, 2)]);
        }
        Ok(families.iter().map(|family| self.known[family]).collect())
    }
}

/// How parents are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    F,
    Information,
    /// The highest mutual information, without privacy.
    Greedy,
}

/// The sum of mutual information of a network of this degree: PB14's algorithm 4, replace-one.
fn network(table: &mut ScoreCache, degree: usize, by: By, epsilon: f64, seed: u64) -> Result<f64> {
    let columns = table.table.domain().len();
    let rows = table.table.rows() as f64;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let first = below(&mut rng, columns as u32);
    let mut chosen = vec![AttrId(first)];
    let mut total = 0.0;
    while chosen.len() < columns {
        let sets = subsets(&chosen, degree.min(chosen.len()));
        let open = table.table.domain().attributes().filter(|column| !chosen.contains(column));
        let families: Vec<NetworkFamily> = open
            .flat_map(|child| sets.iter().map(move |parents| NetworkFamily { child, parents: parents.clone() }))
            .collect();
        let found = table.of(&families)?;
        let share = BETA * epsilon / (columns - 1) as f64;
        let column = |index: usize| found.iter().map(|scores| scores[index]).collect::<Vec<f64>>();
        let best = match by {
            By::F => select(&column(0), share, 1.0 / rows, &mut rng),
            By::Information => select(&column(1), share, information_sensitivity(rows), &mut rng),
            By::Greedy => {
                let scores = column(1);
                (0..scores.len()).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).unwrap_or(0)
            }
        };
        total += found[best][1];
        chosen.push(families[best].child);
        chosen.sort_unstable();
    }
    Ok(total)
}

/// A table's columns in bits, the highest first.
fn bits(table: &Table) -> Result<Table> {
    let mut columns = Vec::new();
    for attribute in table.domain().attributes() {
        let codes = table.codes(attribute)?;
        let count = 32 - (table.domain().size(attribute).max(2) - 1).leading_zeros();
        columns.extend((0..count).rev().map(|bit| codes.iter().map(|code| code >> bit & 1).collect::<Vec<u32>>()));
    }
    Ok(Table::from_columns(&coded_schema(&vec![2; columns.len()])?, columns))
}

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let headings = "table, score, k, epsilon, sum of mutual information in bits, runs";
    let mut study = Study::new("Networks chosen by F and by I", 3, headings);
    let nltcs = table("nltcs", settings, &mut study)?;
    let mut tables = vec![("NLTCS", nltcs, settings.pick(vec![2, 3], vec![2, 4, 6]))];
    if settings.pick(false, true) {
        let adult = table("adult", settings, &mut study)?;
        tables.push(("Adult in bits", bits(&adult)?, vec![1, 2, 3]));
    } else {
        study.note("NLTCS only, with k = 2 and 3 (the paper: k = 2, 4, 6, and Adult in bits with k = 1, 2, 3)");
    }
    let runs = settings.pick(5, 50);
    let (mut above, mut gains) = (0, Vec::new());
    for (name, table, degrees) in &tables {
        for &degree in degrees {
            (settings.tell)(&format!("{name}, k = {degree}"));
            let mut panel = Panel::new(format!("{name}, k = {degree}"), "epsilon", "sum of information").log_x();
            let mut known = ScoreCache { table, known: HashMap::new() };
            let best = network(&mut known, degree, By::Greedy, 0.0, 1)?;
            for (word, by) in [("F", By::F), ("I", By::Information)] {
                for epsilon in PB14_EPSILONS {
                    let sums = (0..runs).map(|seed| network(&mut known, degree, by, epsilon, seed));
                    let sum = mean(&sums.collect::<Result<Vec<f64>>>()?);
                    study.table.push(&[name, &word, &degree, &epsilon, &sum, &runs]);
                    panel.put(word, epsilon, sum);
                }
            }
            panel.dashed("greedy, no privacy", PB14_EPSILONS.map(|epsilon| (epsilon, best)));
            for (f, i) in panel.heights("F").iter().zip(panel.heights("I")) {
                above += usize::from(*f >= i);
                gains.push(f / i.max(1e-9));
            }
            study.panels.push(panel);
        }
    }
    let (places, gain) = (gains.len(), mean(&gains));
    study.finding(
        "F gives better networks than mutual information in almost all cases",
        above as f64 >= 0.85 * places as f64,
        format!("F is ahead at {above} of {places} places, by a factor of {gain:.2} on average"),
    );
    Ok(study)
}
