//! The cells at which a question about a model is answered.
//!
//! A column on its own grid has up to hundreds of thousands of codes. What was measured are groups
//! of them, and pairs of codes cannot be listed. Such a column is shown in the groups that the
//! model holds, cut where a condition cuts them; every other column code by code.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Filter, Grouping};

use crate::error_bars::ColumnsInGroups;
use crate::pgm::factor::array::affordable;
use crate::pgm::factor::layout::permuted;
use crate::sampling::plan::SamplingPlan;
use crate::structure::Structure;
use crate::{ErrorBars, Model, ModelError};

/// A column on its grid that the model does not hold in groups is shown code by code up to this
/// many codes.
const MOST_CODES: usize = 256;
/// The most groups that are made for it.
const MOST_GROUPS: f64 = 64.0;

/// The cells of a marginal of some columns among the rows that a condition means.
pub struct ShownCells<'a> {
    model: &'a Model,
    clique: Clique,
    filter: &'a Filter,
    /// Columns of the question, or of the condition alone, that are shown in groups.
    groups: ColumnsInGroups,
}

impl Model {
    /// The cells at which a question is answered.
    ///
    /// Refuses columns that the schema lacks, and as [`Model::marginal`] does.
    pub fn shown<'a>(&'a self, clique: &Clique, filter: &'a Filter) -> Result<ShownCells<'a>, ModelError> {
        let mut groups = ColumnsInGroups::new();
        for &attribute in clique.union(&filter.attributes()).attributes() {
            let lacking = attribute.index() >= self.schema().domain().len();
            crate::refuse_if(lacking, "a question names a column that the model lacks")?;
            if let Some(own) = self.own_groups(attribute)? {
                groups.insert(attribute, Arc::new(pieces(&own, attribute, filter)?));
            }
        }
        Ok(ShownCells { model: self, clique: clique.clone(), filter, groups })
    }

    /// The groups of a column on its grid: those that the model holds, or some that are about
    /// equally probable.
    fn own_groups(&self, attribute: AttrId) -> Result<Option<Arc<Grouping>>, ModelError> {
        let codec = self.schema().codec(attribute);
        if !codec.is_on_grid() {
            return Ok(None);
        }
        if let Some(refinement) = self.structure().refinement(attribute) {
            return Ok(Some(refinement.grouping.clone()));
        }
        if codec.size() as usize <= MOST_CODES {
            return Ok(None);
        }
        let shares = self.marginal(&Clique::single(attribute))?;
        let present = codec.present() as usize;
        let step = shares[..present].iter().sum::<f64>() / (MOST_GROUPS - 1.0);
        let (mut group, mut sum, mut group_of) = (0, 0.0, Vec::with_capacity(shares.len()));
        for share in &shares[..present] {
            // A group ends before it has more than its part, unless it is a single code.
            if sum > 0.0 && sum + share > step {
                (group, sum) = (group + 1, 0.0);
            }
            group_of.push(group.min(MOST_GROUPS as u32 - 2));
            sum += share;
        }
        let missing = group_of.last().map_or(0, |last| last + 1);
        group_of.extend(codec.missing_code().map(|_| missing));
        grouping(group_of).map(|grouping| Some(Arc::new(grouping)))
    }
}

fn grouping(group_of: Vec<u32>) -> Result<Grouping, ModelError> {
    Grouping::new(group_of).map_err(|error| ModelError::shape(error.to_string()))
}

/// Groups in the order of their first codes, cut so that each is meant by a box of the condition
/// with all of its codes or with none.
fn pieces(own: &Grouping, attribute: AttrId, filter: &Filter) -> Result<Grouping, ModelError> {
    let lists: Vec<&[u32]> = filter.boxes().iter().filter_map(|one| one.codes(attribute)).collect();
    let mut cuts: BTreeSet<u32> = BTreeSet::new();
    for run in lists.iter().flat_map(|codes| codes.chunk_by(|one, next| one + 1 == *next)) {
        cuts.extend([run[0], run[run.len() - 1] + 1]);
    }
    // A bin that the condition cuts is shown by itself.
    let split: BTreeSet<u32> = filter.split_bins().iter().filter(|bin| bin.0 == attribute).map(|bin| bin.1).collect();
    cuts.extend(split.iter().flat_map(|&code| [code, code + 1]));
    let mut known: HashMap<(u32, Vec<bool>, Option<u32>), u32> = HashMap::new();
    let mut group_of = Vec::with_capacity(own.codes());
    for (group, len) in own.runs() {
        let first = group_of.len() as u32;
        let starts = std::iter::once(first).chain(cuts.range(first + 1..first + len).copied());
        let ends = cuts.range(first + 1..first + len).copied().chain([first + len]);
        for (start, end) in starts.zip(ends) {
            let meant = lists.iter().map(|codes| codes.binary_search(&start).is_ok()).collect();
            let next = known.len() as u32;
            let piece = *known.entry((group, meant, split.get(&start).copied())).or_insert(next);
            group_of.extend(std::iter::repeat_n(piece, (end - start) as usize));
        }
    }
    grouping(group_of)
}

impl ShownCells<'_> {
    /// The groups of codes that a column is shown in; `None`: its codes.
    pub fn grouping(&self, attribute: AttrId) -> Option<&Grouping> {
        self.groups.get(&attribute).map(Arc::as_ref)
    }

    /// The number of groups or codes of a column.
    pub fn size(&self, attribute: AttrId) -> usize {
        let codes = self.model.schema().domain().size(attribute);
        self.grouping(attribute).map_or(codes, Grouping::groups) as usize
    }

    /// The number of cells; `None` beyond 64 bits.
    pub fn cells(&self) -> Option<u64> {
        let sizes = self.clique.attributes().iter().map(|&attribute| self.size(attribute) as u64);
        sizes.into_iter().try_fold(1u64, u64::checked_mul)
    }

    /// The probabilities of the cells among the rows that are meant, row-major, last column
    /// fastest.
    ///
    /// Refuses as [`Model::marginal_where`] does.
    pub fn marginal(&self) -> Result<Vec<f64>, ModelError> {
        let cells = affordable(self.cells())?;
        let all = self.filter.boxes().iter().any(|one| one.parts.is_empty());
        let is_held = |attribute| self.groups.contains_key(&attribute) && self.refined(attribute);
        if all && self.clique.attributes().iter().all(|&one| is_held(one) || !self.groups.contains_key(&one)) {
            // Pieces are the model's own groups, perhaps in another order.
            if let Some(held) = self.model.structure().coarse_marginal(&self.clique, &is_held) {
                return Ok(self.in_order(held?));
            }
        }
        self.model.over_boxes(self.filter, cells, |sampling_plan| self.in_box(sampling_plan))
    }

    /// The error bars of the cells, as counts, as [`Model::error_bars`] gives them.
    pub fn error_bars(&self, most_work: f64) -> Result<ErrorBars, ModelError> {
        self.model.error_bars_in(&self.groups, &self.clique, self.filter, most_work)
    }

    fn refined(&self, attribute: AttrId) -> bool {
        self.model.structure().refinement(attribute).is_some()
    }

    /// From the model's numbers of groups to those that are shown.
    fn in_order(&self, mut values: Vec<f64>) -> Vec<f64> {
        let mut shape: Vec<usize> = self.clique.attributes().iter().map(|&one| self.size(one)).collect();
        for (axis, &attribute) in self.clique.attributes().iter().enumerate() {
            let (Some(shown), Some(one)) = (self.grouping(attribute), self.model.structure().refinement(attribute))
            else {
                continue;
            };
            let mut target = vec![Vec::new(); one.grouping.groups() as usize];
            let mut code = 0;
            for (group, len) in one.grouping.runs() {
                target[group as usize] = vec![(shown.group(code) as usize, 1.0)];
                code += len;
            }
            values = mapped(&values, &mut shape, axis, &target, shown.groups() as usize);
        }
        values
    }

    /// The probabilities of the cells given a box of the condition.
    fn in_box(&self, sampling_plan: &SamplingPlan) -> Result<Vec<f64>, ModelError> {
        let all: Vec<AttrId> = self.clique.attributes().to_vec();
        if !matches!(self.model.structure(), Structure::Product(_)) {
            return self.table(sampling_plan, &all);
        }
        // Columns that no rule ties are independent: joint tables of codes need not be made.
        let (tied, free): (Vec<AttrId>, Vec<AttrId>) =
            all.iter().partition(|attribute| self.model.rules().ties(attribute.index()));
        let mut values = self.table(sampling_plan, &tied)?;
        for &attribute in &free {
            let own = self.table(sampling_plan, &[attribute])?;
            values = values.iter().flat_map(|value| own.iter().map(move |own| value * own)).collect();
        }
        let order = [tied, free].concat();
        let shape: Vec<usize> = order.iter().map(|&attribute| self.size(attribute)).collect();
        let places: Vec<usize> = all.iter().filter_map(|one| order.iter().position(|other| other == one)).collect();
        Ok(permuted(&values, &shape, &places))
    }

    /// The joint probabilities of some columns as they are shown.
    fn table(&self, sampling_plan: &SamplingPlan, columns: &[AttrId]) -> Result<Vec<f64>, ModelError> {
        let variables: Vec<Variable> = columns.iter().map(|&column| self.variable(sampling_plan, column)).collect();
        let mut sorted: Vec<usize> = (0..columns.len()).collect();
        sorted.sort_by_key(|&place| variables[place].number);
        let numbers: Vec<usize> = sorted.iter().map(|&place| variables[place].number).collect();
        let values = self.model.structure().marginal_of(sampling_plan, &numbers)?;
        let shape: Vec<usize> = numbers.iter().map(|&number| sampling_plan.sizes[number] as usize).collect();
        let order: Vec<usize> =
            (0..columns.len()).filter_map(|place| sorted.iter().position(|&other| other == place)).collect();
        let mut values = permuted(&values, &shape, &order);
        let mut shape: Vec<usize> = order.iter().map(|&axis| shape[axis]).collect();
        for (axis, (variable, &column)) in variables.iter().zip(columns).enumerate() {
            if let Some(target) = &variable.target {
                values = mapped(&values, &mut shape, axis, target, self.size(column));
            }
        }
        Ok(values)
    }

    /// What a column is shown from: the hidden variable of its groups, or its codes.
    fn variable(&self, sampling_plan: &SamplingPlan, column: AttrId) -> Variable {
        let Some(shown) = self.grouping(column) else { return Variable { number: column.index(), target: None } };
        let draw = sampling_plan.draws.iter().find(|draw| draw.children == [column.index()]);
        let hidden = draw.and_then(|draw| match draw.parents.as_slice() {
            [one] if one.grouping.is_none() && one.variable >= sampling_plan.columns => Some((draw, one.variable)),
            _ => None,
        });
        let Some((draw, number)) = hidden.filter(|_| self.refined(column)) else {
            let target = shown.group_of().iter().map(|&group| vec![(group as usize, 1.0)]).collect();
            return Variable { number: column.index(), target: Some(target) };
        };
        // A code depends on its group alone: a condition may leave pieces of it.
        let target = (0..draw.weights.rows()).map(|row| {
            let (codes, weights) = draw.weights.row(row);
            let total = draw.weights.total(row);
            let mut parts: Vec<(usize, f64)> = Vec::new();
            for (&code, weight) in codes.iter().zip(weights) {
                let piece = shown.group(code) as usize;
                match parts.iter_mut().find(|part| part.0 == piece) {
                    Some(part) => part.1 += weight / total,
                    None => parts.push((piece, weight / total)),
                }
            }
            parts
        });
        Variable { number, target: Some(target.collect()) }
    }
}

/// A variable of a sampling plan, and for each of its codes the cells of the shown column with
/// their shares of it; `None`: they are the same.
struct Variable {
    number: usize,
    target: Option<Vec<Vec<(usize, f64)>>>,
}

/// A table with one axis replaced.
fn mapped(values: &[f64], shape: &mut [usize], axis: usize, target: &[Vec<(usize, f64)>], size: usize) -> Vec<f64> {
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = vec![0.0; values.len() / shape[axis].max(1) * size];
    for (from, to) in values.chunks_exact(shape[axis] * inner).zip(out.chunks_exact_mut(size * inner)) {
        for (from, parts) in from.chunks_exact(inner).zip(target) {
            for &(place, share) in parts {
                let to = &mut to[place * inner..(place + 1) * inner];
                to.iter_mut().zip(from).for_each(|(to, from)| *to += share * from);
            }
        }
    }
    shape[axis] = size;
    out
}
