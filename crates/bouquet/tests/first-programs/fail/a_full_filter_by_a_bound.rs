//~ CuckooFilter
//~ Infallible

use bouquet::{CuckooFilter, Insert};

fn distinct(seen: &mut impl Insert) -> bool {
    seen.insert(b"rose")
}

fn main() {
    distinct(&mut CuckooFilter::new(10, 0.01).unwrap());
}
