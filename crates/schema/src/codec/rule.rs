//! What coding a cell takes, as plain data, for engines that code where the rows are.
//!
//! An engine turns a cell into a whole number, a real number or a text without losing anything, and
//! the rule says the rest in comparisons and exact arithmetic. [`Codec::encode`] is what a rule
//! must agree with; the tests here follow the rules by hand.

use std::collections::BTreeMap;

use serde::Serialize;

use super::scan::{POWERS, plain};
use super::{Codec, CodecKind, IntegerAxis, NumberAxis, TypedCell};

/// How the cells of a column become codes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodecRule {
    /// The number of codes.
    pub size: u32,
    /// The code of empty cells and of NaN.
    pub missing: u32,
    /// The codes of false and true, where cells are truth values.
    pub truth: [u32; 2],
    /// What becomes of all other cells.
    pub form: RuleForm,
}

/// What becomes of cells that are neither empty nor truth values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "form")]
pub enum RuleForm {
    /// Integers, rounded down where cells have a fraction; days since 1970-01-01; or seconds since
    /// 1970-01-01T00:00:00.
    Whole {
        /// What is counted: `integer`, `day` or `second`.
        unit: &'static str,
        /// The smallest value; lower ones are clamped.
        low: i64,
        /// The largest value; higher ones are clamped.
        high: i64,
        /// Values with a code of their own, which are neither clamped nor looked for in the pieces.
        points: Vec<(i64, u32)>,
        /// Where codes begin, ascending.
        pieces: Vec<RulePiece>,
    },
    /// Numbers. They are written so that they are read back as the same double.
    Real {
        /// The smallest value; lower ones are clamped.
        low: String,
        /// The largest value; higher ones are clamped.
        high: String,
        /// Values with a code of their own, which are neither clamped nor looked for among the
        /// starts.
        points: Vec<(String, u32)>,
        /// Where the codes from 1 on begin, ascending; empty where `decimals` are told.
        starts: Vec<String>,
        /// With decimals, `pieces` say where codes begin among the multiples of the last decimal.
        /// The multiple of a clamped value is the largest `m` with `m / 10^decimals`, as a double,
        /// not above it.
        decimals: Option<u8>,
        /// See `decimals`.
        pieces: Vec<RulePiece>,
    },
    /// Texts. A cell is looked up among `words` as it stands, then without the ASCII white space
    /// around it (space, tab, line feed, form feed, carriage return) and, unless there are `folded`
    /// words, cut to 256 bytes at a character; then among `folded` without white space and with
    /// ASCII letters in lower case. Otherwise it is unread.
    Words {
        /// Words and their codes.
        words: Vec<(String, u32)>,
        /// Words in lower case and their codes; `None` for a column without such words.
        folded: Option<Vec<(String, u32)>>,
        /// The codes of whole numbers, where cells are whole numbers; all others are unread.
        integers: Vec<(i64, u32)>,
        /// The codes of numbers, where cells are numbers; all others are unread. The sign of a zero
        /// counts.
        numbers: Vec<(String, u32)>,
        /// The code of texts that are none of the words.
        unread: u32,
    },
}

/// Codes that begin at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RulePiece {
    /// The first value of the first code.
    pub start: i64,
    /// The distance between the first values of neighbouring codes.
    pub width: i64,
    /// The first code.
    pub code: u32,
    /// The number of codes; the last one goes on to the next piece.
    pub count: u32,
}

/// Numbers with fewer bins are told by where the bins begin: comparing is then as quick as counting
/// multiples.
const FEW_BINS: usize = 64;

impl Codec {
    /// The rule by which another engine codes the cells of the column.
    pub fn rule(&self) -> CodecRule {
        let truth = [false, true].map(|value| self.encode(TypedCell::Boolean(value)));
        let form = match self.kind() {
            CodecKind::Integer(axis) => self.whole_rule(axis, "integer"),
            CodecKind::Date(axis, _) => self.whole_rule(axis, "day"),
            CodecKind::DateTime(axis, _) => self.whole_rule(axis, "second"),
            CodecKind::Number(axis) => self.real_rule(axis),
            CodecKind::Category(words) => self.word_rule(words.known(), None),
            CodecKind::Boolean(words) => {
                self.word_rule(words.words().iter().map(String::as_str), Some(words.folded_words()))
            }
        };
        CodecRule { size: self.size(), missing: self.encode_missing(), truth, form }
    }

    fn whole_rule(&self, axis: &IntegerAxis, unit: &'static str) -> RuleForm {
        let missing = &self.sentinels.0.whole;
        let outer = axis.outer_values().filter(|value| !missing.contains(value)).map(|value| (value, axis.bin(value)));
        let points = missing.iter().map(|&value| (value, self.encode_missing())).chain(outer).collect();
        let (outer, below) = axis.outer();
        let inner = axis.len() - outer;
        let mut pieces = match axis.starts() {
            None => vec![RulePiece { start: axis.low(), width: axis.step(), code: 0, count: inner }],
            Some(_) => pieces(&(below..below + inner).map(|bin| axis.bounds(bin).0).collect::<Vec<_>>()),
        };
        pieces.iter_mut().for_each(|piece| piece.code += below);
        RuleForm::Whole { unit, low: axis.low(), high: axis.high(), points, pieces }
    }

    fn real_rule(&self, axis: &NumberAxis) -> RuleForm {
        let (outer, below) = axis.outer();
        let starts: Vec<f64> = (below..below + axis.len() - outer).map(|bin| axis.bounds(bin).0).collect();
        let missing = &self.sentinels.0.real;
        let outer = axis.outer_values().filter(|value| !missing.contains(value));
        let outer = outer.map(|value| (plain(value), axis.bin(value)));
        let points = missing.iter().map(|&value| (plain(value), self.encode_missing())).chain(outer).collect();
        let multiples = axis.decimals().filter(|_| starts.len() > FEW_BINS).and_then(|places| {
            let multiples = multiples(&starts, places)?;
            let mut pieces = pieces(&multiples);
            pieces.iter_mut().for_each(|piece| piece.code += below);
            Some((places, pieces))
        });
        let (low, high) = (plain(axis.low()), plain(axis.high()));
        match multiples {
            Some((places, pieces)) => {
                RuleForm::Real { low, high, points, starts: vec![], decimals: Some(places), pieces }
            }
            None => {
                // Codes of values below the range begin where it does, and no other value is there.
                let before = std::iter::repeat_n(axis.low(), below as usize);
                let starts = before.chain(starts[1..].iter().copied()).map(plain).collect();
                RuleForm::Real { low, high, points, starts, decimals: None, pieces: vec![] }
            }
        }
    }

    fn word_rule<'a>(&'a self, listed: impl Iterator<Item = &'a str>, folded: Option<Vec<(String, u32)>>) -> RuleForm {
        let unread = self.fallback.0.1;
        let words: BTreeMap<&str, u32> = listed
            .chain(self.text_rules().missing_tokens.iter().map(String::as_str))
            .map(|word| (word, self.encode_text(word.as_bytes())))
            .collect();
        let spellings = || words.keys().copied().chain(folded.iter().flatten().map(|(word, _)| word.as_str()));
        let integers: BTreeMap<i64, u32> = spellings()
            .filter_map(|word| word.parse().ok())
            .map(|value| (value, self.encode(TypedCell::Integer(value))))
            .filter(|&(_, code)| code != unread)
            .collect();
        let numbers: BTreeMap<String, u32> = spellings()
            .filter_map(|word| word.parse().ok())
            .filter(|value: &f64| !value.is_nan())
            .map(|value| (plain(value), self.encode(TypedCell::Number(value))))
            .filter(|&(_, code)| code != unread)
            .collect();
        RuleForm::Words {
            integers: integers.into_iter().collect(),
            numbers: numbers.into_iter().collect(),
            words: words.into_iter().map(|(word, code)| (word.to_owned(), code)).collect(),
            folded,
            unread,
        }
    }
}

/// The starts as multiples of the last decimal, where all of them but the first are such.
fn multiples(starts: &[f64], places: u8) -> Option<Vec<i64>> {
    let unit = POWERS[usize::from(places)];
    let multiple = |value: f64| {
        let near = (value * unit).round() as i64;
        [near - 1, near, near + 1].into_iter().rev().find(|&multiple| multiple as f64 / unit <= value)
    };
    let found: Option<Vec<i64>> = starts.iter().map(|&start| multiple(start)).collect();
    found.filter(|found| found[1..].iter().zip(&starts[1..]).all(|(&m, &start)| m as f64 / unit == start))
}

/// Ascending starts as pieces of equal distances.
fn pieces(starts: &[i64]) -> Vec<RulePiece> {
    let mut pieces: Vec<RulePiece> = Vec::new();
    for (code, &start) in starts.iter().enumerate() {
        if let Some(last) = pieces.last_mut() {
            let distance = start.wrapping_sub(last.start);
            let is_next = match last.count {
                1 => distance > 0,
                count => i128::from(last.width) * i128::from(count) == i128::from(distance),
            };
            if is_next {
                last.width = if last.count == 1 { distance } else { last.width };
                last.count += 1;
                continue;
            }
        }
        pieces.push(RulePiece { start, width: 1, code: code as u32, count: 1 });
    }
    pieces
}

#[cfg(test)]
mod tests;
