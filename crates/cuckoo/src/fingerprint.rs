//! The width of fingerprints.

/// The width of the fingerprints. Each additional bit halves the FPR.
///
/// With each of these widths a bucket of four slots never spans more than two 64-bit words.
// The discriminant of each variant is the width in bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum FingerprintBits {
    /// 8 bits: an FPR of 2.9 % at a fill ratio of 95 %.
    Eight = 8,
    /// 10 bits: 0.74 %.
    Ten = 10,
    /// 12 bits: 0.19 %.
    Twelve = 12,
    /// 14 bits: 0.046 %.
    Fourteen = 14,
    /// 16 bits: 0.012 %.
    Sixteen = 16,
    /// 24 bits: 4.5 in 10^7.
    TwentyFour = 24,
    /// 32 bits: 1.8 in 10^9.
    ThirtyTwo = 32,
}

impl FingerprintBits {
    /// Every width, the narrowest first.
    pub const ALL: [Self; 7] = [
        Self::Eight,
        Self::Ten,
        Self::Twelve,
        Self::Fourteen,
        Self::Sixteen,
        Self::TwentyFour,
        Self::ThirtyTwo,
    ];

    /// The number of bits of a fingerprint (f).
    #[inline]
    pub const fn bits(self) -> u32 {
        self as u32
    }

    /// The number of different fingerprints, 2^f - 1, because 0 stands for an empty slot. This is
    /// also the largest fingerprint.
    #[inline]
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.bits())
    }
}
