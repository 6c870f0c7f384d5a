//! Operations on a row must give the same result as on its bits one by one.

use std::{array, panic::catch_unwind};

use bouquet_bits::{AtomicBitArray, BitArray, CounterArray, CounterBits};

const LENGTHS: [u64; 6] = [1, 63, 64, 65, 128, 1_000];

/// The number of rows per array length; fewer under the interpreter Miri, which is slow.
const ROWS: u64 = if cfg!(miri) { 8 } else { 100 };

/// The i-th row for an array of `len` slots; in short arrays some slots repeat.
fn row(i: u64, len: u64) -> [u32; 8] {
    let mix = |j: u64| (i * 31 + j * j + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    array::from_fn(|j| (mix(j as u64) % len) as u32)
}

#[test]
fn a_row_is_set_and_tested_as_one_by_one() {
    for len in LENGTHS {
        let mut one_by_one = BitArray::new(len).unwrap();
        let mut at_once = BitArray::new(len).unwrap();
        for i in 0..ROWS {
            let asked = [row(i, len), row(i + 50, len), row(3 * i, len)];
            let shared = AtomicBitArray::from_bits(&one_by_one).unwrap();
            let (mut hits, mut hits_shared) = ([1; 8], [1; 8]);
            for row in &asked {
                at_once.test_row(row, &mut hits);
                shared.test_row(row, &mut hits_shared);
            }
            for j in 0..8 {
                let expected = asked.iter().all(|row| one_by_one.test(row[j].into()));
                assert_eq!(hits[j] & 1 == 1, expected, "{len} {i} {j}");
                assert_eq!(hits_shared[j] & 1 == 1, expected, "{len} {i} {j}");
            }
            at_once.set_row(&asked[0]);
            for bit in asked[0] {
                one_by_one.set(bit.into());
            }
            assert_eq!(at_once, one_by_one);
        }
    }
}

#[test]
fn a_row_of_counters_is_a_hit_where_none_is_zero() {
    for (len, width) in LENGTHS
        .into_iter()
        .flat_map(|len| [(len, CounterBits::Four), (len, CounterBits::Eight)])
    {
        let mut counters = CounterArray::new(len, width).unwrap();
        for i in 0..ROWS {
            let asked = [row(i, len), row(i + 50, len)];
            let mut hits = [1; 8];
            for row in &asked {
                counters.test_row(row, &mut hits);
            }
            for (j, hit) in hits.into_iter().enumerate() {
                let expected = asked.iter().all(|row| counters.get(row[j].into()) > 0);
                assert_eq!(hit & 1 == 1, expected, "{len} {width:?} {i} {j}");
            }
            // Increments up to 17 times, so that some counters saturate and others have various
            // values.
            for _ in 0..=i % 17 {
                counters.increment(row(i, len)[0].into());
            }
        }
    }
}

#[test]
fn past_the_end_nothing_is_set_or_a_hit() {
    for past in [100, 127, 128, u32::MAX] {
        let mut bits = BitArray::new(100).unwrap();
        let set = std::panic::AssertUnwindSafe(|| bits.set_row(&[3, past]));
        let message = catch_unwind(set).unwrap_err();
        if past < 128 {
            let message = message.downcast::<String>().unwrap();
            assert!(message.contains("100 bits"), "{message}");
        }
        assert!(bits.count_ones() <= 1 && bits.words()[1] == 0, "{bits:?}");
    }
    let mut bits = BitArray::new(100).unwrap();
    bits.set_all(0..100);
    let shared = AtomicBitArray::from_bits(&bits).unwrap();
    let mut counters = CounterArray::new(100, CounterBits::Four).unwrap();
    (0..100).for_each(|i| _ = counters.increment(i));
    let mut hits = [[1; 2]; 3];
    bits.test_row(&[99, 100], &mut hits[0]);
    shared.test_row(&[99, 100], &mut hits[1]);
    counters.test_row(&[99, 100], &mut hits[2]);
    assert_eq!(hits.map(|hits| hits.map(|hit| hit & 1)), [[1, 0]; 3]);
    assert!(catch_unwind(|| bits.test_row(&[128], &mut [1])).is_err());
    assert!(catch_unwind(|| shared.test_row(&[128], &mut [1])).is_err());
    assert!(catch_unwind(|| counters.test_row(&[112], &mut [1])).is_err());
}
