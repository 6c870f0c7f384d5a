//! How wide a fingerprint is.

/// How wide the fingerprints are: each bit more halves the FPR.
///
/// They are the widths whose buckets of four never span more than two words of
/// 64 bits.
// The discriminant is the width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum FingerprintBits {
    /// 8 bits: an FPR of 2.9 % at a load of 95 %.
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
    /// Every width, narrowest first.
    pub const ALL: [Self; 7] = [
        Self::Eight,
        Self::Ten,
        Self::Twelve,
        Self::Fourteen,
        Self::Sixteen,
        Self::TwentyFour,
        Self::ThirtyTwo,
    ];

    /// Bits of a fingerprint (f).
    #[inline]
    pub const fn bits(self) -> u32 {
        self as u32
    }

    /// Different fingerprints, 2^f - 1: 0 stands for an empty slot. The largest
    /// of them too.
    #[inline]
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.bits())
    }
}
