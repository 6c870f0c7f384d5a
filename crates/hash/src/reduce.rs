//! Three methods to reduce a 64-bit word to a slot below m.
//!
//! | method | uses | for | cost |
//! | --- | --- | --- | --- |
//! | [`multiply_shift`] | the high bits | any m; used by our own filters | a multiplication |
//! | [`mask`] | the low bits | m a power of two | an AND |
//! | [`Reciprocal`] | all bits, as `%` does | filters of other systems, textbook schemes | two multiplications |
//!
//! The hardware's `%` gives the same result as the third method, by a division. All three map
//! uniform words to slots that are uniform to within m/2^64.

/// `word * m / 2^64`: the word scaled to the range.
///
/// The result increases with the word, so it depends on the high bits: a word that is random
/// only in its low bits must be mixed first. 0 if `m` is 0.
///
/// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019; the
/// idea is older than its name "fastrange".
///
/// ```
/// use bouquet_hash::reduce::multiply_shift;
///
/// assert_eq!(multiply_shift(0, 10), 0);
/// assert_eq!(multiply_shift(1 << 63, 10), 5);
/// assert_eq!(multiply_shift(u64::MAX, 10), 9);
/// ```
#[inline]
pub const fn multiply_shift(word: u64, m: u64) -> u64 {
    ((word as u128 * m as u128) >> 64) as u64
}

/// `word mod m`, if `m` is a power of two.
///
/// For another m the result is below m, but most slots are never reached; if `m` is 0, the
/// result is the word.
#[inline]
pub const fn mask(word: u64, m: u64) -> u64 {
    word & m.wrapping_sub(1)
}

/// A divisor prepared so that `%` costs two multiplications.
///
/// Exact for every word and every m from 1 on. With r = floor((2^64 - 1)/m), the
/// product word * r / 2^64 lies above word/m - word/2^64 > word/m - 1 and at or
/// below word/m; so its floor is the quotient or one less, and one subtraction
/// corrects it.
///
/// Sources: Granlund and Montgomery, "Division by invariant integers using multiplication",
/// PLDI 1994, and Barrett, CRYPTO 1986.
///
/// ```
/// use bouquet_hash::reduce::Reciprocal;
///
/// let by_ten = Reciprocal::new(10).expect("not 0");
/// assert_eq!(by_ten.rem(123), 3);
/// assert_eq!(Reciprocal::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reciprocal {
    m: u64,
    reciprocal: u64,
}

impl Reciprocal {
    /// Prepares the divisor `m`; `None` if it is 0.
    #[inline]
    pub const fn new(m: u64) -> Option<Self> {
        match u64::MAX.checked_div(m) {
            Some(reciprocal) => Some(Self { m, reciprocal }),
            None => None,
        }
    }

    /// The divisor m, at least 1.
    #[inline]
    pub const fn divisor(self) -> u64 {
        self.m
    }

    /// `word % m`.
    #[inline]
    pub const fn rem(self, word: u64) -> u64 {
        let quotient = multiply_shift(word, self.reciprocal);
        let rest = word.wrapping_sub(quotient.wrapping_mul(self.m));
        if rest >= self.m { rest - self.m } else { rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divisors() -> impl Iterator<Item = u64> {
        let powers = (0..64).flat_map(|e| {
            [
                (1u64 << e).wrapping_sub(1),
                1 << e,
                (1u64 << e).wrapping_add(1),
            ]
        });
        let others = [
            10,
            1_000,
            1_009,
            9_585_059,
            641,
            6_700_417,
            0xffff_ffff_ffff_ffc5,
        ];
        powers
            .chain(others)
            .chain((0..100).map(|i| u64::MAX - i))
            .chain((0..100).map(|i| u64::MAX / (i + 1)))
            .filter(|m| *m > 0)
    }

    #[test]
    fn reciprocal_is_the_remainder_at_every_edge() {
        for m in divisors() {
            let by_m = Reciprocal::new(m).unwrap();
            let last = u64::MAX / m;
            let quotients = (0..4)
                .chain([last / 2, last])
                .chain((1..4).map(|i| last.saturating_sub(i)));
            let near = quotients.flat_map(|q| {
                let multiple = q.wrapping_mul(m);
                [multiple.wrapping_sub(1), multiple, multiple.wrapping_add(1)]
            });
            let spread = (0..200u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for word in near.chain(spread).chain([u64::MAX, u64::MAX - 1, 1 << 63]) {
                assert_eq!(by_m.rem(word), word % m, "{word} % {m}");
            }
        }
        assert_eq!(Reciprocal::new(0), None);
    }

    #[test]
    fn reciprocal_is_the_remainder_of_every_small_word() {
        for m in 1..=300 {
            let by_m = Reciprocal::new(m).unwrap();
            assert!((0..2_000).all(|word| by_m.rem(word) == word % m), "{m}");
        }
    }

    #[test]
    fn multiply_shift_is_even_and_in_range() {
        for m in divisors() {
            assert_eq!(multiply_shift(0, m), 0);
            assert_eq!(multiply_shift(u64::MAX, m), m - 1, "{m}");
        }
        let mut counts = [0; 7];
        for word in (0..7_000u64).map(|i| i * (u64::MAX / 7_000)) {
            counts[multiply_shift(word, 7) as usize] += 1;
        }
        assert!(
            counts.iter().all(|c| (999..=1_001).contains(c)),
            "{counts:?}"
        );
    }

    #[test]
    fn mask_is_the_remainder_by_a_power_of_two() {
        for e in 0..64 {
            for word in [0, 1, 77, u64::MAX, 0x9e37_79b9_7f4a_7c15] {
                assert_eq!(mask(word, 1 << e), word % (1 << e));
            }
        }
    }
}
