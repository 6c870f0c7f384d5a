//~ `ScalableBloom` has no union
//~ that of `ScalableBloom`, a method of its own, gives the sum of both FPRs
//~ insert the keys again

use bouquet::{ScalableBloom, Union};

fn merge(_: &mut impl Union) {}

fn main() {
    merge(&mut ScalableBloom::new(10, 0.01).unwrap());
}
