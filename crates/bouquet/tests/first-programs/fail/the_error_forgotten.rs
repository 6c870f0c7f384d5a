//~ no method named `insert` found for enum `Result
//~ E0599

fn main() {
    let mut filter = bouquet::StandardBloom::new(1_000, 0.01);
    filter.insert("rose");
}
