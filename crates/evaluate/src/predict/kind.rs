//! The models that are trained.

/// Which model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// Hinge-loss linear SVM with C = 1 on one-hot codes of unit length (PB14).
    LinearSvm,
    /// C-SVM with a Gaussian kernel, C = 1, on standardized codes (the PrivMRF authors' setting).
    RbfSvm,
    /// Logistic regression with a ridge, C = 1, on the same one-hot codes.
    Logistic,
    /// A random forest on the codes.
    Forest,
}

impl ModelKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LinearSvm, Self::RbfSvm, Self::Logistic, Self::Forest];

    /// A name for people.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// A name for programs.
    pub fn key(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::LinearSvm => ("linear SVM", "linear_svm"),
            Self::RbfSvm => ("RBF SVM", "rbf_svm"),
            Self::Logistic => ("logistic regression", "logistic"),
            Self::Forest => ("random forest", "forest"),
        }
    }
}
