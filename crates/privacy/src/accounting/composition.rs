//! The ways of summing up.

/// How a stage's cost is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// Epsilons add.
    Pure,
    /// Rhos add.
    Zcdp,
    /// The discrete privacy-loss distribution of the fixed plan.
    Exact,
}

impl Composition {
    /// The name in journals and statements.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Zcdp => "zcdp",
            Self::Exact => "exact",
        }
    }

    /// The composition of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pure, Self::Zcdp, Self::Exact].into_iter().find(|composition| composition.name() == name)
    }
}
