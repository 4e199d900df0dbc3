//! Nanoseconds a draw of exact noise, one core.

use anyhow::Result;
use lookalike_privacy::noise::{DiscreteGaussian, DiscreteLaplace};
use lookalike_privacy::{NoiseRng, Rational};
use serde_json::json;

use crate::measure::{emit, peers, repeated};

#[derive(clap::Args)]
pub struct NoiseArgs {
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

impl NoiseArgs {
    pub fn run(&self) -> Result<()> {
        let mut rng = NoiseRng::from_os()?;
        let mut cells = vec![0i64; self.draws];
        for sigma in [0.5, 1.0, 3.73, 26.7, 1000.0, 30_000.0] {
            let sampler = DiscreteGaussian::new(Rational::at_least(sigma * sigma)?)?;
            self.time("discrete Gaussian", "sigma", sigma, || sampler.add_to(&mut cells, &mut rng))?;
        }
        for scale in [0.5, 8.5, 1000.0] {
            let sampler = DiscreteLaplace::new(Rational::at_least(scale)?)?;
            self.time("discrete Laplace", "scale", scale, || sampler.add_to(&mut cells, &mut rng))?;
        }
        if self.peers {
            peers::run(&["noise".into(), self.draws.to_string()])?.into_iter().for_each(emit);
        }
        Ok(())
    }

    fn time(&self, what: &str, parameter: &str, value: f64, mut draw: impl FnMut()) -> Result<()> {
        let ((), cost) = repeated(self.repeats, || {
            draw();
            Ok(())
        })?;
        let nanoseconds = cost.cpu * 1e9 / self.draws as f64;
        emit(json!({
            "bench": "noise", "what": what, parameter: value, "draws": self.draws, "cpu_ns_a_draw": nanoseconds,
        }));
        Ok(())
    }
}
