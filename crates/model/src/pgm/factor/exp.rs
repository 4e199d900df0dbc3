//! An exponential that compilers turn into vector code.

const LOG2_E: f64 = std::f64::consts::LOG2_E;
/// ln 2 in two parts: the first has enough trailing zeros that its multiples by an exponent are
/// exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding this rounds to an integer, and leaves that integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// Below this the result is 0: it would not be a normal number.
const LEAST: f64 = -708.0;
const MOST: f64 = 709.0;

/// 1/k! for k = 12 down to 0.
const TAYLOR: [f64; 13] = [
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

#[inline(always)]
fn fused<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    // Without the instruction `mul_add` is a slow call.
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// e^x to about 1 part in 10^15 for x <= 709; 0 for x < -708, minus infinity included. Larger x
/// give e^709.
///
/// No branches and no tables, so a loop over cells runs as wide as the processor is. The standard
/// library's is a call a cell.
#[inline(always)]
pub(crate) fn exp<const FMA: bool>(x: f64) -> f64 {
    let clamped = if x < LEAST { LEAST } else { x };
    let clamped = if clamped > MOST { MOST } else { clamped };
    let shifted = fused::<FMA>(clamped, LOG2_E, MAGIC);
    let whole = shifted - MAGIC;
    let rest = fused::<FMA>(whole, -LN2_HIGH, clamped);
    let rest = fused::<FMA>(whole, -LN2_LOW, rest);
    let mut sum = TAYLOR[0];
    for &coefficient in &TAYLOR[1..] {
        sum = fused::<FMA>(sum, rest, coefficient);
    }
    // Multiply by 2^whole by adding to the exponent.
    let value = f64::from_bits(sum.to_bits().wrapping_add(shifted.to_bits() << 52));
    if x < LEAST { 0.0 } else { value }
}
