//! Operations on several bits at once must give the same result as one bit at a time.

use std::panic::catch_unwind;

use bouquet_bits::{AtomicBitArray, BitArray};

const LENGTHS: [u64; 6] = [1, 63, 64, 65, 128, 1_000];

/// The number of calls per array length; under the interpreter Miri, 10 calls cover every
/// number of bits.
const CALLS: u64 = if cfg!(miri) { 10 } else { 100 };

/// The bits of the i-th call: up to nine, some of them repeated.
fn call(i: u64, len: u64) -> Vec<u64> {
    let mix = |j: u64| (i * 31 + j * j + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    (0..i % 10).map(|j| mix(j % 7) % len).collect()
}

#[test]
fn several_bits_are_set_as_one_by_one() {
    for len in LENGTHS {
        let mut one_by_one = BitArray::new(len).unwrap();
        let mut at_once = BitArray::new(len).unwrap();
        for i in 0..CALLS {
            let bits = call(i, len);
            let shared = AtomicBitArray::from_bits(&at_once).unwrap();
            let all_set = bits.iter().all(|bit| one_by_one.test(*bit));
            assert_eq!(at_once.test_all(bits.iter().copied()), all_set);
            assert_eq!(shared.test_all(bits.iter().copied()), all_set);
            let mut new = false;
            for bit in &bits {
                new |= one_by_one.set(*bit);
            }
            assert_eq!(at_once.set_all(bits.iter().copied()), new);
            assert_eq!(at_once, one_by_one);
        }
    }
}

#[test]
fn one_clear_bit_is_missed_wherever_it_comes() {
    for clear in 0..10 {
        let mut bits = BitArray::new(100).unwrap();
        bits.set_all((0..10).filter(|i| *i != clear));
        assert!(!bits.test_all(0..10));
        let shared = AtomicBitArray::from_bits(&bits).unwrap();
        assert!(!shared.test_all(0..10));
    }
}

#[test]
fn past_the_end_nothing_stays_set() {
    for past in [100, 127, 128, 1 << 40, u64::MAX] {
        let set = move |bits: &mut BitArray| _ = bits.set_all([3, past]);
        let mut bits = BitArray::new(100).unwrap();
        let message = catch_unwind(move || set(&mut bits)).unwrap_err();
        if past < 128 {
            let message = message.downcast::<String>().unwrap();
            assert!(message.contains("100 bits"), "{message}");
        }
        let mut bits = BitArray::new(100).unwrap();
        let after = catch_unwind(std::panic::AssertUnwindSafe(|| set(&mut bits)));
        assert!(after.is_err());
        assert!(bits.count_ones() <= 1 && bits.words()[1] == 0, "{bits:?}");
    }
    // The padding bits of the last word are clear, and none of them counts as set.
    let mut bits = BitArray::new(100).unwrap();
    bits.set_all(0..100);
    assert!(bits.test_all(0..100) && !bits.test_all([0, 100]));
    assert!(catch_unwind(|| bits.test_all([128])).is_err());
}

#[test]
fn prefetching_changes_nothing() {
    let small = BitArray::new(8 * (256 << 10)).unwrap();
    let large = BitArray::new(8 * (256 << 10) + 1).unwrap();
    assert!(!small.prefetch_pays() && large.prefetch_pays());
    for i in [0, 100, small.len(), u64::MAX] {
        small.prefetch(i);
    }
    assert_eq!(small.count_ones(), 0);
}
