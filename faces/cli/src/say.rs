//! Lines on standard error. Whoever reads them may have gone away (`2>&1 | head`): that is no
//! reason to stop, and a release is made all the same.

/// Prints a line on standard error, if somebody reads it.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

pub(crate) use say;
