//! The marginals of PrivBayes, fitted by a graphical model.

use lookalike_curator::Curator;
use lookalike_model::{FitOptions, FittedModel, Measurement, Model, Options, Origin, Rules, fit as fit_model, route};
use lookalike_schema::{AttrId, Clique};

use super::answers::{Answers, Table};
use super::narrow::narrow;
use super::params::{MarginalSource, NAME, PbPgmParams};
use crate::graphical::{Limit, halt_of};
use crate::privbayes_nist::hierarchy::Hierarchy;
use crate::{MethodError, Observer, Request, privbayes, privbayes_nist, total};

/// Memory when none is named.
const DEFAULT_MEMORY: u64 = 2 << 30;
/// The fit's part of the memory: rows and rows to come need some too.
const FIT_PART: u64 = 4;
/// What a cell of the tree takes when every cell is measured as well: three numbers and twelve.
const BYTES_A_CELL: u64 = 8 * (3 + 12);
/// Noise so small that its variance rounds to 0 in floats; the fit divides by it.
const LEAST_VARIANCE: f64 = 1e-9;

pub(super) fn fit(
    params: &PbPgmParams,
    curator: &mut Curator,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Model, MethodError> {
    // A schema that no row can fit is refused here, before anything is paid.
    Rules::new(curator.schema())?;
    let mut answers = match params.marginals {
        MarginalSource::PrivBayes => from_privbayes(params, curator, observer)?,
        MarginalSource::Nist => from_nist(params, curator, observer)?,
    };
    observer.phase("fitting");
    let schema = curator.schema().clone();
    let memory_bytes = request.memory.unwrap_or(DEFAULT_MEMORY) / FIT_PART;
    let cliques: Vec<Clique> = answers.tables.iter().map(|table| table.clique.clone()).collect();
    if !route(schema.domain(), schema.impossible(), &cliques, memory_bytes)?.is_exact() {
        let most = Limit::of(request).cells().min(memory_bytes / BYTES_A_CELL);
        let bought = answers.tables.len();
        let narrowed = narrow(&mut answers, schema.domain(), schema.impossible(), most)?;
        observer.note(&format!(
            "{narrowed} of {bought} tables would have made the model too large and are used for fewer of their columns; allow more \
             memory to keep them whole."
        ));
    }
    let measured: Vec<Measurement> = answers
        .tables
        .iter()
        .map(|table| {
            let variance = table.variance.max(LEAST_VARIANCE);
            Measurement { clique: table.clique.clone(), values: &table.values, variance }
        })
        .collect();
    let halt = halt_of(curator);
    let options =
        FitOptions { memory_bytes, tree: Options { total: Some(answers.rows.max(1.0)), halt, ..Options::default() } };
    let (fitted, route) = fit_model(schema.domain(), schema.impossible(), &measured, &options)?;
    observer.note(&route.in_words());
    // The facade puts the final guarantee here once the ledger is closed.
    let origin = Origin { method: NAME.into(), guarantee: "not stated".into() };
    let rows = answers.rows.max(0.0);
    Ok(match &fitted {
        FittedModel::Tree(fit) => Model::tree(schema, &fit.model, rows, Vec::new(), answers.coverage, origin)?,
        FittedModel::Mixture(fit) => Model::mixture(schema, &fit.model, rows, Vec::new(), answers.coverage, origin)?,
    })
}

fn from_privbayes(
    params: &PbPgmParams,
    curator: &mut Curator,
    observer: &dyn Observer,
) -> Result<Answers, MethodError> {
    let params = params.privbayes();
    // Attributes are the columns themselves: nothing is derived.
    let nodes = privbayes::nodes::Nodes::new(&params, curator.schema())?;
    let learned = privbayes::fit::learn(&params, curator, &nodes, observer)?;
    let measured = privbayes::tables::averaged(&learned.marginals);
    let coverage = privbayes::tables::coverage(&measured, curator.schema().domain().len());
    let table = |table: privbayes::tables::Measured| Table {
        clique: table.clique,
        values: table.values,
        variance: table.variance,
    };
    let rows = total::estimate(Some(&learned.count), &learned.marginals);
    Ok(Answers { rows, tables: measured.into_iter().map(table).collect(), coverage })
}

fn from_nist(params: &PbPgmParams, curator: &mut Curator, observer: &dyn Observer) -> Result<Answers, MethodError> {
    // One level a column: a graphical model holds a column once. A column that is too wide for any
    // table stands alone.
    let hierarchy = Hierarchy::flat(curator.schema());
    let learned = privbayes_nist::fit::learn(params.nist(), &hierarchy, curator, observer)?;
    let rows = learned.rows();
    let coverage = privbayes_nist::fit::coverage(&learned.tables);
    let table = |table: privbayes_nist::tables::Table| Table {
        clique: Clique::new(table.nodes.iter().map(|node| AttrId(node.column as u32))),
        values: table.cells,
        variance: table.variance,
    };
    Ok(Answers { rows, tables: learned.tables.into_iter().map(table).collect(), coverage })
}
