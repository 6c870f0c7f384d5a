use bouquet::interop::{GuavaBloom, guava::Release};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The same as `BloomFilter.create(stringFunnel(UTF_8), 500, 0.01)` in Java.
    let mut emails = GuavaBloom::create(Release::V33, 500, 0.01)?;
    emails.insert("alice@example.org");
    let again = GuavaBloom::from_bytes(&emails.to_bytes())?;
    assert!(again.contains("alice@example.org"));
    assert_eq!(again.approximate_element_count(), Some(1));
    Ok(())
}
