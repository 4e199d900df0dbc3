//! The grid that scores are integers on.

/// Steps of the public grid in one row. The grid step then adds less than 1/100,000 to a
/// sensitivity.
pub const GRID: u64 = 1 << 16;

/// The most rows for which scores are computed. Past it the exact integer arithmetic could
/// overflow, and no table is that long: an engine that claims more is faulty.
pub const MAX_ROWS: u64 = 1 << 48;
