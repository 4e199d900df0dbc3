//! The grids as they were fixed, lines that survive a torn file, and verdicts on figures made up
//! for them.

use super::cells::{DELTA, Grid, GridCell, is_generated};
use super::figure::beside_peers;
use super::peers;
use super::record::{RunFigures, RunLog, RunRecord};
use super::summary::{Mean, Metric, Summary, judge};

fn line(method: &str, table: &str, epsilon: f64, run: u64, tvd3: f64) -> RunRecord {
    let figures = RunFigures { tvd3, tvd5: 2.0 * tvd3, seconds: 1.0, ..RunFigures::default() };
    RunRecord { result: Some(figures), ..RunRecord::asked(method, table, epsilon, DELTA, run) }
}

#[test]
fn the_wide_grid_is_what_was_committed() {
    let cells = Grid::Wide.cells().unwrap();
    assert_eq!(cells.len(), 40);
    for table in ["nltcs", "acs", "adult", "br2000", "interactions", "wide-column", "columns-100", "rows-2000"] {
        let epsilons: Vec<f64> = cells.iter().filter(|cell| cell.table == table).map(|cell| cell.epsilon).collect();
        assert_eq!(epsilons, [0.1, 0.5, 2.0, 8.0], "{table}");
    }
    let generated: Vec<&GridCell> = cells.iter().filter(|cell| is_generated(&cell.table, None)).collect();
    assert_eq!(generated.len(), 24);
    assert!(is_generated("rows-5m@1000", None) && !is_generated("adult", None));
}

#[test]
fn peers_have_their_rows_and_the_bar_is_the_lowest() {
    let cells = Grid::Peers.cells().unwrap();
    assert_eq!(cells.len(), 16, "fifteen rows with figures, and acs at 3.2 for aim");
    let figures = peers::figures().unwrap();
    let bar = |table: &str, epsilon: f64, family| {
        peers::best(&figures, (table, epsilon), family, 1).map(|(figure, bar)| (figure.tool.as_str(), bar))
    };
    assert_eq!(bar("adult", 0.2, None), Some(("dpmm MST", 0.0973)));
    assert_eq!(bar("adult", 0.8, Some("mst")), Some(("private-pgm MST", 0.0804)));
    assert_eq!(bar("nltcs", 0.8, None), Some(("PrivMRF (authors)", 0.00522)));
    assert_eq!(bar("acs", 3.2, None), None);
}

#[test]
fn a_torn_line_is_left_alone_and_its_run_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.jsonl");
    let mut log = RunLog::append_to(&path).unwrap();
    log.push(line("mst", "adult", 0.1, 0, 0.25)).unwrap();
    let failed = RunRecord { failed: Some("no".into()), result: None, ..line("aim", "adult", 0.1, 0, 0.0) };
    log.push(failed.clone()).unwrap();
    log.push(line("mst", "adult", 0.1, 1, 0.25)).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 9]).unwrap();

    let mut log = RunLog::append_to(&path).unwrap();
    assert_eq!((log.lines().len(), log.strange), (2, 1));
    assert_eq!(log.lines()[0], line("mst", "adult", 0.1, 0, 0.25));
    assert!(log.has(&failed) && !log.has_result(&failed));
    let torn = line("mst", "adult", 0.1, 1, 0.25);
    assert!(!log.has(&torn) && log.has(&line("mst", "adult", 0.1, 0, 0.0)));
    assert!(!log.has(&RunRecord { whole: true, ..line("mst", "adult", 0.1, 0, 0.0) }));
    assert!(!log.has(&RunRecord { settings: [("a".into(), "1".into())].into(), ..line("mst", "adult", 0.1, 0, 0.0) }));
    log.push(torn.clone()).unwrap();
    let log = RunLog::read(&path).unwrap();
    assert_eq!((log.lines().len(), log.strange), (3, 1));
    assert!(log.has_result(&torn));
}

#[test]
fn means_have_their_standard_errors() {
    let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    assert_eq!((mean.runs, mean.mean), (4, 2.5));
    // The sample variance is 5/3.
    assert!((mean.error.unwrap() - (5.0f64 / 12.0).sqrt()).abs() < 1e-15);
    assert_eq!(Mean::of(&[7.0]).unwrap().error, None);
    assert_eq!(Mean::of(&[]), None);
}

#[test]
fn the_rule_allows_two_hundredths_and_two_standard_errors_of_the_difference() {
    let mean = |mean: f64, error: f64, runs| Mean { runs, mean, error: Some(error) };
    let (allowed, verdict) = judge(&mean(1.119, 0.03, 5), &mean(1.0, 0.04, 5));
    assert!((allowed - 1.12).abs() < 1e-12);
    assert_eq!(verdict, "holds");
    assert_eq!(judge(&mean(1.121, 0.03, 5), &mean(1.0, 0.04, 5)).1, "FAILS");
    assert_eq!(judge(&mean(1.121, 0.03, 5), &mean(1.0, 0.04, 4)).1, "not so far");
    assert_eq!(judge(&mean(0.9, 0.03, 1), &mean(1.0, 0.04, 5)).1, "so far");
}

#[test]
fn a_summary_marks_the_best_and_judges_the_default_method() {
    let mut lines = Vec::new();
    for run in 0..5 {
        let shake = run as f64 * 1e-4;
        lines.push(line("auto", "adult", 0.8, run, 0.030 + shake));
        lines.push(line("mst", "adult", 0.8, run, 0.080 + shake));
        lines.push(line("aim", "adult", 0.8, run, 0.031 + shake));
    }
    lines.push(RunRecord { failed: Some("too slow".into()), result: None, ..line("privmrf", "adult", 0.8, 0, 0.0) });
    let summary = Summary::new(&lines, Vec::new(), |_| true);
    let sheet = summary.table(Metric::find("tvd3").unwrap());
    assert_eq!(sheet.head[2..6], ["mst", "aim", "privmrf", "auto"].map(String::from));
    let row = &sheet.rows[0];
    assert_eq!(row[2], "0.08020 ±0.00007 (5)");
    assert_eq!(row[4], "failed");
    assert_eq!(row[5], "0.03020 ±0.00007 (5) *");
    assert_eq!((row[6].as_str(), row[8].as_str()), ("0.968", "holds"));
    assert_eq!(
        summary.ranking(&GridCell { table: "adult".into(), epsilon: 0.8 }, Metric::find("tvd3").unwrap())[0].0,
        "aim"
    );
    assert_eq!(summary.failures().rows.len(), 1);
    assert!(sheet.markdown().starts_with("| table | epsilon | mst |"));

    let promises = summary.promises(&[Metric::find("tvd3").unwrap(), Metric::find("tvd5").unwrap()]).unwrap();
    let verdicts: Vec<(&str, &str, &str)> =
        promises.rows.iter().map(|row| (row[0].as_str(), row[3].as_str(), row[8].as_str())).collect();
    // 0.0302 of 0.04266; 0.0604 of 0.12059; mst 0.0802 of 0.0804 and 0.1604 of 0.1927; aim below
    // mst.
    let expected =
        [("auto", "TVD3"), ("auto", "TVD5"), ("mst", "TVD3"), ("mst", "TVD5"), ("aim", "TVD3"), ("aim", "TVD5")];
    assert_eq!(verdicts, expected.map(|(method, measure)| (method, measure, "holds")));
}

#[test]
fn the_picture_has_a_mark_and_a_label_for_the_default_method_and_every_peer() {
    let run = |table: &str, run: u64, tvd3: f64, cpu_seconds: f64| {
        let result = Some(RunFigures { tvd3, cpu_seconds, ..RunFigures::default() });
        RunRecord { whole: true, result, ..line("auto", table, 0.8, run, 0.0) }
    };
    let mut lines = vec![run("adult", 0, 0.03, 3.0), run("adult", 1, 0.05, 5.0), run("nltcs", 0, 0.004, 1.0)];
    lines.push(line("mst", "adult", 0.8, 0, 0.08));
    let svg = beside_peers(&Summary::new(&lines, Vec::new(), |_| true)).unwrap();
    let figures = peers::figures().unwrap();
    let here: Vec<_> = figures
        .iter()
        .filter(|peer| peer.epsilon == 0.8 && ["adult", "nltcs"].contains(&peer.table.as_str()))
        .collect();
    assert_eq!(svg.matches("<circle").count(), here.len() + 2);
    assert_eq!(svg.matches("class=\"star\"").count(), 2);
    assert_eq!(svg.matches(">Lookalike auto</text>").count(), 2);
    for peer in here {
        let label =
            if peer.overspends { format!(">{} †</text>", peer.tool) } else { format!(">{}</text>", peer.tool) };
        assert!(svg.contains(&label), "{label}");
    }
    for wanted in ["Lower left is better", "H200 GPU", "mean of 1 to 2 runs", ">adult</text>", ">nltcs</text>"] {
        assert!(svg.contains(wanted), "{wanted}");
    }
    // The shipped program on one table alone is no picture, and says which runs are missing.
    let error = beside_peers(&Summary::new(&lines[..2], Vec::new(), |_| true)).unwrap_err();
    assert!(error.to_string().contains("auto on nltcs at epsilon 0.8"), "{error}");
}
