//~ `Hashed(&value)`
use bouquet::StandardBloom;
#[derive(Hash, PartialEq, Eq, Debug, Clone)]
struct User { id: u64, name: String }
fn main() {
    let mut f = StandardBloom::new(1000, 0.01).unwrap();
    let u = User { id: 1, name: "ann".to_string() };
    f.insert(&u);
    assert!(f.contains(&u));
}
