//! The FPR of each width.

use bouquet_fuse::{Bits12, Builder, Fingerprint, Folded, FuseFilter};

fn measured<F: Fingerprint>(keys: u64, others: u64) {
    let filter: FuseFilter<F> = Builder::new(Folded::new()).from_keys(0..keys).unwrap();
    let found = (keys..keys + others)
        .filter(|key| filter.contains(key))
        .count() as f64;
    let expected = filter.estimated_fpr() * others as f64;
    let deviation = expected.sqrt().max(1.0);
    assert!(
        (found - expected).abs() < 5.0 * deviation,
        "{keys}: {found} of {expected}"
    );
}

#[test]
fn the_measured_fpr_is_that_of_the_width() {
    for keys in [1, 10, 1_000, 20_000] {
        measured::<u8>(keys, 1_000_000);
        measured::<Bits12>(keys, 2_000_000);
        measured::<u16>(keys, 2_000_000);
        measured::<u32>(keys, 1_000_000);
    }
    // Several parts.
    measured::<u8>(2_500_000, 1_000_000);
}
