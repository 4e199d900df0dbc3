//! A schema, perhaps with facts that are open or that wait for review.

use lookalike::{Error, MarkKind, OpenSchema, Review, read_options};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{of_class, raised};

/// A schema as its file words it.
#[pyclass(module = "lookalike", frozen)]
pub struct Schema {
    text: String,
    pub open: OpenSchema,
}

impl Schema {
    /// A schema of this text.
    pub fn parse(py: Python<'_>, text: String, name: &str) -> PyResult<Self> {
        let open = OpenSchema::parse(&text, name).map_err(|error| raised(py, &error.into()))?;
        Ok(Self { text, open })
    }
}

/// Reads the text of a schema file: TOML, the same shape in JSON, or an mbi domain file. `name` is
/// for messages.
#[pyfunction]
pub fn parse_schema(py: Python<'_>, text: String, name: &str) -> PyResult<Schema> {
    Schema::parse(py, text, name)
}

/// The same of JSON in the shape of a schema file, which is kept as TOML.
#[pyfunction]
pub fn schema_from_json(py: Python<'_>, text: &str, name: &str) -> PyResult<Schema> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| of_class(py, "SchemaError", &error.to_string()))?;
    // Any other shape is another tool's, and stays as it is.
    let text = match value.get("columns") {
        Some(_) => toml::to_string(&value).map_err(|error| of_class(py, "SchemaError", &format!("{name}: {error}")))?,
        None => text.to_owned(),
    };
    Schema::parse(py, text, name)
}

/// Reads a code book of another tool, or a table of columns, as the text of a schema file.
#[pyfunction]
pub fn import_book(py: Python<'_>, path: &str) -> PyResult<String> {
    let book = read_options(None, None).and_then(|options| lookalike::import_book(path.as_ref(), &options));
    Ok(book.map_err(|error| raised(py, &error))?.to_toml())
}

#[pymethods]
impl Schema {
    /// The text of the schema file.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The same as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let table = self.text.parse::<toml::Table>();
        let table = table.map_err(|error| of_class(py, "SchemaError", error.message()))?;
        serde_json::to_string(&table).map_err(|error| of_class(py, "SchemaError", &error.to_string()))
    }

    /// The names of the columns that are listed.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.open.names()
    }

    /// Whether facts are left to be bought.
    #[getter]
    fn is_open(&self) -> bool {
        self.open.is_open()
    }

    /// Facts that wait for review, as (column, fact, is it telling).
    #[getter]
    fn marks(&self) -> Vec<(Option<String>, String, bool)> {
        let marks = self.open.unreviewed().into_iter();
        let mark = |mark: lookalike::Mark<'_>| {
            (mark.column.map(str::to_owned), mark.fact.to_owned(), mark.kind == MarkKind::Telling)
        };
        marks.map(mark).collect()
    }

    /// The same schema with marks settled: harmless ones accepted, telling ones left to the budget,
    /// or single facts (column, fact) accepted, discovered or left out with their column.
    #[pyo3(signature = (harmless, telling, each))]
    fn reviewed(
        &self,
        py: Python<'_>,
        harmless: bool,
        telling: bool,
        each: Vec<(Option<String>, String, String)>,
    ) -> PyResult<Self> {
        let text = review(&self.text, harmless, telling, &each).map_err(|error| raised(py, &error))?;
        Self::parse(py, text, "schema")
    }

    /// What a person needs to decide about a mark: column, fact, wording, why, proposal.
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let review = Review::parse(&self.text, "schema").map_err(|error| raised(py, &error.into()))?;
        let facts = review.pending().into_iter().map(|fact| {
            let found = PyDict::new(py);
            found.set_item("column", &fact.column)?;
            found.set_item("fact", &fact.fact)?;
            found.set_item("telling", fact.kind == MarkKind::Telling)?;
            found.set_item("wording", &fact.wording)?;
            found.set_item("why", fact.why())?;
            found.set_item("proposal", fact.proposal())?;
            Ok(found)
        });
        facts.collect()
    }
}

fn review(
    text: &str,
    harmless: bool,
    telling: bool,
    each: &[(Option<String>, String, String)],
) -> Result<String, Error> {
    let mut review = Review::parse(text, "schema")?;
    for (column, fact, way) in each {
        let pending = review.pending().into_iter().find(|it| it.column == *column && it.fact == *fact);
        let Some(pending) = pending else { continue };
        match way.as_str() {
            "discover" => review.discover(&pending)?,
            "ignore" => review.ignore(&pending)?,
            _ => review.accept(&pending)?,
        }
    }
    if harmless {
        review.accept_harmless()?;
    }
    if telling {
        review.discover_telling()?;
    }
    Ok(review.text())
}
