//! The columns of the rows: names, what is sent for each, and what it becomes.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use postgres::types::Type;

use crate::fail::Failure;

/// How a column is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    Boolean,
    Int16,
    Int32,
    Int64,
    Single,
    Double,
    Date,
    Timestamp,
    /// As text, which the server makes: decimals, times, ids, JSON, arrays and whatever else there
    /// is. It is the text that a CSV file of the same table has.
    Text,
}

impl Sent {
    fn new(kind: &Type) -> Self {
        match *kind {
            Type::BOOL => Self::Boolean,
            Type::INT2 => Self::Int16,
            Type::INT4 => Self::Int32,
            Type::INT8 => Self::Int64,
            Type::FLOAT4 => Self::Single,
            Type::FLOAT8 => Self::Double,
            Type::DATE => Self::Date,
            Type::TIMESTAMP | Type::TIMESTAMPTZ => Self::Timestamp,
            _ => Self::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Boolean => DataType::Boolean,
            Self::Int16 => DataType::Int16,
            Self::Int32 => DataType::Int32,
            Self::Int64 => DataType::Int64,
            Self::Single => DataType::Float32,
            Self::Double => DataType::Float64,
            Self::Date => DataType::Date32,
            Self::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
            // Bytes, since a database may hold text that is none.
            Self::Text => DataType::Binary,
        }
    }
}

/// The columns in order.
#[derive(Clone)]
pub(crate) struct Columns {
    names: Vec<String>,
    pub sent: Vec<Sent>,
    /// What stands in the list of a SELECT, for columns named `c1`, `c2`, ...
    list: String,
}

impl Columns {
    /// The columns that a prepared statement gives.
    pub fn new(described: &[postgres::Column]) -> Result<Self, Failure> {
        if described.is_empty() {
            return Err(Failure::mistake("there are no columns", "name a table with columns"));
        }
        let names = described.iter().map(|column| column.name().to_owned()).collect();
        let sent: Vec<Sent> = described.iter().map(|column| Sent::new(column.type_())).collect();
        let listed = sent.iter().zip(described).enumerate().map(|(place, (sent, column))| {
            let place = place + 1;
            match (sent, column.type_()) {
                // Text of money depends on where the server stands; its number does not.
                (Sent::Text, &Type::MONEY) => format!("c{place}::numeric::text"),
                (Sent::Text, _) => format!("c{place}::text"),
                _ => format!("c{place}"),
            }
        });
        Ok(Self { names, list: listed.collect::<Vec<_>>().join(", "), sent })
    }

    /// Columns of these kinds, for tests of what is made of them.
    #[cfg(test)]
    pub fn of_kinds(sent: &[Sent]) -> Self {
        let names = (0..sent.len()).map(|place| format!("c{place}")).collect();
        Self { names, sent: sent.to_vec(), list: String::new() }
    }

    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The rows of something that can stand behind FROM. Columns are taken by their places, so that
    /// two may have one name.
    pub fn select(&self, from: &str, condition: &str) -> String {
        let aliases: Vec<String> = (1..=self.names.len()).map(|place| format!("c{place}")).collect();
        format!("SELECT {} FROM {from} AS lookalike_rows({}){condition}", self.list, aliases.join(", "))
    }

    /// The columns of batches.
    pub fn header(&self) -> SchemaRef {
        let field = |(name, sent): (&String, &Sent)| Field::new(name, sent.data_type(), true);
        Arc::new(Schema::new(self.names.iter().zip(&self.sent).map(field).collect::<Vec<_>>()))
    }
}
