//! How the count of a run of codes is spread inside it.

use super::run::CodeRun;

/// Inside a run counts are even on this many pieces.
const PIECES: u32 = 16;

/// Spreads a run's count between neighbours of these densities: sloping where they lie on both
/// sides of its own, else even.
pub(super) fn spread(run: &CodeRun, before: f64, after: f64, counts: &mut [f64]) {
    let codes = run.codes.start as usize..run.codes.end as usize;
    let own = run.density();
    if (before - own) * (own - after) <= 0.0 {
        counts[codes].fill(own);
        return;
    }
    let half = |density: f64| 0.5 * (density / own).max(1e-4).ln();
    let (first, last) = (half(before), half(after));
    let edges: Vec<u32> =
        (0..=PIECES).map(|piece| run.codes.start + piece * (run.codes.end - run.codes.start) / PIECES).collect();
    let weight = |piece: usize| (first + (last - first) * (piece as f64 + 0.5) / f64::from(PIECES)).exp();
    let width = |piece: usize| f64::from(edges[piece + 1] - edges[piece]);
    let sum: f64 = (0..PIECES as usize).map(|piece| weight(piece) * width(piece)).sum();
    for piece in 0..PIECES as usize {
        counts[edges[piece] as usize..edges[piece + 1] as usize].fill(run.count * weight(piece) / sum);
    }
}
