use std::collections::BTreeSet;
use std::path::Path;

use super::coverage_rows::{COVERAGE, How};
use super::page::page_of;
use super::results::StudyResults;
use super::verdict::{PlaceTally, Verdict, above_zero, below};
use super::*;
use crate::plot::{Panel, plot};

fn tiny(simulated: bool) -> StudySettings<'static> {
    StudySettings { size: StudySize::Tiny, data: None, simulated, most_runs: None, tell: &|_| {} }
}

/// The whole way of a figure: its runner, its file, its reading, its picture.
fn goes_through(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let figure = find(name).unwrap();
    let results = figure.record(&tiny(true), Some(folder.path())).unwrap();
    assert!(!results.cells.is_empty(), "{name} measured nothing");
    let read = StudyResults::read(&results_file(folder.path(), name)).unwrap().unwrap();
    assert_eq!(read, results, "{name}: the file says something else");
    let study = figure.read(&results);
    assert!(study.findings.iter().all(|finding| !finding.claim.is_empty() && !finding.words.is_empty()), "{name}");
    let svg = study.svg();
    let mut words = svg.split(|letter: char| !letter.is_ascii_alphanumeric());
    assert!(!words.any(|word| word.ends_with("inf") || word.ends_with("NaN")), "{name}: no numbers in the picture");
    for path in write(name, &study, &results, folder.path()).unwrap() {
        assert!(path.is_file());
    }
    // Nothing is run again, and seeds give the same values.
    let again = figure.record(&tiny(true), Some(folder.path())).unwrap();
    assert_eq!(again, results, "{name} was run again");
}

macro_rules! runners {
    ($($test:ident: $name:literal,)*) => {
        $(#[test] fn $test() { goes_through($name); })*

        #[test]
        fn every_figure_has_a_test_of_its_runner() {
            let tested = BTreeSet::from([$($name),*]);
            assert_eq!(tested, FIGURES.iter().map(|figure| figure.name).collect());
        }
    };
}

runners! {
    aau_histogram_goes_through: "aau-histogram",
    aau_network_goes_through: "aau-network",
    aau_mixture_goes_through: "aau-mixture",
    aau_privacy_goes_through: "aau-privacy",
    aau_versus_goes_through: "aau-versus",
    orders_goes_through: "orders",
    pb14_score_goes_through: "pb14-score",
    pb14_theta_goes_through: "pb14-theta",
    pb14_marginals_goes_through: "pb14-marginals",
    pb14_svm_goes_through: "pb14-svm",
    pb21_nist_goes_through: "pb21-nist",
    mrf_tuning_goes_through: "mrf-tuning",
    mrf_marginals_goes_through: "mrf-marginals",
    mrf_svm_goes_through: "mrf-svm",
    mrf_time_goes_through: "mrf-time",
    th_bounds_goes_through: "th-bounds",
    th_risk_goes_through: "th-risk",
    th_lower_goes_through: "th-lower",
    th_factor_goes_through: "th-factor",
}

/// Items that tests vouch for name tests that are there, and files that are there.
#[test]
fn items_name_files_and_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for row in &COVERAGE {
        for place in row.place.split(", ").filter(|place| !place.is_empty()) {
            assert!(root.join(place.trim_matches('`')).exists(), "{}: no {place}", row.item);
        }
        match row.how {
            How::Figure(name) => assert!(find(name).is_ok(), "{}: no figure {name}", row.item),
            How::Test(package, word) => {
                let found = has_test(&root.join("crates").join(package).join("src"), word);
                assert!(found, "{}: no test of {package} holds {word}", row.item);
            }
            How::Words(words) => assert!(!words.is_empty(), "{}", row.item),
        }
    }
}

/// Whether a function, file or folder below has the word in its name.
fn has_test(folder: &Path, word: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        let named = path.file_stem().is_some_and(|name| name.to_string_lossy().contains(word));
        let inside = || match path.is_dir() {
            true => has_test(&path, word),
            false => std::fs::read_to_string(&path).is_ok_and(|text| text.contains(&format!("fn {word}"))),
        };
        named || inside()
    })
}

/// The committed page is what the committed results make, word by word, and so are its pictures.
#[test]
fn the_page_is_made_of_the_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = page_of(&root.join("results")).unwrap();
    let kept = std::fs::read_to_string(root.join("../docs/reproduction.md")).unwrap();
    let differs = made.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
    assert_eq!(differs, None, "write it anew: reproduce page --out bench/results --documents docs");
    assert_eq!(made.len(), kept.len());
    for figure in &FIGURES {
        let Some(results) = StudyResults::read(&results_file(&root.join("results"), figure.name)).unwrap() else {
            continue;
        };
        let kept = std::fs::read_to_string(root.join(format!("../docs/figures/{}.svg", figure.name))).unwrap();
        assert!(figure.read(&results).svg() == kept, "{}.svg is another picture", figure.name);
    }
}

/// Seeds, not the clock and not the threads, decide what is measured.
#[cfg(feature = "seeded")]
#[test]
fn the_same_seeds_give_the_same_results() {
    let values = |name: &str| {
        let results = find(name).unwrap().record(&tiny(true), None).unwrap();
        results.cells.into_iter().map(|cell| (cell.panel, cell.series, cell.values)).collect::<Vec<_>>()
    };
    for name in ["aau-versus", "mrf-marginals", "pb14-marginals", "pb21-nist"] {
        assert_eq!(values(name), values(name), "{name}");
    }
}

#[test]
fn runs_are_added_to_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let figure = find("th-risk").unwrap();
    let few = StudySettings { size: StudySize::Quick, most_runs: Some(2), ..tiny(true) };
    let first = figure.record(&few, Some(folder.path())).unwrap();
    assert_eq!(first.runs(), (2, 2));
    let more = figure.record(&StudySettings { most_runs: Some(3), ..few }, Some(folder.path())).unwrap();
    assert_eq!(more.runs(), (3, 3));
    for (one, other) in first.cells.iter().zip(&more.cells) {
        assert_eq!(one.values, other.values[..2], "{}, {}", one.panel, one.series);
    }
    // Another kind of run is refused, not mixed in.
    let refused = figure.record(&tiny(true), Some(folder.path())).unwrap_err();
    assert!(format!("{refused:#}").contains("--fresh"), "{refused:#}");
}

#[test]
fn verdicts_are_of_three_kinds() {
    let around = |middle: f64, count: usize| -> Vec<f64> {
        (0..count).map(|run| middle + if run % 2 == 0 { 1.0 } else { -1.0 }).collect()
    };
    // The standard error of ten such values is 1/3.
    assert_eq!(above_zero(&around(0.7, 10)), Verdict::Seen);
    assert_eq!(above_zero(&around(-0.7, 10)), Verdict::NotSeen);
    assert_eq!(above_zero(&around(0.6, 10)), Verdict::CannotTell);
    assert_eq!(above_zero(&around(-0.6, 10)), Verdict::CannotTell);
    assert_eq!(above_zero(&around(100.0, 9)), Verdict::CannotTell, "nine runs can never tell");
    assert_eq!(above_zero(&[1.0; 10]), Verdict::Seen);
    assert_eq!(above_zero(&[0.0; 10]), Verdict::NotSeen);
    // Pairs: what both runs share falls out.
    let shared: Vec<f64> = (0..10).map(|run| f64::from(run) * 10.0).collect();
    let higher: Vec<f64> = shared.iter().map(|value| value + 0.1).collect();
    assert_eq!(below(&shared, &higher, 0.0), Verdict::Seen);
    assert_eq!(below(&higher, &shared, 0.0), Verdict::NotSeen);
    assert_eq!(below(&higher, &shared, 0.2), Verdict::Seen, "at most 0.2 larger");
    assert_eq!(Verdict::all([Verdict::Seen, Verdict::CannotTell]), Verdict::CannotTell);
    assert_eq!(Verdict::all([Verdict::CannotTell, Verdict::NotSeen]), Verdict::NotSeen);
    assert_eq!(Verdict::all([]), Verdict::CannotTell);
}

#[test]
fn a_claim_about_all_places_may_miss_one_in_twenty() {
    let tally = |seen: usize, not: usize, cannot: usize| {
        let mut tally = PlaceTally::default();
        (0..seen).for_each(|_| tally.add(Verdict::Seen));
        (0..not).for_each(|_| tally.add(Verdict::NotSeen));
        (0..cannot).for_each(|_| tally.add(Verdict::CannotTell));
        tally.verdict()
    };
    assert_eq!(tally(20, 0, 0), Verdict::Seen);
    assert_eq!(tally(19, 1, 0), Verdict::Seen);
    assert_eq!(tally(18, 1, 1), Verdict::CannotTell);
    assert_eq!(tally(18, 2, 0), Verdict::NotSeen);
    assert_eq!(tally(3, 1, 0), Verdict::NotSeen);
    assert_eq!(tally(0, 0, 0), Verdict::CannotTell);
}

#[test]
fn names_are_told_apart_and_listed() {
    let names: BTreeSet<&str> = FIGURES.iter().map(|figure| figure.name).collect();
    assert_eq!(names.len(), FIGURES.len());
    let error = find("aau").err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("aau-histogram") && error.contains("th-bounds"), "{error}");
}

#[test]
fn a_table_that_is_not_there_is_named() {
    let error = format!("{:#}", find("pb14-theta").unwrap().record(&tiny(false), None).err().unwrap());
    assert!(error.contains("nltcs.csv") && error.contains("--simulated"), "{error}");
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
            let svg = plot("x & y", "", 2, &[panel]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(!svg.contains("a < b") && svg.contains("x &amp; y"));
        }
    }
}
