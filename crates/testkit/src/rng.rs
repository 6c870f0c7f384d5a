//! The only source of randomness. It is seeded, so that a verdict depends only on the code.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
///
/// ```
/// use bouquet_testkit::Rng;
///
/// let mut rng = Rng::new(7);
/// assert!(rng.below(10) < 10);
/// assert_eq!(Rng::new(7).word(), Rng::new(7).word());
/// ```
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with the sequence of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        finalise(self.0)
    }

    /// A number below `n`, or 0 if `n` is 0. It is uniform except for a bias of at most n/2^64.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// `len` random bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word() as u8).collect()
    }

    /// Puts the slice into a random order.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for end in (2..=slice.len()).rev() {
            let other = self.below(end as u64) as usize;
            slice.swap(end - 1, other);
        }
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit words with pseudo-random results: different words have different results.
pub const fn mix(word: u64) -> u64 {
    finalise(word.wrapping_add(GOLDEN))
}

/// The finaliser of SplitMix64 (Stafford's variant 13).
const fn finalise(word: u64) -> u64 {
    let mut x = word;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 1234567, as published with the reference implementations in Java
    /// and C.
    #[test]
    fn reference_values() {
        let mut rng = Rng::new(1_234_567);
        let got = [rng.word(), rng.word(), rng.word()];
        assert_eq!(
            got,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn below_stays_below_and_shuffle_keeps_all() {
        let mut rng = Rng::new(1);
        assert!((0..1_000).all(|_| rng.below(3) < 3));
        let mut all: Vec<u8> = (0..100).collect();
        rng.shuffle(&mut all);
        assert!(!all.is_sorted());
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..100));
    }
}
