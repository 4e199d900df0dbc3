//! The columns as a model holds them: some as they are, some as groups of their values.

use std::sync::Arc;

use lookalike_curator::Curator;
use lookalike_model::{Refinement, Rules, permuted};
use lookalike_schema::{AttrId, Clique, Derived, Domain, Grouping, ImpossibleRule, Schema};

use super::OneWayMarginal;
use crate::MethodError;
use crate::budget::broken_plan;

/// The columns of a model. Attribute `i` of [`domain`](Self::domain) is the schema's column `i`, or
/// its groups; the curator knows groups as derived columns behind the schema's own, and
/// [`asked`](Self::asked) translates.
#[derive(Clone, Debug)]
pub struct Columns {
    domain: Domain,
    rules: Vec<ImpossibleRule>,
    groupings: Vec<Option<Arc<Grouping>>>,
    /// For each column and each coarse level, the attribute that the curator counts.
    attributes: Vec<AttrId>,
    /// For each coarse level, the column that it is of.
    levels: Vec<usize>,
    /// For each attribute, how many of its codes are runs of ordered values, before all others; 0
    /// where they are not.
    pub(super) ordered: Vec<usize>,
}

/// A coarser level of a column: one more attribute of the model, which the column's value decides.
#[derive(Clone, Debug)]
pub struct CoarseLevel {
    /// The column.
    pub column: usize,
    /// The model's attribute that decides it: the column, or a finer level of the same column.
    /// Levels are numbered behind the columns.
    pub from: usize,
    /// The groups of the column's codes as the model has them.
    pub grouping: Grouping,
}

impl Columns {
    /// Every column as it is.
    pub fn plain(schema: &Schema) -> Result<Self, MethodError> {
        Self::new(schema, vec![None; schema.domain().len()], schema.domain().attributes().collect())
    }

    /// Columns as groups where a grouping is given, as the curator's derived columns: free of
    /// charge.
    ///
    /// Groups are split further where an impossible rule tells their values apart (so that nothing
    /// possible is lost and nothing impossible can occur); a grouping that is then no coarser than
    /// the column is dropped.
    ///
    /// # Privacy
    /// Groupings are public or made from answers that were paid for; see [`Curator::derive`].
    pub fn grouped(curator: &mut Curator, groupings: Vec<Option<Grouping>>) -> Result<Self, MethodError> {
        let schema = curator.schema().clone();
        let rules = Rules::new(&schema)?;
        let mut kept: Vec<Option<Arc<Grouping>>> = Vec::with_capacity(groupings.len());
        for (column, grouping) in groupings.into_iter().enumerate() {
            let split = grouping.map(|grouping| rules.split(column, &grouping)).transpose()?;
            kept.push(split.filter(|split| (split.groups() as usize) < split.codes()).map(Arc::new));
        }
        let merged = kept.iter().enumerate().filter_map(|(column, grouping)| Some((column, grouping.clone()?)));
        let derived: Vec<Derived> = merged
            .map(|(column, grouping)| {
                let base = AttrId(column as u32);
                Derived { base, grouping, name: format!("{} (merged)", schema.column(base).name) }
            })
            .collect();
        let mut names = curator.derive(&derived)?.into_iter();
        let own = schema.domain().attributes();
        let attributes = own.zip(&kept).map(|(own, kept)| kept.as_ref().and_then(|_| names.next()).unwrap_or(own));
        let attributes = attributes.collect();
        Self::new(&schema, kept, attributes)
    }

    /// The same without codes that no row seems to have. Where other values are in one group with
    /// them, the weights that spread the group leave them out.
    pub fn without_absent(mut self, ones: &[OneWayMarginal]) -> Self {
        let absent =
            ones.iter().enumerate().flat_map(|(column, one)| one.absent.iter().map(move |&code| (column, code)));
        for (column, code) in absent {
            let group = self.grouping(column).map_or(code as u32, |grouping| grouping.group(code as u32));
            let is_alone = self
                .grouping(column)
                .is_none_or(|grouping| grouping.group_of().iter().filter(|&&own| own == group).count() == 1);
            if is_alone {
                self.rules.push(ImpossibleRule { parts: vec![(AttrId(column as u32), vec![group])] });
            }
        }
        self
    }

    fn new(
        schema: &Schema,
        groupings: Vec<Option<Arc<Grouping>>>,
        attributes: Vec<AttrId>,
    ) -> Result<Self, MethodError> {
        let rules = Rules::coarse(schema, &groupings)?;
        let own = schema.domain();
        let size = |(&size, grouping): (&u32, &Option<Arc<Grouping>>)| {
            grouping.as_ref().map_or(size, |grouping| grouping.groups())
        };
        let domain = Domain::new(own.sizes().iter().zip(&groupings).map(size).collect());
        let runs = |(attribute, grouping): (AttrId, &Option<Arc<Grouping>>)| {
            let codec = schema.codec(attribute);
            let present = if codec.is_ordered() { codec.present() as usize } else { 0 };
            grouping.as_ref().map_or(present, |grouping| ordered_groups(&grouping.group_of(), present))
        };
        let ordered = own.attributes().zip(&groupings).map(runs).collect();
        Ok(Self { domain, rules, groupings, attributes, levels: Vec::new(), ordered })
    }

    /// The same columns with coarse levels behind them: tables of many columns can then be small.
    /// A level says nothing that its column does not say, so rules keep them together, and rows do
    /// not show it.
    ///
    /// # Privacy
    /// As [`grouped`](Self::grouped): free of charge.
    pub fn with_coarse_levels(mut self, curator: &mut Curator, levels: &[CoarseLevel]) -> Result<Self, MethodError> {
        let mut sizes = self.domain.sizes().to_vec();
        let mut derived = Vec::with_capacity(levels.len());
        // The groups of the column's codes, by attribute; columns have none.
        let mut groups: Vec<Option<&Grouping>> = vec![None; sizes.len()];
        for level in levels {
            let base = AttrId(level.column as u32);
            let own = match self.grouping(level.column) {
                None => level.grouping.clone(),
                Some(held) => held.then(&level.grouping).map_err(|_| broken_plan())?,
            };
            let name = format!("{} ({} groups)", curator.schema().column(base).name, own.groups());
            derived.push(Derived { base, grouping: Arc::new(own), name });
            let finer = groups.get(level.from).copied().flatten();
            let (this, from) = (AttrId(sizes.len() as u32), AttrId(level.from as u32));
            for group in 0..level.grouping.groups() {
                let mut others = vec![true; sizes[level.from] as usize];
                for (code, &own) in level.grouping.group_of().iter().enumerate() {
                    let seen = finer.map_or(code, |finer| finer.group_of()[code] as usize);
                    others[seen] &= own != group;
                }
                let codes: Vec<u32> = (0..sizes[level.from]).filter(|&code| others[code as usize]).collect();
                if !codes.is_empty() {
                    self.rules.push(ImpossibleRule { parts: vec![(from, codes), (this, vec![group])] });
                }
            }
            self.ordered.push(ordered_groups(&level.grouping.group_of(), self.ordered[level.column]));
            groups.push(Some(&level.grouping));
            sizes.push(level.grouping.groups());
            self.levels.push(level.column);
        }
        self.attributes.extend(curator.derive(&derived)?);
        self.domain = Domain::new(sizes);
        Ok(self)
    }

    /// The column of each of the model's attributes: a level's is the one that it is of.
    pub fn column_of(&self, attribute: usize) -> usize {
        attribute.checked_sub(self.groupings.len()).map_or(attribute, |level| self.levels[level])
    }

    /// The columns of a clique's attributes.
    pub fn columns_of(&self, clique: &Clique) -> Clique {
        Clique::new(clique.attributes().iter().map(|attribute| AttrId(self.column_of(attribute.index()) as u32)))
    }

    /// How many columns there are, levels not counted.
    pub fn len(&self) -> usize {
        self.groupings.len()
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.groupings.is_empty()
    }

    /// The sizes that the model has: of groups where a column is merged.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// What is impossible, in terms of the groups.
    pub fn rules(&self) -> &[ImpossibleRule] {
        &self.rules
    }

    /// The groups of a column; `None` when it is as it is.
    pub fn grouping(&self, column: usize) -> Option<&Arc<Grouping>> {
        self.groupings[column].as_ref()
    }

    /// The cells of a clique of the model, saturating.
    pub fn cells(&self, clique: &Clique) -> u64 {
        self.domain.cells(clique).unwrap_or(u64::MAX)
    }

    /// Whether every column of the clique is as it is, so that its marginal is one of the schema's
    /// own columns.
    pub fn is_plain(&self, clique: &Clique) -> bool {
        clique.attributes().iter().all(|attribute| matches!(self.groupings.get(attribute.index()), Some(None)))
    }

    /// The clique of the curator's columns that counts a clique of the model.
    pub fn asked(&self, clique: &Clique) -> Clique {
        Clique::new(clique.attributes().iter().map(|attribute| self.attributes[attribute.index()]))
    }

    /// Cells of a clique of the model in the order in which the curator has them. Derived columns
    /// come last there.
    pub fn to_asked(&self, clique: &Clique, cells: Vec<f64>) -> Vec<f64> {
        permuted(&cells, &self.shape(clique), &self.order(clique))
    }

    /// The curator's cells of a clique in the order of the model's.
    pub fn from_asked(&self, clique: &Clique, cells: Vec<f64>) -> Vec<f64> {
        let (order, shape) = (self.order(clique), self.shape(clique));
        let asked: Vec<usize> = order.iter().map(|&axis| shape[axis]).collect();
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
        permuted(&cells, &asked, &back)
    }

    /// Sums of a column's own values by its groups.
    pub fn group_sums(&self, column: usize, values: &[f64]) -> Vec<f64> {
        let Some(grouping) = self.grouping(column) else { return values.to_vec() };
        let mut sums = vec![0.0; grouping.groups() as usize];
        values.iter().zip(grouping.group_of().iter()).for_each(|(value, &group)| sums[group as usize] += value);
        sums
    }

    /// How a model spreads groups over values again: in the proportions of `weights`, one list a
    /// column.
    pub fn refinements(&self, weights: &[Vec<f64>]) -> Vec<Option<Refinement>> {
        let refine = |(grouping, weights): (&Option<Arc<Grouping>>, &Vec<f64>)| {
            grouping.clone().map(|grouping| Refinement { grouping, weights: weights.clone() })
        };
        self.groupings.iter().zip(weights).map(refine).collect()
    }

    /// For each axis of the curator's clique, the model's axis.
    fn order(&self, clique: &Clique) -> Vec<usize> {
        let mut order: Vec<usize> = (0..clique.len()).collect();
        order.sort_by_key(|&axis| self.attributes[clique.attributes()[axis].index()]);
        order
    }

    fn shape(&self, clique: &Clique) -> Vec<usize> {
        self.domain.shape(clique).iter().map(|&size| size as usize).collect()
    }
}

/// How many groups the first `present` codes are, where these are runs; else none.
fn ordered_groups(group_of: &[u32], present: usize) -> usize {
    let runs = &group_of[..present];
    if runs.is_sorted() { runs.last().map_or(0, |&last| last as usize + 1) } else { 0 }
}
