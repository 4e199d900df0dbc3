//! A draw made ready: its parents, its children, and the shares of their cells.

use super::cells::{Cells, Child};
use super::plan::{ConditionalDraw, Parent};
use super::rng::SampleRng;
use super::shares::Shares;

/// A draw made ready.
pub(super) struct ReadyDraw<'a> {
    /// With what each parent adds to the number of the parent cell.
    pub parents: Vec<(Parent, u32)>,
    pub children: Vec<Child>,
    pub shares: ShareSource<'a>,
}

/// Where a draw's shares come from.
pub(super) enum ShareSource<'a> {
    /// They are made, those of every parent cell.
    Made(Shares),
    /// They are made for the parent cells that rows have reached.
    Lazy(LazyShares<'a>),
}

impl ReadyDraw<'_> {
    /// A draw of a sampling plan.
    pub fn made(draw: &ConditionalDraw, sizes: &[u32], bits: u32, rng: &mut SampleRng) -> Self {
        let cells = Cells::new(draw.children.iter().map(|&child| sizes[child] as usize).collect(), rng);
        let mut shares = Shares::new(cells.width() as u64, bits);
        let place = cells.places();
        let mut order: Vec<(u32, f64)> = Vec::new();
        for row in 0..draw.weights.rows() {
            let (held, weights) = draw.weights.row(row);
            order.clear();
            order.extend(held.iter().zip(weights).map(|(&cell, &weight)| (place(cell), weight)));
            order.sort_unstable_by_key(|&(place, _)| place);
            shares.push(&order);
        }
        drop(place);
        let strides = draw.strides(sizes).into_iter().map(|stride| stride as u32);
        let parents = draw.parents.iter().cloned().zip(strides).collect();
        Self { parents, children: cells.children(&draw.children), shares: ShareSource::Made(shares) }
    }

    /// The number of parent cells.
    pub fn parent_cells(&self) -> usize {
        match &self.shares {
            ShareSource::Made(shares) => shares.starts.len() - 1,
            ShareSource::Lazy(live) => live.parent_cells(),
        }
    }

    /// Whether a draw looks at every code of a variable.
    pub fn sees(&self, variable: usize) -> bool {
        self.parents.iter().any(|(parent, _)| parent.variable == variable && parent.grouping.is_none())
    }

    /// The parent cell of each row.
    pub fn key(&self, columns: &[Vec<u32>], keys: &mut [u32]) {
        if self.parents.is_empty() {
            keys.fill(0);
        }
        for (number, (parent, stride)) in self.parents.iter().enumerate() {
            let column = &columns[parent.variable];
            let pairs = keys.iter_mut().zip(column);
            match (&parent.grouping, number) {
                (None, 0) => pairs.for_each(|(key, &code)| *key = stride * code),
                (None, _) => pairs.for_each(|(key, &code)| *key += stride * code),
                (Some(grouping), 0) => pairs.for_each(|(key, &code)| *key = stride * grouping.group(code)),
                (Some(grouping), _) => pairs.for_each(|(key, &code)| *key += stride * grouping.group(code)),
            }
        }
    }
}

/// A clique's marginal, seen as a draw of some of its attributes given the others.
pub(super) struct LazyShares<'a> {
    pub marginal: &'a [f64],
    /// The number of codes of each parent, and its step in the marginal.
    pub parents: Vec<(usize, usize)>,
    /// Where each of the children's cells lies, from the parent cell on, in the draw's order of
    /// cells.
    pub lie: Vec<usize>,
    pub bits: u32,
}

impl LazyShares<'_> {
    /// The number of parent cells.
    pub fn parent_cells(&self) -> usize {
        self.parents.iter().map(|parent| parent.0).product()
    }

    /// The shares of the parent cells that groups have, which get the groups' numbers.
    pub fn shares(&self, groups: &mut [(u32, u32)]) -> Shares {
        let mut shares = Shares::new(self.lie.len() as u64, self.bits);
        let mut held: Vec<(u32, f64)> = Vec::with_capacity(self.lie.len());
        for (number, (parent, _)) in groups.iter_mut().enumerate() {
            let from = self.place(std::mem::replace(parent, number as u32) as usize);
            let weights = self.lie.iter().enumerate().map(|(cell, place)| (cell as u32, self.marginal[from + place]));
            held.clear();
            held.extend(weights.filter(|one| one.1 > 0.0));
            shares.push(&held);
        }
        shares
    }

    /// Where a parent cell begins in the marginal.
    fn place(&self, mut parent: usize) -> usize {
        let mut place = 0;
        for &(size, step) in self.parents.iter().rev() {
            place += parent % size * step;
            parent /= size;
        }
        place
    }
}
