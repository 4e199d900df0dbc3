//! An engine of one's own: rows that lie elsewhere and are counted there. Here "elsewhere" is a
//! list; a database or a cluster does the same with a query.
//!
//! `cargo run -p lookalike-examples --example own_engine`
#![allow(clippy::print_stdout)]

use lookalike::engine::{AttrId, Cancel, Clique, CountTable, Counts, CuratorError, Derived, Permit};
use lookalike::{Budget, Category, Engine, Independent, Integer, Schema, Synthesizer};
use people::Ended;

/// A stay in a hospital.
struct Stay {
    ward: &'static str,
    nights: u32,
}

/// The engine: it knows the rows, and the schema that says how they are counted.
struct Stays {
    schema: Schema,
    stays: Vec<Stay>,
}

impl Stays {
    /// The code of one column of a row, by the schema. Every cell has one, whatever it holds.
    fn code(&self, stay: &Stay, attribute: AttrId) -> u32 {
        let codec = self.schema.codec(attribute);
        match self.schema.column(attribute).name.as_str() {
            "ward" => codec.encode_text(stay.ward.as_bytes()),
            _ => codec.encode_text(stay.nights.to_string().as_bytes()),
        }
    }
}

/// The promise of an engine stands at [`Counts`]: count exactly what the permit is for, always the
/// same rows, keep nothing, and say nothing in an error that depends on a record.
impl Counts for Stays {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        _permit: Permit,
        cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        let own = self.schema.domain().len();
        // Attributes beyond the schema's own are groups of the codes of one of them.
        let size = |attribute: AttrId| match attribute.index().checked_sub(own) {
            None => self.schema.domain().size(attribute),
            Some(place) => derived[place].grouping.groups(),
        };
        let code = |stay: &Stay, attribute: AttrId| match attribute.index().checked_sub(own) {
            None => self.code(stay, attribute),
            Some(place) => derived[place].grouping.group(self.code(stay, derived[place].base)),
        };
        let count = |clique: &Clique| {
            if cancel.is_cancelled() {
                return Err(CuratorError::Cancelled);
            }
            let cells: u32 = clique.attributes().iter().map(|&attribute| size(attribute)).product();
            let mut counts = vec![0; cells as usize];
            for stay in &self.stays {
                // Row by row: the last column changes fastest.
                let place = |cell: u32, &attribute: &AttrId| cell * size(attribute) + code(stay, attribute);
                counts[clique.attributes().iter().fold(0, place) as usize] += 1;
            }
            Ok(CountTable::Dense(counts))
        };
        cliques.iter().map(count).collect()
    }
}

/// The example.
pub fn main() -> Ended<()> {
    let schema = Schema::builder()
        .column("ward", Category::of(["surgery", "maternity", "children"]))
        .column("nights", Integer::range(0, 30))
        .build()?;
    let stay = |row: u32| Stay { ward: ["surgery", "maternity", "children"][row as usize % 3], nights: row % 3 * 2 };
    let engine = Stays { schema: schema.clone(), stays: (0..3000).map(stay).collect() };
    let release =
        Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9)?).method(Independent::default()).fit(Engine(engine))?;
    println!("{}; {} rows", release.guarantee(), release.rows());
    assert!(release.rows().abs_diff(3000) < 500);
    Ok(())
}
