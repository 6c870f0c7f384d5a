//! Tests each documented property of `AtomicBitArray`. The interleavings of threads are tested
//! exhaustively in `loom.rs`.

#![cfg(target_has_atomic = "64")]

use std::{sync::Barrier, thread};

use bouquet_bits::{AtomicBitArray, BitArray, LengthMismatch, OutOfMemory};

#[test]
fn lengths_round_up_to_words() {
    for (len, words) in [(0, 0), (1, 1), (64, 1), (65, 2), (129, 3)] {
        let bits = AtomicBitArray::new(len).unwrap();
        assert_eq!((bits.len(), bits.is_empty()), (len, len == 0));
        assert_eq!(bits.words().collect::<Vec<_>>(), vec![0; words]);
        assert_eq!(bits.memory_bytes(), 8 * words);
    }
}

#[test]
fn an_impossible_length_is_an_error_that_names_the_bytes() {
    for len in [1_000_000_000_000_000, BitArray::MAX_LEN + 1, u64::MAX] {
        let bytes = len.div_ceil(64) * 8;
        assert_eq!(AtomicBitArray::new(len).unwrap_err(), OutOfMemory { bytes });
    }
}

#[test]
fn bits_are_those_of_a_bit_array() {
    let (atomic, mut plain) = (
        AtomicBitArray::new(1_000).unwrap(),
        BitArray::new(1_000).unwrap(),
    );
    for i in [0, 63, 64, 999, 64, 500, 0] {
        assert_eq!(atomic.set(i), plain.set(i));
        assert!(atomic.test(i));
    }
    assert!(!atomic.test(1));
    assert_eq!(atomic.count_ones(), plain.count_ones());
    assert_eq!(atomic.to_bits().unwrap(), plain);
    assert_eq!(AtomicBitArray::from_bits(&plain).unwrap(), atomic);
    let copy = atomic.try_clone().unwrap();
    assert_eq!(copy, atomic);
    assert_eq!(copy.clone(), atomic);
    copy.set(7);
    assert_ne!(copy, atomic);
    assert_ne!(
        AtomicBitArray::new(64).unwrap(),
        AtomicBitArray::new(63).unwrap()
    );
}

#[test]
fn sets_are_combined_or_rejected() {
    let of = |len, ones: &[u64]| {
        let bits = AtomicBitArray::new(len).unwrap();
        ones.iter().for_each(|i| assert!(bits.set(*i)));
        bits
    };
    let mut bits = of(100, &[1, 70]);
    bits.union_with(&of(100, &[2, 70])).unwrap();
    assert_eq!(bits, of(100, &[1, 2, 70]));
    bits.intersect_with(&of(100, &[2, 70, 99])).unwrap();
    assert_eq!(bits, of(100, &[2, 70]));
    let mismatch = LengthMismatch {
        left: 100,
        right: 101,
    };
    assert_eq!(bits.union_with(&of(101, &[3])), Err(mismatch));
    assert_eq!(bits.intersect_with(&of(101, &[3])), Err(mismatch));
    assert_eq!(bits, of(100, &[2, 70]));
    bits.clear_all();
    assert_eq!(bits, of(100, &[]));
}

#[test]
fn one_of_many_threads_gets_true_for_a_bit() {
    // The interpreter Miri switches threads at random points, so a few repetitions suffice.
    for _ in 0..if cfg!(miri) { 2 } else { 50 } {
        let bits = AtomicBitArray::new(200).unwrap();
        let barrier = Barrier::new(4);
        let count = || {
            barrier.wait();
            (0..200).filter(|i| bits.set(*i)).count()
        };
        let set: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!((set, bits.count_ones()), (200, 200));
    }
}

#[test]
#[should_panic(expected = "bit 100 is out of range: the array has 100 bits")]
fn set_past_the_end() {
    AtomicBitArray::new(100).unwrap().set(100);
}

#[test]
#[should_panic(expected = "bit 128 is out of range")]
fn test_past_the_end() {
    AtomicBitArray::new(100).unwrap().test(128);
}

#[test]
fn debug_counts_and_does_not_list() {
    let bits = AtomicBitArray::new(100).unwrap();
    bits.set(9);
    let shown = format!("{bits:?}");
    assert_eq!(shown, "AtomicBitArray { len: 100, count_ones: 1 }");
}
