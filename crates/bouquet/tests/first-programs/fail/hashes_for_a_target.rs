//~ E0308
//~ expected `f64`, found integer

fn main() {
    let filter = bouquet::StandardBloom::new(1_000, 7).unwrap();
    assert!(!filter.contains("rose"));
}
