//~ `f64` is not a key
//~ `value.to_bits()`

fn main() {
    let mut filter = bouquet::StandardBloom::new(10, 0.01).unwrap();
    let price: f64 = 9.99;
    filter.insert(&price);
}
