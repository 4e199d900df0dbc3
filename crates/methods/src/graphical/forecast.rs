//! What measured columns would reach, from public facts alone.

use lookalike_model::SPLIT_ROWS;

/// The expected total variation distance of a column with `size` equally frequent codes whose counts have noise of this variance.
pub fn one_way_distance(size: f64, variance: f64, rows: f64) -> f64 {
    // Noise that moves the total alone is scaled away, and so is its part in each cell.
    let noise = variance * (1.0 - 1.0 / size);
    // Rows are drawn without replacement: all that is left is the rounding of each block, a sixth on average.
    let rounding = (rows / SPLIT_ROWS as f64).ceil() / 6.0;
    let mean_miss = (noise + rounding).sqrt() * std::f64::consts::FRAC_2_PI.sqrt();
    (0.5 * size * mean_miss / rows).min(1.0 - 1.0 / size)
}

/// The mean of [`one_way_distance`] over columns; 0 without any.
pub fn mean_distance(sizes: &[u32], variance: f64, rows: f64) -> f64 {
    let sum: f64 = sizes.iter().map(|&size| one_way_distance(f64::from(size), variance, rows)).sum();
    if sizes.is_empty() { 0.0 } else { sum / sizes.len() as f64 }
}
