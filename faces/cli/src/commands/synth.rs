//! `lookalike synth DATA --schema SCHEMA --epsilon E`.

use std::path::{Path, PathBuf};

use lookalike::{ErrorKind, Input, Job, JobSpec, Release, WrittenRelease, charged_runs, show_ledger, table_input};
use serde_json::json;

use super::steward;
use crate::advice::about_epsilon;
use crate::args::SynthArgs;
use crate::called;
use crate::fail::{Ended, Failure, Outcome, complain};
use crate::interrupt::cancel_on_interrupt;
use crate::log_file::LogFile;
use crate::progress::Progress;
use crate::stdout::{self, shown};

/// What belongs to this face and not to the job.
#[derive(Default)]
pub struct View {
    pub log_file: Option<PathBuf>,
    pub quiet: bool,
    pub json: bool,
    pub no_steward_report: bool,
}

/// Makes a release, and then, apart from it, the steward's comparison.
pub fn run(args: SynthArgs) -> Ended {
    let (spec, view) = with_job_file(&args)?;
    let data = spec.data.clone().ok_or_else(|| {
        Failure::Usage("no table was given; name a file, a folder, or - for standard input".to_owned())
    })?;
    let steward = steward::Request::new(&data, &spec, view.quiet);
    let input = table_input(&data)?;
    let job = spec.check()?;
    let (release, written) = make(job, input, &view)?;
    show(&release, &written, &view)?;
    if !view.quiet {
        release.ledger_words().iter().for_each(|line| crate::say::say!("lookalike: for your eyes only: {line}"));
    }
    // From here on nothing changes the exit code: the release is closed.
    if !view.no_steward_report {
        steward.run(written.folder());
    }
    Ok(Outcome::Done)
}

/// Runs the job under this face's eyes.
pub fn make(job: Job, input: Input, view: &View) -> Result<(Release, WrittenRelease), Failure> {
    let log = view.log_file.as_deref().map(LogFile::create).transpose()?;
    let cancel = cancel_on_interrupt();
    let progress = Progress::new(view.quiet, log.as_ref());
    let (journal, account) = (job.journal(), job.account.clone());
    let (charged, reserved) = (runs_in(&journal), runs_under(account.as_ref()));
    let made = job.run(input, &progress, &cancel);
    drop(progress);
    let (release, written) = made.inspect_err(|error| {
        // The steward must know that stopping gives nothing back.
        if error.kind() == ErrorKind::Interrupted && runs_in(&journal) > charged {
            complain(&format!(
                "no release was made; what was asked of the rows stays charged in {}",
                journal.display()
            ));
        }
        if runs_under(account.as_ref()) > reserved {
            complain("what the run reserved in the ledger stays reserved");
        }
    })?;
    if let Some(log) = log {
        log.finish(&release)?;
    }
    Ok((release, written))
}

/// How many runs in the journal charged something; none when there is no journal.
fn runs_in(journal: &Path) -> u64 {
    charged_runs(journal).unwrap_or(0)
}

/// How many runs the ledger knows under the job's data set; none without a ledger.
fn runs_under(account: Option<&(PathBuf, String)>) -> usize {
    let sets = account.and_then(|(file, name)| show_ledger(file, Some(name)).ok()).unwrap_or_default();
    sets.iter().map(|set| set.drawn().len()).sum()
}

/// Flags, and below them the job file.
fn with_job_file(args: &SynthArgs) -> Result<(JobSpec, View), Failure> {
    let mut view = View {
        log_file: args.log_file.clone(),
        quiet: args.quiet,
        json: args.json,
        no_steward_report: args.no_steward_report,
    };
    let Some(path) = &args.job else {
        return Ok((args.spec(), view));
    };
    let name = path.display().to_string();
    let text = lookalike::read_text(path)?;
    let file = take_view(&text, &name, &mut view)?;
    Ok((args.spec().or(file), view))
}

/// Takes the keys that are this face's own out of a job file; the rest is the job's.
fn take_view(text: &str, name: &str, view: &mut View) -> Result<JobSpec, Failure> {
    let Ok(mut table) = text.parse::<toml::Table>() else {
        return Ok(JobSpec::parse(text, name)?);
    };
    let wrong = |key: &str, what: &str| Failure::Usage(format!("{name}: {key} must be {what}; correct the job file"));
    let mut found = false;
    for (key, flag) in
        [("quiet", &mut view.quiet), ("json", &mut view.json), ("no-steward-report", &mut view.no_steward_report)]
    {
        if let Some(value) = table.remove(key) {
            *flag |= value.as_bool().ok_or_else(|| wrong(key, "true or false"))?;
            found = true;
        }
    }
    if let Some(value) = table.remove("log-file") {
        let path = value.as_str().ok_or_else(|| wrong("log-file", "a file's name"))?;
        view.log_file.get_or_insert_with(|| PathBuf::from(path));
        found = true;
    }
    // The text as it stands keeps line numbers in messages; it is only written anew when a key was
    // taken out.
    Ok(if found { JobSpec::parse(&table.to_string(), name)? } else { JobSpec::parse(text, name)? })
}

fn show(release: &Release, written: &WrittenRelease, view: &View) -> Result<(), Failure> {
    if view.json {
        return stdout::json(&as_json(release, written));
    }
    if view.quiet {
        return Ok(());
    }
    let (folder, program) = (written.release_folder(), called::program());
    stdout::line("")?;
    stdout::line(stdout::strong(&release.guarantee()))?;
    if let Some(remark) = release.epsilon().and_then(about_epsilon) {
        stdout::line(remark)?;
    }
    stdout::line("")?;
    if release.epsilon().is_some() {
        stdout::line(format!("{} may be published as it stands:", folder.display()))?;
    } else {
        stdout::line(format!("{} must not be published as private:", folder.display()))?;
    }
    for (name, about) in written.files() {
        stdout::line(format!("  {name:<18} {about}"))?;
    }
    if let Some(old) = written.moved_aside() {
        stdout::line(format!("The folder that was there is now {}.", old.display()))?;
    }
    stdout::line("")?;
    stdout::line(format!("Next:  {program} verify {}", shown(&folder)))?;
    if release.model().is_some() {
        stdout::line(format!("       {program} sample {} -n 1000", shown(&folder)))?;
    }
    Ok(())
}

fn as_json(release: &Release, written: &WrittenRelease) -> serde_json::Value {
    let names: Vec<&str> = written.files().iter().map(|(name, _)| *name).collect();
    json!({
        "release": written.release_folder(),
        "guarantee": release.guarantee(),
        "epsilon": release.epsilon(),
        "delta": release.delta(),
        "used": release.used(),
        "rows": release.rows(),
        "seed": release.seed().map(|seed| seed.0),
        "charged_runs": release.charged_runs(),
        "journal": written.journal(),
        "files": names,
        "moved_aside": written.moved_aside(),
    })
}
