//! mbi domain files: `{"age": 85, ...}`, the number of codes of each column of a file that holds
//! integer codes.

use std::sync::Arc;

use super::node::Node;
use crate::codec::{CodecKind, IntegerAxis, TextRules};
use crate::impossible::Scalar;
use crate::schema::{MOST_CODES, Settings};
use crate::{Codec, Column, Levels, Role, Schema, SchemaError};

/// Whether the file is one: nothing but integers, and no table `columns`.
pub(crate) fn is_domain(node: &Node) -> bool {
    let Node::Map(entries) = node else { return false };
    !entries.is_empty() && entries.iter().all(|(_, node)| matches!(node, Node::Scalar(Scalar::Integer(_))))
}

/// Each column is an integer over codes `0..size`, one bin a value. Columns that the file does not
/// list are skipped.
pub(crate) fn read(node: &Node) -> Result<Schema, SchemaError> {
    let text = Arc::new(TextRules::default());
    let Node::Map(entries) = node else { return Err(SchemaError::whole("not a domain file", "write {\"age\": 85}")) };
    let column = |(name, node): &(String, Node)| {
        let size = match node {
            Node::Scalar(Scalar::Integer(size)) if *size >= 1 && *size as u64 <= MOST_CODES => *size,
            _ => {
                return Err(SchemaError::column(
                    name,
                    "its size is not a whole number from 1 to 1,000,000",
                    "give the number of codes that the column has",
                ));
            }
        };
        let axis = IntegerAxis::even(0, size - 1, 1, size as u64, vec![]);
        let role = Role::Modelled(Codec::new(CodecKind::Integer(axis), false, text.clone()));
        Ok(Column { name: name.clone(), role, levels: Levels::default(), review: vec![] })
    };
    let columns = entries.iter().map(column).collect::<Result<_, _>>()?;
    let settings = Settings {
        rules: vec![],
        text: text.clone(),
        delimiter: None,
        skips_unlisted: true,
        multiline: false,
        review: vec![],
    };
    Schema::new(columns, settings)
}
