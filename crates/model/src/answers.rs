//! The noisy tables that a model was made from, in terms of the schema's own columns.
//!
//! A model file keeps them, so that whoever asks the model a question can be told what was really
//! answered, and not only what the fit made of it: a fit cannot be negative, spreads groups over
//! their values, and fills in what nobody measured.

use std::collections::HashMap;
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Domain, Grouping, View};

use crate::pgm::factor::layout::{shape, strides};
use crate::{ModelError, refuse_if};

/// Noisy counts over some columns, or over groups of their codes.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptAnswer {
    axes: Vec<AnswerAxis>,
    values: Vec<f64>,
    variance: f64,
}

/// A column of a noisy table.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerAxis {
    /// The schema's column.
    pub column: AttrId,
    /// The groups of its codes that were counted; `None`: the codes themselves. Groups are numbered
    /// in the order of their first codes.
    pub grouping: Option<Arc<Grouping>>,
}

impl KeptAnswer {
    /// A table as it lies in a file: one axis a column, ascending, row-major values.
    pub(crate) fn stored(
        domain: &Domain,
        axes: Vec<AnswerAxis>,
        values: Vec<f64>,
        variance: f64,
    ) -> Result<Self, ModelError> {
        let ascending = axes.windows(2).all(|pair| pair[0].column < pair[1].column);
        let known = axes.iter().all(|axis| axis.column.index() < domain.len());
        refuse_if(!ascending || !known, "the columns of a noisy table do not ascend, or there are none such")?;
        let fits = |axis: &AnswerAxis| {
            axis.grouping.as_ref().is_none_or(|one| one.codes() == domain.size(axis.column) as usize)
        };
        refuse_if(!axes.iter().all(fits), "the groups of a noisy table do not fit its column")?;
        let cells = axes.iter().try_fold(1usize, |cells, axis| cells.checked_mul(axis.size(domain)));
        let misfit = cells != Some(values.len()) || values.iter().any(|value| !value.is_finite());
        refuse_if(misfit, "a noisy table has other cells than its columns")?;
        let unsound = !(variance >= 0.0 && variance.is_finite());
        refuse_if(unsound, "the variance of a noisy table is not 0 or a positive number")?;
        Ok(Self { axes, values, variance })
    }

    /// A table of the schema's own columns.
    pub fn plain(domain: &Domain, clique: &Clique, values: Vec<f64>, variance: f64) -> Result<Self, ModelError> {
        let axes = clique.attributes().iter().map(|&column| AnswerAxis { column, grouping: None }).collect();
        Self::stored(domain, axes, values, variance)
    }

    /// A table as the curator answers it: over the schema's own columns and derived ones. Several
    /// columns that are derived from the same one (its bits, say) become one axis; their
    /// combinations that no code has are noise alone, and are left out.
    pub fn of_view(view: &View, clique: &Clique, values: &[f64], variance: f64) -> Result<Self, ModelError> {
        let steps = strides(&shape(view.domain(), clique));
        // For each of the schema's columns the attributes that speak of it, and where their codes
        // lie.
        let mut members: Vec<(AttrId, Vec<DerivedAxis>)> = Vec::new();
        for (&attribute, &step) in clique.attributes().iter().zip(&steps) {
            let derived = attribute.index().checked_sub(view.own()).map(|place| &view.derived()[place]);
            let base = derived.map_or(attribute, |derived| derived.base);
            let member = DerivedAxis { grouping: derived.map(|derived| derived.grouping.as_ref()), step };
            match members.iter_mut().find(|(column, _)| *column == base) {
                Some((_, list)) => list.push(member),
                None => members.push((base, vec![member])),
            }
        }
        members.sort_by_key(|(column, _)| *column);
        let mut axes = Vec::with_capacity(members.len());
        let mut places = vec![0usize];
        for (column, list) in &members {
            let codes = view.domain().size(*column);
            let (grouping, offsets) = joint(list, codes)?;
            places = places.iter().flat_map(|place| offsets.iter().map(move |offset| place + offset)).collect();
            axes.push(AnswerAxis { column: *column, grouping });
        }
        let picked = places.iter().map(|&place| values.get(place).copied()).collect::<Option<Vec<f64>>>();
        let picked = picked.ok_or_else(|| ModelError::shape("a noisy table has fewer cells than its columns"))?;
        let own = Domain::new(view.domain().sizes()[..view.own()].to_vec());
        Self::stored(&own, axes, picked, variance)
    }

    /// The columns, ascending; the last varies fastest.
    pub fn axes(&self) -> &[AnswerAxis] {
        &self.axes
    }

    /// The noisy counts, row-major. May be negative.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The noise variance of each value; 0 for a public count.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The columns.
    pub fn columns(&self) -> Clique {
        Clique::new(self.axes.iter().map(|axis| axis.column))
    }

    /// Whether some column is in groups of its codes.
    pub fn is_grouped(&self) -> bool {
        self.axes.iter().any(|axis| axis.grouping.is_some())
    }
}

impl AnswerAxis {
    /// The number of codes or groups.
    pub fn size(&self, domain: &Domain) -> usize {
        self.grouping.as_ref().map_or(domain.size(self.column), |grouping| grouping.groups()) as usize
    }
}

/// One attribute of a clique: how it groups the codes of its column, and how far apart its own
/// codes lie.
struct DerivedAxis<'a> {
    grouping: Option<&'a Grouping>,
    step: usize,
}

/// What several attributes say of one column together: the groups of its codes that they tell
/// apart, and for each group where its cells lie.
fn joint(members: &[DerivedAxis], codes: u32) -> Result<(Option<Arc<Grouping>>, Vec<usize>), ModelError> {
    let mut groups: HashMap<usize, u32> = HashMap::new();
    let mut offsets = Vec::new();
    let mut group_of = Vec::with_capacity(codes as usize);
    for code in 0..codes {
        let seen = |member: &DerivedAxis| member.grouping.map_or(code, |grouping| grouping.group(code)) as usize;
        let offset = members.iter().map(|member| seen(member) * member.step).sum();
        let group = *groups.entry(offset).or_insert_with(|| {
            offsets.push(offset);
            offsets.len() as u32 - 1
        });
        group_of.push(group);
    }
    if offsets.len() == codes as usize {
        return Ok((None, offsets));
    }
    let grouping = Grouping::new(group_of).map_err(|error| ModelError::shape(error.to_string()))?;
    Ok((Some(Arc::new(grouping)), offsets))
}

#[cfg(test)]
mod tests {
    use lookalike_schema::{Derived, Schema};

    use super::*;

    fn view() -> View {
        let columns = "[columns.a]\ntype = 'integer'\nrange = [0, 2]\n[columns.b]\ntype = 'integer'\nrange = [0, 1]\n";
        View::new(&Schema::parse(columns, "test").unwrap())
    }

    fn derive(view: &mut View, base: u32, groups: &[u32]) -> AttrId {
        let grouping = Arc::new(Grouping::new(groups.to_vec()).unwrap());
        view.derive(&[Derived { base: AttrId(base), grouping, name: "derived".into() }]).unwrap()[0]
    }

    #[test]
    fn groups_come_back_to_their_column_in_its_place() {
        let mut view = view();
        let coarse = derive(&mut view, 0, &[1, 0, 1]);
        // b comes first for the curator, and the groups of a are numbered the other way round.
        let clique = Clique::new([AttrId(1), coarse]);
        let table = KeptAnswer::of_view(&view, &clique, &[1.0, 2.0, 3.0, 4.0], 5.0).unwrap();
        assert_eq!(table.columns(), Clique::new([AttrId(0), AttrId(1)]));
        assert_eq!(*table.axes()[0].grouping.as_ref().unwrap().group_of(), [0, 1, 0]);
        assert_eq!(table.values(), [2.0, 4.0, 1.0, 3.0]);
    }

    #[test]
    fn bits_of_one_column_are_one_axis() {
        let mut view = view();
        let (high, low) = (derive(&mut view, 0, &[0, 0, 1]), derive(&mut view, 0, &[0, 1, 0]));
        let table = KeptAnswer::of_view(&view, &Clique::new([high, low]), &[1.0, 2.0, 3.0, 4.0], 5.0).unwrap();
        assert_eq!((table.axes().len(), table.is_grouped()), (1, false));
        assert_eq!(table.values(), [1.0, 2.0, 3.0], "no code has both bits");
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let view = view();
        let own = view.domain();
        let clique = Clique::new([AttrId(0), AttrId(1)]);
        assert!(KeptAnswer::plain(own, &clique, vec![0.0; 6], 1.0).is_ok());
        assert!(KeptAnswer::plain(own, &clique, vec![0.0; 5], 1.0).is_err());
        assert!(KeptAnswer::plain(own, &clique, vec![0.0; 6], f64::NAN).is_err());
        assert!(KeptAnswer::plain(own, &clique, vec![f64::NAN; 6], 1.0).is_err());
        assert!(KeptAnswer::plain(own, &Clique::new([AttrId(7)]), vec![0.0], 1.0).is_err());
        assert!(KeptAnswer::of_view(&view, &clique, &[0.0], 1.0).is_err());
    }
}
