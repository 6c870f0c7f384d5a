//~ E0308
//~ expected `StandardBloom<Xxh3>`, found `StandardBloom`

use bouquet::{StandardBloom, Xxh3};

fn main() {
    let filter: StandardBloom<Xxh3> = StandardBloom::load("seen.bouquet").unwrap();
    assert!(filter.contains("rose"));
}
