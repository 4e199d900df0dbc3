//! Model files: self-describing, versioned, bounds-checked.
//!
//! ```text
//! "lookalike model\n"    16 bytes
//! version                u32
//! header length          u64
//! header                 JSON: origin, how rows are drawn, structure, answers, sections, schema
//! sections               f64 each, one section after the other, in the header's order
//! SHA-256                32 bytes, of all bytes before
//! ```
//! Integers and floats are little-endian. The hash finds damage; it is no signature. Floats stand
//! in sections rather than in the JSON so that they come back bit by bit, which the sampler's
//! promise rests on.
//!
//! A column may have hundreds of thousands of codes in a few dozen groups. Groups and weights of
//! such columns are written as runs: how often the same number follows itself.
//!
//! A copula's correlations are a section of their own, its columns a key of the header.
//!
//! Version 1 knew independent columns alone, drawn with replacement; version 2 had no noisy
//! answers. They are read for ever, and kept apart from what is written: `header` is the one of
//! version 3, `old` the earlier ones; `structure` is what the sections mean, with a file for each
//! kind.
//!
//! The schema in a file is what decoding and writing need ([`Schema::released`]): no remarks, no
//! review marks, and nothing about how the private table was read.
//!
//! Loading trusts nothing: a length is compared with the bytes that are there before anything of
//! that length is made.

mod coarse;
mod header;
mod mixture;
mod network;
mod old;
mod sections;
mod structure;
mod tree;

use lookalike_schema::Schema;
use sha2::{Digest, Sha256};

use crate::{MeasuredClique, Model, ModelError, Origin, refuse_if};
use header::{Header, MEASURED, ROWS};
use sections::{MOST_SPARE_CODES, STRUCTURE, Sections, StructureSections};

const MAGIC: &[u8; 16] = b"lookalike model\n";
const VERSION: u32 = 3;
const HASH_BYTES: usize = 32;
/// Bins that it may seem to have before it is read: a range may have fewer values than bins that it
/// names, or than a grid allows.
const MOST_NAMED_BINS: u64 = 1 << 26;
/// Magic, version, header length.
const START_BYTES: usize = 16 + 4 + 8;

impl Model {
    /// The model as a file of the present version. Equal models give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (header, sections) = Header::of(self);
        // Strings, integers and a JSON value always serialize; an empty header would be refused on
        // load.
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = Vec::with_capacity(START_BYTES + header.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&header);
        sections.iter().flatten().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        bytes
    }

    /// Reads a model file of this version or an earlier one. Anything but a whole, undamaged file
    /// is refused; nothing in a file makes this panic or ask for more memory than the file's own
    /// size warrants.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let (version, header, body) = open(bytes)?;
        let header = if version < VERSION { old::parse(version, header)? } else { Header::parse(header)? };
        // Codes are the one thing that a schema can ask for in a few letters and pay for in
        // megabytes.
        let affordable = |codes: u64, spare: u64| match codes > spare + bytes.len() as u64 {
            true => Err(ModelError::damaged("its schema has more bins than the file has weights")),
            false => Ok(()),
        };
        affordable(bins(&header.schema), MOST_NAMED_BINS)?;
        let schema = Schema::parse(&header.schema.to_string(), "the model's schema")
            .map_err(|error| ModelError::damaged(format!("its schema does not hold: {error}")))?;
        affordable(schema.domain().sizes().iter().map(|&size| u64::from(size)).sum(), MOST_SPARE_CODES)?;
        let sections = Sections::read(&header.sections, body, schema.domain())?;
        let inside = |error| match error {
            ModelError::Shape { what } => ModelError::damaged(what),
            other => other,
        };
        assemble(schema, header, sections).map_err(inside)
    }
}

/// The most bins that a schema's columns may have, all together; 0 for what is not a schema.
fn bins(schema: &serde_json::Value) -> u64 {
    let columns = schema.get("columns").and_then(|columns| columns.as_object());
    let grid = schema.get("grid").and_then(|grid| grid.as_u64()).unwrap_or(0);
    let named = |column: &serde_json::Value| match column.get("bins") {
        Some(bins) => bins.as_u64().unwrap_or(0),
        None => values(column).map_or(grid, |values| grid.min(values)),
    };
    columns.map_or(0, |columns| columns.values().map(named).fold(0, u64::saturating_add))
}

/// How many values a column's range has, where numbers tell; none without a range.
fn values(column: &serde_json::Value) -> Option<u64> {
    let Some(range) = column.get("range") else { return Some(0) };
    let decimals = column.get("decimals").and_then(|decimals| decimals.as_i64());
    let unit = match column.get("type").and_then(|kind| kind.as_str()) {
        Some("number") => 10f64.powi(decimals?.clamp(0, 99) as i32),
        _ => 1.0,
    };
    Some(((range.get(1)?.as_f64()? - range.get(0)?.as_f64()?) * unit) as u64 + 2)
}

fn assemble(schema: Schema, mut header: Header, mut sections: Sections) -> Result<Model, ModelError> {
    let rows = match sections.one(ROWS)?.as_slice() {
        [rows] if rows.is_finite() && *rows >= 0.0 => *rows,
        _ => return Err(ModelError::shape("the first section is not a row count")),
    };
    let variances = sections.one(MEASURED)?;
    let uneven = variances.len() != header.measured.len();
    refuse_if(uneven, "the second section is not one variance for each measured marginal")?;
    let cliques = header.measured.iter().map(|indices| coarse::clique(indices));
    let measured = cliques.zip(variances).map(|(clique, variance)| Ok(MeasuredClique { clique: clique?, variance }));
    let measured = measured.collect::<Result<Vec<_>, ModelError>>()?;
    let answers = header.answers(schema.domain(), &mut sections)?;
    let copula = header.copula(&mut sections)?;
    let structure = StructureSections(sections.take(STRUCTURE).into_iter());
    let (structure, rules) = header.structure.read(&schema, structure)?;
    let origin = Origin { method: header.method, guarantee: header.guarantee };
    let model = Model::assemble(schema, rules, rows, structure, measured, origin)?;
    model.with_stored_copula(copula).map(|model| model.with_replacement(header.replacement).with_answers(answers))
}

/// Checks the frame: version, header bytes and section bytes.
fn open(bytes: &[u8]) -> Result<(u32, &[u8], &[u8]), ModelError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(ModelError::File {
            what: "this is not a model file".into(),
            help: "give the model.lookalike of a release".into(),
        });
    };
    let short = || ModelError::damaged("the file ends too early");
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let version = u32::from_le_bytes(*version);
    match version {
        1..=VERSION => {}
        newer if newer > VERSION => {
            return Err(ModelError::File {
                what: format!("made by a newer lookalike (file version {newer}; this one reads {VERSION})"),
                help: "update lookalike".into(),
            });
        }
        other => return Err(ModelError::damaged(format!("there is no file version {other}"))),
    }
    let (len, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let (rest, hash) = rest.split_last_chunk::<HASH_BYTES>().ok_or_else(short)?;
    if Sha256::digest(&bytes[..bytes.len() - HASH_BYTES]).as_slice() != hash {
        return Err(ModelError::damaged("its check sum does not match: the file is cut short or changed"));
    }
    let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
    let parts = rest.split_at_checked(len);
    let (header, body) = parts.ok_or_else(|| ModelError::damaged("the header is longer than the file"))?;
    Ok((version, header, body))
}
