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
