use super::*;
use crate::plot::{Panel, plot};

fn quietly(name: &str) -> Study {
    let settings = StudySettings { size: StudySize::Quick, data: None, simulated: true, tell: &|_| {} };
    find(name).unwrap().run(&settings).unwrap()
}

#[test]
fn names_are_told_apart_and_listed() {
    let mut names: Vec<&str> = FIGURES.iter().map(|figure| figure.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FIGURES.len());
    let error = find("aau").err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("aau-histogram") && error.contains("th-bounds"), "{error}");
}

#[test]
fn a_table_that_is_not_there_is_named() {
    let settings = StudySettings { size: StudySize::Quick, data: None, simulated: false, tell: &|_| {} };
    let error = format!("{:#}", find("pb14-theta").unwrap().run(&settings).err().unwrap());
    assert!(error.contains("nltcs.csv") && error.contains("--simulated"), "{error}");
}

#[test]
fn a_study_has_numbers_a_picture_and_a_verdict() {
    let study = quietly("aau-network");
    assert_eq!(study.table.rows.len(), 5);
    assert!(study.findings.iter().all(|finding| !finding.words.is_empty()));
    assert!(study.findings[0].seen, "agreement falls with alpha: {}", study.findings[0].words);
    let svg = study.svg();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), 25);
    for banned in ["NaN", "inf", "http://127", "<script"] {
        assert!(!svg.contains(banned), "{banned}");
    }
    let folder = tempfile::tempdir().unwrap();
    for path in write("aau-network", &study, folder.path()).unwrap() {
        assert!(path.is_file());
    }
}

#[test]
fn a_plot_survives_odd_numbers() {
    let odd = [(0.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 2.0), (10.0, 0.0), (100.0, -3.0)];
    let line = |panel: &mut Panel, points: &[(f64, f64)]| points.iter().for_each(|&(x, y)| panel.put("a < b", x, y));
    let fills: [&dyn Fn(&mut Panel); 4] = [
        &|panel| line(panel, &odd),
        &|panel| panel.dashed("a < b", []),
        &|panel| line(panel, &[(1.0, 1.0)]),
        &|panel| panel.dots("dots", odd),
    ];
    for fill in fills {
        for (log_x, log_y) in [(false, false), (true, true)] {
            let panel = Panel::new("", "", "");
            let panel = if log_x { panel.log_x() } else { panel };
            let mut panel = if log_y { panel.log_y() } else { panel };
            fill(&mut panel);
            let svg = plot("x & y", 2, &[panel]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(!svg.contains("a < b") && svg.contains("x &amp; y"));
        }
    }
}
