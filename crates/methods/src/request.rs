//! What a release is asked for.

use crate::workload::WorkloadSpec;

/// What a release is asked for beside the method's own parameters. Public.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// How many synthetic rows; `None` leaves it to the method.
    pub rows: Option<u64>,
    /// The memory allowed in bytes (`--memory`); it bounds the size of a model. `None`: the
    /// default.
    pub memory: Option<u64>,
    /// The seconds allowed (`--time`); they become sizes and numbers of rounds, never a clock.
    /// `None`: the default.
    pub seconds: Option<u64>,
    /// The tables that the release should be good at (`--workload`). `None`: the method's own.
    pub workload: Option<WorkloadSpec>,
    /// A column whose tables count more (`--target`).
    pub target: Option<String>,
}
