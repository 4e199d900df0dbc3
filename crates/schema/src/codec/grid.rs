//! Codes on a column's own grid: one a value as far as that goes, and beyond that codes whose width
//! grows with their distance from 0.

/// A code at distance `d` from 0 is at most `d / R` wide, for the largest `R` of this list that
/// keeps the limit.
const RESOLUTIONS: [u64; 15] = [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];

const DAY: i64 = 86_400;

/// Where codes begin among `values` values, of which number `zero` is the 0 (it may lie outside).
/// There are at most `most` of them.
pub(crate) fn starts(values: u128, zero: i128, most: u32) -> Vec<u64> {
    let limit = most.max(1) as usize;
    if values <= limit as u128 {
        return (0..values as u64).collect();
    }
    let values = u64::try_from(values).unwrap_or(u64::MAX);
    let zero = zero.clamp(0, i128::from(values - 1)) as u64;
    let growing = RESOLUTIONS.iter().find_map(|&resolution| growing(values, zero, resolution, limit));
    growing.unwrap_or_else(|| {
        let start = |code: u64| (u128::from(code) * u128::from(values) / limit as u128) as u64;
        (0..limit as u64).map(start).collect()
    })
}

/// Codes around 0 of that resolution; `None` where they are too many.
fn growing(values: u64, zero: u64, resolution: u64, limit: usize) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    let mut away = 1;
    while away <= zero {
        away = away.saturating_add(width(away, resolution)).min(zero + 1);
        all.push(zero + 1 - away);
        if all.len() > limit {
            return None;
        }
    }
    all.reverse();
    let mut away = 0;
    while away < values - zero {
        all.push(zero + away);
        away = away.saturating_add(width(away, resolution));
        if all.len() > limit {
            return None;
        }
    }
    Some(all)
}

/// The largest of 1, 2, 5, 10, 20 and so on that is no more than the distance over the resolution.
/// Codes then begin at round numbers.
fn width(away: u64, resolution: u64) -> u64 {
    let most = (away / resolution).max(1);
    let power = 10u64.pow(most.ilog10());
    power * [5, 2, 1].into_iter().find(|digit| digit * power <= most).unwrap_or(1)
}

/// Where codes of moments begin: at whole minutes, hours or days where single steps are too many.
pub(crate) fn moments(low: i64, high: i64, step: i64, most: u32) -> Vec<i64> {
    let units = [60, 300, 900, 3600, 6 * 3600].into_iter().chain((0..32).map(|power| DAY << power));
    let usable = units.filter(|unit| unit % step == 0);
    let count = |unit: i64| (i128::from(high) - i128::from(low)) / i128::from(unit) + 2;
    let unit = std::iter::once(step).chain(usable).find(|&unit| count(unit) <= i128::from(most)).unwrap_or(DAY << 32);
    let first = low - low.rem_euclid(unit) + unit;
    std::iter::once(low).chain((first..=high).step_by(unit as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_have_a_code_each() {
        assert_eq!(starts(5, -7, 64), [0, 1, 2, 3, 4]);
        assert_eq!(starts(64, 3, 64).len(), 64);
    }

    #[test]
    fn many_values_have_round_codes_that_grow() {
        for (values, zero, most) in
            [(1_000_001, 0, 4096), (2_000_001, 1_000_000, 1024), (10u128.pow(12), 500, 262_144), (1 << 70, -3, 64)]
        {
            let starts = starts(values, zero, most);
            assert!(starts.len() <= most as usize && starts.len() * 6 >= most as usize, "{} of {most}", starts.len());
            assert_eq!(starts[0], 0);
            assert!(starts.windows(2).all(|pair| pair[0] < pair[1]));
        }
        let dollars = starts(1_000_001, 0, 4096);
        assert!(dollars.contains(&50_000) && dollars.contains(&900_000), "codes begin at round numbers");
        let widths: Vec<u64> = dollars.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(widths.is_sorted(), "they grow");
        let both = starts(2_000_001, 1_000_000, 1024);
        assert!(both.contains(&1_000_000) && both.contains(&1_000_001), "0 is alone");
    }

    #[test]
    fn moments_begin_at_whole_units() {
        let year = 366 * DAY;
        assert_eq!(moments(0, 30, 1, 64).len(), 31);
        let hours = moments(1800, year, 1, 10_000);
        assert_eq!((hours[0], hours[1], hours[2]), (1800, 3600, 7200));
        assert_eq!(moments(5, 100 * year, 60, 64).get(1).map(|time| time % DAY), Some(0));
    }
}
