//~ E0308
//~ expected `&_`, found `String`

fn main() {
    let mut filter = bouquet::StandardBloom::new(1_000, 0.01).unwrap();
    filter.insert("rose".to_string());
}
