//~ E0308
//~ StandardBloom<Xxh3>

use bouquet::{Spec, StandardBloom, Xxh3};

fn main() {
    let spec = Spec::new(10, 0.01).unwrap();
    let mut ours = StandardBloom::new(10, 0.01).unwrap();
    let theirs = StandardBloom::with_hasher(spec, Xxh3::new()).unwrap();
    ours.union_with(&theirs).unwrap();
}
