//! The program `bouquet`.

mod record;
#[cfg_attr(not(test), expect(dead_code))]
mod stats;

fn main() {}
