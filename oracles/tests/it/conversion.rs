//! Our zCDP accounting against OpenDP's: rho of a discrete Gaussian, and from rho to (epsilon,
//! delta).

use lookalike_privacy::accounting::{delta_of_rho, epsilon_of_rho};
use lookalike_privacy::{Composition, Delta, Epsilon, Neighbours, Rational, Relation, Rho, Step, accounting};
use opendp::combinators::make_zCDP_to_approxDP;
use opendp::domains::{AtomDomain, VectorDomain};
use opendp::measurements::make_gaussian;
use opendp::measures::{PrivacyProfile, ZeroConcentratedDivergence};
use opendp::metrics::L2Distance;

/// OpenDP's rho and privacy profile of one discrete Gaussian on counts with L2 sensitivity 1.
fn opendp(sigma: f64) -> (f64, PrivacyProfile) {
    let mechanism = make_gaussian::<_, L2Distance<i64>, ZeroConcentratedDivergence>(
        VectorDomain::new(AtomDomain::<i64>::new_non_nan()),
        L2Distance::default(),
        sigma,
        None,
    );
    let mechanism = mechanism.unwrap();
    let rho = mechanism.map(&1).unwrap();
    (rho, make_zCDP_to_approxDP(mechanism).unwrap().map(&1).unwrap())
}

fn relative(ours: f64, theirs: f64) -> f64 {
    (ours / theirs - 1.0).abs()
}

#[test]
fn conversions_agree() {
    for sigma in [0.5, 1.0, 2.25, 8.0, 50.0] {
        let (rho, profile) = opendp(sigma);
        let ours = Rho::new(rho).unwrap();
        for delta in [1e-3, 1e-5, 1e-9, 1e-12] {
            let epsilon = epsilon_of_rho(ours, Delta::new(delta).unwrap()).unwrap();
            let theirs = profile.epsilon(delta).unwrap();
            assert!(relative(epsilon, theirs) < 1e-9, "sigma {sigma}, delta {delta}: {epsilon} and {theirs}");
        }
        for epsilon in [0.5, 1.0, 4.0] {
            let delta = delta_of_rho(ours, Epsilon::new(epsilon).unwrap());
            let theirs = profile.delta(epsilon).unwrap();
            assert!(
                delta < 1e-300 || relative(delta, theirs) < 1e-9,
                "sigma {sigma}, epsilon {epsilon}: {delta} and {theirs}"
            );
        }
    }
    // The comparison can fail: one part in a million of rho shows.
    let (rho, profile) = opendp(1.0);
    let epsilon = epsilon_of_rho(Rho::new(rho * 1.000_001).unwrap(), Delta::new(1e-9).unwrap()).unwrap();
    assert!(relative(epsilon, profile.epsilon(1e-9).unwrap()) > 1e-9);
}

/// From sigma squared and neighbours to epsilon, the way a run is accounted for.
#[test]
fn a_step_costs_what_opendp_says() {
    let neighbours = Neighbours::new(Relation::AddRemove, 1).unwrap();
    for quarters in [3u64, 4, 15, 40] {
        let step = Step::Gaussian {
            sigma_squared: Rational::new(quarters * quarters, 16).unwrap(),
            sensitivity: neighbours.marginal(),
        };
        let ours = accounting::epsilon(&[step], Delta::new(1e-9).unwrap(), Composition::Zcdp).unwrap();
        let theirs = opendp(quarters as f64 / 4.0).1.epsilon(1e-9).unwrap();
        assert!(relative(ours, theirs) < 1e-9, "sigma {}: {ours} and {theirs}", quarters as f64 / 4.0);
    }
}
