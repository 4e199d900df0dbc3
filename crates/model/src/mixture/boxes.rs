//! Which codes each component may use, so that no component reaches an impossible row.
//!
//! A component is a product, so its rows fill a box. A rule is kept exactly if the box leaves out
//! one of the rule's parts. For each component a possible row is drawn, and for each rule one of
//! the parts that the row does not meet is left out: the box holds that row, so it is never empty,
//! whatever the rules are. Many components together cover the possible rows.

use lookalike_schema::{Domain, ImpossibleRule};

use crate::impossible::{LayerEdge, Rules};
use crate::{ModelError, SampleRng};

/// For each component and column, the codes that are left out: `(component, attribute, code)` are
/// set in `closed`.
pub(super) struct Boxes {
    /// First code of each column among all codes.
    pub starts: Vec<usize>,
    /// Codes of all columns together.
    pub codes: usize,
    /// `[component][code]`.
    pub closed: Vec<bool>,
}

impl Boxes {
    /// Draws a box for each component. `bases` are each column's rough probabilities, all positive:
    /// boxes are drawn around rows as the columns have them.
    pub fn draw(
        domain: &Domain,
        rules: &[ImpossibleRule],
        bases: &[Vec<f64>],
        components: usize,
        rng: &mut SampleRng,
    ) -> Result<Self, ModelError> {
        let prepared = Rules::from_parts(domain.sizes(), rules)?;
        let mut starts = vec![0];
        starts.extend(domain.sizes().iter().scan(0, |sum, &size| {
            *sum += size as usize;
            Some(*sum)
        }));
        let codes = starts.pop().unwrap_or(0);
        let mut closed = vec![false; components * codes];
        for closed in closed.chunks_exact_mut(codes.max(1)) {
            for (attribute, &size) in domain.sizes().iter().enumerate() {
                for code in (0..size as usize).filter(|&code| !prepared.allows(attribute, code)) {
                    closed[starts[attribute] + code] = true;
                }
            }
            if !prepared.groups().is_empty() {
                let row = possible_row(&prepared, bases, rng);
                close_rules(rules, &starts, &row, closed, rng);
            }
        }
        Ok(Self { starts, codes, closed })
    }
}

/// A row of the tied columns, drawn along the groups' graphs; other columns are left at 0.
fn possible_row(rules: &Rules, bases: &[Vec<f64>], rng: &mut SampleRng) -> Vec<Option<u32>> {
    let mut row = vec![None; bases.len()];
    for group in rules.groups() {
        let masses = group.class_masses(bases);
        // Bases are positive everywhere, so there is a way through; without one all edges would
        // weigh the same.
        let ends = group.to_end(&masses);
        let mut node = 0;
        for (layer, column) in group.columns.iter().enumerate() {
            let edges = &group.layers[layer][node];
            let weight = |edge: &LayerEdge| {
                ends.as_ref()
                    .map_or(1.0, |ends| masses[layer][edge.class as usize] * ends[layer + 1][edge.next as usize])
            };
            let edge = edges[pick(edges.iter().map(weight), rng)];
            let codes = &column.classes[edge.class as usize];
            let code = pick(codes.iter().map(|&code| bases[column.attribute][code as usize]), rng);
            row[column.attribute] = Some(codes[code]);
            node = edge.next as usize;
        }
    }
    row
}

/// A place drawn by weight; the last one with weight when rounding leaves none.
fn pick(weights: impl Iterator<Item = f64> + Clone, rng: &mut SampleRng) -> usize {
    let mut left = weights.clone().sum::<f64>() * rng.uniform();
    let mut last = 0;
    for (place, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = place;
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// Leaves out one part of every rule that is not left out already.
fn close_rules(
    rules: &[ImpossibleRule],
    starts: &[usize],
    row: &[Option<u32>],
    closed: &mut [bool],
    rng: &mut SampleRng,
) {
    for rule in rules {
        let all_closed = |part: &(lookalike_schema::AttrId, Vec<u32>)| {
            part.1.iter().all(|&code| closed[starts[part.0.index()] + code as usize])
        };
        if rule.parts.iter().any(all_closed) {
            continue;
        }
        // A part that covers its whole column, or a column that nothing ties, is met by every row.
        let unmet = |part: &&(lookalike_schema::AttrId, Vec<u32>)| {
            row[part.0.index()].is_some_and(|code| !part.1.contains(&code))
        };
        let open: Vec<_> = rule.parts.iter().filter(unmet).collect();
        if let Some((attribute, codes)) = open.get(pick(open.iter().map(|_| 1.0), rng)) {
            codes.iter().for_each(|&code| closed[starts[attribute.index()] + code as usize] = true);
        }
    }
}
