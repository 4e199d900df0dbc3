//! Changes to an input: small ones, blocks, numbers, words of the format, and pieces of other
//! inputs.

use crate::Dice;

/// Inputs are cut to this many bytes.
const LONGEST: usize = 1 << 16;

const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "-1e-320",
    "NaN",
    "0.1",
];

const BYTES: [u8; 16] = [0, 1, 0x7f, 0x80, 0xfe, 0xff, b'"', b'\n', b'\r', b',', b'{', b'[', b'\\', b'0', 0x15, 0x19];

/// Changes the input in one to six places.
pub fn mutate(input: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], dice: &mut Dice) {
    for _ in 0..=dice.place(6) {
        change(input, others, words, dice);
    }
    input.truncate(LONGEST);
}

fn change(input: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], dice: &mut Dice) {
    let at = dice.place(input.len() + 1);
    let end = (at + 1 + dice.place(32)).min(input.len());
    match dice.place(13) {
        0 | 1 if at < input.len() => input[at] ^= 1 << dice.place(8),
        2 if at < input.len() => input[at] = BYTES[dice.place(BYTES.len())],
        3 => input.insert(at, BYTES[dice.place(BYTES.len())]),
        4 => drop(input.drain(at..end.max(at))),
        5 => {
            let block = input[at..end.max(at)].to_vec();
            let to = dice.place(input.len() + 1);
            let copies = 1 + if dice.place(8) == 0 { dice.place(2000) } else { 0 };
            input.splice(to..to, block.repeat(copies));
        }
        6 => input.truncate(at),
        7 => {
            let other = &others[dice.place(others.len())];
            let from = dice.place(other.len() + 1);
            let until = (from + dice.place(256)).min(other.len());
            input.splice(at..end.max(at), other[from..until].iter().copied());
        }
        8 => number(input, at, dice),
        9 if at + 4 <= input.len() => {
            let value = [0, 1, u32::MAX, i32::MAX as u32, input.len() as u32, 1 << 24][dice.place(6)];
            input[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        10 if !words.is_empty() => {
            let word = words[dice.place(words.len())].bytes();
            let end = if dice.place(2) == 0 { at } else { end.max(at) };
            input.splice(at..end, word);
        }
        // A varint as large as may be: lengths and counts of Parquet are such.
        11 => {
            let long = [0xff, 0xff, 0xff, 0xff, 0x0f];
            let end = (at + 1).min(input.len()).max(at);
            input.splice(at..end, long[dice.place(5)..].iter().copied());
        }
        _ => {
            let to = dice.place(input.len() + 1);
            if at < input.len() && to < input.len() {
                input.swap(at, to);
            }
        }
    }
}

/// Puts another number in the place of the first one behind `at`.
fn number(input: &mut Vec<u8>, at: usize, dice: &mut Dice) {
    let Some(found) = input[at..].iter().position(u8::is_ascii_digit) else { return };
    let start = at + found;
    let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    input.splice(start..start + length, NUMBERS[dice.place(NUMBERS.len())].bytes());
}
