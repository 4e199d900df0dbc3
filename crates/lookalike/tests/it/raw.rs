//! Numbers and dates without bins, from the file to the release. Noise is real, and limits are far
//! from it: a false alarm is less likely than one in a million.

use lookalike::{Auto, Budget, Question, Release, Schema, Synthesizer};

const SCHEMA: &str = "[columns.salary]\ntype = 'integer'\nrange = [0, 250000]\nmissing = true\n\
                      [columns.score]\ntype = 'number'\nrange = [-100, 100]\ndecimals = 1\n\
                      [columns.birth]\ntype = 'integer'\nrange = [1900, 2020]\n\
                      [columns.age]\ntype = 'integer'\nrange = [0, 120]\n\
                      [columns.day]\ntype = 'date'\nrange = ['2000-01-01', '2029-12-31']\n";

/// Salaries are whole thousands and follow the score; everybody was born `2020 - age`; days are of
/// one year.
fn rows(count: u32) -> String {
    let mut text = "salary,score,birth,age,day\n".to_owned();
    for row in 0..count {
        let level = row * 7919 % 1000;
        let salary = if row.is_multiple_of(10) { String::new() } else { (20_000 + level / 25 * 1000).to_string() };
        let age = 20 + row * 31 % 60;
        let (score, day) = (f64::from(level) / 10.0 - 50.0, row % 12 + 1);
        text += &format!("{salary},{score:.1},{},{age},2013-{day:02}-{:02}\n", 2020 - age, row % 28 + 1);
    }
    text
}

fn release() -> (tempfile::TempDir, Release) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), rows(8000)).unwrap();
    let schema = Schema::parse(SCHEMA, "test").unwrap();
    let run = Synthesizer::new(schema).budget(Budget::new(4.0, 1e-6).unwrap());
    let release = run.fit(folder.path().join("rows.csv")).unwrap();
    (folder, release)
}

fn written(folder: &tempfile::TempDir, release: &Release) -> Vec<Vec<String>> {
    let written = release.write(folder.path().join("out")).unwrap();
    let text = std::fs::read_to_string(written.folder().join("release/synthetic.csv")).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let both = mean(&|pair| (pair.0 - x) * (pair.1 - y));
    both / (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt()
}

#[test]
fn heaps_tails_seasons_and_relations_are_kept() {
    let (folder, release) = release();
    let rows = written(&folder, &release);
    let salaries: Vec<f64> = rows.iter().filter_map(|row| row[0].parse().ok()).collect();
    let heaped = salaries.iter().filter(|salary| *salary % 1000.0 == 0.0).count();
    assert!(heaped * 10 > salaries.len() * 9, "{heaped} of {} salaries are whole thousands", salaries.len());
    assert!(salaries.iter().filter(|&&salary| salary > 100_000.0).count() * 100 < salaries.len());
    let missing = rows.iter().filter(|row| row[0].is_empty()).count() as f64 / rows.len() as f64;
    assert!((missing - 0.1).abs() < 0.02, "{missing}");
    let in_year = rows.iter().filter(|row| row[4].starts_with("2013-")).count();
    assert!(in_year * 20 > rows.len() * 19, "{in_year} of {}", rows.len());
    let pairs = |one: usize, two: usize| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|row| Some((row[one].parse().ok()?, row[two].parse().ok()?))).collect()
    };
    assert!(correlation(&pairs(3, 2)) < -0.9, "age and birth: {}", correlation(&pairs(3, 2)));
    assert!(correlation(&pairs(0, 1)) > 0.85, "salary and score: {}", correlation(&pairs(0, 1)));
}

#[test]
fn what_is_shown_are_the_groups_that_were_counted() {
    let (folder, release) = release();
    let question = |columns: &str, condition: Option<&str>| Question {
        columns: columns.into(),
        condition: condition.map(str::to_owned),
    };
    let one = release.query(&question("salary", None)).unwrap();
    assert!(one.len() > 3 && one.len() < 200, "{} lines of 250,001 values", one.len());
    let labels: Vec<String> = one.cells().map(|cell| cell.values[0].to_owned()).collect();
    assert_eq!(labels.last().map(String::as_str), Some("(missing)"));
    assert!((one.cells().map(|cell| cell.share).sum::<f64>() - 1.0).abs() < 1e-6);
    assert!(one.cells().all(|cell| cell.errors.is_some()));
    let pair = release.query(&question("salary,score", None)).unwrap();
    assert!(pair.len() < 100_000);
    // A condition cuts inside groups.
    let below = release.query(&question("", Some("salary < 30500"))).unwrap();
    assert!((below.total() / (0.9 * 8000.0) - 0.275).abs() < 0.04, "{}", below.total());
    assert!(release.dictionary().lines().count() < 20, "{}", release.dictionary());
    let place = release.write(folder.path().join("out")).unwrap();
    let size = std::fs::metadata(place.folder().join("release/model.lookalike")).unwrap().len();
    assert!(size < 20_000_000, "the model has {size} bytes");
    let opened = Release::open(place.folder()).unwrap();
    assert!(opened.verify().agrees());
    let again = opened.query(&question("salary", None)).unwrap();
    assert!(
        again
            .cells()
            .zip(one.cells())
            .all(|(again, before)| again.values == before.values && again.count == before.count)
    );
}

#[test]
fn the_limit_of_codes_matters_little() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), rows(8000)).unwrap();
    for grid in [256, 4096] {
        let schema = Schema::parse(SCHEMA, "test").unwrap();
        let run = Synthesizer::new(schema).budget(Budget::new(4.0, 1e-6).unwrap());
        let release = run.method(Auto { grid, ..Auto::default() }).fit(folder.path().join("rows.csv")).unwrap();
        let rows = written(&tempfile::tempdir().unwrap(), &release);
        let pairs: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| Some((row[0].parse().ok()?, row[1].parse().ok()?))).collect();
        assert!(correlation(&pairs) > 0.8, "{grid}: {}", correlation(&pairs));
    }
}
