//! Runs the commands on files, on filters of Bouquet and of other systems.

pub(crate) mod foreign;
mod go_zero;
mod hostile;
mod keyed;
mod lines;
#[cfg(target_os = "linux")]
mod memory;
mod native;
mod promise;
mod streams;
mod vectors;
