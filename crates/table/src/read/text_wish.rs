//! How a text is to be read, by what was typed and by the schema.

use lookalike_schema::{Schema, TextEncoding};

use super::input::ReadOptions;

/// How text is laid out, as far as it was said.
#[derive(Clone, Copy)]
pub(super) struct TextWish {
    /// `None`: by the file's name, else guessed from its header line.
    pub(super) delimiter: Option<u8>,
    pub(super) encoding: TextEncoding,
    pub(super) multiline: bool,
}

impl TextWish {
    /// By what was said, and by the schema.
    pub(super) fn new(options: &ReadOptions, schema: Option<&Schema>) -> Self {
        Self {
            delimiter: options.delimiter.or_else(|| schema.and_then(Schema::delimiter)),
            encoding: options.encoding.or_else(|| schema.and_then(Schema::encoding)).unwrap_or_default(),
            multiline: options.multiline || schema.is_some_and(Schema::multiline),
        }
    }
}
