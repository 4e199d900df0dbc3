//! How fine the grids of exact composition are.

/// How fine the grids are. Coarse ones are as sound, and cost more epsilon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quality {
    /// The relative error of epsilon that grids may add, about.
    pub(super) tolerance: f64,
    /// The most places of all transforms together.
    pub(super) places: usize,
    /// About the most intervals that the selections' recursion may look at.
    pub(super) looks: f64,
}

impl Quality {
    /// For figures that are printed or checked.
    pub(crate) const FINE: Self = Self { tolerance: 2e-5, places: 1 << 19, looks: 2e6 };
    /// For the search during calibration.
    pub(crate) const COARSE: Self = Self { tolerance: 1e-3, places: 1 << 15, looks: 3e5 };
}
