//~ `f32` is not a key
//~ `value.to_bits()`

fn main() {
    let filter = bouquet::StandardBloom::new(10, 0.01).unwrap();
    assert!(!filter.contains(&("rose", 1.5f32)));
}
