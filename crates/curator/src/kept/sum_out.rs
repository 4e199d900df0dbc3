//! A table from a wider and finer one.

use lookalike_schema::{Clique, Domain};

use super::refine::CodeMap;

/// The counts of `coarse` from those of `fine`: `maps` says for each column of `coarse` which place
/// in `fine` tells it, and how. Row-major, last column fastest.
pub(super) fn sum_out(
    counts: &[u64],
    fine: &Clique,
    coarse: &Clique,
    maps: &[(usize, CodeMap)],
    domain: &Domain,
) -> Vec<u64> {
    let sizes: Vec<usize> = fine.attributes().iter().map(|&attribute| domain.size(attribute) as usize).collect();
    // What each code of each column adds to the number of the cell.
    let mut steps: Vec<Vec<usize>> = sizes.iter().map(|&size| vec![0; size]).collect();
    let mut stride = 1;
    for (&attribute, (place, map)) in coarse.attributes().iter().zip(maps).rev() {
        steps[*place].iter_mut().zip(map.iter()).for_each(|(step, &code)| *step += code as usize * stride);
        stride *= domain.size(attribute) as usize;
    }
    let mut out = vec![0u64; stride];
    let Some((inner, outer)) = steps.split_last() else {
        out[0] = counts.first().copied().unwrap_or(0);
        return out;
    };
    let mut codes = vec![0; outer.len()];
    for row in counts.chunks(inner.len()) {
        let start: usize = outer.iter().zip(&codes).map(|(steps, &code)| steps[code]).sum();
        // Tables of one engine have the same total, which fits, so no cell of one can overflow
        // where the total does not; where it does, the door refuses the total.
        row.iter().zip(inner).for_each(|(&count, &step)| out[start + step] = out[start + step].saturating_add(count));
        for (code, steps) in codes.iter_mut().zip(outer).rev() {
            *code += 1;
            if *code < steps.len() {
                break;
            }
            *code = 0;
        }
    }
    out
}
