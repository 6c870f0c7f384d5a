//! Atomic bits under every interleaving of threads:
//! `scripts/check-loom`.

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

/// Thread one sets a bit; thread two may find it set, and so write nothing
/// itself, and signals that it is; thread three sees the signal. It must see the bit.
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
