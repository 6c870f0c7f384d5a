//~ `Vec<String>` is not a key

fn main() {
    let words: Vec<String> = vec!["rose".into(), "tulip".into()];
    let mut filter = bouquet::CountingBloom::new(10, 0.01).unwrap();
    filter.insert(&words);
}
