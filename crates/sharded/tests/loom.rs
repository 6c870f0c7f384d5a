//! The atomic filter under every interleaving of two threads:
//! `scripts/check-loom`.

#![allow(unexpected_cfgs, reason = "set for this run alone")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![cfg(loom)]

use bouquet_sharded::{AtomicBloom, Folded, StandardBloom};
use loom::{sync::Arc, thread};

/// The results of two threads that insert these keys, one each.
fn results_of(keys: [&'static str; 2], size_bits: u64) -> impl Fn() + Sync + Send + 'static {
    move || {
        let make = || AtomicBloom::from_parts(size_bits, 2, Folded::default()).unwrap();
        let filter = Arc::new(make());
        let other = thread::spawn({
            let filter = filter.clone();
            move || {
                let new = filter.insert(keys[0]);
                assert!(filter.contains(keys[0]));
                new
            }
        });
        let mine = filter.insert(keys[1]);
        assert!(filter.contains(keys[1]));
        let other = other.join().unwrap();
        assert!(mine || other, "an absent key, and no thread got true");
        let mut alone = StandardBloom::from_parts(size_bits, 2, Folded::default()).unwrap();
        alone.extend(keys);
        assert_eq!(filter.to_bits().unwrap(), *alone.bits());
    }
}

#[test]
fn one_key_in_one_word() {
    loom::model(results_of(["rose", "rose"], 64));
}

#[test]
fn one_key_in_two_words() {
    loom::model(results_of(["rose", "rose"], 128));
}

#[test]
fn two_keys() {
    loom::model(results_of(["rose", "tulip"], 64));
}
