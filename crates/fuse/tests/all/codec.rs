//! Files: views, and forged bytes.

use bouquet_fuse::{
    Bits12, Builder, Decode, Fingerprint, Folded, FuseFilter, FuseView, Inspect, View,
};
use bouquet_testkit::forge::seal;

fn viewed<F: Fingerprint>(keys: u64) {
    let filter: FuseFilter<F> = Builder::new(Folded::new()).from_keys(0..keys).unwrap();
    let stored = filter.encode();
    FuseView::<F, Folded>::verify(&stored).unwrap();
    let view: FuseView<'_, F> = FuseView::open(&stored).unwrap();
    for key in 0..keys + 1_000 {
        assert_eq!(
            view.contains(&key),
            filter.contains(&key),
            "{key} of {keys}"
        );
    }
    assert_eq!(view.keys(), keys);
    assert_eq!(view.size_bits(), filter.size_bits());
    assert_eq!(view.estimated_fpr(), filter.estimated_fpr());
    assert_eq!(view.fill_ratio(), filter.fill_ratio());
}

#[test]
fn a_view_answers_as_the_filter_does() {
    for keys in [0, 1, 2, 100, 5_000] {
        viewed::<u8>(keys);
        viewed::<Bits12>(keys);
        viewed::<u16>(keys);
        viewed::<u32>(keys);
    }
    viewed::<Bits12>(2_200_000);
}

#[test]
fn another_width_is_an_error() {
    let stored = FuseFilter::from_keys(["rose"]).unwrap().encode();
    let error = FuseFilter::<Bits12, Folded>::decode(&stored).unwrap_err();
    assert!(error.to_string().contains("fingerprint_bits"), "{error}");
}

#[test]
fn forged_sizes_are_errors() {
    for keys in [0, 1, 1_000, 2_200_000] {
        let stored = FuseFilter::from_keys(0..keys).unwrap().encode();
        // Parts, segments, slots of a segment, the width, an unused parameter, keys, the payload.
        for field in [40, 48, 56, 64, 72, 80, 96] {
            let value = u64::from_le_bytes(stored[field..field + 8].try_into().unwrap());
            for forged in [
                0,
                1,
                3,
                value ^ 1,
                value + 64,
                2 * value,
                1 << 40,
                1 << 63,
                u64::MAX,
            ] {
                // A file with fewer keys can be of keys that were repeated.
                if forged == value || field == 80 && (1..=keys).contains(&forged) {
                    continue;
                }
                let mut bytes = stored.clone();
                bytes[field..field + 8].copy_from_slice(&forged.to_le_bytes());
                seal(&mut bytes);
                // In the same whole line there can be another filter, with other false positives.
                match FuseFilter::from_bytes(&bytes) {
                    Ok(other) => assert!(other.encode() == bytes && keys < 2),
                    Err(_) => assert!(FuseView::<u8>::open(&bytes).is_err()),
                }
            }
        }
    }
}

#[test]
fn an_attempt_that_is_never_made_is_an_error() {
    let filter = FuseFilter::from_keys(0..1_000_u64).unwrap();
    let mut stored = filter.encode();
    stored[128 + filter.size_bits() as usize / 8] = 100;
    seal(&mut stored);
    assert!(FuseFilter::from_bytes(&stored).is_err());
    assert!(FuseView::<u8>::verify(&stored).is_err());
    // Without the check it answers something.
    let _ = FuseView::<u8>::open(&stored).unwrap().contains("rose");
}
