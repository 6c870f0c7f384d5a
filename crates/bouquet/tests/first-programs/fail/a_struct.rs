//~ `User` is not a key: a filter does not know which bytes it is
//~ `Hashed(&value)`
//~ `impl Key`
//~ `#[derive(Key)]`

#[derive(Hash)]
struct User {
    id: u64,
}

fn main() {
    let mut filter = bouquet::StandardBloom::new(10, 0.01).unwrap();
    filter.insert(&User { id: 7 });
}
