//! The splitter and the chunker against hand-written cases and a naive reader that knows nothing of
//! blocks.

use std::io::Cursor;

use proptest::prelude::*;

use super::chunks::{Chunk, Chunker};
use super::header::read_header;
use super::records::Dialect;
use super::split::{Splitter, UNWANTED};

type Records = Vec<Vec<Vec<u8>>>;

fn dialect(delimiter: u8, terminator: u8, longest: usize) -> Dialect {
    Dialect { delimiter, terminator, longest, multiline: true }
}

/// Quoted fields may hold line ends.
const COMMA: Dialect = Dialect { delimiter: b',', terminator: b'\n', longest: 1 << 20, multiline: true };

/// A line is a record.
const LINES: Dialect = Dialect { multiline: false, ..COMMA };

/// One record's text, byte by byte. `Err` holds what stands behind the record.
fn naive_record(text: &[u8], dialect: Dialect) -> (Vec<Vec<u8>>, usize, bool) {
    #[derive(PartialEq)]
    enum State {
        Start,
        Plain,
        Quoted,
        Closed,
    }
    let mut cells = vec![Vec::new()];
    let mut state = State::Start;
    let mut any_quote = false;
    let mut at = 0;
    // Whether the last byte of the last cell stands outside quotes, so that it may be a carriage
    // return to drop.
    let mut bare = false;
    while at < text.len() {
        let byte = text[at];
        at += 1;
        if state == State::Quoted && byte == dialect.terminator && !dialect.multiline {
            drop_return(&mut cells, true, dialect);
            return (cells, at, any_quote);
        } else if state == State::Quoted {
            bare = false;
            if byte != b'"' {
                cells.last_mut().unwrap().push(byte);
            } else if text.get(at) == Some(&b'"') {
                cells.last_mut().unwrap().push(b'"');
                at += 1;
            } else {
                state = State::Closed;
            }
        } else if byte == dialect.terminator {
            drop_return(&mut cells, bare, dialect);
            return (cells, at, any_quote);
        } else if byte == dialect.delimiter {
            cells.push(Vec::new());
            state = State::Start;
            bare = false;
        } else if byte == b'"' && state == State::Start {
            state = State::Quoted;
            any_quote = true;
        } else {
            cells.last_mut().unwrap().push(byte);
            bare = true;
            if state == State::Start {
                state = State::Plain;
            }
        }
    }
    let unclosed = state == State::Quoted && !dialect.multiline;
    drop_return(&mut cells, bare || unclosed, dialect);
    (cells, at, any_quote)
}

fn drop_return(cells: &mut [Vec<u8>], bare: bool, dialect: Dialect) {
    let last = cells.last_mut().unwrap();
    if bare && dialect.terminator == b'\n' && last.last() == Some(&b'\r') {
        last.pop();
    }
}

fn naive(text: &[u8], columns: usize, dialect: Dialect) -> Records {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (mut cells, used, mut quoted) = naive_record(&text[at..], dialect);
        let ended = text[at + used - 1] == dialect.terminator && {
            // A terminator inside an open quote at the end of the text does not end the record.
            !dialect.multiline
                || naive_record(&text[at..at + used - 1], dialect).1 == used - 1
                    && !ends_in_quotes(&text[at..at + used - 1], dialect)
        };
        let length = if ended { used - 1 } else { used };
        if length > dialect.longest {
            (cells, _, quoted) = naive_record(&text[at..at + dialect.longest], dialect);
        }
        at += used;
        let blank = cells.len() == 1 && cells[0].is_empty() && !quoted;
        if blank && columns > 1 {
            continue;
        }
        cells.resize(columns, Vec::new());
        out.push(cells);
    }
    out
}

fn ends_in_quotes(text: &[u8], dialect: Dialect) -> bool {
    // One more plain byte would land in the cell if the quotes were open, or end the record if they
    // were not.
    let mut longer = text.to_vec();
    longer.extend([dialect.terminator, b'x']);
    naive_record(&longer, dialect).1 == longer.len()
}

fn split_all(text: &[u8], columns: usize, dialect: Dialect) -> Records {
    let chunk = Chunk::new(text.to_vec());
    split_chunk(&chunk, columns, dialect)
}

fn split_chunk(chunk: &Chunk, columns: usize, dialect: Dialect) -> Records {
    let slots: Vec<u32> = (0..columns as u32).collect();
    let mut splitter = Splitter::new(chunk, dialect, &slots, columns);
    let mut cells = Vec::new();
    let mut out = Vec::new();
    while splitter.split(3, &mut cells) > 0 {
        for row in cells.chunks(columns) {
            out.push(row.iter().map(|&cell| splitter.bytes(cell).to_vec()).collect());
            for &cell in row {
                let bytes = splitter.bytes(cell);
                if let Some(word) = splitter.short_word(cell) {
                    assert_eq!(&word.to_le_bytes()[..bytes.len()], bytes);
                    assert_eq!(word >> 56, bytes.len() as u64);
                }
                if let Some(word) = splitter.long_word(cell) {
                    assert_eq!(&word.to_le_bytes()[..bytes.len()], bytes);
                    assert_eq!(word >> 120, bytes.len() as u128);
                }
            }
        }
    }
    out
}

fn chunked(text: &[u8], columns: usize, dialect: Dialect, target: usize) -> Records {
    let stream = Box::new(Cursor::new(text.to_vec()));
    let mut chunker = Chunker::new("test".to_owned(), stream, dialect, Vec::new()).with_target(target);
    let mut out = Vec::new();
    while let Some(chunk) = chunker.chunk().unwrap() {
        out.extend(split_chunk(&chunk, columns, dialect));
        chunker.recycle(chunk);
    }
    out
}

fn texts(records: &Records) -> Vec<Vec<String>> {
    let text = |cell: &Vec<u8>| String::from_utf8_lossy(cell).into_owned();
    records.iter().map(|record| record.iter().map(text).collect()).collect()
}

#[track_caller]
fn check(text: &str, columns: usize, expected: &[&[&str]]) {
    check_as(COMMA, text, columns, expected);
}

#[track_caller]
fn check_as(dialect: Dialect, text: &str, columns: usize, expected: &[&[&str]]) {
    let expected: Vec<Vec<String>> = expected.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(texts(&split_all(text.as_bytes(), columns, dialect)), expected, "split");
    assert_eq!(texts(&naive(text.as_bytes(), columns, dialect)), expected, "the naive reader of the tests");
    for target in [1, 2, 3, 7, 64] {
        assert_eq!(texts(&chunked(text.as_bytes(), columns, dialect, target)), expected, "chunks of {target}");
    }
}

#[test]
fn plain_records() {
    check("1,2\n3,4\n", 2, &[&["1", "2"], &["3", "4"]]);
    check("1,2\n3,4", 2, &[&["1", "2"], &["3", "4"]]);
    check("1,2\r\n3,4\n5,6\r\n", 2, &[&["1", "2"], &["3", "4"], &["5", "6"]]);
    check("", 2, &[]);
    check(",\n", 2, &[&["", ""]]);
    check("a\rb,c\n", 2, &[&["a\rb", "c"]]);
}

#[test]
fn quoted_fields() {
    check("\"a,b\",c\n", 2, &[&["a,b", "c"]]);
    check("\"a\nb\",\"c\r\nd\"\r\ne,f\n", 2, &[&["a\nb", "c\r\nd"], &["e", "f"]]);
    check("\"say \"\"hi\"\"\",\"\"\n", 2, &[&["say \"hi\"", ""]]);
    check("a,\"\"\"\"\n", 2, &[&["a", "\""]]);
    check("a,\"b\"", 2, &[&["a", "b"]]);
    check("a,\"b\"\r", 2, &[&["a", "b"]]);
}

#[test]
fn stray_quotes() {
    check("5\" pipe,6\"\n7,8\n", 2, &[&["5\" pipe", "6\""], &["7", "8"]]);
    check("\"a\"b,c\n", 2, &[&["ab", "c"]]);
    check("\"a\"b\"c\",d\n", 2, &[&["ab\"c\"", "d"]]);
    check("\"a\" ,\"b\"x\r\n", 2, &[&["a ", "bx"]]);
    check(" \"a,b\n", 2, &[&[" \"a", "b"]]);
}

#[test]
fn a_quote_that_never_closes_takes_the_rest() {
    check("1,2\n\"3,4\n5,6\n", 2, &[&["1", "2"], &["3,4\n5,6\n", ""]]);
}

#[test]
fn a_line_is_a_record_whatever_quotes_it_has() {
    check_as(LINES, "1,2\n\"3,4\n5,6\n", 2, &[&["1", "2"], &["3,4", ""], &["5", "6"]]);
    check_as(LINES, "1,\"so\r\n3,4\r\n", 2, &[&["1", "so"], &["3", "4"]]);
    check_as(LINES, "1,\"so", 2, &[&["1", "so"]]);
    check_as(LINES, "\"a\nb\",\"c\"\"\n\"\n\"\r\n", 2, &[&["a", ""], &["b\"", "c\""], &["", ""], &["", ""]]);
    check_as(LINES, "\"a,b\",\"say \"\"hi\"\"\"\r\n\"c\",d\n", 2, &[&["a,b", "say \"hi\""], &["c", "d"]]);
    check_as(LINES, "\"\n2\n", 1, &[&[""], &["2"]]);
}

#[test]
fn ragged_records_are_padded_or_cut() {
    check(
        "1\n1,2,3\n1,2\n,,,,\n\"1\"\n1,2,\"3\n4\"\n",
        2,
        &[&["1", ""], &["1", "2"], &["1", "2"], &["", ""], &["1", ""], &["1", "2"]],
    );
}

#[test]
fn an_empty_line_is_a_record_only_in_a_table_of_one_column() {
    check("1,2\n\n3,4\n\r\n\n", 2, &[&["1", "2"], &["3", "4"]]);
    check("1\n\n2\n\r\n", 1, &[&["1"], &[""], &["2"], &[""]]);
    check("\"\"\n", 1, &[&[""]]);
    check("\"\"\n", 2, &[&["", ""]]);
}

#[test]
fn over_long_records_are_cut_wherever_the_chunks_end() {
    let short = dialect(b',', b'\n', 8);
    let text = b"1,2\n123,456789,x\n3,4\n\"abc\ndefghijkl\nmno\"\"p\",q\n5,6\n\"never\nclosed,\n1,2\n3,4\n";
    let expected: Vec<Vec<&str>> = vec![
        vec!["1", "2"],
        vec!["123", "4567"],
        vec!["3", "4"],
        vec!["abc\ndef", ""],
        vec!["5", "6"],
        vec!["never\nc", ""],
    ];
    assert_eq!(texts(&split_all(text, 2, short)), expected);
    assert_eq!(texts(&naive(text, 2, short)), expected);
    for target in 1..100 {
        assert_eq!(texts(&chunked(text, 2, short, target)), expected, "chunks of {target}");
    }
}

#[test]
fn unwanted_columns_are_skipped() {
    let chunk = Chunk::new(b"1,\"2\",3,4\n5,6\n".to_vec());
    let slots = [UNWANTED, 1, UNWANTED, 0];
    let mut splitter = Splitter::new(&chunk, COMMA, &slots, 2);
    let mut cells = Vec::new();
    assert_eq!(splitter.split(10, &mut cells), 2);
    let found: Vec<&[u8]> = cells.iter().map(|&cell| splitter.bytes(cell)).collect();
    assert_eq!(found, [&b"4"[..], b"2", b"", b"6"]);
}

/// Text in which everything that matters is frequent.
fn messy() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => Just(b'a'),
        2 => Just(b','),
        2 => Just(b'"'),
        2 => Just(b'\n'),
        1 => Just(b'\r'),
        1 => Just(b'\t'),
        1 => Just(0xff),
        1 => Just(0),
    ];
    proptest::collection::vec(byte, 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_splits_as_the_naive_reader_splits_it(
        text in messy(),
        columns in 1usize..5,
        target in 1usize..80,
        longest in prop_oneof![3 => Just(1usize << 20), 1 => 2usize..40],
        delimiter in prop_oneof![Just(b','), Just(b'\t')],
        terminator in prop_oneof![3 => Just(b'\n'), 1 => Just(b'\r')],
        multiline in any::<bool>(),
    ) {
        let dialect = Dialect { multiline, ..dialect(delimiter, terminator, longest) };
        let expected = naive(&text, columns, dialect);
        prop_assert_eq!(&split_all(&text, columns, dialect), &expected);
        prop_assert_eq!(&chunked(&text, columns, dialect, target), &expected);
    }
}

/// A line of a table of three columns, without its end.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let cell = prop_oneof![3 => "[a-c0-9 ]{0,6}", 1 => "\"[a-c,]{0,4}(\"\")?[a-c]{0,2}\"", 1 => "[a-c]\"[a-c]{0,2}"];
    proptest::collection::vec(cell, 3).prop_map(|cells| cells.join(",").into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A quote more in any line, at any place of it: every other line's record stays what it was,
    /// however the text is cut into chunks.
    #[test]
    fn a_stray_quote_changes_its_own_line_at_most(
        lines in proptest::collection::vec(line(), 1..30),
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        target in 1usize..200,
        returns in any::<bool>(),
    ) {
        let end: &[u8] = if returns { b"\r\n" } else { b"\n" };
        let text = |lines: &[Vec<u8>]| lines.iter().flat_map(|line| [line, end].concat()).collect::<Vec<u8>>();
        let before = split_all(&text(&lines), 3, LINES);
        prop_assert_eq!(before.len(), lines.len());
        let which = which.index(lines.len());
        let mut broken = lines.clone();
        broken[which].insert(place.index(lines[which].len() + 1), b'"');
        let broken = text(&broken);
        for mut after in [split_all(&broken, 3, LINES), chunked(&broken, 3, LINES, target)] {
            prop_assert_eq!(after.len(), before.len());
            after[which].clone_from(&before[which]);
            prop_assert_eq!(&after, &before);
        }
    }
}

fn header_of(text: &[u8], delimiter: Option<u8>) -> Result<(Vec<String>, Dialect, Vec<u8>), String> {
    let opened = read_header("f.csv", &mut Cursor::new(text), delimiter, true).map_err(|error| error.to_string())?;
    Ok((opened.names, opened.dialect, opened.rest))
}

#[test]
fn a_header_is_a_line_unless_names_may_hold_line_ends() {
    let open = |text: &[u8]| read_header("f.csv", &mut Cursor::new(text), None, false);
    let opened = open(b"\xef\xbb\xbf\n\n\"a, b\",c\r\n\"1,2\n").ok().unwrap();
    assert_eq!((opened.names, opened.rest, opened.lines), (vec!["a, b".into(), "c".into()], b"\"1,2\n".to_vec(), 3));
    for text in [&b"a,\"b\n1,private\n"[..], b"\"a\nb\",c\nprivate,2\n", b"a,\"b"] {
        let error = open(text).err().unwrap().to_string();
        assert!(error.contains("never closed") && !error.contains("private"), "{error}");
    }
}

#[test]
fn headers_tell_the_layout() {
    // Text, names, delimiter, terminator, what stands behind the header line.
    type Case = (&'static [u8], &'static [&'static str], u8, u8, &'static [u8]);
    let cases: &[Case] = &[
        (b"a,b\n1,2\n", &["a", "b"], b',', b'\n', b"1,2\n"),
        (b"\xef\xbb\xbfa,b\r\n1,2\n", &["a", "b"], b',', b'\n', b"1,2\n"),
        (b"a;b,c;d\n", &["a", "b,c", "d"], b';', b'\n', b""),
        (b"a\tb", &["a", "b"], b'\t', b'\n', b""),
        (b"a|b\r1|2\r", &["a", "b"], b'|', b'\r', b"1|2\r"),
        (b"\"x;y;z\",b\n", &["x;y;z", "b"], b',', b'\n', b""),
        (b"\"a\"\"\nb\",c\n1,2", &["a\"\nb", "c"], b',', b'\n', b"1,2"),
        (b"\n\r\na\n\n1\n", &["a"], b',', b'\n', b"\n1\n"),
        // Quotes inside a field are plain characters: they do not pull rows into the header.
        (b"a\"\",b\n1,2\n", &["a\"\"", "b"], b',', b'\n', b"1,2\n"),
        (b"\"a\"b\"\",c\n1,2", &["ab\"\"", "c"], b',', b'\n', b"1,2"),
        ("größe,  b ,\n".as_bytes(), &["größe", "  b ", ""], b',', b'\n', b""),
    ];
    for &(text, names, delimiter, terminator, rest) in cases {
        let (found, dialect, after) = header_of(text, None).unwrap();
        assert_eq!(found, names);
        assert_eq!((dialect.delimiter, dialect.terminator), (delimiter, terminator));
        assert_eq!(after, rest);
    }
    assert_eq!(header_of(b"a;b,c\n", Some(b',')).unwrap().0, ["a;b", "c"]);
}

#[test]
fn what_is_no_table_is_refused_in_one_line() {
    let endless = vec![b'a'; 3 << 20];
    let cases: &[(&[u8], &str)] = &[
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\n\n", "is empty"),
        (b"a\0b,c\n", "zero bytes"),
        (b"a,\xff\xfe\n", "not UTF-8"),
        (b"\xff\xfea\0,\0", "UTF-16"),
        (&endless, "no end"),
        (b"a,\"b\n1,private\n", "never closed"),
    ];
    for (text, expected) in cases {
        let error = header_of(text, None).unwrap_err();
        assert!(error.contains(expected) && error.contains("; ") && !error.contains('\n'), "{error}");
        assert!(!error.contains("private"), "{error}");
    }
    assert!(header_of(b"a,b\n", Some(b'"')).is_err());
}

/// Standard input goes through here: content alone tells what it is.
#[test]
fn streams_are_told_apart_by_content() {
    use super::source::{Body, from_stream};
    use std::io::{Read, Write};

    let opened = |bytes: Vec<u8>| {
        from_stream("standard input".to_owned(), "".as_ref(), Box::new(Cursor::new(bytes)), None).unwrap()
    };
    let text_of = |bytes: Vec<u8>| match opened(bytes).body {
        Body::Text(mut stream) => {
            let mut out = Vec::new();
            stream.read_to_end(&mut out).unwrap();
            out
        }
        Body::Parquet(_) | Body::ArrowFile(_) | Body::ArrowStream(_) => panic!("not taken for text"),
    };
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"a,b\n1,2\n").unwrap();
    assert_eq!(text_of(packed.finish().unwrap()), b"a,b\n1,2\n");
    for short in [&b""[..], b"a", b"PAR", b"a,b\n"] {
        assert_eq!(text_of(short.to_vec()), short);
    }
    let Body::Parquet(mut file) = opened(b"PAR1 the rest".to_vec()).body else { panic!("taken for text") };
    let mut out = Vec::new();
    file.read_to_end(&mut out).unwrap();
    assert_eq!(out, b"PAR1 the rest");
    assert!(opened(b"a".to_vec()).progress.share().is_none());
}

#[test]
fn chunks_of_wide_tables_do_not_become_large() {
    let text = b"1\n".repeat(1 << 19);
    for columns in [100, 3000, 20_000] {
        let target = super::chunks::target_for(columns);
        let mut chunker = Chunker::new("t".to_owned(), Box::new(&text[1 << 18..]), COMMA, text[..1 << 18].to_vec())
            .with_target(target);
        let mut joined = Vec::new();
        while let Some(chunk) = chunker.chunk().unwrap() {
            assert!(chunk.text().len() / 2 * columns <= 1 << 27, "{columns} columns: {} bytes", chunk.text().len());
            joined.extend_from_slice(chunk.text());
        }
        assert!(joined == text, "{columns} columns");
    }
}
