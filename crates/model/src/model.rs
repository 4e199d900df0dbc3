//! A fitted distribution over the schema's codes.

use lookalike_schema::{Clique, Schema};

use crate::copula::{Copula, PILOT_ROWS};
use crate::mixture::Mixture;
use crate::pgm::factor::array::marginal_cells;
use crate::structure::Structure;
use crate::structure::mixture::MixtureModel;
use crate::structure::network::{Conditional, NetworkModel};
use crate::structure::product::Product;
use crate::structure::tree::TreeModel;
use crate::{Calibrated, KeptAnswer, MeasuredClique, ModelError, Refinement, Replacement, Rules, Sampling, refuse_if};

/// Estimates above this are cut: a release of more rows than this is no use to anyone.
const MOST_ROWS: f64 = 1e15;

/// Where a model comes from: carried in its file and shown to whoever opens it.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The method's name.
    pub method: String,
    /// The guarantee in one line, or the words NO GUARANTEE / NOT PRIVATE with the reason.
    pub guarantee: String,
}

/// A fitted model: what a release publishes beside its rows. More rows and any marginal can be had
/// from it, free of charge.
///
/// Impossible combinations of the schema have probability 0 in every marginal and in every sampled
/// row.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    schema: Schema,
    rules: Rules,
    rows: f64,
    structure: Structure,
    measured: Vec<MeasuredClique>,
    answers: Vec<KeptAnswer>,
    replacement: Replacement,
    origin: Origin,
    copula: Option<Copula>,
}

impl Model {
    /// Independent columns: one non-negative weight vector an attribute (normalized here), and the
    /// estimated row count.
    ///
    /// The weights are the one-way marginals that the model should have. Codes that the schema
    /// calls impossible get weight 0. Where impossible rules tie columns together, the weights are
    /// refitted so that the marginals of the *possible* rows are the ones asked for, as far as the
    /// rules allow. A column without any weight becomes uniform. A negative row count becomes 0.
    ///
    /// Refuses weights that do not fit the schema's sizes, that are negative, infinite or not a
    /// number, and a schema whose rules leave no possible row.
    pub fn product(
        schema: Schema,
        rows: f64,
        weights: Vec<Vec<f64>>,
        measured: Vec<MeasuredClique>,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        let rules = Rules::new(&schema)?;
        let product = Product::fitted(schema.domain().sizes(), &rules, weights)?;
        Self::assemble(schema, rules, rows, Structure::Product(product), measured, origin)
    }

    /// A calibrated junction tree (such as `fit.model`), and the estimated row count (such as
    /// `fit.total`).
    ///
    /// The tree is over the schema's columns. Where a column has a refinement, the tree holds its
    /// groups instead, and the groups' codes follow from the refinement alone. No refinements at
    /// all: an empty list. Variables of the tree behind the schema's columns are hidden: they are
    /// drawn with the columns and never shown.
    ///
    /// Refuses a tree over other columns, refinements that do not fit, and a tree that gives weight
    /// to what the schema calls impossible: build it with the schema's rules
    /// ([`JunctionTree::new`](crate::JunctionTree::new)), for coarse columns with those of
    /// [`Rules::coarse`].
    pub fn tree(
        schema: Schema,
        calibrated: &Calibrated,
        rows: f64,
        refinements: Vec<Option<Refinement>>,
        measured: Vec<MeasuredClique>,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        let rules = Rules::new(&schema)?;
        let tree = TreeModel::fitted(&schema, &rules, calibrated, refinements)?;
        Self::assemble(schema, rules, rows, Structure::Tree(tree), measured, origin)
    }

    /// A Bayesian network: one table a column, in an order in which parents come first; and the
    /// estimated row count.
    ///
    /// Tables are normalized row by row. A row without weight takes the column's own shape: the sum
    /// of its table's rows. Impossible codes get weight 0. Where impossible rules speak of several
    /// columns, rows are drawn so that none is ever broken: at each column, codes from which no
    /// possible row could be reached are left out and the others scaled up. The network's
    /// probabilities given its parents are therefore cut column by column; marginals are those of
    /// the rows that are drawn.
    ///
    /// Variables behind the schema's columns are drawn with them and never shown: the bits of a
    /// column, say, from which its codes follow. `hidden` says how many codes each has. The first
    /// has the number after the last column's, and each has a table like a column.
    ///
    /// Refuses tables that do not fit the schema or each other, and rules that are too entangled
    /// for them.
    pub fn network(
        schema: Schema,
        hidden: &[u32],
        conditionals: Vec<Conditional>,
        rows: f64,
        measured: Vec<MeasuredClique>,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        let rules = Rules::new(&schema)?;
        let network = NetworkModel::fitted(&schema, &rules, hidden, conditionals)?;
        Self::assemble(schema, rules, rows, Structure::Network(network), measured, origin)
    }

    /// A mixture of products (such as `fit.model` of a [`MixtureFit`](crate::MixtureFit)), and the
    /// estimated row count.
    ///
    /// The mixture is over the schema's columns, or their groups, as in [`Model::tree`]. Refuses as
    /// that does.
    pub fn mixture(
        schema: Schema,
        mixture: &Mixture,
        rows: f64,
        refinements: Vec<Option<Refinement>>,
        measured: Vec<MeasuredClique>,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        let rules = Rules::new(&schema)?;
        let mixture = MixtureModel::fitted(&schema, &rules, mixture, refinements)?;
        Self::assemble(schema, rules, rows, Structure::Mixture(mixture), measured, origin)
    }

    pub(crate) fn assemble(
        schema: Schema,
        rules: Rules,
        rows: f64,
        structure: Structure,
        measured: Vec<MeasuredClique>,
        origin: Origin,
    ) -> Result<Self, ModelError> {
        refuse_if(!rows.is_finite(), "the row count is not a number")?;
        measured.iter().try_for_each(|one| one.check(schema.domain()))?;
        let schema = schema.released().map_err(|error| ModelError::shape(error.to_string()))?;
        let rows = rows.clamp(0.0, MOST_ROWS);
        let (answers, replacement) = (Vec::new(), Replacement::Thinned);
        Ok(Self { schema, rules, rows, structure, measured, answers, replacement, origin, copula: None })
    }

    /// The schema the model speaks of.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Method and guarantee.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Replaces the origin line (the facade knows the final guarantee).
    pub fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The estimated number of rows, at least 0, rounded: how many rows a release has by default.
    pub fn rows(&self) -> u64 {
        self.rows.round() as u64
    }

    /// The estimated number of rows, at least 0, not rounded: what turns probabilities into counts.
    pub fn total(&self) -> f64 {
        self.rows
    }

    /// The marginals that the model rests on.
    pub fn measured(&self) -> &[MeasuredClique] {
        &self.measured
    }

    /// The noisy answers that error bars stand on. Models of older files keep none.
    pub fn answers(&self) -> &[KeptAnswer] {
        &self.answers
    }

    /// Keeps these noisy answers, all that were paid for in the run that made the model.
    pub fn with_answers(self, answers: Vec<KeptAnswer>) -> Self {
        Self { answers, ..self }
    }

    /// How rows are drawn unless told otherwise. Models of the first file version are drawn with
    /// replacement, as they were when they were released.
    pub fn replacement(&self) -> Replacement {
        self.replacement
    }

    /// Draws rows this way unless told otherwise.
    pub fn with_replacement(self, replacement: Replacement) -> Self {
        Self { replacement, ..self }
    }

    /// Lets values inside groups follow the other columns, as a normal copula says that is worked
    /// out from the tree itself. Of a model without a tree, or whose ordered columns are not held
    /// as groups, nothing changes.
    pub fn with_copula(self) -> Result<Self, ModelError> {
        let Structure::Tree(tree) = &self.structure else { return Ok(self) };
        let sampling = Sampling::new(self.rows().clamp(1, PILOT_ROWS), 0).with(Replacement::Without);
        let pilot = Self { copula: None, ..self.clone() }.sampler(&sampling)?.block(0);
        let copula = Copula::of(&self.schema, tree, &pilot.columns)?;
        Ok(Self { copula, ..self })
    }

    pub(crate) fn with_stored_copula(self, copula: Option<Copula>) -> Result<Self, ModelError> {
        copula.as_ref().map_or(Ok(()), |copula| copula.check(&self.schema))?;
        Ok(Self { copula, ..self })
    }

    pub(crate) fn copula(&self) -> Option<&Copula> {
        self.copula.as_ref()
    }

    /// What the model holds of the data and what it does not, in a few sentences for the readers of
    /// a release.
    pub fn in_words(&self) -> String {
        self.structure.in_words()
    }

    /// The probabilities of a clique's cells, row-major, last attribute fastest. The empty clique
    /// has one cell of 1.
    ///
    /// Refuses attributes that the schema lacks, cliques of more than 2^27 cells, and columns of a
    /// network that are too entangled.
    pub fn marginal(&self, clique: &Clique) -> Result<Vec<f64>, ModelError> {
        marginal_cells(self.schema.domain(), clique)?;
        self.structure.marginal(&self.schema, &self.rules, clique)
    }

    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }
}
