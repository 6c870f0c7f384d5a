//! The relation between two probes of one key.

/// How the locations of two probes of a key depend on each other, as their scheme claims. Tests
/// compare this claim with actual pairs of locations: a scheme that claims independence must give
/// independent pairs, which double hashing cannot do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairs {
    Independent,
    /// Location i is h1 + i h2 mod m, where h1 and h2 are reduced mod m first.
    Stride,
    /// Location i is h1 + i h2, wrapping at 2^64, then mod m.
    WrappingStride,
    /// Location i is x + i y + (i^3 - i)/6, wrapping at 2^64, then mod m.
    Enhanced,
    /// The scheme of the Go library bits-and-blooms: sums of four hash words, wrapping at 2^64,
    /// then mod m.
    FourWords,
    /// Location i is a + i b, wrapping at 2^32, with all bits flipped if negative, then mod m.
    FlippedStride,
    /// No claim: the probes of a key depend on each other, as the two buckets of a cuckoo filter
    /// do, so each probe is tested by itself only.
    Unclaimed,
}

/// The possible differences of two locations mod m: all values that are congruent to `offset`
/// modulo `step`, each equally likely. With a step of 1, every difference is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lattice {
    pub step: u64,
    pub offset: u64,
}

impl Pairs {
    /// The possible values of location j minus location i mod m, for i < j. `None` if they are not
    /// known exactly.
    pub fn lattice(self, i: u32, j: u32, m: u64) -> Option<Lattice> {
        let (i, j) = (u64::from(i), u64::from(j));
        let factor = match self {
            Self::Independent => 1,
            Self::Unclaimed => return None,
            // If 4 divides j - i, both locations agree in their two lowest bits before the flip and
            // depend on each other after it. If only the lowest bits agree, the flip hides this.
            Self::FlippedStride if (j - i).is_multiple_of(4) => return None,
            Self::FlippedStride => 1,
            Self::Stride | Self::WrappingStride | Self::Enhanced => j - i,
            Self::FourWords => four_words(i, j),
        };
        let step = gcd(factor, m);
        let wraps = !matches!(self, Self::Independent | Self::Stride);
        if wraps && !step.is_power_of_two() {
            // Wrapping keeps remainders modulo powers of two, but changes all other remainders.
            return None;
        }
        let growth = |n: u64| (n * n * n - n) / 6;
        let offset = match self {
            Self::Enhanced => growth(j) - growth(i),
            _ => 0,
        };
        Some(Lattice {
            step,
            offset: offset % step,
        })
    }
}

/// The step of the lattice for two locations of `FourWords`. There, location i is a base plus i
/// times a word; the base depends on i mod 2 and the word on i mod 4.
fn four_words(i: u64, j: u64) -> u64 {
    match (j - i) % 4 {
        0 => j - i,
        2 => gcd(i, j),
        _ => 1,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_core::{KeyHash, KeyHasher};
    use bouquet_hash::Folded;
    use bouquet_hash::scheme::{BitsAndBlooms, DoubleHashing, EnhancedDoubleHashing};

    /// Checks that the differences mod m that occur between two locations of a key are exactly the
    /// differences that `pairs` claims.
    fn check(pairs: Pairs, m: u64, draws: u64, locate: impl Fn([u64; 4]) -> Vec<u64>) {
        let k = 7;
        let mut seen = std::collections::HashSet::new();
        for draw in 0..draws {
            let word = |n| Folded::with_seed(n).hash(&draw.to_le_bytes()).place;
            let slots = locate([word(0), word(1), word(2), word(3)]);
            for j in 0..k {
                for i in 0..j {
                    seen.insert((i, j, (m + slots[j] - slots[i]) % m));
                }
            }
        }
        for j in 0..k as u32 {
            for i in 0..j {
                let Some(lattice) = pairs.lattice(i, j, m) else {
                    continue;
                };
                for difference in 0..m {
                    let claimed = difference % lattice.step == lattice.offset;
                    let got = seen.contains(&(i as usize, j as usize, difference));
                    assert_eq!(got, claimed, "{pairs:?} {i} {j} mod {m}: {difference}");
                }
            }
        }
    }

    #[test]
    fn schemes_do_what_they_claim() {
        for m in [16, 24, 35, 64] {
            let scheme = DoubleHashing::new(m, 7).unwrap();
            check(Pairs::Stride, m, 5_000, |w| {
                scheme.locations(KeyHash::new(w[0], w[1])).collect()
            });
            check(Pairs::WrappingStride, m, 5_000, |w| {
                (0..7)
                    .map(|i: u64| w[0].wrapping_add(i.wrapping_mul(w[1])) % m)
                    .collect()
            });
            let scheme = EnhancedDoubleHashing::new(m, 7).unwrap();
            check(Pairs::Enhanced, m, 5_000, |w| {
                scheme.locations(KeyHash::new(w[0], w[1])).collect()
            });
            let scheme = BitsAndBlooms::new(m, 7).unwrap();
            check(Pairs::FourWords, m, 5_000, |w| {
                scheme.locations(w).collect()
            });
        }
    }

    #[test]
    fn blurred_remainders_are_none() {
        assert_eq!(Pairs::Enhanced.lattice(0, 3, 96), None);
        assert_eq!(Pairs::Unclaimed.lattice(0, 1, 64), None);
        let free = Lattice { step: 1, offset: 0 };
        assert_eq!(Pairs::Independent.lattice(2, 6, 64), Some(free));
    }
}
