use bouquet::{Key, StandardBloom};

struct User {
    id: u64,
    #[allow(dead_code, reason = "no part of the key")]
    name: String,
}

impl Key for User {
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        self.id.with_bytes(f)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let user = |id, name: &str| User {
        id,
        name: name.into(),
    };
    let mut seen = StandardBloom::new(1_000, 1e-6)?;
    assert!(seen.insert(&user(7, "alice")));
    assert!(!seen.insert(&user(7, "Alice")));
    assert!(seen.contains(&7));
    Ok(())
}
