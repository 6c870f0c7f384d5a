//~ `ScalableBloom` has no union
//~ `ScalableBloom` and `CuckooFilter` have a method `union_with` of their own
//~ insert the keys again

use bouquet::{ScalableBloom, Union};

fn merge(_: &mut impl Union) {}

fn main() {
    merge(&mut ScalableBloom::new(10, 0.01).unwrap());
}
