//! The list, the file, and a run that is taken up again.

use std::sync::Mutex;

use lookalike_curator::Cancel;
use lookalike_methods::Observer;

use super::*;
use crate::AuditError;

fn settings(mechanism: &str, epsilons: &[f64], runs: usize) -> AuditSettings {
    AuditSettings {
        method: None,
        mechanism: Some(mechanism.into()),
        epsilons: epsilons.to_vec(),
        size: AuditSize::Quick,
        runs: Some(runs),
    }
}

#[derive(Default)]
struct Phases(Mutex<Vec<String>>);

impl Observer for Phases {
    fn phase(&self, name: &str) {
        self.0.lock().unwrap().push(name.into());
    }
    fn round(&self, done: u64, planned: u64) {
        assert!(done <= planned);
    }
}

#[test]
fn every_bound_of_the_full_audit_is_in_the_family() {
    let all = AuditSettings {
        method: None,
        mechanism: None,
        epsilons: AuditSettings::EPSILONS.to_vec(),
        size: AuditSize::Full,
        runs: None,
    };
    let audits = list(&all).unwrap();
    let bounds: u32 = audits.iter().map(Audit::bounds).sum();
    assert!(bounds <= crate::bound::MOST_BOUNDS, "{bounds} bounds");
    let seeded = cfg!(feature = "broken").then_some("seeded noise");
    let parts = ["half the noise", "noise after normalizing", "categories read from the data", "nats"];
    for part in parts.into_iter().chain(seeded) {
        assert!(audits.iter().any(|audit| audit.to_string().contains(part)), "no control: {part}");
    }
    for info in lookalike_methods::methods() {
        assert!(audits.iter().any(|audit| audit.to_string().starts_with(&format!("{} under", info.name))));
    }
}

#[test]
fn senseless_settings_are_refused() {
    let refused =
        |settings: AuditSettings| matches!(list(&settings), Err(AuditError::Setting { .. } | AuditError::Method(_)));
    assert!(refused(settings("marginal", &[1.0], 10)));
    assert!(refused(settings("marginal-laplace", &[0.0], 10)));
    assert!(refused(settings("marginal-laplace", &[f64::NAN], 10)));
    assert!(refused(settings("marginal-laplace", &[1.0], 0)));
    assert!(refused(AuditSettings { method: Some("magic".into()), ..settings("marginal-laplace", &[1.0], 10) }));
    assert_eq!(list(&settings("row-count-laplace", &[1.0, 2.0], 10)).unwrap().len(), 8);
}

/// The controls that go beside the door, and the one that needs the seeded noise, are caught by the
/// marginal's audit.
#[test]
fn controls_of_the_marginal_are_caught() {
    for epsilon in [0.5, 4.0] {
        let audits = list(&settings("marginal-laplace", &[epsilon], 4_000)).unwrap();
        let rows = run(&audits, &mut ResultsFile::new(), &Phases::default(), &Cancel::new()).unwrap();
        assert!(rows.iter().all(|row| row.audit.control.is_some() || !row.is_above()), "{rows:?}");
        let seeded = cfg!(feature = "broken").then_some("seeded noise");
        for control in ["categories read from the data", "noise after normalizing"].into_iter().chain(seeded) {
            assert!(
                rows.iter().any(|row| row.audit.control.as_deref() == Some(control) && row.is_above()),
                "{control} {epsilon}"
            );
        }
    }
}

#[test]
fn a_stopped_run_is_taken_up_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let audits = list(&settings("row-count-laplace", &[1.0], 500)).unwrap();
    let stopped = Cancel::new();
    stopped.cancel();
    let none = run(&audits, &mut ResultsFile::open(&path).unwrap(), &Phases::default(), &stopped);
    assert!(matches!(none, Err(AuditError::Interrupted)));
    let first = run(&audits[..2], &mut ResultsFile::open(&path).unwrap(), &Phases::default(), &Cancel::new()).unwrap();
    // The third was being written when the power went.
    let mut text = std::fs::read_to_string(&path).unwrap();
    text += "{\"kind\":\"white\",\"na";
    std::fs::write(&path, text).unwrap();
    let phases = Phases::default();
    let rows = run(&audits, &mut ResultsFile::open(&path).unwrap(), &phases, &Cancel::new()).unwrap();
    assert_eq!(rows[..2], first[..]);
    assert_eq!(phases.0.lock().unwrap().len(), audits.len() - 2, "what is there is not run again");
    let whole = ResultsFile::open(&path).unwrap();
    assert_eq!(whole.rows(), rows);
    // Other runs are other audits.
    let other = list(&settings("row-count-laplace", &[1.0], 501)).unwrap();
    assert!(whole.find(&other[0]).is_none() && whole.find(&audits[0]).is_some());
}

#[test]
fn the_table_says_what_was_found() {
    let row = |control: Option<&str>, found: f64| AuditResult {
        audit: AuditId {
            kind: "white".into(),
            name: "marginal-laplace".into(),
            neighbours: "add-remove".into(),
            control: control.map(str::to_owned),
            claimed: 1.0,
            runs: 1000,
        },
        delta: 0.0,
        picked_on: 500,
        found,
        plain: found,
        limit: 4.0,
        hits: [1, 2],
        event: ("after".into(), 1),
        feature: 0,
    };
    let rows = [row(None, 0.9), row(Some("half the noise"), 1.8), row(Some("other"), 0.5)];
    let table = text(&rows);
    assert!(
        table.contains("0.900") && table.contains("half the noise: 1.80, caught; other: 0.50, not caught"),
        "{table}"
    );
    assert_eq!(table.lines().count(), 2);
    assert!(markdown(&rows).lines().nth(1).unwrap().starts_with("| --- |"));
    assert!(text(&[row(None, 1.1)]).contains("ABOVE"));
}

/// Everything that must hold, at full size: half an hour of an idle machine. It goes on from the
/// file that LOOKALIKE_AUDIT names. LOOKALIKE_AUDIT_RUNS gives the mechanisms fewer runs,
/// LOOKALIKE_AUDIT_EPSILONS the methods fewer claims, and LOOKALIKE_AUDIT_ONLY takes the audits
/// whose words have that part.
#[test]
#[ignore = "takes long; run it with LOOKALIKE_AUDIT=FILE"]
fn the_full_audit() {
    let variable = |name: &str| std::env::var(name).ok();
    let runs = variable("LOOKALIKE_AUDIT_RUNS").map(|runs| runs.parse().unwrap());
    let all = AuditSettings {
        method: None,
        mechanism: None,
        epsilons: AuditSettings::EPSILONS.to_vec(),
        size: AuditSize::Full,
        runs,
    };
    let mut audits: Vec<Audit> = list(&all).unwrap().into_iter().filter(|audit| audit.id.kind == "white").collect();
    let claims = variable("LOOKALIKE_AUDIT_EPSILONS");
    let claims = claims.map(|claims| claims.split(',').map(|claim| claim.parse().unwrap()).collect());
    let methods = AuditSettings { runs: None, epsilons: claims.unwrap_or(all.epsilons.clone()), ..all };
    audits.extend(list(&methods).unwrap().into_iter().filter(|audit| audit.id.kind == "black"));
    if let Some(part) = variable("LOOKALIKE_AUDIT_ONLY") {
        audits.retain(|audit| audit.to_string().contains(&part));
    }
    let mut results = match variable("LOOKALIKE_AUDIT") {
        Some(path) => ResultsFile::open(std::path::Path::new(&path)).unwrap(),
        None => ResultsFile::new(),
    };
    for row in run(&audits, &mut results, &Phases::default(), &Cancel::new()).unwrap() {
        match &row.audit.control {
            None => assert!(!row.is_above(), "{row:?}"),
            Some(_) => assert!(row.is_above(), "not caught: {row:?}"),
        }
        let tight = row.audit.name == "marginal-gaussian"
            && row.audit.neighbours == "add-remove"
            && row.audit.control.is_none();
        let tight = tight && row.audit.claimed >= 1.0 && row.audit.runs >= 1_000_000;
        assert!(!tight || row.found >= 0.9 * row.audit.claimed, "{row:?}");
    }
}
