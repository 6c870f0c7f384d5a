// A function for every filter with the trait `Inspect`.
use bouquet::{BlockedBloom, Inspect, StandardBloom};

fn report(filter: &impl Inspect) -> String {
    let bits = filter.size_bits() as f64 / filter.capacity() as f64;
    format!("{bits:.1} bits per key, {} bytes", filter.memory_bytes())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let standard = report(&StandardBloom::new(1_000_000, 0.01)?);
    assert!(standard.starts_with("9.6 bits per key"), "{standard}");
    let blocked = report(&BlockedBloom::new(1_000_000, 0.01)?);
    assert!(blocked.starts_with("10.1 bits per key"), "{blocked}");
    Ok(())
}
