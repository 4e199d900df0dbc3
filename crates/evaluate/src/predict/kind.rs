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
        match self {
            Self::LinearSvm => "linear SVM",
            Self::RbfSvm => "RBF SVM",
            Self::Logistic => "logistic regression",
            Self::Forest => "random forest",
        }
    }

    /// A name for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::LinearSvm => "linear_svm",
            Self::RbfSvm => "rbf_svm",
            Self::Logistic => "logistic",
            Self::Forest => "forest",
        }
    }
}
