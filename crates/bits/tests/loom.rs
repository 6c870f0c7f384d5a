//! Tests atomic bits under every interleaving of threads with the model checker loom. Run it
//! with `scripts/proofs loom`.

#![allow(unexpected_cfgs, reason = "set for this run alone")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![cfg(loom)]

use bouquet_bits::AtomicBitArray;
use loom::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

#[test]
fn threads_that_share_a_word_keep_every_bit() {
    loom::model(|| {
        let bits = Arc::new(AtomicBitArray::new(64).unwrap());
        let threads: Vec<_> = (0..2)
            .map(|own| {
                let bits = bits.clone();
                thread::spawn(move || [bits.set(own), bits.set(9)])
            })
            .collect();
        let set: Vec<[bool; 2]> = threads.into_iter().map(|t| t.join().unwrap()).collect();
        assert!(set[0][0] && set[1][0]);
        assert!(set[0][1] != set[1][1], "exactly one has set the common bit");
        assert_eq!(bits.words().next(), Some(0b10_0000_0011));
    });
}

/// Two threads set the same bit, and the second one then signals this; the second thread may
/// find the bit set and write nothing. When the main thread sees the signal, it must see the
/// bit.
#[test]
fn who_sees_the_signal_sees_the_bit() {
    loom::model(|| {
        let bits = Arc::new(AtomicBitArray::new(64).unwrap());
        let signal = Arc::new(AtomicBool::new(false));
        let first = thread::spawn({
            let bits = bits.clone();
            move || {
                bits.set(5);
            }
        });
        let second = thread::spawn({
            let (bits, signal) = (bits.clone(), signal.clone());
            move || {
                bits.set(5);
                signal.store(true, Ordering::Release);
            }
        });
        if signal.load(Ordering::Acquire) {
            assert!(bits.test(5));
        }
        first.join().unwrap();
        second.join().unwrap();
    });
}

/// Sets two bits of an array of 128, as an insert does.
fn set(bits: &AtomicBitArray, two: [u64; 2]) -> bool {
    let mut words = two.into_iter().map(|bit| bit << (64 - 7));
    bits.set_scaled(2, || words.next().unwrap())
}

/// Two threads set the same two bits, which are in different words: both bits are set, and at
/// least one thread reports that it set a bit.
#[test]
fn bits_set_at_once_are_set_once() {
    loom::model(|| {
        let bits = Arc::new(AtomicBitArray::new(128).unwrap());
        let other = thread::spawn({
            let bits = bits.clone();
            move || set(&bits, [3, 70])
        });
        let own = set(&bits, [70, 3]);
        assert!(bits.test_all([3, 70]));
        let other = other.join().unwrap();
        assert!(own || other, "clear bits, and no thread has set one");
        assert_eq!(bits.words().collect::<Vec<_>>(), [1 << 3, 1 << 6]);
    });
}

/// A copy, made by either method, has the bits that its maker knew were set.
#[test]
fn a_copy_has_what_was_set_before() {
    loom::model(|| {
        let bits = Arc::new(AtomicBitArray::new(128).unwrap());
        let signal = Arc::new(AtomicBool::new(false));
        let other = thread::spawn({
            let (bits, signal) = (bits.clone(), signal.clone());
            move || {
                bits.set(70);
                signal.store(true, Ordering::Release);
                set(&bits, [1, 2]);
            }
        });
        if signal.load(Ordering::Acquire) {
            let (copy, shared) = (bits.to_bits().unwrap(), bits.try_clone().unwrap());
            assert!(copy.test(70) && shared.test(70) && bits.count_ones() >= 1);
            assert!(copy.count_ones() <= 3);
        }
        other.join().unwrap();
        assert_eq!(bits.count_ones(), 3);
    });
}

/// Bits that were cleared through `&mut` access are clear for the next thread, which can set
/// them again.
#[test]
fn what_was_cleared_stays_clear() {
    loom::model(|| {
        let mut bits = AtomicBitArray::new(64).unwrap();
        bits.set(5);
        bits.clear_all();
        bits.union_with(&AtomicBitArray::new(64).unwrap()).unwrap();
        let bits = Arc::new(bits);
        let other = thread::spawn({
            let bits = bits.clone();
            move || {
                assert!(!bits.test(5));
                bits.set(6)
            }
        });
        assert!(!bits.test(5));
        let own = bits.set(6);
        assert!(own != other.join().unwrap());
    });
}
