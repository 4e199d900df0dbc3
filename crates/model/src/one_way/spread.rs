//! How the count of a run of codes is spread inside it.

use super::run::{CodeRun, Tail};

/// Inside a run counts are even on this many pieces.
const PIECES: u32 = 16;
/// How fast a tail falls off: as `(1 + x / scale)^-(SHAPE + 1)`, between an exponential and the
/// heaviest tails that have a spread.
const SHAPE: f64 = 3.0;
/// A tail is likely to begin with this share of the density before it.
const START: f64 = 0.8;
/// How far, as a logarithm, its scale is likely to be from the one that follows from that.
const LEANING: f64 = 1.0;
/// Scales that are tried, from this one to the width.
const LEAST_SCALE: f64 = 0.3;
const SCALES: u32 = 60;

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

/// A tail that begins at the first of these codes, beyond a run of this density. How far it reaches
/// is fitted to the noisy counts of its cells, and leans towards going on from that density.
pub(super) fn fall_off(tail: &Tail, density: f64, counts: &mut [f64]) {
    let (count, width) = (tail.run.count, counts.len() as f64);
    if count <= 0.0 {
        return;
    }
    let beyond = |codes: f64, scale: f64| (1.0 + codes / scale).powf(-SHAPE);
    let usual = (SHAPE * count / (START * density).max(f64::MIN_POSITIVE)).clamp(LEAST_SCALE, width);
    let misfit = |scale: f64| {
        let all = 1.0 - beyond(width, scale);
        let cells = tail.cells.iter().map(|(codes, (found, variance))| {
            let expected = count * (beyond(codes.start, scale) - beyond(codes.end, scale)) / all;
            (found - expected).powi(2) / variance
        });
        cells.sum::<f64>() + ((scale / usual).ln() / LEANING).powi(2)
    };
    let scales = (0..=SCALES).map(|step| LEAST_SCALE * (width / LEAST_SCALE).powf(f64::from(step) / f64::from(SCALES)));
    let Some(scale) = scales.min_by(|&a, &b| misfit(a).total_cmp(&misfit(b))) else { return };
    let all = 1.0 - beyond(width, scale);
    let mut piece = 0;
    while piece < counts.len() {
        // Pieces grow with their distance.
        let end = (piece + 1 + piece / 8).min(counts.len());
        let share = (beyond(piece as f64, scale) - beyond(end as f64, scale)) / all;
        counts[piece..end].fill(count * share / (end - piece) as f64);
        piece = end;
    }
}
