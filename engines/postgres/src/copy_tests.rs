use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};

use super::*;

const SENT: [Sent; 6] = [Sent::Boolean, Sent::Int32, Sent::Double, Sent::Date, Sent::Timestamp, Sent::Text];

fn columns() -> Columns {
    Columns::of_kinds(&SENT)
}

/// A stream as the server would send it.
fn stream(rows: &[Vec<Option<Vec<u8>>>]) -> Vec<u8> {
    let mut bytes = [&SIGNATURE[..], &[0; 4], &3i32.to_be_bytes(), b"ext"].concat();
    for row in rows {
        bytes.extend((row.len() as i16).to_be_bytes());
        for cell in row {
            bytes.extend(cell.as_ref().map_or(-1, |cell| cell.len() as i32).to_be_bytes());
            bytes.extend(cell.iter().flatten());
        }
    }
    bytes.extend((-1i16).to_be_bytes());
    bytes
}

fn row(number: i32) -> Vec<Option<Vec<u8>>> {
    let date: i32 = if number == 3 { i32::MAX } else { number - 10_957 };
    let moment: i64 = if number == 3 { i64::MIN } else { i64::from(number) - EPOCH_MICROS };
    vec![
        Some(vec![u8::from(number % 2 == 0)]),
        (number != 2).then(|| number.to_be_bytes().to_vec()),
        Some(f64::from(number).to_be_bytes().to_vec()),
        Some(date.to_be_bytes().to_vec()),
        Some(moment.to_be_bytes().to_vec()),
        (number != 1).then(|| format!("word {number}").into_bytes()),
    ]
}

/// The batches of a stream that arrives in pieces of `piece` bytes.
fn read(bytes: &[u8], piece: usize) -> Result<Vec<RecordBatch>, Failure> {
    let mut batches = Vec::new();
    let mut each = |batch| {
        batches.push(batch);
        Ok(())
    };
    let mut stream = CopyStream::new(&columns());
    bytes.chunks(piece).try_for_each(|piece| stream.feed(piece, &mut each))?;
    stream.finish(&mut each)?;
    Ok(batches)
}

#[test]
fn cells_are_read_however_the_bytes_arrive() {
    let rows: Vec<_> = (0..5).map(row).collect();
    let bytes = stream(&rows);
    for piece in 1..=bytes.len() {
        let Ok(batches) = read(&bytes, piece) else { panic!("pieces of {piece}") };
        let [batch] = &batches[..] else { panic!("{} batches", batches.len()) };
        let values = |column: usize| batch.column(column).as_primitive::<Int32Type>().iter().collect::<Vec<_>>();
        assert_eq!(values(1), [Some(0), Some(1), None, Some(3), Some(4)]);
        assert!(batch.column(0).as_boolean().value(4) && !batch.column(0).as_boolean().value(3));
        assert_eq!(batch.column(2).as_primitive::<Float64Type>().value(4), 4.0);
        let days: Vec<_> = batch.column(3).as_primitive::<Date32Type>().iter().collect();
        assert_eq!(days, [Some(0), Some(1), Some(2), None, Some(4)]);
        let moments: Vec<_> = batch.column(4).as_primitive::<TimestampMicrosecondType>().iter().collect();
        assert_eq!(moments, [Some(0), Some(1), Some(2), None, Some(4)]);
        let texts = batch.column(5).as_binary::<i32>();
        assert!(texts.is_null(1) && texts.value(4) == b"word 4");
    }
}

#[test]
fn batches_are_cut_and_none_is_lost() {
    let rows: Vec<_> = (0..BATCH_ROWS as i32 + 7).map(row).collect();
    let Ok(batches) = read(&stream(&rows), 1000) else { panic!("not read") };
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [BATCH_ROWS, 7]);
    let Ok(batches) = read(&stream(&[]), 3) else { panic!("not read") };
    assert_eq!((batches.len(), batches[0].num_rows()), (1, 0), "the columns are there without a row");
}

/// Cut anywhere, longer, or with any byte of its frame changed: an error and no panic.
#[test]
fn streams_that_are_not_whole_are_refused() {
    let bytes = stream(&(0..3).map(row).collect::<Vec<_>>());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length], 64).is_err(), "cut at {length}");
    }
    assert!(read(&[&bytes[..], &[0]].concat(), 64).is_err(), "longer");
    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 0x80;
        let _ = read(&other, 64);
    }
    let short = stream(&[vec![Some(vec![1]), Some(vec![1]), None, None, None, None]]);
    assert!(read(&short, 64).is_err(), "an integer of one byte");
    assert!(read(&stream(&[vec![None]]), 64).is_err(), "too few columns");
}

#[test]
fn calendars_end_where_four_digits_do() {
    assert_eq!(date(2_932_896 - 10_957), Some(2_932_896));
    assert_eq!(date(2_932_897 - 10_957), None);
    assert_eq!(date(-719_162 - 10_957), Some(-719_162));
    assert_eq!((date(i32::MIN), date(i32::MAX)), (None, None));
    assert_eq!((moment(i64::MIN), moment(i64::MAX)), (None, None));
    assert_eq!(moment(0), Some(EPOCH_MICROS));
}
