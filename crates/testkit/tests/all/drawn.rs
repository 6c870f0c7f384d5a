//! Tests of `drawn_sequences`: which specs it draws, and that it detects a fault in them.

use std::cell::Cell;

use bouquet_core::{Spec, SpecError};
use bouquet_standard::{Folded, StandardBloom};
use bouquet_testkit::{
    laws::{Alphabet, drawn_sequences},
    toy::{Fault, Toy},
};

#[test]
fn sizes_and_targets_have_both_ends() {
    let (bits, targets) = (Cell::new((u64::MAX, 0)), Cell::new((1.0_f64, 0.0_f64)));
    let make = |spec: Spec, seed| {
        let filter = StandardBloom::with_hasher(spec, Folded::with_seed(seed))?;
        let (least, most) = bits.get();
        bits.set((least.min(filter.size_bits()), most.max(filter.size_bits())));
        let (lowest, highest) = targets.get();
        let target = spec.target_fpr();
        targets.set((lowest.min(target), highest.max(target)));
        Ok(filter)
    };
    let alphabet = Alphabet::of(&|spec, seed| make(spec, seed).unwrap());
    assert_eq!(drawn_sequences(make, &alphabet), Ok(()));
    let (least, most) = bits.get();
    assert!(least <= 64 && most > 1 << 31, "{least} to {most} bits");
    let (lowest, highest) = targets.get();
    assert!(lowest < 1e-14 && highest > 0.5, "{lowest} to {highest}");
}

#[test]
fn a_fault_at_low_targets_alone_is_found() {
    let make = |spec: Spec, seed| {
        if spec.capacity() > 1 << 16 {
            // The toy needs a byte per bit, which is too much for large filters.
            return Err(SpecError::OutOfMemory { bytes: 1 << 20 });
        }
        let is_low = spec.target_fpr() < 1e-9;
        let fault = if is_low {
            Fault::InsertsOneLess
        } else {
            Fault::None
        };
        Toy::faulty(spec, seed, fault)
    };
    let alphabet = Alphabet::of(&|spec, seed| make(spec, seed).unwrap());
    let verdict = drawn_sequences(make, &alphabet).unwrap_err();
    assert!(verdict.starts_with("false negative after"), "{verdict}");
    let all_rejected = |_, _| Err(SpecError::OutOfMemory { bytes: 1 });
    let verdict = drawn_sequences(all_rejected, &alphabet).unwrap_err();
    assert!(verdict.starts_with("too few sequences"), "{verdict}");
}
