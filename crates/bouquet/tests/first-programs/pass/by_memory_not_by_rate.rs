// Like `New(m, k)` of bits-and-blooms and `with_num_bits` of fastbloom.
use bouquet::{Folded, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = StandardBloom::with_bits_per_key(1_000, 16.0)?;
    filter.insert("rose");
    assert!(filter.contains("rose") && filter.target_fpr() < 1e-3);

    let mut exact = StandardBloom::from_parts(1_000_003, 7, Folded::new())?;
    exact.insert("rose");
    assert_eq!((exact.size_bits(), exact.hashes()), (1_000_003, 7));
    assert!(exact.contains("rose"));
    Ok(())
}
