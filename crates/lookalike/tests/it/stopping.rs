//! A run stops at whatever look at the flag it is told to: nothing is left half-written, what was
//! charged stays charged, and between two looks there is little work.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{METHODS, SCHEMA, Story, records, relation_of, table};
use lookalike::{Cancel, Error, ErrorKind, Input, Job, JobSpec, Release, Schema};
use lookalike_curator::cancel::MOST_STEPS;

/// Every look from the first on is told to stop; and some more, spread over the whole run.
const FIRST_LOOKS: u64 = 6;
const SPREAD_LOOKS: u64 = 14;

/// What was seen of the looks at a flag.
#[derive(Default)]
struct Looks {
    count: AtomicU64,
    /// The most steps that were announced at one look, and those of all together.
    most: AtomicU64,
    all: AtomicU64,
}

/// A flag that is set at this look, counted from 1.
fn flag_set_at(look: u64) -> (Arc<Looks>, Cancel) {
    let looks = Arc::new(Looks::default());
    let seen = Arc::clone(&looks);
    let cancel = Cancel::watched(move |steps| {
        seen.most.fetch_max(steps, Ordering::Relaxed);
        seen.all.fetch_add(steps, Ordering::Relaxed);
        seen.count.fetch_add(1, Ordering::Relaxed) + 1 >= look
    });
    (looks, cancel)
}

fn job(method: &str, out: &Path) -> Job {
    let spec = JobSpec {
        epsilon: Some(if method == "histogram" { 400.0 } else { 20.0 }),
        method: Some(method.to_owned()),
        relation: relation_of(method),
        rows: Some(40),
        seed: Some(5),
        threads: Some(2),
        out: Some(out.to_owned()),
        ..JobSpec::default()
    };
    let schema = Schema::parse(SCHEMA, "schema").unwrap();
    let job = spec.check_with_schema(schema).unwrap();
    Job { synthesizer: job.synthesizer.with_test_noise(11), ..job }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_method_stops_at_any_look() {
    let home = tempfile::tempdir().unwrap();
    let rows = home.path().join("rows.csv");
    std::fs::write(&rows, table(&records(200))).unwrap();
    for (method, _) in METHODS {
        let run = |place: &Path, cancel: &Cancel| -> Result<Release, Error> {
            job(method, &place.join("out"))
                .run(Input::Path(rows.clone()), &Story::default(), cancel)
                .map(|(release, _)| release)
        };
        let place = tempfile::tempdir().unwrap();
        let (looks, cancel) = flag_set_at(u64::MAX);
        run(place.path(), &cancel).unwrap();
        let (count, most) = (looks.count.load(Ordering::Relaxed), looks.most.load(Ordering::Relaxed));
        assert!(most <= MOST_STEPS, "{method}: {most} steps between two looks");
        assert!(looks.all.load(Ordering::Relaxed) > 0, "{method}: no work was announced");
        let spread = (1..=SPREAD_LOOKS).map(|part| (count * part).div_ceil(SPREAD_LOOKS));
        for look in (1..=FIRST_LOOKS.min(count)).chain(spread) {
            let place = tempfile::tempdir().unwrap();
            let (looks, cancel) = flag_set_at(look);
            match run(place.path(), &cancel) {
                Err(error) => assert_eq!(error.kind(), ErrorKind::Interrupted, "{method}, look {look}: {error}"),
                // Threads share the work anew in every run, so a run may end with fewer looks than
                // the first. It was never stopped, and has its folder.
                Ok(_) => {
                    assert!(looks.count.load(Ordering::Relaxed) < look, "{method} went on after look {look}");
                    continue;
                }
            }
            let left = names(place.path());
            assert!(left.iter().all(|name| name == "out.journal.jsonl"), "{method}, look {look}: {left:?}");
            // What was charged is on disk, and the next run counts it.
            let journal = std::fs::read_to_string(place.path().join("out.journal.jsonl")).unwrap_or_default();
            let charged = u64::from(journal.contains("\"charge\":"));
            if look.is_multiple_of(5) {
                let again = run(place.path(), &Cancel::new()).unwrap();
                assert_eq!(again.statement().facts().charged_runs, charged + 1, "{method}, look {look}");
            }
        }
    }
}
