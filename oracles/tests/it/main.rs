//! Our noise and accounting against the implementation of OpenDP.

mod conversion;
mod samplers;
