//~ E0061
//~ this function takes 2 arguments but 1 argument was supplied

fn main() {
    let filter = bouquet::StandardBloom::new(1_000).unwrap();
    assert!(!filter.contains("rose"));
}
