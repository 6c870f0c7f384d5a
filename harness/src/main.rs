//! The program `bouquet`.

mod record;

fn main() {}
