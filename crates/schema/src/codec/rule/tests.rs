//! Rules followed by hand give the codes of the codec.

use super::*;
use crate::{AttrId, Schema};

fn codec(column: &str) -> Codec {
    let schema = Schema::parse(&format!("[columns.a]\n{column}"), "test").unwrap();
    schema.codec(AttrId(0)).clone()
}

fn on_grid(column: &str, most: u32) -> Codec {
    let schema = Schema::parse(&format!("[columns.a]\n{column}"), "test").unwrap();
    schema.on_grid(most).unwrap().codec(AttrId(0)).clone()
}

fn in_pieces(pieces: &[RulePiece], value: i64) -> u32 {
    let piece = pieces.iter().rev().find(|piece| piece.start <= value).unwrap_or(&pieces[0]);
    let past = (i128::from(value) - i128::from(piece.start)).max(0) / i128::from(piece.width);
    piece.code + (past as u64).min(u64::from(piece.count) - 1) as u32
}

fn whole(rule: &CodecRule, value: i64) -> u32 {
    let RuleForm::Whole { low, high, points, pieces, .. } = &rule.form else { panic!("no whole numbers") };
    let point = points.iter().find(|point| point.0 == value);
    point.map_or_else(|| in_pieces(pieces, value.clamp(*low, *high)), |point| point.1)
}

fn real(rule: &CodecRule, value: f64) -> u32 {
    let RuleForm::Real { low, high, points, starts, decimals, pieces } = &rule.form else { panic!("no numbers") };
    let number = |text: &String| text.parse::<f64>().unwrap();
    if let Some(point) = points.iter().find(|point| number(&point.0) == value) {
        return point.1;
    }
    let value = value.clamp(number(low), number(high));
    let Some(places) = decimals else {
        return starts.iter().filter(|start| number(start) <= value).count() as u32;
    };
    let unit = POWERS[usize::from(*places)];
    let guess = (value * unit).floor();
    let multiple = [guess + 1.0, guess, guess - 1.0].into_iter().find(|multiple| multiple / unit <= value).unwrap();
    in_pieces(pieces, multiple as i64)
}

#[test]
fn whole_numbers_follow_their_rule() {
    let plain = "type = 'integer'\nrange = [-20, 1000]\nmissing = true\n";
    let codecs = [
        codec(plain),
        codec(&format!("{plain}bins = 7")),
        codec(&format!("{plain}edges = [-20, 0, 1, 5, 100, 1000]\nspikes = [50, 51]")),
        on_grid("type = 'integer'\nrange = [-70000, 2000000000]\nspikes = [999]", 4096),
        codec(&format!("{plain}spikes = [-9999, -25, 7, 1001, 9999]")),
        codec(&format!("{plain}bins = 3\nspikes = [-9999, -25, 7, 1001, 9999]")),
    ];
    for codec in &codecs {
        let rule = codec.rule();
        let RuleForm::Whole { pieces, .. } = &rule.form else { panic!("whole numbers") };
        assert!(pieces.len() <= 200, "{} pieces", pieces.len());
        let near = (-1100..1100).chain([i64::MIN, i64::MAX, 1 << 40, 9999, -9999]);
        let far = (0..4000).map(|i| -80_000 + i * 600_001);
        for value in near.chain(far) {
            assert_eq!(whole(&rule, value), codec.encode(TypedCell::Integer(value)), "{value}");
        }
    }
    let tokens =
        Schema::parse("missing_tokens = ['', '-999', '5']\n[columns.a]\ntype = 'integer'\nrange = [0, 9]", "t")
            .unwrap();
    let codec = tokens.codec(AttrId(0));
    for value in [-999, -998, 5, 4, 10] {
        assert_eq!(whole(&codec.rule(), value), codec.encode(TypedCell::Integer(value)), "{value}");
    }
}

#[test]
fn days_and_moments_follow_their_rule() {
    let date = codec("type = 'date'\nrange = ['1990-02-03', '2024-02-29']\nbins = 40");
    let moment = on_grid("type = 'datetime'\nrange = ['2020-01-01T00:30', '2020-12-31T10:00']", 10_000);
    for at in 0..5000 {
        let (day, second) = (at * 11 - 20_000, 1_577_000_000 + at * 7919);
        assert_eq!(whole(&date.rule(), day), date.encode(TypedCell::Date(day)), "{day}");
        assert_eq!(whole(&moment.rule(), second), moment.encode(TypedCell::DateTime(second)), "{second}");
    }
    let RuleForm::Whole { unit, pieces, .. } = moment.rule().form else { panic!("whole numbers") };
    assert!(unit == "second" && pieces.len() < 5);
}

#[test]
fn numbers_follow_their_rule() {
    let codecs = [
        codec("type = 'number'\nrange = [-1, 1]\nbins = 13\nspikes = [0]\ndecimals = 3"),
        codec("type = 'number'\nrange = [0, 1e-300]\nbins = 5"),
        on_grid("type = 'number'\nrange = [-3.7, 250.05]\ndecimals = 2\nspikes = [99.9]", 262_144),
        on_grid("type = 'number'\nrange = [0, 2000000]\ndecimals = 2", 4096),
        on_grid("type = 'number'\nrange = [0, 1]\ndecimals = 15", 4096),
        on_grid("type = 'number'\nrange = [-1e300, 1e300]", 4096),
        codec("type = 'number'\nrange = [0, 1]\nbins = 13\nspikes = [-999, -1, 0, 1.5, 9.17]\ndecimals = 2"),
        on_grid("type = 'number'\nrange = [3.7, 250.05]\ndecimals = 2\nspikes = [-999, 0, 99.9, 300]", 262_144),
    ];
    for (at, codec) in codecs.iter().enumerate() {
        let rule = codec.rule();
        let RuleForm::Real { starts, pieces, .. } = &rule.form else { panic!("numbers") };
        assert!(pieces.len() <= 200 && starts.len() <= 4096, "{at}: {} pieces", pieces.len());
        let edges = (0..codec.present()).step_by(1 + codec.present() as usize / 2000);
        let edges = edges.filter_map(|code| match codec.decode(code, 0) {
            crate::CellValue::Number(value) => Some(value),
            _ => None,
        });
        let spread = (0..3000).map(|i| f64::from(i - 100) * 0.0917);
        let odd = [f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1e308, 5e-324, -999.0];
        for value in edges.chain(spread).chain(odd) {
            for value in [value, value.next_up(), value.next_down(), value / 100.0] {
                assert_eq!(real(&rule, value), codec.encode(TypedCell::Number(value)), "{at}: {value:?}");
            }
        }
    }
}

#[test]
fn words_follow_their_rule() {
    let category =
        codec("type = 'category'\nvalues = ['b', ' a', '3', '2.5', 'NA', '-0', 'inf', '03']\nother = 'rest'");
    let RuleForm::Words { words, folded, integers, numbers, unread } = category.rule().form else { panic!("words") };
    assert!(folded.is_none() && words.contains(&(" a".to_owned(), 1)) && words.contains(&("NA".to_owned(), 4)));
    assert_eq!(integers, [(3, 2)]);
    let numbers: Vec<(&str, u32)> = numbers.iter().map(|(text, code)| (text.as_str(), *code)).collect();
    assert_eq!(numbers, [("-0", 5), ("2.5", 3), ("3", 2), ("inf", 6)]);
    assert_eq!(unread, 8);
    let truth = codec("type = 'boolean'\nvalues = ['Nope', 'Sure']\nmissing = true");
    let rule = truth.rule();
    let RuleForm::Words { folded, integers, .. } = &rule.form else { panic!("words") };
    let folded = folded.as_ref().unwrap();
    assert!(folded.contains(&("sure".to_owned(), 1)) && folded.contains(&("no".to_owned(), 0)));
    assert_eq!((integers.as_slice(), rule.truth, rule.missing), (&[(0, 0), (1, 1)][..], [0, 1], 2));
    let own = codec("type = 'boolean'\nvalues = ['M', 'F']").rule();
    let RuleForm::Words { folded, .. } = own.form else { panic!("words") };
    assert_eq!(folded.unwrap(), [("f".to_owned(), 1), ("m".to_owned(), 0)]);
}
