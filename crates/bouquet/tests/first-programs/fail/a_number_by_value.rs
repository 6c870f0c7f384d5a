//~ E0308
//~ expected `&_`, found integer

fn main() {
    let filter = bouquet::CuckooFilter::new(1_000, 0.01).unwrap();
    assert!(!filter.contains(42));
}
