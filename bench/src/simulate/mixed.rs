//! Generated CSV files with columns of every type, for the reading benchmark.

use std::io::Write;

use anyhow::Result;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::draw::below;

/// Words of the category columns of [`csv`].
const WORDS: [&str; 12] = [
    "agriculture",
    "care",
    "commerce",
    "construction",
    "education",
    "finance",
    "hospitality",
    "industry",
    "public service",
    "research",
    "transport",
    "none",
];

/// The schema of [`csv`].
pub fn schema(columns: usize) -> String {
    let kinds = [
        "type = \"integer\"\nrange = [0, 99]".to_owned(),
        "type = \"number\"\nrange = [0, 250000]\nbins = 32\nmissing = true".to_owned(),
        format!("type = \"category\"\nvalues = {WORDS:?}"),
        "type = \"date\"\nrange = [\"1950-01-01\", \"2024-12-31\"]\nbins = 64".to_owned(),
        "type = \"boolean\"\nmissing = true".to_owned(),
    ];
    (0..columns).map(|i| format!("[columns.c{i}]\n{}\n\n", kinds[i % kinds.len()])).collect()
}

/// A CSV with integers, numbers, categories, dates and booleans in turn, and some missing cells.
pub fn csv(rows: usize, columns: usize, seed: u64, out: &mut dyn Write) -> Result<()> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let header: Vec<String> = (0..columns).map(|i| format!("c{i}")).collect();
    writeln!(out, "{}", header.join(","))?;
    for _ in 0..rows {
        for column in 0..columns {
            if column > 0 {
                out.write_all(b",")?;
            }
            match column % 5 {
                0 => write!(out, "{}", below(&mut rng, 100))?,
                1 if below(&mut rng, 10) == 0 => {}
                1 => write!(out, "{}.{:02}", below(&mut rng, 250_000), below(&mut rng, 100))?,
                2 => out.write_all(WORDS[below(&mut rng, WORDS.len() as u32) as usize].as_bytes())?,
                3 => write!(
                    out,
                    "{}-{:02}-{:02}",
                    1950 + below(&mut rng, 75),
                    1 + below(&mut rng, 12),
                    1 + below(&mut rng, 28)
                )?,
                _ => out.write_all([b"true".as_slice(), b"false", b""][below(&mut rng, 3) as usize])?,
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}
