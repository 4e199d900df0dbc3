//! The journal as a file: many runs, torn lines, other versions, full disks.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{budget, charge, gaussian, laplace, neighbours};
use crate::ledger::*;
use crate::{PrivacyError, Rational, Relation, ScoreKind, SmoothedHistogram};

/// A run with a filter that charges `batches` batches of two queries.
fn run(path: &Path, batches: usize) -> String {
    let mut ledger =
        Ledger::open(Box::new(JournalStore::open(path).unwrap()), budget(1.0, 1e-5), neighbours()).unwrap();
    ledger.commit_filter(ledger.budget()).unwrap();
    for batch in 0..batches {
        let label = format!("marginal \"{batch}\" of {{\"v\":1,\n age");
        ledger.charge_batch(&[charge(&label, &laplace(1000)), charge(&label, &gaussian(100_000))]).unwrap();
    }
    ledger.run().to_owned()
}

#[test]
fn runs_are_read_back_with_their_sums() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let names = [run(&path, 0), run(&path, 3), run(&path, 1)];
    let runs = JournalStore::runs(&path).unwrap();
    assert_eq!(runs.iter().map(|run| run.name().to_owned()).collect::<Vec<_>>(), names);
    assert_eq!(runs.iter().map(JournalRun::is_charged).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(runs.iter().map(|run| run.batches().len()).collect::<Vec<_>>(), [0, 3, 1]);
    let one = laplace(1000).rho() + gaussian(100_000).rho();
    assert!((runs[1].rho() / (3.0 * one) - 1.0).abs() < 1e-12 && runs[0].rho() == 0.0);
    assert_eq!(runs[1].pure_epsilon(), None);
    assert_eq!((runs[1].budget(), runs[1].neighbours()), (budget(1.0, 1e-5), neighbours()));
    assert_eq!(runs[2].batches()[0][1].step, gaussian(100_000));
    assert_eq!(runs[2].batches()[0][0].label, "marginal \"0\" of {\"v\":1,\n age");
}

#[test]
fn scores_and_histograms_are_read_back_and_only_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let replace = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    let scored = |kind: ScoreKind, near: Neighbours| Step::Laplace {
        scale: Rational::new(1 << 40, 1).unwrap(),
        sensitivity: near.score(kind, 700).unwrap(),
    };
    let histogram = SmoothedHistogram { cells: 12, rows: 700, draws: 5 };
    let histogram = Step::Histogram { smoothing: Rational::new(1, 3).unwrap(), histogram };
    let mut steps: Vec<Step> = ScoreKind::ALL.into_iter().map(|kind| scored(kind, replace)).collect();
    steps.push(histogram.clone());
    let store = Box::new(JournalStore::open(&path).unwrap());
    let mut ledger = Ledger::open(store, budget(1.0, 0.0), replace).unwrap();
    ledger.commit_filter(ledger.budget()).unwrap();
    let mut queries = vec![charge("pairs", &steps[0]); 5_000];
    queries.extend(steps.iter().map(|step| charge("one", step)));
    ledger.charge_batch(&queries).unwrap();
    let runs = JournalStore::runs(&path).unwrap();
    assert_eq!(runs[0].batches(), [queries]);
    assert!(fs::metadata(&path).unwrap().len() < 4_000, "equal queries are written once");
    // Under add/remove neither a sensitivity of replace-one nor a histogram can be charged.
    let (mut ledger, _) = super::open(1.0, 0.0);
    ledger.commit_filter(ledger.budget()).unwrap();
    for step in [scored(ScoreKind::Dependence, replace), histogram] {
        super::refused(ledger.charge_batch(&[charge("foreign", &step)]));
    }
    ledger.charge_batch(&[charge("own", &scored(ScoreKind::Dependence, neighbours()))]).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_steward_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    run(&path, 1);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_record_torn_anywhere_is_left_out_and_the_next_run_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    run(&path, 2);
    let whole = fs::read(&path).unwrap();
    let last_line = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    // Every place near the end, and every ninth before it.
    let cuts = (last_line..=whole.len()).filter(|cut| cut % 9 == 0 || cut + 14 > whole.len());
    for cut in cuts.clone() {
        fs::write(&path, &whole[..cut]).unwrap();
        let before = JournalStore::runs(&path).unwrap();
        // Without its line end the record is whole all the same.
        let expected = if cut + 1 >= whole.len() { 2 } else { 1 };
        assert_eq!(before[0].batches().len(), expected, "cut at {cut}");
        run(&path, 1);
        let after = JournalStore::runs(&path).unwrap();
        assert_eq!(after.iter().map(|run| run.batches().len()).collect::<Vec<_>>(), [expected, 1], "cut at {cut}");
    }
    // Another run may have been open while the line was torn: its next record is then glued to it.
    for cut in cuts.filter(|&cut| cut < whole.len()) {
        fs::write(&path, &whole[..cut]).unwrap();
        let other = folder.path().join("other");
        let _ = fs::remove_file(&other);
        run(&other, 1);
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&fs::read(&other).unwrap()).unwrap();
        let runs = JournalStore::runs(&path).unwrap();
        assert_eq!(runs.len(), 2, "cut at {cut}");
        assert_eq!(runs[1].batches().len(), 1);
    }
}

#[test]
fn a_record_lost_from_the_middle_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    run(&path, 3);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&path, [&lines[..3], &lines[4..]].concat().join("\n")).unwrap();
    assert!(matches!(JournalStore::runs(&path), Err(PrivacyError::Damaged { .. })));
    // A flipped digit is a lost record.
    fs::write(&path, text.replacen("100000/1", "900000/1", 1)).unwrap();
    assert!(matches!(JournalStore::runs(&path), Err(PrivacyError::Damaged { .. })));
}

#[test]
fn runs_at_once_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| run(&path, 25));
        }
    });
    let runs = JournalStore::runs(&path).unwrap();
    assert_eq!(runs.iter().map(|run| run.batches().len()).collect::<Vec<_>>(), [25; 4]);
}

#[test]
fn version_1_is_read_for_ever_and_a_newer_one_is_refused() {
    let golden = include_str!("golden-v1.journal");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, golden).unwrap();
    let runs = JournalStore::runs(&path).unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].budget(), runs[0].neighbours()), (budget(1.0, 1e-9), neighbours()));
    let steps: Vec<Step> = runs[0].batches().iter().flatten().map(|query| query.step.clone()).collect();
    let selection = Step::Exponential { epsilon: crate::Rational::new(1, 8).unwrap() };
    assert_eq!(steps, [laplace(40), gaussian(900), gaussian(900), selection]);

    let newer = golden.lines().next().unwrap();
    let (head, _) = newer.split_once(",\"sum\"").unwrap();
    let line = record::sealed(&head.replacen("\"v\":1", "\"v\":2", 1));
    fs::write(&path, line).unwrap();
    let error = JournalStore::runs(&path).unwrap_err().to_string();
    assert!(error.contains("newer") && !error.contains('\n'), "{error}");
}

#[test]
fn what_is_not_there_or_not_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(JournalStore::runs(&folder.path().join("none")), Err(PrivacyError::Store(_))));
    let path = folder.path().join("junk");
    fs::write(&path, [0xff, 0xfe, 0, b'\n', b'{', b'"', b'v', b'"', b':']).unwrap();
    assert_eq!(JournalStore::runs(&path).unwrap(), []);
    assert!(JournalStore::open(&folder.path().join("no/such/folder")).is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_charges_nothing() {
    let Ok(store) = JournalStore::open(Path::new("/dev/full")) else { return };
    let error = Ledger::open(Box::new(store), budget(1.0, 0.0), neighbours()).err();
    assert!(matches!(error, Some(PrivacyError::Store(_))), "{error:?}");
}
