//! From what the answers say to a bar for each cell.

use std::collections::HashMap;

use lookalike_schema::Clique;
use rayon::prelude::*;

use super::classes::Classes;
use super::family::AnswerFamily;
use super::interval::{CellEstimate, reach};
use super::question::MarginalQuestion;
use super::solve::LeastSquares;

/// Steps that a solution is expected to take.
const USUAL_STEPS: f64 = 40.0;
/// Cells of the question's table, times families, for which the equations are set up.
const MOST_MAPPED: usize = 1 << 26;
/// Sets of measured rows that bound a cell which was not measured: the tightest.
const MOST_LIMITS: usize = 8;
/// Sets of columns that are listed as never measured together.
const MOST_GAPS: usize = 4;
/// The largest such set that is looked for.
const WIDEST_GAP: usize = 3;

/// A set of measured cells of one family, and its standard error.
#[derive(Clone, Copy)]
struct MeasuredSet {
    family: usize,
    error: f64,
}

/// How the cells of one class are worked out.
enum CellRule {
    /// No row of it is meant.
    LeftOut,
    Measured(MeasuredSet),
    Bounds {
        /// Sets that hold the cell.
        above: Vec<MeasuredSet>,
        /// Sets of which the cell is the intersection (by their places above), and one around them
        /// all.
        below: Vec<(Vec<usize>, MeasuredSet)>,
    },
}

struct ErrorAnalysis<'a> {
    question: &'a MarginalQuestion,
    families: &'a [AnswerFamily],
    /// For each family, where combinations of the other columns lie.
    offsets: Vec<Vec<usize>>,
    /// For each family, how many cells of the question's table each cell is.
    widths: Vec<Vec<u64>>,
    /// Families than which none is finer.
    finest: Vec<usize>,
    equations: Option<LeastSquares<'a>>,
    /// For each family its cells: the best estimates, or its own values.
    estimates: Vec<Vec<f64>>,
}

/// The bars of all cells, and that of all rows that are meant.
pub(super) fn bars(
    question: &MarginalQuestion,
    mut families: Vec<AnswerFamily>,
    most_work: f64,
) -> (Vec<CellEstimate>, CellEstimate) {
    let finest = finest(&families);
    for (at, &one) in finest.iter().enumerate() {
        for &other in &finest[at + 1..] {
            let common = families[one].common(&families[other]);
            if !families.iter().any(|known| known.parts == common.parts) {
                families.push(common);
            }
        }
    }
    let classes = Classes::new(question, &families);
    let evaluation = ErrorAnalysis::new(question, &families, finest, &classes, most_work);
    // The first cell of each class stands for all.
    let mut first: HashMap<usize, Vec<u32>> = HashMap::new();
    question.each_cell(|_, codes| {
        first.entry(classes.of(codes)).or_insert_with(|| codes.to_vec());
    });
    let rules: HashMap<usize, CellRule> =
        first.par_iter().map(|(&class, codes)| (class, evaluation.rule(&evaluation.set_of(codes)))).collect();
    let whole_set = evaluation.everything();
    let whole_rule = evaluation.rule(&whole_set);
    let whole = evaluation.bar(&whole_rule, &whole_set, None);
    let covariances = evaluation.covariances(&whole_rule, &whole_set);
    let mut bars = Vec::with_capacity(question.cells);
    question.each_cell(|_, codes| {
        bars.push(evaluation.bar(&rules[&classes.of(codes)], &evaluation.set_of(codes), covariances.as_deref()));
    });
    (bars, whole)
}

/// The families than which none is finer: what bounds cells that were not measured.
fn finest(families: &[AnswerFamily]) -> Vec<usize> {
    let is_finest = |&family: &usize| {
        let other = |other: usize| other != family && families[family].is_coarser_than(&families[other]);
        !(0..families.len()).any(other)
    };
    let mut finest: Vec<usize> = (0..families.len()).filter(is_finest).collect();
    finest.sort_by_key(|&family| std::cmp::Reverse(families[family].values.len()));
    finest.truncate(MOST_LIMITS);
    finest
}

/// Some rows: for each family the cells that they touch, and the number of cells of the question's
/// table that they are.
struct RowSet {
    touched: Vec<Vec<usize>>,
    cells: u64,
}

impl<'a> ErrorAnalysis<'a> {
    fn new(
        question: &'a MarginalQuestion,
        families: &'a [AnswerFamily],
        finest: Vec<usize>,
        classes: &Classes,
        most_work: f64,
    ) -> Self {
        let mapped = (question.cells.saturating_mul(question.others)).saturating_mul(families.len());
        let solutions = (classes.len().saturating_mul(finest.len() + 1)).saturating_add(2);
        let work = mapped as f64 * USUAL_STEPS * solutions as f64;
        let equations = (work <= most_work && mapped <= MOST_MAPPED).then(|| LeastSquares::new(question, families));
        let solved = equations.and_then(|equations| equations.estimate().map(|table| (equations, table)));
        let (equations, estimates) = match solved {
            Some((equations, table)) => {
                let sums = (0..families.len()).map(|family| equations.sums(family, &table)).collect();
                (Some(equations), sums)
            }
            None => (None, families.iter().map(|family| family.values.clone()).collect()),
        };
        Self {
            question,
            families,
            offsets: families.iter().map(|family| family.offsets(question)).collect(),
            widths: families.iter().map(|family| family.widths(question)).collect(),
            finest,
            equations,
            estimates,
        }
    }

    /// The rows of one cell.
    fn set_of(&self, codes: &[u32]) -> RowSet {
        let mut meant = Vec::new();
        self.question.meant(codes, &mut meant);
        let touched = |(family, offsets): (&AnswerFamily, &Vec<usize>)| {
            let place = family.place(codes);
            let mut cells: Vec<usize> = meant.iter().map(|&other| place + offsets[other as usize]).collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        RowSet { touched: self.families.iter().zip(&self.offsets).map(touched).collect(), cells: meant.len() as u64 }
    }

    /// All rows that are meant.
    fn everything(&self) -> RowSet {
        let mut marks: Vec<Vec<bool>> = self.families.iter().map(|family| vec![false; family.values.len()]).collect();
        let (mut cells, mut meant) = (0, Vec::new());
        self.question.each_cell(|_, codes| {
            self.question.meant(codes, &mut meant);
            cells += meant.len() as u64;
            for ((family, offsets), marks) in self.families.iter().zip(&self.offsets).zip(&mut marks) {
                let place = family.place(codes);
                meant.iter().for_each(|&other| marks[place + offsets[other as usize]] = true);
            }
        });
        let listed = |marks: Vec<bool>| (0..marks.len()).filter(|&cell| marks[cell]).collect();
        RowSet { touched: marks.into_iter().map(listed).collect(), cells }
    }

    /// Whether the cells that the rows touch hold nothing else.
    fn is_exact(&self, family: usize, rows: &RowSet) -> bool {
        let widths = &self.widths[family];
        rows.touched[family].iter().map(|&cell| widths[cell]).sum::<u64>() == rows.cells
    }

    fn rule(&self, rows: &RowSet) -> CellRule {
        if rows.cells == 0 {
            return CellRule::LeftOut;
        }
        let limit = |family: usize| MeasuredSet { family, error: self.error(family, &rows.touched[family]) };
        let exact = (0..self.families.len()).filter(|&family| self.is_exact(family, rows));
        // By least squares every exact family says the same; alone, the most exact one is taken.
        let best = match self.equations {
            Some(_) => exact.take(1).map(limit).next(),
            None => exact
                .map(limit)
                .filter(|limit| limit.error.is_finite())
                .min_by(|one, other| one.error.total_cmp(&other.error)),
        };
        if let Some(best) = best.filter(|_| !self.question.is_cut) {
            return CellRule::Measured(best);
        }
        let above: Vec<MeasuredSet> = self.finest.iter().map(|&family| limit(family)).collect();
        let below = if self.question.is_cut { Vec::new() } else { self.intersections(rows, &above) };
        CellRule::Bounds { above, below }
    }

    /// The standard error of a sum of cells of a family.
    fn error(&self, family: usize, cells: &[usize]) -> f64 {
        let solved = self.equations.as_ref().and_then(|equations| {
            let marked = self.marked(equations, family, cells);
            Some(super::solve::dot(&marked, &equations.direction(marked.clone())?))
        });
        // Least squares is at most as noisy as the family's own values.
        let own = || cells.iter().map(|&cell| self.families[family].precisions[cell].recip()).sum::<f64>();
        solved.unwrap_or_else(own).max(0.0).sqrt()
    }

    /// The cells of the question's table that are in some cells of a family, as 0 and 1.
    fn marked(&self, equations: &LeastSquares, family: usize, cells: &[usize]) -> Vec<f64> {
        let mut marks = vec![0.0; self.families[family].values.len()];
        cells.iter().for_each(|&cell| marks[cell] = 1.0);
        equations.cell_of(family).iter().map(|&cell| marks[cell as usize]).collect()
    }

    /// Which of the sets above have nothing in common but the rows, two by two or all together, and
    /// a measured set around them.
    fn intersections(&self, rows: &RowSet, above: &[MeasuredSet]) -> Vec<(Vec<usize>, MeasuredSet)> {
        let Some(equations) = &self.equations else { return Vec::new() };
        let marked: Vec<Vec<f64>> =
            above.iter().map(|limit| self.marked(equations, limit.family, &rows.touched[limit.family])).collect();
        let pairs = (0..above.len()).flat_map(|one| (one + 1..above.len()).map(move |other| vec![one, other]));
        let all = (above.len() > 2).then(|| (0..above.len()).collect::<Vec<usize>>());
        let mut found = Vec::new();
        for sets in pairs.chain(all) {
            let common = (0..marked[0].len()).filter(|&cell| sets.iter().all(|&set| marked[set][cell] > 0.0));
            if common.count() as u64 != rows.cells {
                continue;
            }
            let holds_all = |family: &usize| {
                let coarser = |&set: &usize| self.families[*family].is_coarser_than(&self.families[above[set].family]);
                sets.iter().all(coarser)
            };
            let width =
                |&family: &usize| rows.touched[family].iter().map(|&cell| self.widths[family][cell]).sum::<u64>();
            let around = (0..self.families.len()).filter(holds_all).min_by_key(width);
            if let Some(family) = around {
                found.push((sets, MeasuredSet { family, error: self.error(family, &rows.touched[family]) }));
            }
        }
        found
    }

    fn estimate(&self, family: usize, rows: &RowSet) -> f64 {
        rows.touched[family].iter().map(|&cell| self.estimates[family][cell]).sum()
    }

    fn bar(&self, rule: &CellRule, rows: &RowSet, covariances: Option<&[Vec<f64>]>) -> CellEstimate {
        match rule {
            CellRule::LeftOut => CellEstimate::Bound { low: 0.0, high: 0.0 },
            CellRule::Measured(MeasuredSet { family, error }) => {
                let along = |sums: &[Vec<f64>]| rows.touched[*family].iter().map(|&cell| sums[*family][cell]).sum();
                CellEstimate::Measured {
                    estimate: self.estimate(*family, rows),
                    error: *error,
                    with_whole: covariances.map(along),
                }
            }
            CellRule::Bounds { above, below } => {
                // All limits that an end is taken from hold together.
                let (to_high, to_low) = (reach(above.len()), reach(above.len() + below.len()));
                let lower = |limit: &MeasuredSet| (self.estimate(limit.family, rows) - to_low * limit.error).max(0.0);
                let upper =
                    |limit: &MeasuredSet, reach| self.estimate(limit.family, rows).max(0.0) + reach * limit.error;
                let high = above.iter().map(|limit| upper(limit, to_high)).fold(f64::INFINITY, f64::min);
                let common = |(sets, around): &(Vec<usize>, MeasuredSet)| {
                    let sum: f64 = sets.iter().map(|&set| lower(&above[set])).sum();
                    sum - (sets.len() - 1) as f64 * upper(around, to_low)
                };
                let low = below.iter().map(common).fold(0.0, f64::max);
                CellEstimate::Bound { low: low.min(high), high }
            }
        }
    }

    /// For each family, the covariance of each of its cells with the number of all rows that are
    /// meant.
    fn covariances(&self, rule: &CellRule, rows: &RowSet) -> Option<Vec<Vec<f64>>> {
        let (CellRule::Measured(limit), Some(equations)) = (rule, &self.equations) else { return None };
        let direction = equations.direction(self.marked(equations, limit.family, &rows.touched[limit.family]))?;
        Some((0..self.families.len()).map(|family| equations.sums(family, &direction)).collect())
    }
}

/// Why some cells have bounds: sets of columns that no family holds together, and columns that are
/// in groups wherever all are held together.
pub(super) fn reasons(question: &MarginalQuestion, families: &[AnswerFamily]) -> (Vec<Clique>, Clique) {
    let open: Vec<usize> = (0..question.columns.len()).filter(|&at| question.blocks[at].sizes.len() > 1).collect();
    let held = |set: &[usize]| families.iter().any(|family| set.iter().all(|&at| family.parts[at].is_some()));
    let mut gaps: Vec<Vec<usize>> = Vec::new();
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..WIDEST_GAP {
        let longer = |set: &Vec<usize>| {
            let last = set.last().copied();
            let more = open.iter().copied().filter(move |&at| last.is_none_or(|last| at > last));
            more.map(|at| [set.as_slice(), &[at]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
        let known = gaps.clone();
        sets.retain(|set| !known.iter().any(|gap| gap.iter().all(|at| set.contains(at))));
        gaps.extend(sets.iter().filter(|set| !held(set)).cloned());
        sets.retain(|set| held(set));
    }
    gaps.truncate(MOST_GAPS);
    let clique = |set: &[usize]| Clique::new(set.iter().map(|&at| question.columns[at]));
    let whole = families.iter().filter(|family| open.iter().all(|&at| family.parts[at].is_some()));
    let grouped = |family: &AnswerFamily, at: usize| {
        family.parts[at].as_ref().is_some_and(|part| part.groups < question.blocks[at].sizes.len())
    };
    // Of the families that hold all columns, the one with the fewest columns in groups.
    let in_groups =
        |family: &AnswerFamily| open.iter().copied().filter(|&at| grouped(family, at)).collect::<Vec<usize>>();
    let split = whole.map(in_groups).min_by_key(Vec::len).unwrap_or_default();
    (gaps.iter().map(|gap| clique(gap)).collect(), clique(&split))
}
