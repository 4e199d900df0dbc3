//! `fuzz TARGET... [--minutes M] [--seed N]`: changes inputs until the time is over, and ends at
//! the first finding.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use lookalike_fuzz::limit::Counting;
use lookalike_fuzz::session::Session;
use lookalike_fuzz::targets::{TARGETS, Target};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// An input that takes longer than this hangs. It is long because the machine may be busy.
const LONGEST: Duration = Duration::from_secs(60);

/// Inputs begun so far.
static BEGUN: AtomicU64 = AtomicU64::new(0);

const USAGE: &str = "usage: fuzz TARGET|all... [--minutes M] [--seed N]\n\
                     targets: csv gz parquet arrow schema book model journal ledger where";

fn main() -> ExitCode {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        if !lookalike_table::expects_damage() {
            usual(fault);
        }
    }));
    let mut words = std::env::args().skip(1);
    let (mut targets, mut minutes, mut seed) = (Vec::new(), 10.0, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--minutes" => minutes = words.next().and_then(|text| text.parse().ok()).unwrap_or(minutes),
            "--seed" => seed = words.next().and_then(|text| text.parse().ok()),
            "all" => targets.extend(TARGETS),
            name => match TARGETS.into_iter().find(|target| target.name() == name) {
                Some(target) => targets.push(target),
                None => {
                    eprintln!("{USAGE}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
    watch_for_hangs();
    targets.into_iter().for_each(|target| fuzz(target, minutes, seed));
    ExitCode::SUCCESS
}

fn fuzz(target: Target, minutes: f64, seed: u64) {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder.keep(),
        Err(error) => return eprintln!("fuzz: no folder for inputs: {error}"),
    };
    let (input, file) = (folder.join("input"), folder.join("read"));
    println!("{}: seed {seed}; a finding is the file {}", target.name(), input.display());
    let keep = |bytes: &[u8]| {
        BEGUN.fetch_add(1, Relaxed);
        let _ = std::fs::write(&input, bytes);
    };
    let mut session = Session::new(target, seed);
    session.replay(&file);
    let begun = Instant::now();
    let mut inputs = 0u64;
    while begun.elapsed().as_secs_f64() < 60.0 * minutes {
        // A panic, a failed allocation and a hang end the process; the file is then the input.
        session.step(&file, keep);
        inputs += 1;
    }
    println!("{}: {inputs} inputs in {:.1} minutes, {} kept, no finding", target.name(), minutes, session.kept());
    let _: Result<(), _> = std::fs::remove_dir_all(PathBuf::from(&folder));
}

/// Ends the process when one input takes too long.
fn watch_for_hangs() {
    std::thread::spawn(|| {
        let mut last = (u64::MAX, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let begun = BEGUN.load(Relaxed);
            if begun != last.0 {
                last = (begun, Instant::now());
            } else if last.1.elapsed() > LONGEST {
                eprintln!("fuzz: an input takes longer than {} seconds", LONGEST.as_secs());
                std::process::abort();
            }
        }
    });
}
