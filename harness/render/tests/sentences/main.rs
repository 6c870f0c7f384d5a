//! What a report says answers to its records: each sentence with a number in it is
//! made again from the CSVs alone, by other code, and read to its end.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

mod charts;
mod headline;
mod locations;
mod records;
