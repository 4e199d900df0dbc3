//! The children's joint cells of a draw, and how a child's code is had from one.
//!
//! The codes of each child stand in a random order, one for the whole draw: neighbours in a fixed
//! order would share their luck. Cells are nested by child, which keeps the counts of the first
//! children exact as well.

use super::rng::{SampleRng, shuffle};
use crate::pgm::factor::layout::{digit_sums, strides};

/// Joint cells up to this many are looked up, not divided.
const MOST_LISTED: usize = 1 << 20;

/// The joint cells of some children in their order.
pub(super) struct Cells {
    shape: Vec<usize>,
    steps: Vec<usize>,
    /// For each child, which code stands at which place.
    codes: Vec<Vec<u32>>,
}

/// A variable that a draw gives a code.
pub(super) struct Child {
    pub variable: usize,
    code: Code,
}

enum Code {
    Listed(Vec<u32>),
    Divided { stride: u32, codes: Vec<u32> },
}

impl Cells {
    /// Children with these numbers of codes.
    pub fn new(shape: Vec<usize>, rng: &mut SampleRng) -> Self {
        let codes = shape.iter().map(|&size| shuffled(size, rng)).collect();
        Self { steps: strides(&shape), shape, codes }
    }

    /// The number of cells.
    pub fn width(&self) -> usize {
        self.shape.iter().product()
    }

    /// The place of a cell, which is given in the usual order (last child fastest).
    pub fn places(&self) -> impl Fn(u32) -> u32 {
        let places: Vec<Vec<u32>> = self.codes.iter().map(|codes| inverse(codes)).collect();
        move |cell: u32| {
            let digit = |(axis, places): (usize, &Vec<u32>)| {
                places[cell as usize / self.steps[axis] % self.shape[axis]] * self.steps[axis] as u32
            };
            places.iter().enumerate().map(digit).sum::<u32>()
        }
    }

    /// For each place, where its cell lies in a table in which the children have these steps.
    pub fn lie(&self, steps: &[usize]) -> Vec<usize> {
        digit_sums(&self.shape, |axis, place| self.codes[axis][place] as usize * steps[axis])
    }

    /// The children, which are these variables.
    pub fn children(self, variables: &[usize]) -> Vec<Child> {
        let width = self.width();
        let (shape, steps) = (self.shape, self.steps);
        let child = |(axis, (&variable, codes)): (usize, (&usize, Vec<u32>))| {
            let (stride, size) = (steps[axis], shape[axis]);
            let code = match width {
                ..=MOST_LISTED => Code::Listed((0..width).map(|cell| codes[cell / stride % size]).collect()),
                _ => Code::Divided { stride: stride as u32, codes },
            };
            Child { variable, code }
        };
        variables.iter().zip(self.codes).enumerate().map(child).collect()
    }
}

impl Child {
    /// The codes of rows that got these cells.
    pub fn codes(&self, cells: &[u32]) -> Vec<u32> {
        match &self.code {
            Code::Listed(codes) => cells.iter().map(|&cell| codes[cell as usize]).collect(),
            Code::Divided { stride, codes } => {
                let size = codes.len() as u32;
                cells.iter().map(|cell| codes[(cell / stride % size) as usize]).collect()
            }
        }
    }
}

/// The numbers below a size, every order alike.
fn shuffled(size: usize, rng: &mut SampleRng) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..size as u32).collect();
    shuffle(&mut numbers, rng);
    numbers
}

/// Where each number stands.
fn inverse(numbers: &[u32]) -> Vec<u32> {
    let mut places = vec![0; numbers.len()];
    numbers.iter().enumerate().for_each(|(place, &number)| places[number as usize] = place as u32);
    places
}
