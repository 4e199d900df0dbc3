//! Nanoseconds a draw of exact noise, one core.

use anyhow::Result;
use lookalike_privacy::noise::{DiscreteGaussian, DiscreteLaplace};
use lookalike_privacy::{NoiseRng, Rational};
use serde_json::json;

use crate::meter::{emit, median, spent};
use crate::peers;

#[derive(clap::Args)]
pub struct Noise {
    /// Draws a measurement.
    #[arg(long, default_value_t = 2_000_000)]
    draws: usize,
    /// Measurements; the median is printed.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Also time numpy's (inexact) normal generator.
    #[arg(long)]
    peers: bool,
}

impl Noise {
    pub fn run(&self) -> Result<()> {
        let mut rng = NoiseRng::from_os()?;
        let mut cells = vec![0i64; self.draws];
        for sigma in [0.5, 1.0, 3.73, 26.7, 1000.0, 30_000.0] {
            let sampler = DiscreteGaussian::new(Rational::at_least(sigma * sigma)?)?;
            let runs = (0..self.repeats).map(|_| spent(|| sampler.add_to(&mut cells, &mut rng)).1).collect();
            self.report("discrete Gaussian", "sigma", sigma, median(runs).cpu);
        }
        for scale in [0.5, 8.5, 1000.0] {
            let sampler = DiscreteLaplace::new(Rational::at_least(scale)?)?;
            let runs = (0..self.repeats).map(|_| spent(|| sampler.add_to(&mut cells, &mut rng)).1).collect();
            self.report("discrete Laplace", "scale", scale, median(runs).cpu);
        }
        if self.peers {
            peers::run(&["noise".into(), self.draws.to_string()])?.into_iter().for_each(emit);
        }
        Ok(())
    }

    fn report(&self, what: &str, parameter: &str, value: f64, cpu: f64) {
        let nanoseconds = cpu * 1e9 / self.draws as f64;
        emit(
            json!({"bench": "noise", "what": what, parameter: value, "draws": self.draws, "cpu_ns_a_draw": nanoseconds}),
        );
    }
}
