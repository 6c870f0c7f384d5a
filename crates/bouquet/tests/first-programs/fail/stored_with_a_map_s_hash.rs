//~ E0080
//~ a filter with this hasher cannot be stored
//~ `Folded`, `Xxh3`, `Xxh3Wide` or `SipKeyed`
use std::hash::RandomState;

use bouquet::{Spec, StandardBloom, StdHasher};

fn main() {
    let spec = Spec::new(10, 0.01).unwrap();
    let hasher = StdHasher::new(RandomState::new());
    let filter = StandardBloom::with_hasher(spec, hasher).unwrap();
    filter.save("seen.bouquet").unwrap();
}
