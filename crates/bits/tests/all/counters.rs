//! Compares packed counters with a `Vec<u8>` that counts and saturates in the same way.

use bouquet_bits::{CounterArray, CounterBits, CountersMismatch, OutOfMemory};

const WIDTHS: [CounterBits; 2] = [CounterBits::Four, CounterBits::Eight];
const LENGTHS: [u64; 9] = [0, 1, 7, 8, 9, 16, 17, 64, 1000];

/// The random number generator SplitMix64 (Steele, Lea, Flood 2014).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// An array and its oracle, which every operation changes together.
#[derive(Clone)]
struct Pair {
    counters: CounterArray,
    oracle: Vec<u8>,
    max: u8,
}

impl Pair {
    fn new(len: u64, width: CounterBits) -> Self {
        Self {
            counters: CounterArray::new(len, width).unwrap(),
            oracle: vec![0; len as usize],
            max: [15, 255][usize::from(width == CounterBits::Eight)],
        }
    }

    /// Creates counters with random values: zero, in between, and saturated.
    fn random(len: u64, width: CounterBits, rng: &mut Rng) -> Self {
        let mut pair = Self::new(len, width);
        for i in 0..len {
            let count = [0, 1, rng.below(300), 300][rng.below(4) as usize];
            (0..count).for_each(|_| pair.increment(i));
        }
        pair
    }

    fn increment(&mut self, i: u64) {
        let counter = &mut self.oracle[i as usize];
        if *counter < self.max {
            *counter += 1;
        }
        assert_eq!(self.counters.increment(i), *counter);
    }

    fn decrement(&mut self, i: u64) {
        let counter = &mut self.oracle[i as usize];
        if *counter > 0 && *counter < self.max {
            *counter -= 1;
        }
        assert_eq!(self.counters.decrement(i), *counter);
    }

    fn check(&self) {
        let Self {
            counters,
            oracle,
            max,
        } = self;
        let all: Vec<u8> = (0..counters.len()).map(|i| counters.get(i)).collect();
        assert_eq!(all, *oracle);
        let count = |wanted: fn(u8, u8) -> bool| {
            oracle
                .iter()
                .filter(|counter| wanted(**counter, *max))
                .count() as u64
        };
        assert_eq!(counters.count_nonzero(), count(|counter, _| counter > 0));
        assert_eq!(
            counters.count_saturated(),
            count(|counter, max| counter == max)
        );
        let bits = counters.to_bits().unwrap();
        assert_eq!(bits.len(), counters.len());
        assert!((0..bits.len()).all(|i| bits.test(i) == (oracle[i as usize] > 0)));
        self.check_layout();
    }

    /// Checks that the words have the documented layout, with zeros past the end.
    fn check_layout(&self) {
        let width = self.counters.width().bits();
        let in_a_word = (64 / width) as usize;
        let packed = |chunk: &[u8]| {
            let shifted = |(i, counter): (usize, &u8)| u64::from(*counter) << (width * i as u32);
            chunk.iter().enumerate().map(shifted).sum::<u64>()
        };
        let words: Vec<u64> = self.oracle.chunks(in_a_word).map(packed).collect();
        assert_eq!(self.counters.words(), words);
        assert_eq!(self.counters.memory_bytes(), 8 * words.len());
    }
}

#[test]
fn every_value_goes_up_and_down_and_sticks() {
    for width in WIDTHS {
        for len in LENGTHS {
            let mut pair = Pair::new(len, width);
            for i in 0..len {
                // Counts up to i % 300, then down, in part below zero, then up once more.
                (0..i % 300).for_each(|_| pair.increment(i));
                (0..i % 7 + 2).for_each(|_| pair.decrement(i));
                pair.increment(i);
            }
            pair.check();
            for i in 0..len {
                (0..300).for_each(|_| pair.increment(i));
                (0..300).for_each(|_| pair.decrement(i));
            }
            pair.check();
            assert_eq!(pair.counters.count_saturated(), len);
            pair.counters.clear_all();
            assert!(pair.counters == CounterArray::new(len, width).unwrap());
        }
    }
}

#[test]
fn random_steps() {
    let mut rng = Rng(1);
    for width in WIDTHS {
        for len in LENGTHS.into_iter().filter(|len| *len > 0) {
            let mut pair = Pair::random(len, width, &mut rng);
            pair.check();
            for _ in 0..2_000 {
                let i = rng.below(len);
                if rng.below(2) == 0 {
                    pair.increment(i);
                } else {
                    pair.decrement(i);
                }
            }
            pair.check();
            let copy = pair.counters.try_clone().unwrap();
            assert!(copy == pair.counters && copy == pair.counters.clone());
            let i = rng.below(len);
            let changed = pair.counters.get(i) != pair.counters.increment(i);
            assert_eq!(copy != pair.counters, changed);
        }
    }
}

#[test]
fn combined() {
    let mut rng = Rng(2);
    for width in WIDTHS {
        for len in LENGTHS {
            let left = Pair::random(len, width, &mut rng);
            let right = Pair::random(len, width, &mut rng);
            let (mut sum, mut least) = (left.clone(), left);
            assert_eq!(sum.counters.add_with(&right.counters), Ok(()));
            assert_eq!(least.counters.min_with(&right.counters), Ok(()));
            for (i, other) in right.oracle.iter().enumerate() {
                sum.oracle[i] = sum.oracle[i].saturating_add(*other).min(sum.max);
                least.oracle[i] = least.oracle[i].min(*other);
            }
            sum.check();
            least.check();
        }
    }
}

#[test]
fn other_shapes_are_rejected() {
    let make = |len, width| CounterArray::new(len, width).unwrap();
    let mut counters = make(16, CounterBits::Four);
    counters.increment(3);
    let before = counters.clone();
    for other in [make(17, CounterBits::Four), make(16, CounterBits::Eight)] {
        let results = [counters.add_with(&other), counters.min_with(&other)];
        let name = if other.len() == 17 { "length" } else { "width" };
        for result in results {
            assert!(result.unwrap_err().to_string().contains(name));
        }
        assert!(counters == before && counters != other);
    }
    assert_eq!(
        counters.add_with(&make(16, CounterBits::Eight)),
        Err(CountersMismatch::Width {
            left: CounterBits::Four,
            right: CounterBits::Eight
        })
    );
}

#[test]
fn too_many_are_an_error_and_not_an_abort() {
    for len in [u64::MAX, 1 << 60, 1 << 50] {
        for width in WIDTHS {
            let bytes = len.div_ceil(u64::from(64 / width.bits())).saturating_mul(8);
            let error = CounterArray::new(len, width).unwrap_err();
            assert_eq!(error, OutOfMemory { bytes });
        }
    }
}

#[test]
fn an_index_past_the_end_panics() {
    for width in WIDTHS {
        for len in [0, 1, 16, 17] {
            // The last two indices would become counter 0 if high bits were dropped.
            for i in [len, len + 15, u64::MAX, 1 << 62, 1 << 61] {
                let counters = CounterArray::new(len, width).unwrap();
                let got = std::panic::catch_unwind(|| counters.get(i));
                assert!(got.is_err(), "{len} {i}");
                let up = std::panic::catch_unwind(|| counters.clone().increment(i));
                assert!(up.is_err(), "{len} {i}");
                let down = std::panic::catch_unwind(|| counters.clone().decrement(i));
                assert!(down.is_err(), "{len} {i}");
            }
        }
    }
}

#[test]
fn debug_shows_numbers_and_no_counters() {
    let mut counters = CounterArray::new(100, CounterBits::Four).unwrap();
    counters.increment(5);
    assert_eq!(
        format!("{counters:?}"),
        "CounterArray { len: 100, width: Four, count_nonzero: 1, count_saturated: 0 }"
    );
    assert!(!counters.is_empty());
}
