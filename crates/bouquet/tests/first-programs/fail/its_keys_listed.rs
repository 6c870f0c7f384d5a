//~ E0277
//~ `&StandardBloom` is not an iterator

fn main() {
    let filter = bouquet::StandardBloom::new(1_000, 0.01).unwrap();
    for key in &filter {
        drop(key);
    }
}
