//! Which columns have missing cells, or cells that their list does not have, as far as the answers
//! can tell.
//!
//! Most columns may have missing cells and have none. The noisy count of such cells is above 0 in
//! every other column all the same, so with many columns most rows would have a gap that no row of
//! the table has, and whole numbers would be read as floats for it. Counts that stand out of their
//! noise stay. Of the others the sum is believed, where that stands out: the counts are moved down
//! together until no more is left of them. Else those stay of which about one in ten is noise
//! (Benjamini and Hochberg 1995). A column with nothing left has no missing cells.
//! The word that stands for unlisted values is judged in the same way, over all columns that have
//! one: every category that was discovered does.
//!
//! # Privacy
//! Post-processing of noisy one-way marginals: free of charge.

use lookalike_schema::{AttrId, Codec, CodecKind, Schema};

use crate::copula::normal_cdf;

/// Counts above this many standard deviations of their noise are believed as they are, and so is
/// the sum of all others.
const STANDS_OUT: f64 = 3.0;
/// Where that does not stand out, the share of noise among the counts that stay.
const FALSE_SHARE: f64 = 0.1;

/// What is left of the noisy count of one code of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftCount {
    /// The column.
    pub column: usize,
    /// Its code.
    pub code: usize,
    /// What is left.
    pub count: f64,
}

/// Columns whose count of missing or of unlisted cells does not stand out, with what is left of it.
/// Columns that a rule of the schema names are not among them: what must be missing there is known.
/// `answered` has the noisy count of a column's code with its variance.
pub fn codes_in_doubt(schema: &Schema, answered: impl Fn(usize, usize) -> Option<(f64, f64)>) -> Vec<LeftCount> {
    let is_ruled =
        |attribute| schema.impossible().iter().any(|rule| rule.parts.iter().any(|(column, _)| *column == attribute));
    let kinds: [fn(&Codec) -> Option<u32>; 2] = [Codec::missing_code, unlisted];
    let of_kind = |code: fn(&Codec) -> Option<u32>| {
        let count = |attribute: AttrId| {
            let code = code(schema.codec(attribute)).filter(|&code| code > 0)? as usize;
            let (count, variance) = answered(attribute.index(), code).filter(|_| !is_ruled(attribute))?;
            Some((LeftCount { column: attribute.index(), code, count }, variance.sqrt()))
        };
        let found: Vec<_> = schema.domain().attributes().filter_map(count).collect();
        let noisy: Vec<(f64, f64)> = found.iter().map(|(left, deviation)| (left.count, *deviation)).collect();
        let left = found.into_iter().zip(believed(&noisy)).filter(|((left, _), count)| left.count != *count);
        left.map(|((left, _), count)| LeftCount { count, ..left }).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// The code of values that a category does not list, where no listed word has it.
fn unlisted(codec: &Codec) -> Option<u32> {
    match codec.kind() {
        CodecKind::Category(words) => codec.other_code().filter(|&code| code as usize == words.values().len()),
        _ => None,
    }
}

/// What is left of counts, each with the deviation of its noise.
fn believed(noisy: &[(f64, f64)]) -> Vec<f64> {
    let beyond = |&(count, deviation): &(f64, f64)| count / deviation.max(f64::MIN_POSITIVE);
    let certain: Vec<bool> = noisy.iter().map(|it| beyond(it) >= STANDS_OUT).collect();
    let doubtful: Vec<(f64, f64)> =
        noisy.iter().zip(&certain).filter(|(_, certain)| !**certain).map(|(it, _)| *it).collect();
    let sum: f64 = doubtful.iter().map(|(count, _)| count).sum();
    let noise = doubtful.iter().map(|(_, deviation)| deviation * deviation).sum::<f64>().sqrt();
    let (shift, least) = match sum >= STANDS_OUT * noise {
        true => (shift(&doubtful, sum), 0.0),
        false => (0.0, least(noisy.iter().map(beyond).collect())),
    };
    let left = |(it, certain): (&(f64, f64), &bool)| match certain {
        true => it.0,
        false if beyond(it) < least => 0.0,
        false => (it.0 - shift * it.1).max(0.0),
    };
    noisy.iter().zip(&certain).map(left).collect()
}

/// How far counts are moved down, in deviations, so that those above 0 have this sum.
fn shift(noisy: &[(f64, f64)], sum: f64) -> f64 {
    let left = |shift: f64| noisy.iter().map(|(count, deviation)| (count - shift * deviation).max(0.0)).sum::<f64>();
    let (mut low, mut high) = (0.0, STANDS_OUT);
    // Enough for every digit of a float.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if left(middle) > sum { low = middle } else { high = middle }
    }
    high
}

/// How far counts must be above 0, in deviations, so that few of those are noise.
fn least(mut beyond: Vec<f64>) -> f64 {
    beyond.sort_by(|a, b| b.total_cmp(a));
    let most = |rank: usize| FALSE_SHARE * (rank + 1) as f64 / beyond.len() as f64;
    let last = (0..beyond.len()).rev().find(|&rank| normal_cdf(-beyond[rank]) <= most(rank));
    last.map_or(f64::INFINITY, |rank| beyond[rank])
}

#[cfg(test)]
mod tests {
    use lookalike_schema::Schema;

    use super::{believed, codes_in_doubt};

    #[test]
    fn noise_around_nothing_leaves_nothing() {
        assert_eq!(believed(&[(12.0, 10.0), (-9.0, 10.0), (15.0, 10.0), (-14.0, 10.0)]), [0.0; 4]);
        assert_eq!(believed(&[(12.0, 10.0)]), [0.0]);
        assert_eq!(believed(&[]), [0.0; 0]);
    }

    #[test]
    fn what_stands_out_stays() {
        // Alone, and beside many that do not.
        assert_eq!(believed(&[(25.0, 10.0)]), [25.0]);
        let mut many = vec![(1.0, 10.0); 40];
        many[7] = (26.0, 10.0);
        assert_eq!(believed(&many), [0.0; 40]);
        many[7] = (31.0, 10.0);
        assert_eq!(believed(&many)[7], 31.0);
    }

    #[test]
    fn what_stands_out_together_keeps_its_sum() {
        let left = believed(&[(22.0, 10.0), (28.0, 10.0), (-4.0, 10.0), (26.0, 10.0), (90.0, 10.0)]);
        assert!((left[..4].iter().sum::<f64>() - 72.0).abs() < 1e-9, "{left:?}");
        assert!((left[1] - left[0] - 6.0).abs() < 1e-9 && left[2] == 0.0 && left[4] == 90.0, "{left:?}");
    }

    /// Missing cells and unlisted values are judged apart, and a word that is one of the listed
    /// values, or the only one, is never in doubt.
    #[test]
    fn codes_that_may_be_empty_are_judged_by_kind() {
        let text = "[columns.a]\ntype = 'category'\nvalues = ['x', 'y']\nother = 'rest'\nmissing = true\n\
                    [columns.b]\ntype = 'category'\nvalues = ['x', 'rest']\nother = 'rest'\nmissing = true\n\
                    [columns.c]\ntype = 'integer'\nrange = [0, 9]\n";
        let schema = Schema::parse(text, "test").unwrap();
        let counts = [[100.0, 100.0, 8.0, 900.0], [100.0, 8.0, 5.0, 0.0]];
        let left = codes_in_doubt(&schema, |column, code| Some((*counts.get(column)?.get(code)?, 100.0)));
        let told: Vec<_> = left.iter().map(|left| (left.column, left.code, left.count)).collect();
        assert_eq!(told, [(1, 2, 0.0), (0, 2, 0.0)]);
    }
}
