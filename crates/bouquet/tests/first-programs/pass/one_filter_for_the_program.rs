use std::sync::OnceLock;

use bouquet::AtomicBloom;

static SEEN: OnceLock<AtomicBloom> = OnceLock::new();

fn is_first(user: &str) -> bool {
    SEEN.get().is_some_and(|seen| seen.insert(user))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _ = SEEN.set(AtomicBloom::new(1_000, 1e-6)?);
    assert!(is_first("alice"));
    assert!(!is_first("alice"));
    assert!(is_first("bob"));
    Ok(())
}
