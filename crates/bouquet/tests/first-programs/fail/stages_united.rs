//~ no method named `union_with` found for struct `ScalableBloom

fn main() {
    let mut left = bouquet::ScalableBloom::new(10, 0.01).unwrap();
    let right = left.clone();
    left.union_with(&right).unwrap();
}
