//! Are locations right where 32 bits end? Asked of locators alone, without an
//! array, at sizes from 2^31 - 1 to 2^48.

mod exact;
mod judge;
mod run;
mod sample;

pub use self::{
    run::{AtSize, Candidate, Found, Kind, Run},
    sample::Sample,
};

/// Probes a key of every scheme here; layouts may have their own number.
const PROBES: u32 = 8;
