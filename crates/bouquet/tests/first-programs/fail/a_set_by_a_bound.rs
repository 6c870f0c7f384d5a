//~ takes no keys, or may reject one
//~ a set is no filter

use std::collections::HashSet;

use bouquet::Insert;

fn fill(_: &mut impl Insert) {}

fn main() {
    fill(&mut HashSet::<Vec<u8>>::new());
}
