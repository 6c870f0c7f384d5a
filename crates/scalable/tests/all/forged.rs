//! A file determines how its filter grows, and anyone can write a file with correct checksums:
//! it must not make the filter allocate a disproportionate amount of memory.

use bouquet_scalable::{
    Decode, DecodeError, Folded, Inspect, MAX_GROWTH, Policy, ScalableBloom, ScalableView, Spec,
    View,
};
use bouquet_testkit::forge::seal;

/// The byte offsets in a header of the capacity, the first parameter and the number of keys.
const CAPACITY: usize = 24;
const GROWTH: usize = 40;
const KEYS: usize = 80;
/// The byte offset of the header of the first stage.
const STAGE: usize = 128;

/// The bytes of a small filter with some fields changed, and with correct checksums.
fn forged(fields: &[(usize, u64)]) -> Vec<u8> {
    let mut bytes = ScalableBloom::new(10, 0.01).unwrap().encode();
    for (at, value) in fields {
        bytes[*at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
    seal(&mut bytes);
    assert!(bytes.len() < 500);
    bytes
}

/// The error of decoding, which must equal that of opening in place.
fn error_of(bytes: &[u8]) -> Option<DecodeError> {
    let decoded = <ScalableBloom>::decode(bytes).err();
    let opened: Result<ScalableView<'_>, _> = View::open(bytes);
    assert_eq!(opened.err(), decoded);
    decoded
}

#[test]
fn growth_past_the_maximum_is_rejected() {
    assert_eq!(error_of(&forged(&[])), None);
    assert_eq!(error_of(&forged(&[(GROWTH, MAX_GROWTH.into())])), None);
    for growth in [0, u64::from(MAX_GROWTH) + 1, 1 << 31, u64::from(u32::MAX)] {
        let error = error_of(&forged(&[(GROWTH, growth)])).unwrap();
        assert_eq!(error.offset, GROWTH as u64);
        assert!(error.to_string().contains("1 to 1024"), "{error}");
    }
    let error = error_of(&forged(&[(GROWTH, 1 << 32)])).unwrap();
    assert!(error.to_string().contains("growth"), "{error}");
}

#[test]
fn a_capacity_that_the_bits_are_not_for_is_rejected() {
    // The stage's filter has one cache line of bits.
    let most = 512 * 16;
    assert_eq!(error_of(&forged(&[(STAGE + CAPACITY, most)])), None);
    for capacity in [most + 1, 1 << 40, u64::MAX] {
        // The stage claims to be full, so that the first insert would create the next stage.
        let fields = [(STAGE + CAPACITY, capacity), (STAGE + KEYS, capacity)];
        let error = error_of(&forged(&fields)).unwrap();
        assert_eq!(error.offset, (STAGE + CAPACITY) as u64);
        assert!(error.to_string().contains("16 keys per bit"), "{error}");
    }
}

#[test]
fn the_worst_file_allocates_little_at_its_first_key() {
    let most = 512 * 16;
    let growth = MAX_GROWTH.into();
    let stage = [(STAGE + CAPACITY, most), (STAGE + KEYS, most)];
    let bytes = forged(&[(GROWTH, growth), stage[0], stage[1]]);
    let mut filter: ScalableBloom = ScalableBloom::decode(&bytes).unwrap();
    filter.insert("rose");
    assert_eq!(filter.stages().count(), 2);
    assert!(
        filter.memory_bytes() < 16 << 20,
        "{}",
        filter.memory_bytes()
    );
}

#[test]
fn what_can_be_made_can_be_read() {
    let spec = Spec::new(3, 0.01).unwrap();
    let policy = Policy::new(spec).growth(MAX_GROWTH).unwrap();
    let mut filter: ScalableBloom = ScalableBloom::with_policy(policy, Folded::default()).unwrap();
    filter.try_extend(0..10u64).unwrap();
    assert!(<ScalableBloom>::decode(&filter.encode()).unwrap() == filter);
}
