//! Marginals of a product of columns.

use lookalike_schema::{Clique, Domain};

use crate::{ModelError, Rules, impossible::Group, product::Product};

/// Larger answers are refused: 2^27 cells are one gibibyte.
const MAX_CELLS: u64 = 1 << 27;

/// A dense table over some axes of the answer.
struct Part {
    /// For each axis of the answer, this part's stride; 0 when the part does not depend on it.
    strides: Vec<usize>,
    values: Vec<f64>,
}

/// The number of cells of an answer. Refuses columns that the model lacks, and answers that are too
/// large.
pub(crate) fn cells(domain: &Domain, clique: &Clique) -> Result<usize, ModelError> {
    if clique.attributes().iter().any(|attribute| attribute.index() >= domain.len()) {
        return Err(ModelError::shape("a marginal was asked of a column that the model lacks"));
    }
    match domain.cells(clique) {
        Some(cells) if cells <= MAX_CELLS => Ok(cells as usize),
        _ => Err(ModelError::shape("the marginal has more than 134,217,728 cells; ask for fewer columns")),
    }
}

pub(crate) fn of_product(
    product: &Product,
    rules: &Rules,
    domain: &Domain,
    clique: &Clique,
) -> Result<Vec<f64>, ModelError> {
    let cells = cells(domain, clique)?;
    let axes: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
    let shape: Vec<usize> = domain.shape(clique).iter().map(|&size| size as usize).collect();
    let mut tied = vec![false; axes.len()];
    let mut parts = Vec::new();
    for group in rules.groups() {
        if let Some(part) = group_part(group, product, &axes, &shape, &mut tied)? {
            parts.push(part);
        }
    }
    for (axis, &attribute) in axes.iter().enumerate().filter(|(axis, _)| !tied[*axis]) {
        let mut strides = vec![0; axes.len()];
        strides[axis] = 1;
        parts.push(Part { strides, values: product.columns()[attribute].clone() });
    }
    let mut answer = vec![1.0; cells];
    parts.iter().for_each(|part| multiply(&mut answer, &shape, part));
    Ok(answer)
}

/// The joint table of the clique's columns that lie in the group: the columns' own probabilities
/// within their classes, times the probability of the classes among possible rows.
fn group_part(
    group: &Group,
    product: &Product,
    axes: &[usize],
    shape: &[usize],
    tied: &mut [bool],
) -> Result<Option<Part>, ModelError> {
    let axis_of = |attribute: usize| axes.iter().position(|&axis| axis == attribute);
    let layers: Vec<Option<usize>> = group.columns.iter().map(|column| axis_of(column.attribute)).collect();
    if layers.iter().all(Option::is_none) {
        return Ok(None);
    }
    let keep: Vec<bool> = layers.iter().map(Option::is_some).collect();
    let classes = group
        .class_marginal(product.columns(), &keep)
        .ok_or_else(|| ModelError::shape("the weights leave no possible row"))?;
    let masses = group.class_masses(product.columns());
    // Row-major over the group's own axes, in layer order; every cell starts from its class.
    let kept: Vec<usize> = (0..layers.len()).filter(|&j| keep[j]).collect();
    let mut cells = vec![(0usize, 1.0f64)];
    let mut strides = vec![0; axes.len()];
    for &j in &kept {
        let column = &group.columns[j];
        let size = product.columns()[column.attribute].len();
        let mut place = vec![None; size];
        for (class, codes) in column.classes.iter().enumerate() {
            for &code in codes.iter().filter(|_| masses[j][class] > 0.0) {
                let inside = product.columns()[column.attribute][code as usize] / masses[j][class];
                place[code as usize] = Some((class, inside));
            }
        }
        let width = column.classes.len();
        cells = cells
            .iter()
            .flat_map(|&(cell, value)| {
                place.iter().map(move |slot| match slot {
                    Some((class, inside)) => (cell * width + class, value * inside),
                    None => (cell * width, 0.0),
                })
            })
            .collect();
        let axis = axis_of(column.attribute).unwrap_or(0);
        tied[axis] = true;
        for &earlier in kept.iter().take_while(|&&other| other != j) {
            strides[axis_of(group.columns[earlier].attribute).unwrap_or(0)] *= shape[axis];
        }
        strides[axis] = 1;
    }
    let values = cells.into_iter().map(|(cell, value)| value * classes[cell]).collect();
    Ok(Some(Part { strides, values }))
}

/// Multiplies the answer by a part, cell by cell, with a counter that steps through the shape.
fn multiply(answer: &mut [f64], shape: &[usize], part: &Part) {
    let mut digits = vec![0usize; shape.len()];
    let mut place = 0usize;
    for cell in answer {
        *cell *= part.values[place];
        for axis in (0..shape.len()).rev() {
            digits[axis] += 1;
            place += part.strides[axis];
            if digits[axis] < shape[axis] {
                break;
            }
            place -= part.strides[axis] * shape[axis];
            digits[axis] = 0;
        }
    }
}
