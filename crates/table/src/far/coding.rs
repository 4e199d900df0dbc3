//! What whoever codes rows elsewhere needs to know.

use lookalike_schema::Schema;
use serde_json::{Value, json};

use crate::error::{TableError, file_error};
use crate::read::{Bounds, Persons};

/// How the rows of one run are coded, and whose are bounded.
///
/// Holds the key by which rows of persons are chosen, so there is no `Debug` and no `Clone`, and
/// its bytes are as private as the rows.
pub struct Coding {
    given: Schema,
    arranged: Schema,
    names: Vec<String>,
    persons: Option<(Persons, [u8; 32])>,
}

impl Coding {
    /// For a table with these columns, with a fresh key for persons.
    ///
    /// `Err` when the schema does not fit the columns, the column that names persons is not among
    /// them, or the operating system gives no key.
    pub fn new(schema: &Schema, names: &[String], persons: Option<&Persons>) -> Result<Self, TableError> {
        let persons = match persons {
            Some(persons) => Some((persons.clone(), *Bounds::new(persons)?.secret())),
            None => None,
        };
        Self::with(schema.clone(), names.to_vec(), persons)
    }

    fn with(given: Schema, names: Vec<String>, persons: Option<(Persons, [u8; 32])>) -> Result<Self, TableError> {
        let arranged = given.arranged(&names)?;
        let coding = Self { given, arranged, names, persons };
        if let Some(bounds) = coding.bounds() {
            bounds.person_column(&coding.names)?;
        }
        Ok(coding)
    }

    /// The schema as it was given: its order is that of a row's content.
    pub fn given(&self) -> &Schema {
        &self.given
    }

    /// The schema in the order of the table's columns: that of the codes.
    pub fn schema(&self) -> &Schema {
        &self.arranged
    }

    /// The table's columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How the rows of persons are bounded.
    pub(crate) fn bounds(&self) -> Option<Bounds<'_>> {
        self.persons.as_ref().map(|(persons, secret)| Bounds::with_key(persons, *secret))
    }

    /// As JSON, for processes elsewhere that belong to the same run. Private: the key is in it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let persons = self
            .persons
            .as_ref()
            .map(|(persons, key)| json!({ "column": persons.column, "most": persons.most, "key": key }));
        json!({ "schema": self.given.to_json(), "names": self.names, "persons": persons }).to_string().into_bytes()
    }

    /// Back from [`to_bytes`](Self::to_bytes).
    ///
    /// `Err` when the bytes are of something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let other =
            || file_error("coding", "these bytes say nothing of how rows are coded", "use one version of Lookalike");
        let value: Value = serde_json::from_slice(bytes).map_err(|_| other())?;
        let names = serde_json::from_value(value["names"].clone()).map_err(|_| other())?;
        let persons = match &value["persons"] {
            Value::Null => None,
            persons => {
                let column = persons["column"].as_str().ok_or_else(other)?.to_owned();
                let most = persons["most"].as_u64().and_then(|most| u32::try_from(most).ok()).ok_or_else(other)?;
                let key = serde_json::from_value(persons["key"].clone()).map_err(|_| other())?;
                Some((Persons { column, most }, key))
            }
        };
        Self::with(Schema::parse(&value["schema"].to_string(), "coding")?, names, persons)
    }
}
