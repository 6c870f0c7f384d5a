// Row numbers need no filter: a growable bit set stores them exactly, with one bit each.
use bouquet::{BitArray, BitSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = BitSet::new();
    seen.set_all([3, 70])?.set_all(1_000..2_000)?;
    assert!(seen.test(70) && !seen.test(71));
    assert!(!seen.set(1_999)? && seen.set(5_000)?);
    assert_eq!((seen.count_ones(), seen.last_set()), (1_003, Some(5_000)));
    let error = seen.set(u64::MAX).unwrap_err().to_string();
    assert!(error.contains("a higher limit"), "{error}");

    let mut rows = BitArray::new(100)?;
    rows.set_all([3, 71]);
    seen.intersect_with(&BitSet::from_bits(rows));
    assert_eq!(seen.iter_ones().collect::<Vec<_>>(), [3]);
    Ok(())
}
