//! Checked by the compiler in every build: what holds rows or exact counts cannot be printed,
//! copied or compared.

/// Fails to compile when the type implements one of the traits: the call is then ambiguous.
macro_rules! assert_lacks {
    ($type:ty: $($trait:path),+ $(,)?) => {
        $(const _: fn() = || {
            trait Lacks<Marker> {
                fn check() {}
            }
            impl<T: ?Sized> Lacks<()> for T {}
            #[allow(dead_code)]
            struct Implements;
            impl<T: ?Sized + $trait> Lacks<Implements> for T {}
            let _ = <$type as Lacks<_>>::check;
        };)+
    };
}
pub(crate) use assert_lacks;

use std::fmt::{Debug, Display};

assert_lacks!(crate::CountTable: Debug, Display, Clone, PartialEq, PartialOrd, std::hash::Hash);
assert_lacks!(crate::Permit: Debug, Display, Clone, Default);
assert_lacks!(crate::Curator: Debug, Display, Clone);
assert_lacks!(dyn crate::Counts: Debug, Display);
assert_lacks!(crate::paid::PaidBatch<'static>: Debug, Display, Clone);
assert_lacks!(crate::paid::Piece: Debug, Display, Clone);
