//! Uses the crate `bitvec` as an oracle: the same operations on both must leave the same bits
//! and give the same answers.

use bitvec::vec::BitVec;
use bouquet_bits::BitArray;

const LENGTHS: [u64; 8] = [0, 1, 63, 64, 65, 127, 128, 1000];

/// The random number generator SplitMix64 (Steele, Lea, Flood 2014).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// An array and its oracle, which every operation changes together.
#[derive(Clone)]
struct Pair {
    bits: BitArray,
    oracle: BitVec,
}

impl Pair {
    fn new(len: u64) -> Self {
        Self {
            bits: BitArray::new(len).unwrap(),
            oracle: BitVec::repeat(false, len as usize),
        }
    }

    /// Creates an array whose bits are set with probability 1/2^`sparse`.
    fn random(len: u64, sparse: u64, rng: &mut Rng) -> Self {
        let mut pair = Self::new(len);
        for i in 0..len {
            if rng.below(1 << sparse) == 0 {
                pair.set(i);
            }
        }
        pair
    }

    /// Creates an array from the low `len` bits of `pattern`.
    fn from_pattern(pattern: u64, len: u64) -> Self {
        let words = if len == 0 { vec![] } else { vec![pattern] };
        Self {
            bits: BitArray::from_words(words, len).unwrap(),
            oracle: (0..len).map(|i| pattern >> i & 1 == 1).collect(),
        }
    }

    fn set(&mut self, i: u64) {
        let before = self.oracle.replace(i as usize, true);
        assert_eq!(self.bits.set(i), !before);
    }

    fn clear(&mut self, i: u64) {
        let before = self.oracle.replace(i as usize, false);
        assert_eq!(self.bits.clear(i), before);
    }

    fn flip(&mut self, i: u64) {
        let after = !self.oracle[i as usize];
        self.oracle.set(i as usize, after);
        assert_eq!(self.bits.flip(i), after);
    }

    fn clear_all(&mut self) {
        self.bits.clear_all();
        self.oracle.fill(false);
    }

    fn combine(&mut self, other: &Self, operation: u64) {
        let right = &other.oracle;
        let result = match operation {
            0 => {
                self.oracle |= right;
                self.bits.union_with(&other.bits)
            }
            1 => {
                self.oracle &= right;
                self.bits.intersect_with(&other.bits)
            }
            2 => {
                self.oracle &= !right.clone();
                self.bits.difference_with(&other.bits)
            }
            _ => {
                self.oracle ^= right;
                self.bits.symmetric_difference_with(&other.bits)
            }
        };
        assert_eq!(result, Ok(()));
    }

    fn check(&self) {
        let Self { bits, oracle } = self;
        let len = bits.len();
        assert_eq!(len, oracle.len() as u64);
        assert!((0..len).all(|i| bits.test(i) == oracle[i as usize]));
        assert_eq!(bits.count_ones(), oracle.count_ones() as u64);
        assert_eq!(bits.first_set(), oracle.first_one().map(|i| i as u64));
        assert_eq!(bits.last_set(), oracle.last_one().map(|i| i as u64));
        assert!(bits.iter_ones().eq(oracle.iter_ones().map(|i| i as u64)));
        // No bits past the length are set.
        let in_words: u32 = bits.words().iter().map(|word| word.count_ones()).sum();
        assert_eq!(in_words as usize, oracle.count_ones());
    }

    fn check_next_set(&self, from: u64) {
        let rest = self.oracle.get(from as usize..);
        let expected = rest
            .and_then(|rest| rest.first_one())
            .map(|i| from + i as u64);
        assert_eq!(self.bits.next_set(from), expected, "from {from}");
    }
}

#[test]
fn random_operations_agree() {
    for len in LENGTHS {
        let mut rng = Rng(len);
        let mut pair = Pair::new(len);
        for _ in 0..3000 {
            match rng.below(64) {
                0 => pair.clear_all(),
                1..8 => {
                    let other = Pair::random(len, rng.below(7), &mut rng);
                    pair.combine(&other, rng.below(4));
                }
                _ if len == 0 => {}
                8..36 => pair.set(rng.below(len)),
                36..56 => pair.clear(rng.below(len)),
                _ => pair.flip(rng.below(len)),
            }
            pair.check();
            pair.check_next_set(rng.below(len + 2));
        }
    }
}

#[test]
fn next_set_agrees_from_everywhere() {
    let mut rng = Rng(1);
    for len in LENGTHS {
        for sparse in [0, 1, 4, 8] {
            let pair = Pair::random(len, sparse, &mut rng);
            for from in (0..len + 130).chain([u64::MAX]) {
                pair.check_next_set(from);
            }
        }
    }
}

#[test]
fn all_tiny_arrays_agree_in_all_operations() {
    for len in 0..=4 {
        for left in 0..1 << len {
            let pair = Pair::from_pattern(left, len);
            pair.check();
            for i in 0..len {
                for operation in [Pair::set, Pair::clear, Pair::flip] {
                    let mut changed = pair.clone();
                    operation(&mut changed, i);
                    changed.check();
                }
                pair.check_next_set(i);
            }
            for right in 0..1 << len {
                for operation in 0..4 {
                    let mut changed = pair.clone();
                    changed.combine(&Pair::from_pattern(right, len), operation);
                    changed.check();
                    assert_eq!(changed.bits == pair.bits, changed.oracle == pair.oracle);
                }
            }
        }
    }
}

#[cfg(all(feature = "bitvec", target_pointer_width = "64"))]
#[test]
fn the_view_shows_the_same_bits() {
    let mut rng = Rng(2);
    for len in LENGTHS {
        let pair = Pair::random(len, 2, &mut rng);
        let view = pair.bits.as_bitslice();
        assert_eq!(view.len() as u64, len);
        assert!(view.iter().eq(pair.oracle.iter()));
    }
}
