//! What a schema knows beside its columns holds in every row, whatever the method.

use lookalike::{Budget, Schema, Synthesizer};

const SCHEMA: &str = "in_order = [['booked', 'flown']]\n\
                      missing_together = [['delay', 'minutes', 'arrived']]\n\
                      [columns.from]\ntype = 'category'\nvalues = ['A', 'B', 'C']\n\
                      [columns.delay]\ntype = 'integer'\nrange = [-60, 900]\nmissing = true\n\
                      [columns.minutes]\ntype = 'integer'\nrange = [1, 600]\nmissing = true\n\
                      [columns.miles]\ntype = 'number'\nrange = [0, 4000]\ndecimals = 0\n\
                      [columns.arrived]\ntype = 'datetime'\nrange = ['2013-01-01', '2013-12-31']\nmissing = true\n\
                      [columns.speed]\ntype = 'derived'\nformula = 'miles / minutes * 60'\ndecimals = 1\n\
                      [columns.clock]\ntype = 'derived'\nformula = 'hour(arrived) * 100 + minute(arrived)'\n\
                      [columns.gate]\ntype = 'category'\nvalues = ['x', 'y']\nmissing = true\n\
                      [columns.booked]\ntype = 'date'\nrange = ['2012-01-01', '2013-12-31']\nformat = '%d/%m/%Y'\n\
                      [columns.flown]\ntype = 'date'\nrange = ['2012-01-01', '2014-12-31']\nmissing = true\n";

/// One flight of nine never left.
fn rows(count: u32) -> String {
    let mut text = "from,delay,minutes,miles,arrived,speed,clock,gate,booked,flown\n".to_owned();
    for row in 0..count {
        let (from, miles) = (row * 7 % 3, 200 + row * 37 % 2000);
        let gate = ["x", "y", ""][row as usize * 5 / 3 % 3];
        let place = ["A", "B", "C"][from as usize];
        let (month, day) = (row * 5 % 11 + 1, row * 3 % 28 + 1);
        let days = format!("{day:02}/{month:02}/2013,2013-{:02}-{day:02}", month + row % 2);
        if row % 9 == 0 {
            text += &format!("{place},,,{miles},,,,{gate},{days}\n");
            continue;
        }
        let (minutes, hour) = (20 + miles / 8, row % 24);
        let moment = format!("2013-{:02}-{:02}T{hour:02}:{:02}:00", row % 12 + 1, row % 28 + 1, row % 60);
        text += &format!("{place},{},{minutes},{miles},{moment},1,1,{gate},{days}\n", row % 50);
    }
    text
}

#[test]
fn cells_are_missing_together_rise_and_follow_from_others() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), rows(2700)).unwrap();
    for method in ["auto", "mst", "aim", "privmrf", "independent", "privbayes", "privbayes-nist"] {
        let schema = Schema::parse(SCHEMA, "test").unwrap();
        let run = Synthesizer::new(schema).budget(Budget::new(3.0, 1e-6).unwrap());
        let release = run.method_named(method, []).unwrap().fit(folder.path().join("rows.csv")).unwrap();
        let written = release.write(folder.path().join(method)).unwrap();
        let text = std::fs::read_to_string(written.folder().join("release/synthetic.csv")).unwrap();
        let (mut count, mut missing, mut gates) = (0, 0, 0);
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let gone = [1, 2, 4, 5, 6].map(|place| cells[place].is_empty());
            assert!(gone.iter().all(|&is| is == gone[0]), "{method}: {line}");
            let booked = format!("{}-{}-{}", &cells[8][6..], &cells[8][3..5], &cells[8][..2]);
            assert!(cells[9].is_empty() || booked.as_str() <= cells[9], "{method}: {line}");
            count += 1;
            missing += u32::from(gone[0]);
            gates += u32::from(cells[7].is_empty() != gone[0]);
            if !gone[0] {
                let number = |place: usize| cells[place].parse::<f64>().unwrap();
                assert!((number(5) - number(3) / number(2) * 60.0).abs() <= 0.0501, "{method}: {line}");
                let clock = format!("{}{}", &cells[4][11..13], &cells[4][14..16]);
                assert_eq!(number(6), clock.parse::<f64>().unwrap(), "{method}: {line}");
            }
        }
        // A column outside the group is missing by itself. Noise moves the share by less than a
        // hundredth; a false alarm is less likely than one in a million.
        let share = f64::from(missing) / f64::from(count);
        assert!((share - 1.0 / 9.0).abs() < 0.06 && gates * 10 > count, "{method}: {share} {gates} of {count}");
    }
}

const LIFE: &str = "encoding = 'latin-1'\ndelimiter = ';'\n\
                    [columns.ville]\ntype = 'category'\nvalues = ['Genève', 'Zürich', 'Bern']\n\
                    [columns.loyer]\ntype = 'number'\nrange = [-2000, 9000]\ndecimals = 2\nformat = '(CHF #,###)'\nmissing = true\n\
                    [columns.part]\ntype = 'integer'\nrange = [0, 100]\nformat = '#%'\n\
                    [columns.depart]\ntype = 'integer'\nformat = 'hmm'\nmissing = true\n\
                    [columns.jour]\ntype = 'date'\nrange = ['1950-01-01', '2029-12-31']\nformat = '%d/%m/%y'\n\
                    [columns.note]\ntype = 'category'\nvalues = ['mal', 'bien', 'très bien']\nordered = true\n\
                    [columns.canton]\ntype = 'derived'\nformula = 'ville'\n\
                    [columns.canton.lookup]\n'Genève' = 'GE'\n'Zürich' = 'ZH'\nBern = 'BE'\n";

/// Cells as they stand in life, in Latin-1.
fn life(count: u32) -> Vec<u8> {
    let mut text = "ville;loyer;part;depart;jour;note;canton\n".to_owned();
    for row in 0..count {
        let place = (row * 7 % 3) as usize;
        let rent = ["CHF 1,250.00", "CHF 980.50", "(CHF 1,020.00)", ""][(row * 5 % 4) as usize];
        let clock = (row * 37 % 24) * 100 + row * 11 % 60;
        let clock = if row % 8 == 0 { String::new() } else { clock.to_string() };
        let (town, canton) = [("Genève", "GE"), ("Zürich", "ZH"), ("Bern", "BE")][place];
        let note = ["mal", "bien", "très bien"][place];
        let day = format!("{:02}/{:02}/{:02}", row % 28 + 1, row % 12 + 1, (row * 3 + 50) % 80);
        text += &format!("{town};{rent};{}%;{clock};{day};{note};{canton}\n", row % 101);
    }
    lookalike_schema::TextEncoding::Latin1.encode(text.into_bytes())
}

#[test]
fn cells_are_written_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), life(2400)).unwrap();
    for method in ["auto", "mst", "aim", "privmrf", "independent", "privbayes", "privbayes-nist"] {
        let schema = Schema::parse(LIFE, "test").unwrap();
        let run = Synthesizer::new(schema).budget(Budget::new(3.0, 1e-6).unwrap());
        let release = run.method_named(method, []).unwrap().fit(folder.path().join("rows.csv")).unwrap();
        let written = release.write(folder.path().join(method)).unwrap();
        let bytes = std::fs::read(written.folder().join("release/synthetic.csv")).unwrap();
        let mut text = Vec::new();
        lookalike_schema::TextEncoding::Latin1.decode(&bytes, &mut text);
        let text = String::from_utf8(text).unwrap();
        let (mut rows, mut below, mut towns) = (0, 0, 0);
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(';').collect();
            let canton = match cells[0] {
                "Genève" => "GE",
                "Zürich" => "ZH",
                _ => "BE",
            };
            assert_eq!(cells[6], canton, "{method}: {line}");
            let is_below = cells[1].starts_with("(CHF ") && cells[1].ends_with(')');
            assert!(cells[1].is_empty() || is_below || cells[1].starts_with("CHF "), "{method}: {line}");
            assert!(cells[2].ends_with('%') && cells[2].trim_end_matches('%').parse::<u8>().unwrap() <= 100);
            if !cells[3].is_empty() {
                let clock: u32 = cells[3].parse().unwrap();
                assert!(clock % 100 < 60 && clock < 2400, "{method}: {line}");
            }
            let day: Vec<u32> = cells[4].split('/').map(|part| part.parse().unwrap()).collect();
            let year = if day[2] < 50 { 2000 + day[2] } else { 1900 + day[2] };
            let last =
                [31, if year % 4 == 0 { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][day[1] as usize - 1];
            assert!(cells[4].len() == 8 && day[0] <= last, "{method}: {line}");
            rows += 1;
            below += u32::from(is_below);
            towns += u32::from(cells[0] == "Zürich");
        }
        // A quarter of the rents are below 0, a third of the rows of one town. Noise moves a share
        // by less than a hundredth.
        let share = |count: u32| f64::from(count) / f64::from(rows);
        assert!((share(below) - 0.25).abs() < 0.08 && (share(towns) - 1.0 / 3.0).abs() < 0.08, "{method}");
    }
}

const STAYS: &str = "missing_together = [['admitted', 'discharged']]\n\
                     [columns.ward]\ntype = 'category'\nvalues = ['A', 'B', 'C']\n\
                     [columns.discharged]\ntype = 'date'\nafter = 'admitted'\nwithin = 400\nformat = '%d/%m/%Y'\nmissing = true\n\
                     [columns.admitted]\ntype = 'date'\nrange = ['2013-01-01', '2014-12-31']\nmissing = true\n\
                     [columns.days]\ntype = 'derived'\nformula = 'discharged - admitted'\n\
                     [columns.seen]\ntype = 'datetime'\nafter = 'admitted'\nwithin = '2 days'\nmissing = true\n\
                     format = '%Y-%m-%d %H:%M'\n";

/// Stays of 3 days in the mean, five in ward C; one row of ten without any date.
fn stays(count: u32) -> String {
    let mut text = "ward,discharged,admitted,days,seen\n".to_owned();
    for row in 0..count {
        let place = row * 7 % 3;
        let ward = ["A", "B", "C"][place as usize];
        if row % 10 == 4 {
            text += &format!("{ward},,,,\n");
            continue;
        }
        let (month, day) = (row * 5 % 12 + 1, row * 3 % 20 + 1);
        let left = day + row / 7 % 5 + if place == 2 { 3 } else { 0 };
        let year = 2013 + row / 3 % 2;
        text += &format!("{ward},{left:02}/{month:02}/{year},{year}-{month:02}-{day:02},1,");
        text += &format!("{year}-{month:02}-{day:02} {:02}:{:02}\n", row % 24, row * 7 % 60);
    }
    text
}

#[test]
fn what_comes_after_another_column_follows_it_in_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.csv");
    std::fs::write(&rows, stays(3000)).unwrap();
    for method in ["auto", "mst", "aim", "privmrf", "independent", "privbayes", "privbayes-nist"] {
        let schema = Schema::parse(STAYS, "test").unwrap();
        let run = Synthesizer::new(schema).budget(Budget::new(3.0, 1e-6).unwrap());
        let release = run.method_named(method, []).unwrap().fit(rows.clone()).unwrap();
        let written = release.write(folder.path().join(method)).unwrap();
        let text = std::fs::read_to_string(written.folder().join("release/synthetic.csv")).unwrap();
        let (mut sum, mut count, mut missing) = (0f64, 0f64, 0f64);
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells[1].is_empty(), cells[2].is_empty(), "{method}: {line}");
            if cells[2].is_empty() {
                assert!(cells[3].is_empty() && cells[4].is_empty(), "{method}: {line}");
                missing += 1.0;
                continue;
            }
            let discharged = format!("{}-{}-{}", &cells[1][6..], &cells[1][3..5], &cells[1][..2]);
            assert!(cells[2] <= discharged.as_str(), "{method}: {line}");
            assert!(cells[4].is_empty() || &cells[4][..10] >= cells[2], "{method}: {line}");
            let days: f64 = cells[3].parse().unwrap();
            assert!((0.0..=400.0).contains(&days), "{method}: {line}");
            (sum, count) = (sum + days, count + 1.0);
        }
        let share = missing / (missing + count);
        assert!((share - 0.1).abs() < 0.06, "{method}: {share}");
        // Without bins the days themselves are counted by `auto`; others have bins of six days.
        if method == "auto" {
            assert!((sum / count - 3.0f64).abs() < 1.0, "{method}: {}", sum / count);
        }
    }
}

#[test]
fn a_release_with_differences_is_asked_compared_and_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.csv");
    std::fs::write(&rows, stays(3000)).unwrap();
    let schema = Schema::parse(STAYS, "test").unwrap();
    let release = Synthesizer::new(schema).budget(Budget::new(3.0, 1e-6).unwrap()).fit(rows.clone()).unwrap();
    let evaluation = release.evaluate(rows, &lookalike::EvaluationSettings::default());
    assert!(evaluation.is_ok(), "{:?}", evaluation.err());
    let cancel = lookalike::Cancel::new();
    let known = release.sample(50, lookalike::Seed(3)).unwrap();
    let column = |name: &str| known[0].schema().index_of(name).unwrap();
    let some =
        |names: &[&str]| vec![known[0].project(&names.iter().map(|name| column(name)).collect::<Vec<_>>()).unwrap()];
    let filled = release.complete(some(&["ward", "admitted"]), lookalike::Seed(1), &cancel).unwrap();
    assert_eq!((filled[0].num_columns(), filled[0].num_rows()), (5, 50));
    assert!(release.complete(some(&["admitted", "discharged"]), lookalike::Seed(1), &cancel).is_ok());
    let error = release.complete(some(&["ward", "discharged"]), lookalike::Seed(1), &cancel).unwrap_err();
    assert!(error.to_string().contains("held as its difference to \"admitted\""), "{error}");
}
