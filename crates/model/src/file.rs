//! Model files: self-describing, versioned, bounds-checked.
//!
//! ```text
//! "lookalike model\n"    16 bytes
//! version                u32
//! header length          u64
//! header                 JSON: origin, structure, sections, schema
//! sections               f64 each, one section after the other, in the header's order
//! SHA-256                32 bytes, of all bytes before
//! ```
//! Integers and floats are little-endian. The hash finds damage; it is no signature. Floats stand in sections rather
//! than in the JSON so that they come back bit by bit, which the sampler's promise rests on.
//!
//! Loading trusts nothing: a length is compared with the bytes that are there before anything of that length is made.

mod v1;

use lookalike_schema::Schema;
use sha2::{Digest, Sha256};

use crate::model::Structure;
use crate::product::Product;
use crate::{Model, ModelError, Origin, Rules};

const MAGIC: &[u8; 16] = b"lookalike model\n";
const VERSION: u32 = 1;
const HASH_BYTES: usize = 32;
/// Bins that a schema may name beyond what the file's size warrants (a narrow range may have fewer bins than it names).
const MOST_SPARE_BINS: u64 = 1 << 20;
/// Magic, version, header length.
const START_BYTES: usize = 16 + 4 + 8;

impl Model {
    /// The model as a file. Equal models give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Structure::Product(product) = self.structure();
        let total = [self.total()];
        let sections = || std::iter::once(&total[..]).chain(product.columns().iter().map(Vec::as_slice));
        let header = v1::Header {
            method: self.origin().method.clone(),
            guarantee: self.origin().guarantee.clone(),
            structure: v1::Structure::Product,
            sections: sections().map(|section| section.len() as u64).collect(),
            schema: self.schema().to_json(),
        };
        let header = header.to_json();
        let mut bytes = Vec::with_capacity(START_BYTES + header.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&header);
        sections().flatten().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        let hash = Sha256::digest(&bytes);
        bytes.extend_from_slice(&hash);
        bytes
    }

    /// Reads a model file. Anything but a whole, undamaged file of a known version is refused; nothing in a file makes
    /// this panic or ask for more memory than the file's own size warrants.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let (header, mut body) = open(bytes)?;
        let header = v1::Header::parse(header).map_err(ModelError::damaged)?;
        let mut sections = Vec::new();
        for &len in &header.sections {
            let size = usize::try_from(len).ok().and_then(|len| len.checked_mul(8)).unwrap_or(usize::MAX);
            let Some((section, rest)) = body.split_at_checked(size) else {
                return Err(ModelError::damaged("a section is longer than the file"));
            };
            let value = |chunk: &[u8]| f64::from_le_bytes(chunk.try_into().unwrap_or([0xff; 8]));
            sections.push(section.chunks_exact(8).map(value).collect::<Vec<f64>>());
            body = rest;
        }
        if !body.is_empty() {
            return Err(ModelError::damaged("there are bytes after the last section"));
        }
        // Bins are the one thing that a schema can ask for in a few letters and pay for in megabytes.
        if v1::bins(&header.schema) > MOST_SPARE_BINS + bytes.len() as u64 {
            return Err(ModelError::damaged("its schema has more bins than the file has weights"));
        }
        let schema = Schema::parse(&header.schema.to_string(), "the model's schema")
            .map_err(|error| ModelError::damaged(format!("its schema does not hold: {error}")))?;
        let origin = Origin { method: header.method, guarantee: header.guarantee };
        assemble(schema, origin, sections).map_err(|error| match error {
            ModelError::Shape { what } => ModelError::damaged(what),
            other => other,
        })
    }
}

fn assemble(schema: Schema, origin: Origin, sections: Vec<Vec<f64>>) -> Result<Model, ModelError> {
    let mut sections = sections.into_iter();
    let rows = match sections.next().as_deref() {
        Some([rows]) if rows.is_finite() && *rows >= 0.0 => *rows,
        _ => return Err(ModelError::shape("the first section is not a row count")),
    };
    let columns: Vec<Vec<f64>> = sections.collect();
    // Sizes first: rules are worked out code by code, and codes without a stored weight must not cost memory.
    let sizes = schema.domain().sizes();
    if columns.len() != sizes.len() || columns.iter().zip(sizes).any(|(column, &size)| column.len() != size as usize) {
        return Err(ModelError::shape("the sections do not fit the schema"));
    }
    let rules = Rules::new(&schema)?;
    let product = Product::stored(sizes, &rules, columns)?;
    Model::assemble(schema, rules, rows, Structure::Product(product), origin)
}

/// Checks the frame: header bytes and section bytes.
fn open(bytes: &[u8]) -> Result<(&[u8], &[u8]), ModelError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(ModelError::File {
            what: "this is not a model file".into(),
            mend: "give the model.lookalike of a release".into(),
        });
    };
    let short = || ModelError::damaged("the file ends too early");
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    match u32::from_le_bytes(*version) {
        VERSION => {}
        newer if newer > VERSION => {
            return Err(ModelError::File {
                what: format!("made by a newer lookalike (file version {newer}; this one reads {VERSION})"),
                mend: "update lookalike".into(),
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
    rest.split_at_checked(len).ok_or_else(|| ModelError::damaged("the header is longer than the file"))
}
