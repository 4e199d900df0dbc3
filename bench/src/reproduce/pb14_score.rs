//! Networks chosen by F and by mutual information, at one budget: the sum of mutual information
//! that they hold.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use lookalike_schema::AttrId;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use super::binary::{information_sensitivity, select};
use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::source_tables::{PB14_EPSILONS, table};
use super::study::Study;
use super::verdict::{PlaceTally, below as less_than};
use crate::marginal::{mean, subsets};
use crate::network_score::{NetworkFamily, f, joints, mutual_information};
use crate::simulate::draw::{below, coded_schema};

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "pb14-score",
    about: "quality of networks chosen by F and by mutual information",
    from: "PrivBayes 2014, figure 2",
    paper: "Networks chosen by F hold significantly more mutual information than networks chosen by I, in almost \
            all cases, on Adult (in bits, k = 1, 2, 3) and NLTCS (k = 2, 4, 6).",
    differs: "10 runs where the paper has 50.",
    record,
    read,
};

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
        let counted = joints(self.table, &new)?;
        let score = |joint: &Vec<f64>| Ok([f(joint, 2)?, mutual_information(joint, 2)]);
        let scores = counted.par_iter().map(score).collect::<Result<Vec<_>>>()?;
        self.known.extend(new.into_iter().zip(scores));
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

/// The sum of mutual information of a network of this degree: algorithm 2 of PB14 with the
/// exponential mechanism of its section 4, replace-one.
fn network(known: &Mutex<ScoreCache>, degree: usize, by: By, epsilon: f64, first: AttrId, seed: u64) -> Result<f64> {
    let table = lock(known).table;
    let (columns, rows) = (table.domain().len(), table.rows() as f64);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = vec![first];
    let mut total = 0.0;
    while chosen.len() < columns {
        let sets = subsets(&chosen, degree.min(chosen.len()));
        let open = table.domain().attributes().filter(|column| !chosen.contains(column));
        let families: Vec<NetworkFamily> = open
            .flat_map(|child| sets.iter().map(move |parents| NetworkFamily { child, parents: parents.clone() }))
            .collect();
        let found = lock(known).of(&families)?;
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

fn lock<'a, 'b>(known: &'a Mutex<ScoreCache<'b>>) -> MutexGuard<'a, ScoreCache<'b>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
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

const F_SERIES: &str = "F";
const I_SERIES: &str = "I";
const GREEDY: &str = "greedy, no privacy";

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let nltcs = table("nltcs", recorder)?;
    let mut tables = vec![("NLTCS", nltcs, settings.pick3(vec![1], vec![2, 3], vec![2, 4, 6]))];
    if settings.pick(false, true) {
        let adult = table("adult", recorder)?;
        tables.push(("Adult in bits", bits(&adult)?, vec![1, 2, 3]));
    }
    let runs = settings.pick3(1, 10, 10);
    let epsilons = settings.pick3(&PB14_EPSILONS[..1], &PB14_EPSILONS, &PB14_EPSILONS);
    for (name, table, degrees) in &tables {
        for &degree in degrees {
            let panel = format!("{name}, k = {degree}");
            let known = Mutex::new(ScoreCache { table, known: HashMap::new() });
            for &epsilon in epsilons {
                for (series, by) in [(F_SERIES, By::F), (I_SERIES, By::Information), (GREEDY, By::Greedy)] {
                    recorder.trials(&[&panel], series, epsilon, runs, |trial| {
                        // All three begin with the same attribute in a run, so that they are pairs.
                        let first = below(&mut ChaCha8Rng::seed_from_u64(trial.run), table.domain().len() as u32);
                        Ok(vec![network(&known, degree, by, epsilon, AttrId(first), trial.seed)?])
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let caption = "The sum of mutual information of every column with its parents, of networks chosen with half \
                   of epsilon by F and by mutual information, and of the greedy network.";
    let mut study = Study::new("Networks chosen by F and by I", caption);
    let (mut tally, mut gains) = (PlaceTally::default(), Vec::new());
    for panel in results.panels() {
        study.panels.push(results.draw(panel, "epsilon", "bits").log_x());
        for epsilon in results.places(panel, F_SERIES) {
            let [f, i] = [F_SERIES, I_SERIES].map(|series| results.values(panel, series, epsilon));
            tally.add(less_than(i, f, 0.0));
            gains.push(mean(f) / mean(i).max(1e-9));
        }
    }
    study.finding(
        "F gives better networks than mutual information in almost all cases",
        tally.verdict_of_almost_all(),
        format!("{}; F holds {:.2} times as much on average", tally.words(), mean(&gains)),
    );
    study
}
