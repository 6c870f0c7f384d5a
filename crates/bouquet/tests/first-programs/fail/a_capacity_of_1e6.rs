//~ expected `usize`, found floating-point number

fn main() {
    let filter = bouquet::BlockedBloom::new(1e6, 0.01).unwrap();
    assert!(!filter.contains("rose"));
}
