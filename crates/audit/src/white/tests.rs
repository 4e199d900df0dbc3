//! Canaries reach what they are meant to, and small audits keep below the claim and catch halved
//! noise.

use lookalike_curator::Cancel;
use lookalike_privacy::{Neighbours, Relation, ScoreKind};

use super::canary::pairs;
use super::{MechanismForm, NoiseFault, Setup, UnlistedValues, mechanisms};
use crate::attack::{EpsilonBound, RunCounts, audit};

#[test]
fn canaries_reach_most_of_the_declared_sensitivity() {
    let grid = 1 << 16;
    for kind in ScoreKind::ALL {
        for (relation, c) in [(Relation::AddRemove, 1), (Relation::AddRemove, 3), (Relation::ReplaceOne, 1)] {
            let neighbours = Neighbours::new(relation, c).unwrap();
            let Some([up, down]) = pairs(kind, neighbours) else { continue };
            let rows = up.rows(false).len();
            assert_eq!(rows, down.rows(false).len(), "{kind:?}");
            assert_eq!(up.rows(true).len(), down.rows(true).len(), "{kind:?}");
            let declared = kind.sensitivity(neighbours, grid, rows as u64).unwrap() as f64 / grid as f64;
            let rise = up.score(kind, true) - up.score(kind, false);
            let fall = down.score(kind, false) - down.score(kind, true);
            let most = f64::max(rise, fall);
            assert!(most <= declared, "{kind:?} {relation:?} {c}: {rise} {fall} of {declared}");
            // Only F under add/remove cannot rise as far as it falls.
            let least = if kind == ScoreKind::MaximumJoint && relation == Relation::AddRemove { 0.75 } else { 0.93 };
            assert!(
                (rise + fall) / (2.0 * declared) >= least - 1e-4,
                "{kind:?} {relation:?} {c}: {rise}, {fall} of {declared}"
            );
        }
    }
}

fn small(setup: &Setup, runs: usize) -> EpsilonBound {
    audit(setup, RunCounts::new(runs), &Cancel::new(), &|_| {}).unwrap()
}

/// Every mechanism at epsilon 1, and its control. A false alarm has a chance of 1e-3 over all
/// bounds together.
#[test]
fn every_mechanism_keeps_its_claim_and_half_the_noise_is_caught() {
    for mechanism in mechanisms().into_iter().filter(|mechanism| mechanism.form != MechanismForm::Values) {
        let name = format!("{} under {}", mechanism.name(), mechanism.neighbours_in_words());
        let found = small(&Setup::new(mechanism, 1.0, NoiseFault::None).unwrap(), 20_000);
        assert!(found.epsilon <= 1.0 && found.plain <= 1.0, "{name}: {found:?}");
        let broken = small(&Setup::new(mechanism, 1.0, NoiseFault::HalvedNoise).unwrap(), 60_000);
        assert!(broken.epsilon > 1.0, "{name}, half the noise: {broken:?}");
    }
}

/// The canary of a value that nobody listed, and the threshold two deviations lower. The same
/// chance of a false alarm.
#[test]
fn unlisted_values_stay_inside_and_a_low_threshold_is_caught() {
    for mechanism in mechanisms().into_iter().filter(|mechanism| mechanism.form == MechanismForm::Values) {
        let name = mechanism.neighbours_in_words();
        for is_rare in [false, true] {
            let found = |fault| {
                let setup = UnlistedValues::new(mechanism.neighbours().unwrap(), 1.0, fault).unwrap();
                let setup = if is_rare { setup.among_rare_ones() } else { setup };
                audit(&setup, RunCounts::new(200_000), &Cancel::new(), &|_| {}).unwrap()
            };
            assert!(found(NoiseFault::None).epsilon <= 1.0, "{name}, rare {is_rare}");
            let broken = found(NoiseFault::LowThreshold);
            assert!(broken.epsilon > 1.0, "{name}, rare {is_rare}: {broken:?}");
        }
    }
}
