//! A journal: an append-only file of records, durable line by line.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::charged::ChargedQuery;
use super::record::{MOST_QUERY_BYTES, Record, RecordBody};
use super::store::LedgerStore;
use crate::{Budget, Neighbours, PrivacyError, accounting};

/// The records of one or more runs in one file (mode 0600), each appended by a single write and
/// synced to the disk.
///
/// Several runs may append one after another, or at once: a write in append mode is placed at the
/// end as a whole, and every record names its run. A torn record, left by a crash or a full disk,
/// is told by its checksum.
pub struct JournalStore {
    file: File,
    /// Written before the next record: ends a line that a crash left open.
    lead: &'static str,
}

impl JournalStore {
    /// Opens the journal, or creates it (mode 0600) and syncs its folder, so that the name survives
    /// a power cut too.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let mut file = match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::create(path, options.clone())?,
            opened => opened?,
        };
        let lead = if ends_a_line(&mut file)? { "" } else { "\n" };
        Ok(Self { file, lead })
    }

    fn create(path: &Path, mut options: OpenOptions) -> io::Result<File> {
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // Not `create_new`: another run may create the same journal between the two calls, which is
        // fine.
        let file = options.create(true).open(path)?;
        file.sync_all()?;
        #[cfg(unix)]
        {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(file)
    }

    /// All runs in a journal, in the order in which they were opened.
    ///
    /// A record that a crash tore is left out: it was never answered. A record that is missing from
    /// the middle of a run is an error, and so is a record of a newer version, and more queries
    /// than 128 MiB of memory hold.
    pub fn runs(path: &Path) -> Result<Vec<JournalRun>, PrivacyError> {
        let mut text = Vec::new();
        File::open(path)?.read_to_end(&mut text)?;
        let mut runs: Vec<JournalRun> = Vec::new();
        let mut room = MOST_QUERY_BYTES;
        for line in String::from_utf8_lossy(&text).lines() {
            for record in Record::parse_all(line)? {
                match record.body {
                    RecordBody::Open(open) if record.seq == 0 => {
                        let (budget, neighbours) = open.promise()?;
                        runs.push(JournalRun { run: record.run, budget, neighbours, records: 1, batches: Vec::new() });
                    }
                    body => {
                        let known = runs.iter_mut().find(|run| run.run == record.run && run.records == record.seq);
                        let run = known.ok_or_else(|| PrivacyError::Damaged {
                            what: format!("records of run {} are missing before number {}", record.run, record.seq),
                        })?;
                        run.records += 1;
                        if let RecordBody::Charge(charge) = body {
                            run.batches.push(charge.queries(run.neighbours, &mut room)?);
                        }
                    }
                }
            }
        }
        Ok(runs)
    }
}

impl LedgerStore for JournalStore {
    fn append(&mut self, record: &str) -> io::Result<()> {
        let line = format!("{}{record}\n", self.lead);
        // One write, never a loop: the rest of a short write could land behind another run's
        // record.
        let written = loop {
            match self.file.write(line.as_bytes()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => break done?,
            }
        };
        if written < line.len() {
            return Err(io::Error::new(io::ErrorKind::WriteZero, "the disk took only a part of a record"));
        }
        self.file.sync_data()?;
        self.lead = "";
        Ok(())
    }
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last[0] == b'\n')
}

/// One run of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalRun {
    run: String,
    budget: Budget,
    neighbours: Neighbours,
    records: u64,
    batches: Vec<Vec<ChargedQuery>>,
}

impl JournalRun {
    /// Its random name.
    pub fn name(&self) -> &str {
        &self.run
    }

    /// What it promised.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Its relation.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// Whether anything was charged, and so perhaps looked at.
    pub fn is_charged(&self) -> bool {
        !self.batches.is_empty()
    }

    /// The batches that were charged, in order.
    pub fn batches(&self) -> &[Vec<ChargedQuery>] {
        &self.batches
    }

    /// The sum of rho of all charges, rounded up.
    pub fn rho(&self) -> f64 {
        accounting::total_rho(self.batches.iter().flatten().map(|query| &query.step))
    }

    /// The sum of pure epsilons of all charges, rounded up; `None` when one of them is Gaussian.
    pub fn pure_epsilon(&self) -> Option<f64> {
        accounting::pure_epsilon(self.batches.iter().flatten().map(|query| &query.step)).ok()
    }
}
