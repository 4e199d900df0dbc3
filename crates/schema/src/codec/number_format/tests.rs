use super::*;

fn format(pattern: &str) -> NumberFormat {
    NumberFormat::new(pattern, b'.').unwrap()
}

fn dressed(pattern: &str, decimal: u8, plain: &str) -> String {
    let mut out = b"x".to_vec();
    out.extend_from_slice(plain.as_bytes());
    NumberFormat::new(pattern, decimal).unwrap().dress(1, &mut out);
    String::from_utf8(out.split_off(1)).unwrap()
}

#[test]
fn cells_as_they_are_in_life() {
    for (pattern, cell, value) in [
        ("$#,###", "$1,234.50", 1234.5),
        ("$#,###", "-$1,234", -1234.0),
        ("$#,###", "$-1,234", -1234.0),
        ("$#,###", "1234", 1234.0),
        ("$#,###", " $ 12 ", 12.0),
        ("(€#,###)", "(€28,000.00)", -28_000.0),
        ("(€#,###)", "€28,000.00", 28_000.0),
        ("#%", "14.07%", 14.07),
        ("#%", "14.07 %", 14.07),
        ("# kg", "71 kg", 71.0),
        ("# kg", "71kg", 71.0),
        ("# ###", "1\u{a0}234\u{202f}567", 1_234_567.0),
        ("#'###", "1'234.5", 1234.5),
        ("#.0", "181.0", 181.0),
        ("hmm", "517", 517.0),
        ("hhmm", "0005", 5.0),
    ] {
        assert_eq!(format(pattern).number(cell.as_bytes()), Some(value), "{pattern} {cell}");
        assert_eq!(format(pattern).integer(cell.as_bytes()), Some(value.floor() as i64), "{pattern} {cell}");
    }
    let comma = NumberFormat::new("#.### €", b',').unwrap();
    assert_eq!(comma.number("1.234,56 €".as_bytes()), Some(1234.56));
    for (pattern, bad) in [
        ("$#,###", "1,23"),
        ("$#,###", "1,2345"),
        ("$#,###", "€5"),
        ("$#,###", "--5"),
        ("$#,###", "-$-5"),
        ("$#,###", "(5)"),
        ("(#)", "(-5)"),
        ("#%", "5 percent"),
        ("#%", "%"),
        ("#,###", "1.234,567"),
        ("$#", ""),
        ("$#", "$"),
    ] {
        assert_eq!(format(pattern).number(bad.as_bytes()), None, "{pattern} {bad}");
    }
}

#[test]
fn numbers_get_their_dress_back() {
    for (pattern, plain, cell) in [
        ("$#,###", "1234.50", "$1,234.50"),
        ("$#,###", "-1234567", "-$1,234,567"),
        ("$#,###", "999", "$999"),
        ("($#,###)", "-1000.00", "($1,000.00)"),
        ("#%", "14.07", "14.07%"),
        ("# kg", "71", "71 kg"),
        ("# ###", "1234567", "1 234 567"),
        ("#.0", "181", "181.0"),
        ("#.0", "181.00", "181.0"),
        ("#.0", "181.50", "181.5"),
        ("#.#", "181.00", "181"),
        ("#.#", "-0.250", "-0.25"),
        ("#,###.0", "1e300", "1e300"),
        ("hmm", "5", "5"),
        ("hhmm", "5", "0005"),
        ("hmm.0", "517", "517.0"),
    ] {
        assert_eq!(dressed(pattern, b'.', plain), cell, "{pattern} {plain}");
    }
    assert_eq!(dressed("#.###,0 €", b',', "1234,50"), "1.234,5 €");
}

#[test]
fn patterns_without_a_number_are_refused() {
    for bad in ["", "$", "12", "#1", "5#", "##", "#,##", "#.00", "(hmm)", "hmm h", "# \" inch", "#\n"] {
        assert!(NumberFormat::new(bad, b'.').is_err(), "{bad:?}");
    }
    for good in ["#", "$#", "#,###", "#.0", "($#,###.#) ", "hmm.0", "about # km²"] {
        let format = NumberFormat::new(good, b'.').unwrap();
        assert_eq!(format.dress.0.pattern('.'), good);
    }
}

#[test]
fn times_of_day_are_read_and_written() {
    for (pattern, cell, number, written) in [
        ("h:mm", "5:17", 517, "5:17"),
        ("h:mm", "05:17", 517, "5:17"),
        ("hh:mm", "5:17", 517, "05:17"),
        ("hh:mm", " 23:59:59 ", 2359, "23:59"),
        ("hh:mm", "0:05", 5, "00:05"),
        ("hh:mm", "24:00", 2400, "24:00"),
        ("hh:mm", "517", 517, "05:17"),
        ("hh:mm:ss", "05:17:30", 51_730, "05:17:30"),
        ("h:mm:ss", "00:00:09", 9, "0:00:09"),
        ("hh:mm:ss", "13:00", 130_000, "13:00:00"),
    ] {
        let format = format(pattern);
        assert!(format.is_clock());
        assert_eq!(format.integer(cell.as_bytes()), Some(number), "{pattern} {cell}");
        assert_eq!(dressed(pattern, b'.', &number.to_string()), written, "{pattern} {number}");
    }
    for bad in ["10:5", "25:00", "10:60", "10:05 h", "-1:05", "10.05"] {
        assert_ne!(format("hh:mm").integer(bad.as_bytes()), Some(1005), "{bad}");
    }
    for odd in ["hh:mm h", "(hh:mm)", "hh:mm.0", "hh:mm,###", "hh:mm:s", "hh:m"] {
        assert!(NumberFormat::new(odd, b'.').is_err(), "{odd}");
    }
}

proptest::proptest! {
    #[test]
    fn any_pattern_and_cell_are_survived(pattern in "[$(#,.0 hm%)]{0,8}", cell in proptest::collection::vec(proptest::num::u8::ANY, 0..90)) {
        if let Ok(format) = NumberFormat::new(&pattern, b'.') {
            let _ = (format.number(&cell), format.integer(&cell));
        }
    }

    /// What is written is read back, whatever stands around it.
    #[test]
    fn dressed_numbers_read_back(
        cents in -1_000_000_000i64..1_000_000_000, before in "[$€a-z ]{0,3}", behind in "[%a-z ]{0,3}",
        thousands in proptest::option::of(proptest::sample::select(&THOUSANDS[..])), brackets: bool, style in 0usize..3,
    ) {
        let decimal = if thousands == Some('.') { ',' } else { '.' };
        let fraction = [FractionStyle::All, FractionStyle::OneAtLeast, FractionStyle::AsNeeded][style];
        let dress = Dress { before, behind, thousands, brackets, fraction, digits: DigitStyle::Number };
        let Ok(format) = NumberFormat::new(&dress.pattern(decimal), decimal as u8) else { return Ok(()) };
        let mut text = Vec::new();
        scan::write_fixed(cents as f64 / 100.0, 2, decimal as u8, &mut text);
        format.dress(0, &mut text);
        let odd = ["inf", "nan", "e"].iter().any(|word| dress.before.contains(word) || dress.behind.contains(word));
        proptest::prop_assume!(!odd);
        proptest::prop_assert_eq!(format.number(&text), Some(cents as f64 / 100.0));
    }
}
