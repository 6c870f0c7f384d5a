// A secret key for this process, and one that is stored for later use with a file.
use bouquet::{SipKeyed, Spec, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = Spec::new(1_000, 0.01)?;
    let mut names = StandardBloom::with_hasher(spec, SipKeyed::random())?;
    assert!(names.insert("alice") && names.contains("alice"));
    let another = StandardBloom::with_hasher(spec, SipKeyed::random())?;
    assert!(names.union_with(&another).is_err());

    let path = std::env::temp_dir().join(format!("first-keyed-{}", std::process::id()));
    let secret = SipKeyed::with_key(*b"sixteen secrets!");
    let mut names = StandardBloom::with_hasher(spec, secret)?;
    names.insert("alice");
    names.save(&path)?;
    let again = StandardBloom::load_with(&path, secret)?;
    let without = StandardBloom::load(&path).unwrap_err().to_string();
    std::fs::remove_file(&path)?;
    assert!(again.contains("alice"));
    assert!(without.contains("StandardBloom<SipKeyed>"), "{without}");
    Ok(())
}
