//! `lookalike demo`: the first thing a newcomer runs.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use lookalike::{
    Cancel, Input, JobSpec, Schema, StewardSpec, TableComparison, Unwatched, WrittenRelease, compare_for_steward,
    demo_data, verify, write_whole,
};

use super::steward;
use super::synth::{View, make};
use crate::args::DemoArgs;
use crate::called;
use crate::fail::{Ended, Failure, Outcome};
use crate::stdout::{self, shown, strong};

/// The invented people are always the same.
const SEED: u64 = 1;
const EPSILON: f64 = 1.0;
const TABLE: &str = "people.csv";
const SCHEMA: &str = "people.toml";
const RELEASE: &str = "people-release";
/// Columns that are shown side by side.
const SHOWN: [&str; 2] = ["education", "occupation"];
/// The widest bar.
const BAR: usize = 20;

/// The whole job on built-in data.
pub fn run(args: DemoArgs) -> Ended {
    let demo = Demo::new(&args.out);
    demo.prepare()?;
    demo.introduce(args.quiet)?;
    let written = demo.synthesize(args.quiet)?;
    let verdict = verify(written.folder())?;
    if args.quiet {
        return Ok(if verdict.agrees() { Outcome::Done } else { Outcome::Disagrees });
    }
    stdout::line("")?;
    stdout::line(strong("3. Does it keep its promise?"))?;
    stdout::line(format!("   {} verify {}", called::program(), shown(&written.release_folder())))?;
    super::verify::lines(&verdict).into_iter().try_for_each(|line| stdout::line(format!("   {line}")))?;
    demo.compare(&written)?;
    demo.next(&written)?;
    Ok(if verdict.agrees() { Outcome::Done } else { Outcome::Disagrees })
}

struct Demo {
    folder: PathBuf,
    table: PathBuf,
    schema: PathBuf,
    release: PathBuf,
}

impl Demo {
    fn new(folder: &Path) -> Self {
        let at = |name| folder.join(name);
        Self { folder: folder.to_owned(), table: at(TABLE), schema: at(SCHEMA), release: at(RELEASE) }
    }

    /// Writes the table and its schema. An earlier demo's folder is renewed; any other folder with
    /// something in it is left alone.
    fn prepare(&self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::Usage(format!("{}: {error}; name another with --out", self.folder.display()))
        };
        if self.folder.exists() {
            let empty = fs::read_dir(&self.folder).map_err(failed)?.next().is_none();
            let a_demo = self.table.is_file() && self.schema.is_file();
            if !empty && !a_demo {
                let folder = self.folder.display();
                return Err(Failure::Usage(format!(
                    "{folder}: is there already and is no demo; name another with --out"
                )));
            }
        }
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut table = BufWriter::new(Vec::new());
        demo_data::write_csv(demo_data::ROWS, SEED, &mut table).and_then(|()| table.flush()).map_err(failed)?;
        let table = table.into_inner().map_err(|error| failed(error.into_error()))?;
        write_whole(&self.table, true, &table)?;
        write_whole(&self.schema, true, demo_data::schema_toml().as_bytes())?;
        // Only what a demo makes is taken away; the journal stays, as it would for real data.
        if self.release.join("release").is_dir() {
            fs::remove_dir_all(&self.release).map_err(failed)?;
        }
        Ok(())
    }

    fn introduce(&self, quiet: bool) -> Result<(), Failure> {
        if quiet {
            return Ok(());
        }
        stdout::line(strong("1. A private table, and what is publicly known of its columns"))?;
        stdout::line(format!("   {}   {} invented people, 12 columns", self.table.display(), demo_data::ROWS))?;
        stdout::line(format!("   {}  the schema: nothing in it was read from the rows", self.schema.display()))?;
        stdout::line("")?;
        stdout::line(strong("2. The release"))?;
        let (table, schema, out) = (shown(&self.table), shown(&self.schema), shown(&self.release));
        stdout::line(format!("   {} synth {table} \\", called::program()))?;
        stdout::line(format!("       --schema {schema} --epsilon {EPSILON} --out {out}"))
    }

    fn synthesize(&self, quiet: bool) -> Result<WrittenRelease, Failure> {
        let spec = JobSpec {
            epsilon: Some(EPSILON),
            schema: Some(self.schema.clone()),
            out: Some(self.release.clone()),
            ..JobSpec::default()
        };
        let steward = steward::Request::new(&self.table, &spec, true);
        let view = View { quiet, ..View::default() };
        let (_, written) = make(spec.check()?, Input::Path(self.table.clone()), &view)?;
        steward.run(written.folder());
        if !quiet {
            for (name, about) in written.files() {
                stdout::line(format!("   release/{name:<16} {about}"))?;
            }
            stdout::line(format!("   {:<24} how close it came to the real rows: for you alone", "steward-only/"))?;
        }
        Ok(written)
    }

    /// Real beside synthetic. Allowed here and only here: nobody of these people exists.
    fn compare(&self, written: &WrittenRelease) -> Result<(), Failure> {
        let schema = lookalike::read_schema(&self.schema)?;
        let input = Input::Path(self.table.clone());
        let found = compare_for_steward(
            written.folder(),
            &input,
            &schema,
            &StewardSpec::default(),
            &Unwatched,
            &Cancel::new(),
        )?;
        stdout::line("")?;
        stdout::line(strong("4. Real and synthetic, side by side"))?;
        stdout::line("   Shown because these people are invented. Of real people only the steward may see this.")?;
        SHOWN.iter().try_for_each(|name| show_column(&schema, &found, name))?;
        let [columns, pairs] = [found.mean_column_distance(), found.mean_pair_distance()].map(|mean| 100.0 * mean);
        stdout::line("")?;
        stdout::line(format!(
            "   Single columns differ by {columns:.1}% on average (total variation distance), pairs of"
        ))?;
        stdout::line(format!("   columns by {pairs:.1}%: how columns hang together is kept."))
    }

    fn next(&self, written: &WrittenRelease) -> Result<(), Failure> {
        let (folder, program) = (written.release_folder(), called::program());
        stdout::line("")?;
        stdout::line(strong("5. Your turn"))?;
        stdout::line(format!("   Open {} in a browser.", folder.join("report.html").display()))?;
        stdout::line(format!("   {program} sample {} -n 5 --seed 7", shown(&folder)))?;
        stdout::line(format!("   {program} synth {} --discover --epsilon 1 --out discovered", shown(&self.table)))?;
        stdout::line(format!("   {program} schema draft {}", shown(&self.table)))?;
        stdout::line(format!("   {program} synth --help"))
    }
}

fn show_column(schema: &Schema, found: &TableComparison, name: &str) -> Result<(), Failure> {
    // The comparison's columns stand in the table's order, which is the demo schema's.
    let Some(attribute) = schema.attribute(name) else {
        return Ok(());
    };
    let Some(column) = found.columns.iter().find(|column| column.attribute == attribute) else {
        return Ok(());
    };
    let codec = schema.codec(attribute);
    let largest = column.real.iter().chain(&column.synthetic).copied().fold(0.0, f64::max).max(1e-9);
    stdout::line("")?;
    stdout::line(format!("   {name:<13} {:<width$} synthetic", "real", width = BAR + 7))?;
    for (code, (real, synthetic)) in column.real.iter().zip(&column.synthetic).enumerate() {
        let label = codec.label(code as u32);
        let side = |share: f64| format!("{:>5.1}% {:<BAR$}", share * 100.0, bar(share / largest));
        stdout::line(format!("   {label:<13}{} {}", side(*real), side(*synthetic).trim_end()))?;
    }
    Ok(())
}

fn bar(share: f64) -> String {
    let length = (share * BAR as f64).round().max(0.0) as usize;
    if unicode() { "\u{2588}" } else { "#" }.repeat(length)
}

/// Whether the terminal's language has block letters.
fn unicode() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    set.into_iter().find(|value| !value.is_empty()).is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
