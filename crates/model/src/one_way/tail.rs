//! What lies beyond the last codes that stand out: a curve fitted to noisy counts on both sides of
//! that place.
//!
//! Far out, most columns fall off as a generalized Pareto distribution does: bounded, exponential
//! or long. Members of that family on a grid are weighed by how well they fit the cells of the
//! outer part of the column, from well inside the last codes that stand out to the end of the
//! range. The member in the middle by the spread that it gives is taken, so that the spread is as
//! often too large as too small. It ends where less than a row is left.

use std::ops::Range;

/// Shapes that are tried: how heavy a tail is. 0 is an exponential, -1 ends as if cut.
const SHAPES: Range<i32> = -10..10;
const SHAPE_STEP: f64 = 0.1;
/// A shape is likely to be about this one, give or take this much.
const SHAPE: f64 = 0.25;
const SHAPE_DEVIATION: f64 = 0.3;
/// Scales that are tried, between the narrowest cell and the widest reach.
const SCALES: i32 = 40;
/// How far a column is likely to be from the curve, as a share of a cell's count.
const MISFIT: f64 = 0.25;
/// Cells are taken together until they reach this many times as far as they begin.
const GROWTH: f64 = 1.5;
/// A curve ends where this many rows are left.
const REACH: f64 = 0.4;
/// Its parts, between the place where it begins to be drawn and its reach.
const PARTS: i32 = 24;

/// A noisy count of what lies so far out.
#[derive(Clone, Debug)]
pub(super) struct OuterCell {
    pub away: Range<f64>,
    pub count: f64,
    pub variance: f64,
}

/// A curve of the family, with its count of rows beyond 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    rows: f64,
    shape: f64,
    scale: f64,
    /// Nobody is beyond.
    end: f64,
}

impl Curve {
    /// The curve of these cells, which lie in a row from 0 on, and of what is drawn of it beyond
    /// `from`; `middle` is how far the column's middle lies before 0.
    pub fn fit(cells: &[OuterCell], from: f64, middle: f64) -> Option<Self> {
        let cells = joined(cells);
        let (first, width) = (cells.first()?.away.end, cells.last()?.away.end);
        let (least, most) = ((0.1 * first).max(1e-9 * width), 2.0 * width);
        if width <= 0.0 {
            return None;
        }
        let mut members = Vec::new();
        for shape in SHAPES {
            let shape = SHAPE_STEP * f64::from(shape);
            let unlikely = ((shape - SHAPE) / SHAPE_DEVIATION).powi(2);
            for step in 0..=SCALES {
                let scale = least * (most / least).powf(f64::from(step) / f64::from(SCALES));
                let curve = Self { rows: 1.0, shape, scale, end: width };
                let (rows, misfit) = curve.weighed(&cells);
                let curve = Self { rows, ..curve };
                let curve = Self { end: curve.reach(), ..curve };
                members.push((curve.square(from, middle), misfit + unlikely, curve));
            }
        }
        let best = members.iter().map(|member| member.1).fold(f64::INFINITY, f64::min);
        members.sort_by(|a, b| a.0.total_cmp(&b.0));
        let weight = |member: &(f64, f64, Self)| (-0.5 * (member.1 - best)).exp();
        let half = 0.5 * members.iter().map(weight).sum::<f64>();
        let mut sum = 0.0;
        let middle = members.iter().find(|member| {
            sum += weight(member);
            sum >= half
        });
        middle.map(|member| member.2)
    }

    /// The share of rows that lie beyond, before the curve ends.
    fn beyond(&self, away: f64) -> f64 {
        if self.shape.abs() < 0.5 * SHAPE_STEP {
            return (-away / self.scale).exp();
        }
        (1.0 + self.shape * away / self.scale).max(0.0).powf(-1.0 / self.shape)
    }

    /// How many rows it has there.
    pub fn rows(&self, away: Range<f64>) -> f64 {
        let beyond = |away: f64| self.beyond(away.min(self.end));
        self.rows * (beyond(away.start) - beyond(away.end))
    }

    /// The row count that suits the cells best, and how far they are from the curve then.
    fn weighed(&self, cells: &[OuterCell]) -> (f64, f64) {
        let variance = |cell: &OuterCell| cell.variance + (MISFIT * cell.count.max(0.0)).powi(2);
        let share = |cell: &OuterCell| self.rows(cell.away.clone());
        let (mut product, mut square) = (0.0, 0.0);
        for cell in cells {
            product += share(cell) * cell.count / variance(cell);
            square += share(cell).powi(2) / variance(cell);
        }
        let rows = (product / square.max(f64::MIN_POSITIVE)).max(0.0);
        let far = |cell: &OuterCell| (cell.count - rows * share(cell)).powi(2) / variance(cell);
        (rows, cells.iter().map(far).sum())
    }

    /// Where it ends: where few rows are left.
    fn reach(&self) -> f64 {
        let left = |away: f64| self.rows * self.beyond(away);
        let (mut near, mut far) = (0.0, self.end);
        for _ in 0..if left(far) < REACH { 40 } else { 0 } {
            let away = 0.5 * (near + far);
            if left(away) < REACH { far = away } else { near = away }
        }
        far
    }

    /// What the part beyond `from` adds to the column's spread.
    fn square(&self, from: f64, middle: f64) -> f64 {
        let (width, mut sum) = (self.end - from, 0.0);
        if width <= 0.0 {
            return 0.0;
        }
        // Parts grow with their distance.
        let edge = |part: i32| from + width * ((f64::from(part) / f64::from(PARTS)).powi(2));
        for part in 0..PARTS {
            let away = edge(part)..edge(part + 1);
            sum += (middle + 0.5 * (away.start + away.end)).powi(2) * self.rows(away);
        }
        sum
    }
}

/// Neighbours taken together, so that cells are about as wide as they are far.
fn joined(cells: &[OuterCell]) -> Vec<OuterCell> {
    let mut joined: Vec<OuterCell> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(last) if cell.away.end <= GROWTH * last.away.start => {
                last.away.end = cell.away.end;
                last.count += cell.count;
                last.variance += cell.variance;
            }
            _ => joined.push(cell.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: impl Fn(Range<f64>) -> f64) -> Vec<OuterCell> {
        let cell = |step: i32| {
            let away = f64::from(step * step)..f64::from((step + 1) * (step + 1));
            OuterCell { count: rows(away.clone()), away, variance: 4.0 }
        };
        (0..40).map(cell).collect()
    }

    /// Exponential, long and bounded: what is fitted to exact counts up to any place has the right
    /// count beyond it.
    #[test]
    fn exact_counts_give_the_curve_again() {
        let beyond: [fn(f64) -> f64; 3] =
            [|away| (-away / 60.0).exp(), |away| (1.0 + away / 120.0).powi(-3), |away| (1.0 - away / 400.0).max(0.0)];
        for (number, beyond) in beyond.into_iter().enumerate() {
            let cells = cells(|away| 2000.0 * (beyond(away.start) - beyond(away.end)));
            let curve = Curve::fit(&cells, 100.0, 0.0).unwrap();
            for from in [100.0, 200.0] {
                let (found, truth) = (curve.rows(from..f64::INFINITY), 2000.0 * beyond(from));
                assert!((found / truth - 1.0).abs() < 0.3, "{number} from {from}: {found} and not {truth}");
            }
        }
    }

    #[test]
    fn nobody_is_beyond_the_last_row() {
        let curve = Curve::fit(&cells(|away| 500.0 * ((-away.start / 9.0).exp() - (-away.end / 9.0).exp())), 0.0, 0.0);
        let curve = curve.unwrap();
        assert!(curve.end < 100.0 && curve.rows(curve.end..1600.0) == 0.0, "{curve:?}");
        // Nothing there: nothing drawn.
        let none = Curve::fit(&cells(|_| 0.0), 0.0, 0.0).unwrap();
        assert!(none.rows(0.0..1600.0) < REACH, "{none:?}");
    }
}
