//! Columns by themselves: how draws are dealt to them.

use crate::graphical::OneWayMarginal;
use crate::one_way;

/// How many of the draws, each with this variance, go to each column: one by one to where it helps
/// most. A column of many values has more to lose: all of them are noisy, and their errors add up.
pub(super) fn dealt(columns: &[OneWayMarginal], rows: f64, variance: f64, draws: u32) -> Vec<u32> {
    let after = |one: f64| (one.max(1e-300).recip() + variance.recip()).recip();
    let gain = |size: usize, one: f64| {
        let distance = |variance| one_way::distance(size as f64, variance, rows);
        distance(one) - distance(after(one))
    };
    let sizes: Vec<usize> = columns.iter().map(OneWayMarginal::counts).collect();
    let mut known: Vec<f64> = columns.iter().map(|one| one.variance).collect();
    let mut gains: Vec<f64> = sizes.iter().zip(&known).map(|(&size, &one)| gain(size, one)).collect();
    let mut times = vec![0; columns.len()];
    for _ in 0..draws {
        let Some(best) = (0..gains.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b])) else { break };
        times[best] += 1;
        known[best] = after(known[best]);
        gains[best] = gain(sizes[best], known[best]);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(sizes: &[usize], variance: f64) -> Vec<OneWayMarginal> {
        sizes
            .iter()
            .map(|&size| OneWayMarginal { values: vec![0.0; size], variance, descent: None, absent: Vec::new() })
            .collect()
    }

    /// All draws are dealt, more of them to columns of more values, and what comes out is closer
    /// than even shares; no exchange of one draw for another would better it.
    #[test]
    fn wide_columns_get_more_draws() {
        let (sizes, rows, variance) = ([2, 5, 1, 12, 40], 50_000.0, 1e5);
        let ones = columns(&sizes, 4e5);
        let times = dealt(&ones, rows, variance, 50);
        assert_eq!((times.iter().sum::<u32>(), times[2]), (50, 0));
        assert!(times[0] < times[1] && times[1] < times[3] && times[3] < times[4], "{times:?}");
        let error = |times: &[u32]| -> f64 {
            let of = |(&size, &times): (&usize, &u32)| {
                one_way::distance(size as f64, 1.0 / (1.0 / 4e5 + f64::from(times) / variance), rows)
            };
            sizes.iter().zip(times).map(of).sum()
        };
        assert!(error(&times) < 0.97 * error(&[13, 12, 0, 12, 13]));
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))).filter(|(from, to)| from != to) {
            let mut other = times.clone();
            if other[from] > 0 {
                (other[from], other[to]) = (other[from] - 1, other[to] + 1);
                assert!(error(&times) <= error(&other) + 1e-12, "{times:?} and {other:?}");
            }
        }
    }

    #[test]
    fn columns_that_are_alike_get_the_same() {
        let times = dealt(&columns(&[6; 7], 1e4), 1e4, 1e3, 21);
        assert!(times.iter().all(|&times| times == 3), "{times:?}");
        assert_eq!(dealt(&[], 1e4, 1e3, 5), Vec::<u32>::new());
    }
}
