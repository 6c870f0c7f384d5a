//~ E0308
//~ expected `&StandardBloom`, found `&BlockedBloom`

use bouquet::{BlockedBloom, StandardBloom};

fn main() {
    let mut standard = StandardBloom::new(10, 0.01).unwrap();
    let blocked = BlockedBloom::new(10, 0.01).unwrap();
    standard.union_with(&blocked).unwrap();
}
