//! Parts as the parameters have them, and verdicts on figures made up for them.

use lookalike_methods::auto::AutoParams;
use lookalike_methods::mst::MstParams;
use lookalike_methods::{Parameter, Parameters, Rule};

use super::class::TableClass;
use super::figures::{AblationFigures, AblationLine, LOST_SPEARMAN, Settings};
use super::parts::{Part, parts};
use super::tables::{AblationFolders, AblationTable};
use super::verdict::{Ablation, Effect, PairedRuns, verdict};
use crate::grid::RunRecord;

const SIGNAL: Part = Part { name: "signal-test", inverted: "false" };
const FOREST: Part = Part { name: "forest", inverted: "false" };

fn line(table: &AblationTable, settings: &Settings, run: u64, figures: &[(&str, f64)]) -> AblationLine {
    let figures = figures.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let (class, used_epsilon, seconds) = (table.class, 1.0, 1.5);
    let result = AblationFigures { class, rows: 10, used_epsilon, seconds, cpu_seconds: seconds, figures };
    let asked = RunRecord::asked("auto", &table.name, 1.0, 1e-6, run);
    RunRecord { settings: settings.clone(), result: Some(result), ..asked }
}

fn tables() -> Vec<AblationTable> {
    let folders = AblationFolders::new(None).unwrap();
    let mut tables: Vec<AblationTable> =
        ["heaps", "shapes", "interactions"].iter().map(|name| folders.find(name).unwrap()).collect();
    assert!(tables.iter().all(|table| table.class == TableClass::Generated));
    tables[2].class = TableClass::Coded;
    tables
}

fn effect(changes: &[f64]) -> Effect {
    PairedRuns { changes: changes.to_vec(), failed: 0 }.effect()
}

#[test]
fn parts_are_the_switches_among_the_parameters() {
    let none = Settings::new();
    let all = parts(&AutoParams::METHOD, &[], &none).unwrap();
    let is_switch = |parameter: &&Parameter| parameter.rule == Rule::Switch;
    let named: Vec<&str> = AutoParams::METHOD.parameters.iter().filter(is_switch).map(|switch| switch.name).collect();
    assert_eq!(all.iter().map(|part| part.name).collect::<Vec<_>>(), named);
    assert!(all.contains(&SIGNAL) && all.iter().all(|part| part.name != "rounds"));
    for part in &all {
        let left_out: Vec<(String, String)> = part.left_out(&none).into_iter().collect();
        lookalike_methods::build("auto", &left_out).unwrap();
        let default = AutoParams::METHOD.parameters.iter().find(|parameter| parameter.name == part.name).unwrap();
        assert_ne!(AutoParams::METHOD.default_of(default), part.inverted, "{part}");
    }
    let only = |names: &[&str], base: &Settings| {
        parts(&AutoParams::METHOD, &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), base)
    };
    assert_eq!(only(&["signal-test", "forest"], &none).unwrap(), [FOREST, SIGNAL]);
    assert!(only(&["rounds"], &none).unwrap_err().to_string().contains("forest"));
    // What is set for all runs cannot be left out of some.
    assert!(only(&["signal-test"], &SIGNAL.left_out(&none)).is_err());
    assert!(!only(&[], &SIGNAL.left_out(&none)).unwrap().contains(&SIGNAL));
}

/// A switch that is off by default is put in.
#[test]
fn switches_are_turned_over() {
    let put_in = Part { name: "levels", inverted: "true" };
    assert_eq!(parts(&MstParams::METHOD, &[], &Settings::new()).unwrap(), [put_in]);
    assert_eq!((put_in.to_string(), SIGNAL.to_string()), ("levels (put in)".into(), "signal-test".into()));
}

#[test]
fn a_change_counts_from_two_per_cent_and_two_standard_errors_on() {
    // The standard error of two values is half their difference.
    assert_eq!(effect(&[0.01, 0.031]), Effect::CannotTell);
    assert_eq!(effect(&[0.015, 0.027]), Effect::Costs);
    assert_eq!(effect(&[-0.015, -0.027]), Effect::Gains);
    assert_eq!(effect(&[0.018, 0.019]), Effect::CannotTell);
    assert_eq!(effect(&[-0.018, -0.019]), Effect::CannotTell);
    assert_eq!(effect(&[0.5, -0.1]), Effect::CannotTell);
    // One pair has no standard error; no change at all is none, however sure it is.
    assert_eq!(effect(&[0.5]), Effect::CannotTell);
    assert_eq!(effect(&[0.0; 9]), Effect::CannotTell);
    assert_eq!(effect(&[]), Effect::CannotTell);
    assert_eq!(PairedRuns { changes: vec![-0.5, -0.5], failed: 1 }.effect(), Effect::Fails);
}

#[test]
fn a_part_stays_that_costs_somewhere_and_gains_nowhere() {
    use Effect::{CannotTell, Costs, Fails, Gains};
    let stay = [&[CannotTell, Costs, CannotTell][..], &[Costs]];
    let go = [&[Costs, Gains][..], &[CannotTell, CannotTell], &[Gains], &[]];
    assert!(stay.iter().all(|effects| verdict(effects) == "stays"));
    assert!(go.iter().all(|effects| verdict(effects) == "goes"));
    assert_eq!(verdict(&[Costs, Fails]), "open");
}

#[test]
fn changes_are_relative_to_the_default_and_paired_by_table_and_run() {
    let (tables, base) = (tables(), Settings::new());
    let (signal, forest) = (SIGNAL.left_out(&base), FOREST.left_out(&base));
    let mut lines = Vec::new();
    for (run, shake) in [(0, 0.9), (1, 1.1)] {
        // Means of the default: 0.1 and 0.04; 0.001, which is below the least; 0.2.
        lines.push(line(&tables[0], &base, run, &[("ks", 0.1 * shake), ("tvd", 0.04 * shake), ("zeros", 0.1)]));
        lines.push(line(&tables[0], &signal, run, &[("ks", 0.1 * shake + 0.01), ("tvd", 0.04 * shake + 0.012)]));
        lines.push(line(&tables[1], &base, run, &[(LOST_SPEARMAN, 0.001)]));
        lines.push(line(&tables[1], &signal, run, &[(LOST_SPEARMAN, 0.003), ("ks", 9.0)]));
        lines.push(line(&tables[2], &base, run, &[("tvd1", 0.2 * shake)]));
        lines.push(line(&tables[2], &signal, run, &[("tvd1", 0.1 * shake)]));
        // Left out, and yet the same.
        for table in &tables {
            let same = lines.iter().rfind(|line| line.table == table.name && line.settings == base).unwrap().clone();
            lines.push(RunRecord { settings: forest.clone(), ..same });
        }
    }
    // A run of the default that has no partner, and one that fails without its partner having been
    // there.
    lines.push(line(&tables[0], &base, 2, &[("ks", 0.1), ("tvd", 0.04)]));
    lines.push(RunRecord { result: None, failed: Some("no".into()), ..line(&tables[1], &signal, 7, &[]) });
    let parts = [SIGNAL, FOREST];
    let ablation = Ablation { lines: lines.iter().collect(), base: &base, tables: &tables, parts: &parts };
    let close = |found: &[f64], wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len());
        assert!(found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-12), "{found:?}");
    };
    // Of ks +10%, of tvd +30%; of the lost correlation 0.002 over 0.02.
    let generated = ablation.paired(&SIGNAL, |table| table.class == TableClass::Generated);
    close(&generated.changes, &[0.2, 0.2, 0.1, 0.1]);
    assert_eq!((generated.failed, generated.effect()), (0, Effect::Costs));
    let coded = ablation.paired(&SIGNAL, |table| table.class == TableClass::Coded);
    close(&coded.changes, &[-0.45, -0.55]);
    assert_eq!(ablation.paired(&FOREST, |_| true), PairedRuns { changes: vec![0.0; 6], failed: 0 });

    let by_class = ablation.by_class();
    assert_eq!(by_class.head, ["left out", "coded", "effect", "generated", "effect", "verdict", "seconds"]);
    assert_eq!(by_class.rows[0][6], "1.5");
    assert_eq!(by_class.rows[1][..4], ["signal-test", "-50.0% ±5.0 (2)", "gains", "+15.0% ±2.9 (4)"]);
    assert_eq!(by_class.rows[1][4..6], ["costs", "goes"]);
    assert_eq!(by_class.rows[2][2..6], ["cannot tell", "+0.0% ±0.0 (4)", "cannot tell", "goes"]);
    assert_eq!(ablation.by_table().rows[1], ["shapes", "generated", "+10.0% ±0.0 (2)", "+0.0% ±0.0 (2)"]);
}

#[test]
fn runs_that_fail_without_a_part_leave_it_open_until_they_are_made_good() {
    let (tables, base) = (tables(), Settings::new());
    let signal = SIGNAL.left_out(&base);
    let same = [("ks", 0.1)];
    let mut lines: Vec<AblationLine> = (0..2).map(|run| line(&tables[0], &base, run, &same)).collect();
    lines.push(line(&tables[0], &signal, 0, &same));
    lines.push(RunRecord { result: None, failed: Some("too slow".into()), ..line(&tables[0], &signal, 1, &same) });
    let row = |lines: &[AblationLine]| {
        let (lines, tables) = (lines.iter().collect(), &tables[..1]);
        Ablation { lines, base: &base, tables, parts: &[SIGNAL] }.by_class().rows.remove(1)
    };
    assert_eq!(row(&lines)[1..4], ["+0.0% (1) 1 failed", "fails", "open"]);
    lines.push(line(&tables[0], &signal, 1, &same));
    assert_eq!(row(&lines)[1..4], ["+0.0% ±0.0 (2)", "cannot tell", "goes"]);
}
