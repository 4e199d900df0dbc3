//! The last station of every answer on its way out of the door, and the first of every charge.

use lookalike_privacy::{ChargedQuery, Ledger, Receipt};

#[cfg(any(test, feature = "test-noise"))]
use crate::recording::{Recorded, Recorder, Recording};
use crate::{Cancel, CuratorError};

/// The durable charge. A stop that was asked for before it costs nothing.
pub(crate) fn charge(ledger: &mut Ledger, cancel: &Cancel, charges: &[ChargedQuery]) -> Result<Receipt, CuratorError> {
    if cancel.is_cancelled() {
        return Err(CuratorError::Cancelled);
    }
    Ok(ledger.charge_batch(charges)?)
}

/// Where answers pass. Test builds may record or replay them here; others hand them over.
#[derive(Default)]
pub(crate) struct LastStation {
    #[cfg(any(test, feature = "test-noise"))]
    recorder: Option<Recorder>,
}

#[cfg(not(any(test, feature = "test-noise")))]
impl LastStation {
    pub fn hand_over<A>(&mut self, answer: A, _: &Ledger) -> Result<A, CuratorError> {
        Ok(answer)
    }

    /// Whether answers leave as they are.
    pub fn is_private(&self) -> bool {
        true
    }
}

#[cfg(any(test, feature = "test-noise"))]
impl LastStation {
    pub fn hand_over<A: Recorded>(&mut self, answer: A, ledger: &Ledger) -> Result<A, CuratorError> {
        match &mut self.recorder {
            None => Ok(answer),
            Some(recorder) => recorder.pass(answer, ledger.charged()),
        }
    }

    /// Whether answers leave as they are.
    pub fn is_private(&self) -> bool {
        self.recorder.is_none()
    }

    pub fn record_on(&mut self, recording: &Recording, ledger: &Ledger) {
        self.recorder = Some(Recorder::record(recording, ledger.charged().len()));
    }

    pub fn replay_from(&mut self, recording: &Recording, ledger: &Ledger) {
        self.recorder = Some(Recorder::replay(recording, ledger.charged().len()));
    }
}
