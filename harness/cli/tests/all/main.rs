//! Tests that run the program. All are in one test binary, since each binary takes time to link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod browser;
mod cli;
mod compare;
mod evaluate;
mod files;
mod format_serde;
mod gate;
mod index;
mod messages;
mod names;
mod recommend;
mod recommend_code;
mod repeat;
mod shape;
mod shells;
mod snapshots;
mod speed;
mod support;
mod terminal;
mod theory;
mod uniformity;
mod written;
