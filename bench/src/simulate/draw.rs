//! Random numbers for simulations, from a seeded generator. Never for noise.

use anyhow::Result;
use lookalike_schema::Schema;
use rand_core::Rng;

/// Uniform on 0..bound, up to a bias of 2^-32 times the bound.
#[inline]
pub fn below<R: Rng>(rng: &mut R, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// Uniform on [0, 1), in steps of 2^-53.
#[inline]
pub fn uniform<R: Rng>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Two independent standard normal numbers (Box and Muller).
pub fn normal_pair<R: Rng>(rng: &mut R) -> [f64; 2] {
    let radius = (-2.0 * (1.0 - uniform(rng)).ln()).sqrt();
    let (sine, cosine) = (2.0 * std::f64::consts::PI * uniform(rng)).sin_cos();
    [radius * cosine, radius * sine]
}

/// A schema of integer codes: columns `c0`, `c1`, ... with these many codes.
pub fn coded_schema(sizes: &[u32]) -> Result<Schema> {
    let columns: Vec<String> = sizes.iter().enumerate().map(|(i, size)| format!("\"c{i}\": {size}")).collect();
    Ok(Schema::parse(&format!("{{{}}}", columns.join(", ")), "generated")?)
}
