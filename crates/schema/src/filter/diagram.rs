//! From a formula to boxes that do not overlap: a decision diagram, one column after the other.
//!
//! Of each column only the classes matter: codes that no comparison tells apart. A formula in which
//! a column's class has been put in is simplified; equal ones share a node, and classes that lead
//! to the same node share an edge. Every path to "true" is a box, and paths part at some column, so
//! boxes do not overlap. The direct way, `a or b` as `a` and `b without a`, makes many more boxes
//! on the way than there are in the end.

use std::collections::HashMap;

use super::code_box::CodeBox;
use super::formula::{CodeSet, Formula};
use super::lex::fault;
use crate::{AttrId, SchemaError};

const MOST_BOXES: u64 = 1_000;
/// The most codes that all boxes together may list.
const MOST_LISTED: usize = 1 << 25;
/// A bound on the work: pieces of formulas looked at.
const MOST_WORK: usize = 4_000_000;

const NO: usize = 0;
const YES: usize = 1;

/// One column of the diagram.
struct DiagramColumn {
    attribute: AttrId,
    /// The codes of each class, ascending.
    classes: Vec<Vec<u32>>,
}

struct Diagram<'a> {
    comparisons: &'a [CodeSet],
    columns: Vec<DiagramColumn>,
    /// The column of each comparison.
    column_of: Vec<usize>,
    /// The first two nodes are no and yes.
    nodes: Vec<DiagramNode>,
    found: HashMap<Formula, usize>,
    known: HashMap<DiagramNode, usize>,
    work: usize,
}

/// A column, and edges: the node they lead to and the classes that take them.
type DiagramNode = (usize, Vec<(usize, Vec<usize>)>);

/// The boxes of a formula over columns of these sizes.
pub(super) fn boxes(
    formula: &Formula,
    comparisons: &[CodeSet],
    size: &dyn Fn(AttrId) -> u32,
) -> Result<Vec<CodeBox>, SchemaError> {
    let mut diagram = Diagram::new(comparisons, size);
    let root = diagram.node(formula)?;
    // Nodes come after those that they lead to.
    let mut paths = vec![0u64, 1];
    for (_, edges) in &diagram.nodes[2..] {
        paths.push(edges.iter().fold(0u64, |sum, (to, _)| sum.saturating_add(paths[*to])));
    }
    if paths[root] > MOST_BOXES {
        return Err(too_much(format!("the condition falls into more than {MOST_BOXES} separate parts")));
    }
    let mut boxes = Vec::with_capacity(paths[root] as usize);
    let mut listed = 0;
    diagram.walk(root, &mut Vec::new(), &mut boxes, &mut listed)?;
    Ok(boxes)
}

fn too_much(what: impl Into<String>) -> SchemaError {
    fault("", 0, 0, what, "ask for its parts one by one")
}

impl<'a> Diagram<'a> {
    fn new(comparisons: &'a [CodeSet], size: &dyn Fn(AttrId) -> u32) -> Self {
        // In the order of the text, where what belongs together mostly stands together.
        let mut columns: Vec<DiagramColumn> = Vec::new();
        let mut place: HashMap<AttrId, usize> = HashMap::new();
        let mut column_of = Vec::with_capacity(comparisons.len());
        for comparison in comparisons {
            let column = *place.entry(comparison.attribute).or_insert_with(|| {
                columns.push(DiagramColumn { attribute: comparison.attribute, classes: Vec::new() });
                columns.len() - 1
            });
            column_of.push(column);
        }
        for column in &mut columns {
            let about = comparisons.iter().filter(|comparison| comparison.attribute == column.attribute);
            column.classes = classes(about, size(column.attribute));
        }
        let nodes = vec![(0, vec![]); 2];
        Self { comparisons, columns, column_of, nodes, found: HashMap::new(), known: HashMap::new(), work: 0 }
    }

    fn node(&mut self, formula: &Formula) -> Result<usize, SchemaError> {
        if let Formula::Constant(value) = formula {
            return Ok(if *value { YES } else { NO });
        }
        if let Some(&node) = self.found.get(formula) {
            return Ok(node);
        }
        let (mut column, mut size) = (usize::MAX, 0);
        formula.each_comparison(&mut |comparison| {
            column = column.min(self.column_of[comparison]);
            size += 1;
        });
        let mut edges: Vec<(usize, Vec<usize>)> = Vec::new();
        for class in 0..self.columns[column].classes.len() {
            self.work += size;
            if self.work > MOST_WORK {
                return Err(too_much("the condition is too tangled to be worked out"));
            }
            let code = self.columns[column].classes[class][0];
            let (column_of, comparisons) = (&self.column_of, self.comparisons);
            let truth = |comparison: usize| {
                (column_of[comparison] == column).then(|| comparisons[comparison].codes.binary_search(&code).is_ok())
            };
            let child = self.node(&formula.given(&truth))?;
            match edges.iter_mut().find(|(to, _)| *to == child) {
                Some((_, classes)) => classes.push(class),
                None => edges.push((child, vec![class])),
            }
        }
        let node = match edges.as_slice() {
            [(only, _)] => *only,
            _ => {
                let node = (column, edges);
                let nodes = &mut self.nodes;
                *self.known.entry(node).or_insert_with_key(|node| {
                    nodes.push(node.clone());
                    nodes.len() - 1
                })
            }
        };
        self.found.insert(formula.clone(), node);
        Ok(node)
    }

    fn walk(
        &self,
        node: usize,
        above: &mut Vec<(AttrId, Vec<u32>)>,
        boxes: &mut Vec<CodeBox>,
        listed: &mut usize,
    ) -> Result<(), SchemaError> {
        if node == NO {
            return Ok(());
        }
        if node == YES {
            *listed += above.iter().map(|part| part.1.len()).sum::<usize>();
            if *listed > MOST_LISTED {
                return Err(too_much("the condition's parts list too many codes"));
            }
            let mut parts = above.clone();
            parts.sort_unstable_by_key(|part| part.0);
            boxes.push(CodeBox { parts });
            return Ok(());
        }
        let (column, edges) = &self.nodes[node];
        let DiagramColumn { attribute, classes } = &self.columns[*column];
        for (child, taken) in edges.iter().filter(|(child, _)| *child != NO) {
            let mut codes: Vec<u32> = taken.iter().flat_map(|&class| classes[class].iter().copied()).collect();
            codes.sort_unstable();
            above.push((*attribute, codes));
            self.walk(*child, above, boxes, listed)?;
            above.pop();
        }
        Ok(())
    }
}

/// The codes of a column, put together where no comparison tells them apart.
fn classes<'a>(comparisons: impl Iterator<Item = &'a CodeSet>, size: u32) -> Vec<Vec<u32>> {
    let mut class_of = vec![0usize; size as usize];
    let mut count = 1;
    for comparison in comparisons {
        let mut moved: HashMap<usize, usize> = HashMap::new();
        for &code in &comparison.codes {
            let class = &mut class_of[code as usize];
            *class = *moved.entry(*class).or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
    }
    let mut classes: Vec<Vec<u32>> = Vec::new();
    let mut number: HashMap<usize, usize> = HashMap::new();
    for (code, class) in class_of.into_iter().enumerate() {
        let place = *number.entry(class).or_insert_with(|| {
            classes.push(Vec::new());
            classes.len() - 1
        });
        classes[place].push(code as u32);
    }
    classes
}
