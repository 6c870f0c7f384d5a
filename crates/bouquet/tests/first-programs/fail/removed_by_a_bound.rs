//~ no key can be removed from `StandardBloom`
//~ `CountingBloom` or `CuckooFilter`

use bouquet::{Remove, StandardBloom};

fn forget(_: &mut impl Remove) {}

fn main() {
    forget(&mut StandardBloom::new(10, 0.01).unwrap());
}
