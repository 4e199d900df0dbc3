//! How fast this machine is: a fixed piece of work that a face times, since nothing here reads a
//! clock.

/// Seconds that [`calibration_work`] takes on the machine whose seconds the formulas give (two
/// cores, quiet).
pub const REFERENCE_SECONDS: f64 = 0.001;
/// Machines that differ by more are beyond what so small a piece of work can tell.
const MOST_DIFFERENT: f64 = 10.0;

/// Keys that are counted, and how often.
const KEYS: usize = 1 << 17;
const PASSES: u64 = 12;

/// Counts fixed keys into a small table and takes some exponentials of it, as counting and fitting
/// do: about a millisecond. Time it a few times, take the least, and give that to
/// [`PlanSpec`](super::PlanSpec).
pub fn calibration_work() -> f64 {
    let mut keys = vec![0u16; KEYS];
    let mut state = 1u64;
    for key in &mut keys {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *key = (state >> 54) as u16;
    }
    let mut sum = 0.0;
    for pass in 0..PASSES {
        let mut counts = [0u32; 1024];
        keys.iter().for_each(|&key| counts[usize::from(key) ^ pass as usize] += 1);
        sum += counts.iter().map(|&count| (-f64::from(count) / 128.0).exp()).sum::<f64>();
    }
    sum
}

/// How many times as long this machine takes.
pub(super) fn factor(seconds: Option<f64>) -> f64 {
    let factor = seconds.map_or(1.0, |seconds| seconds / REFERENCE_SECONDS);
    if factor.is_finite() { factor.clamp(1.0 / MOST_DIFFERENT, MOST_DIFFERENT) } else { 1.0 }
}
