use bouquet::{Hashed, StandardBloom};

#[derive(Hash)]
enum Event {
    Login { user: u64 },
    Logout(String),
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-6)?;
    assert!(seen.insert(&Hashed(&Event::Login { user: 7 })));
    assert!(seen.insert(&Hashed(&Event::Logout(String::from("alice")))));
    assert!(!seen.insert(&Hashed(&Event::Login { user: 7 })));
    assert!(!seen.contains(&Hashed(&Event::Login { user: 8 })));
    assert!(seen.insert(&Hashed(&Some(vec![1, 2, 3]))));
    Ok(())
}
