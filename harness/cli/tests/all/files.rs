//! The commands on files: the real program, on filters of ours and of others.

pub(crate) mod foreign;
mod go_zero;
mod hostile;
mod keyed;
#[cfg(target_os = "linux")]
mod memory;
mod native;
mod promise;
mod streams;
mod vectors;
mod ways;
