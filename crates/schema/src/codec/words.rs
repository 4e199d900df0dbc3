//! A fixed set of words and the code of each.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Words to codes. The keys are the schema's own, so rows cannot make the table long or slow.
pub(crate) type WordCodes = HashMap<Box<[u8]>, u32, FixedState>;
