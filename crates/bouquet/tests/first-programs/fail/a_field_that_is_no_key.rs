//~ `#[key(skip)]`, `#[key(hash)]` or `#[key(with = path)]`
//~ `f64` is not a key
//~ `value.to_bits()`
#[derive(bouquet::Key)]
struct Price {
    cents: u64,
    rate: f64,
}

fn main() {
    let mut seen = bouquet::StandardBloom::new(10, 0.01).unwrap();
    seen.insert(&Price {
        cents: 999,
        rate: 0.2,
    });
}
