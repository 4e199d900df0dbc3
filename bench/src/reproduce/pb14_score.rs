//! Networks chosen by F and by mutual information, at one budget: the sum of mutual information
//! that they hold.

use std::collections::HashMap;

use anyhow::Result;
use lookalike_schema::AttrId;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{information_sensitivity, select};
use super::plot::{Curve, Panel};
use super::source_tables::table;
use super::study::{Finding, Study, StudySettings};
use crate::marginal::{mean, subsets};
use crate::network_score::{NetworkFamily, f, joints, mutual_information};
use crate::simulate::draw::{below, coded_schema};
use crate::text_table::TextTable;

const EPSILONS: [f64; 6] = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
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
    let mut sheet = TextTable::new("table, score, k, epsilon, sum of mutual information in bits, runs");
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    let (mut above, mut places) = (0, 0);
    let mut gains = Vec::new();
    let nltcs = table("nltcs", settings, &mut notes)?;
    let mut tables = vec![("NLTCS", nltcs, settings.pick(vec![2, 3], vec![2, 4, 6]))];
    if settings.pick(false, true) {
        let adult = table("adult", settings, &mut notes)?;
        tables.push(("Adult in bits", bits(&adult)?, vec![1, 2, 3]));
    } else {
        notes.push("NLTCS only, with k = 2 and 3 (the paper: k = 2, 4, 6, and Adult in bits with k = 1, 2, 3)".into());
    }
    let runs = settings.pick(5, 50);
    for (name, table, degrees) in &tables {
        for &degree in degrees {
            (settings.tell)(&format!("{name}, k = {degree}"));
            let mut known = ScoreCache { table, known: HashMap::new() };
            let best = network(&mut known, degree, By::Greedy, 0.0, 1)?;
            let mut curves = Vec::new();
            for (word, by) in [("F", By::F), ("I", By::Information)] {
                let mut points = Vec::new();
                for epsilon in EPSILONS {
                    let sums = (0..runs).map(|seed| network(&mut known, degree, by, epsilon, seed));
                    let sum = mean(&sums.collect::<Result<Vec<f64>>>()?);
                    sheet.push(&[name, &word, &degree, &epsilon, &sum, &runs]);
                    points.push((epsilon, sum));
                }
                curves.push(points);
            }
            for (f, i) in curves[0].iter().zip(&curves[1]) {
                above += usize::from(f.1 >= i.1);
                places += 1;
                gains.push(f.1 / i.1.max(1e-9));
            }
            let series = vec![
                Curve::line("F", curves[0].clone()),
                Curve::line("I", curves[1].clone()),
                Curve::dashed("greedy, no privacy", EPSILONS.iter().map(|&epsilon| (epsilon, best)).collect()),
            ];
            panels.push(Panel::new(format!("{name}, k = {degree}"), "epsilon", "sum of information", series).log_x());
        }
    }
    let findings = vec![Finding::new(
        "F gives better networks than mutual information in almost all cases",
        above as f64 >= 0.85 * places as f64,
        format!("F is ahead at {above} of {places} places, by a factor of {:.2} on average", mean(&gains)),
    )];
    Ok(Study::new("Networks chosen by F and by I", 3, &panels, sheet, findings, notes))
}
