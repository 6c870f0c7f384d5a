//~ is not a filter

use std::collections::HashSet;

use bouquet::Filter;

fn known(filter: &impl Filter) -> bool {
    filter.contains(b"rose")
}

fn main() {
    known(&HashSet::<Vec<u8>>::new());
}
