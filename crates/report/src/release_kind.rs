//! What a release was made from, as far as its page may tell: a model, or rows without one.

use lookalike_model::Model;
use lookalike_schema::{AttrId, Clique, Filter, Schema};

/// What stands behind the synthetic rows.
pub enum ReleaseKind<'a> {
    /// A model, from which anybody may draw more.
    Model(&'a Model),
    /// Rows that were each paid for, and nothing to draw more from.
    Rows(RowsOnly<'a>),
}

/// Released rows without a model. All of it is in the release already.
pub struct RowsOnly<'a> {
    /// The schema.
    pub schema: &'a Schema,
    /// How many rows there are.
    pub rows: u64,
    /// The share of rows with each code, column by column.
    pub shares: &'a [Vec<f64>],
    /// What the rows hold and how to read them.
    pub words: &'a [String],
}

impl<'a> From<&'a Model> for ReleaseKind<'a> {
    fn from(model: &'a Model) -> Self {
        Self::Model(model)
    }
}

impl<'a> From<RowsOnly<'a>> for ReleaseKind<'a> {
    fn from(rows: RowsOnly<'a>) -> Self {
        Self::Rows(rows)
    }
}

impl ReleaseKind<'_> {
    pub(crate) fn schema(&self) -> &Schema {
        match self {
            Self::Model(model) => model.schema(),
            Self::Rows(rows) => rows.schema,
        }
    }

    /// The share of each code or group of a column, in the model or among the rows, and the labels.
    pub(crate) fn shares(&self, attribute: AttrId) -> (Vec<f64>, Vec<String>) {
        let codec = self.schema().codec(attribute);
        let codes = || (0..codec.size()).map(|code| codec.label(code)).collect();
        match self {
            Self::Model(model) => {
                let everything = Filter::everything();
                let Ok(shown) = model.shown(&Clique::single(attribute), &everything) else { return Default::default() };
                let labels = shown.grouping(attribute).map_or_else(codes, |groups| codec.labels(groups));
                (shown.marginal().unwrap_or_default(), labels)
            }
            Self::Rows(rows) => (rows.shares.get(attribute.index()).cloned().unwrap_or_default(), codes()),
        }
    }

    /// The word for what holds the shares.
    pub(crate) fn holder(&self) -> &'static str {
        match self {
            Self::Model(_) => "the model",
            Self::Rows(_) => "the released rows",
        }
    }
}
