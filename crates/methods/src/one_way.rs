//! What noise does to a column's frequencies, from public facts alone.
//!
//! The rows of a column with `s` values are not known, so they are taken to be spread as in most
//! columns of real tables: the j-th most frequent value in proportion to 1/j. Counts with normal
//! noise are then moved to the nearest counts that are nowhere negative and have the right sum
//! ([`project`](lookalike_model::project)): a shift, and what falls below 0 is 0. The mean distance
//! has a closed form, summed over groups of values that are about equally frequent.

use lookalike_model::{LARGE_ROWS, SPLIT_ROWS, is_thinned, normal_cdf};

/// Values of about the same frequency are taken together: a group begins with every rank that is
/// this much larger.
const GROUP: f64 = 0.15;

/// The mean distance from 0 of Laplace noise, over that of normal noise of the same variance,
/// squared.
pub const LAPLACE: f64 = std::f64::consts::FRAC_PI_4;

/// The expected total variation distance of a column with `size` values whose counts have normal
/// noise of this variance.
///
/// Falls with the rows and grows with the variance and the size. 0 for a column of one value.
pub fn distance(size: f64, variance: f64, rows: f64) -> f64 {
    distance_of_drawn(size, variance, rows, 0.0)
}

/// The same of rows that are drawn with this share of the variance that counts have when rows are
/// drawn one by one.
pub fn distance_of_drawn(size: f64, variance: f64, rows: f64, drawn: f64) -> f64 {
    if size < 2.0 {
        return 0.0;
    }
    // Noise that moves the total alone is scaled away, and so is its part in each cell. Rows are
    // drawn without replacement: all that is left of drawing is the rounding of each block, a sixth
    // on average.
    let noise = variance * (1.0 - 1.0 / size) + blocks(rows) / 6.0;
    let mut noisy = Noisy { groups: groups(size, rows), rows };
    for group in &mut noisy.groups {
        group.deviation = (noise + drawn * group.count * (1.0 - group.count / rows).max(0.0)).sqrt();
    }
    let shift = noisy.shift();
    let missed: f64 = noisy.groups.iter().map(|group| group.values * group.miss(shift)).sum();
    (0.5 * missed / rows).min(1.0 - 1.0 / size)
}

/// The blocks that the rows are drawn in: small ones where rows are thinned, else the largest.
/// It is told of a column and does not know how many others there are, so it takes them for few.
fn blocks(rows: f64) -> f64 {
    let block = if is_thinned(2, rows.ceil() as u64) { SPLIT_ROWS } else { LARGE_ROWS };
    (rows / block as f64).ceil()
}

/// The mean of [`distance`] over columns; 0 without any.
pub fn mean_distance(sizes: &[u32], variance: f64, rows: f64) -> f64 {
    let sum: f64 = sizes.iter().map(|&size| distance(f64::from(size), variance, rows)).sum();
    if sizes.is_empty() { 0.0 } else { sum / sizes.len() as f64 }
}

/// Values that are about equally frequent.
struct Group {
    values: f64,
    count: f64,
    /// Of the noise of each count.
    deviation: f64,
}

fn groups(size: f64, rows: f64) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut rank = 1.0;
    while rank <= size {
        let values = (rank * GROUP).floor().clamp(1.0, size - rank + 1.0);
        groups.push(Group { values, count: 1.0 / (rank + 0.5 * (values - 1.0)), deviation: 0.0 });
        rank += values;
    }
    let all: f64 = groups.iter().map(|group| group.values * group.count).sum();
    groups.iter_mut().for_each(|group| group.count *= rows / all);
    groups
}

impl Group {
    /// The mean of how far a count is moved, by its noise and the shift.
    fn miss(&self, shift: f64) -> f64 {
        let Self { count, deviation, .. } = *self;
        let (lost, even) = ((shift - count) / deviation, shift / deviation);
        let fallen = shift * (normal_cdf(even) - normal_cdf(lost)) - deviation * (density(lost) - density(even));
        let risen = deviation * density(even) - shift * (1.0 - normal_cdf(even));
        count * normal_cdf(lost) + fallen + risen
    }
}

struct Noisy {
    groups: Vec<Group>,
    rows: f64,
}

impl Noisy {
    /// What is taken off every count, so that those above 0 add up to the rows.
    fn shift(&self) -> f64 {
        let kept = |shift: f64| -> f64 {
            let one = |group: &Group| {
                let mean = group.count - shift;
                let at = mean / group.deviation;
                group.values * (mean * normal_cdf(at) + group.deviation * density(at))
            };
            self.groups.iter().map(one).sum()
        };
        let widest = self.groups.iter().fold(0.0, |widest: f64, group| widest.max(group.deviation));
        let (mut low, mut high) = (0.0, self.rows + 40.0 * widest);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if kept(middle) > self.rows { low = middle } else { high = middle }
        }
        low
    }
}

/// The density of a standard normal number.
fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_noise_is_half_its_mean_size_a_value() {
        // 10 values, noise 5 people on hundreds: no value comes near 0. The rounding of one block
        // adds a sixth.
        let expected = 0.5 * 10.0 * (25.0f64 * 0.9 + 1.0 / 6.0).sqrt() * std::f64::consts::FRAC_2_PI.sqrt() / 10_000.0;
        let found = distance(10.0, 25.0, 10_000.0);
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn it_falls_with_rows_and_grows_with_noise_and_is_finite_everywhere() {
        for size in [1.0, 2.0, 3.0, 40.0, 40_000.0] {
            for rows in [1.0, 100.0, 5e6] {
                let mut last = 0.0;
                for variance in [0.0, 1.0, 1e2, 1e4, 1e8, 1e14] {
                    let found = distance(size, variance, rows);
                    assert!(found.is_finite() && (0.0..=1.0).contains(&found), "{size} {rows} {variance}: {found}");
                    assert!(found >= last - 1e-6, "{size} {rows} {variance}: {found} after {last}");
                    assert!(distance(size, variance, 2.0 * rows) <= found + 1e-6, "{size} {rows} {variance}");
                    last = found;
                }
            }
        }
        assert_eq!(mean_distance(&[], 1.0, 10.0), 0.0);
    }

    /// Drawn noise and a real projection, against the closed form. The seed is fixed.
    #[test]
    fn it_is_what_the_projection_reaches() {
        let mut rng = lookalike_model::SampleRng::new(7, "one way", 0);
        let mut uniform = || (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64);
        for (size, deviation) in [(5usize, 20.0f64), (60, 20.0), (400, 8.0), (400, 60.0)] {
            let rows = 5_000.0;
            let all: f64 = (1..=size).map(|rank| 1.0 / rank as f64).sum();
            let truth: Vec<f64> = (1..=size).map(|rank| rows / (rank as f64 * all)).collect();
            let mut reached = 0.0;
            for _ in 0..60 {
                let mut normal =
                    || (-2.0 * (1.0 - uniform()).ln()).sqrt() * (2.0 * std::f64::consts::PI * uniform()).cos();
                let noisy: Vec<f64> = truth.iter().map(|count| count + deviation * normal()).collect();
                let made = lookalike_model::project::onto_counts(&noisy, &|_| true, rows);
                let missed: f64 = made.iter().zip(&truth).map(|(made, count)| (made - count).abs()).sum();
                reached += 0.5 * missed / rows / 60.0;
            }
            let found = distance(size as f64, deviation * deviation, rows);
            assert!((found / reached - 1.0).abs() < 0.1, "{size} {deviation}: {found}, reached {reached}");
        }
    }
}
