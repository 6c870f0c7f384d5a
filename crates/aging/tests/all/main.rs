//! Facts about the filter that are not laws of every filter.

#![allow(clippy::unwrap_used, reason = "tests")]

mod size;
mod window;
