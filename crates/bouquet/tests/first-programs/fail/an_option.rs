//~ is not a key
//~ `Hashed(&value)`

fn main() {
    let filter = bouquet::BlockedBloom::new(10, 0.01).unwrap();
    filter.contains(&Some("rose"));
}
