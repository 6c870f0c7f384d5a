//! How a key is looked up in the fingerprints.

use core::marker::PhantomData;

use crate::{Fingerprint, Geometry, geometry::Locator};

/// Looks keys up in the bytes of a filter: the slots of all parts, and after them a byte for each
/// part, the number of the attempt that succeeded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<F> {
    pub(crate) geometry: Geometry,
    locator: Locator,
    /// Whether there is one part, built in the first attempt: then a key's word is used as it is.
    is_plain: bool,
    /// Bit i is set if a part whose number is i modulo 64 was not built in the first attempt, and
    /// all bits if there are no parts.
    retried: u64,
    fingerprint: PhantomData<F>,
}

impl<F: Fingerprint> Table<F> {
    /// For these bytes, of which there are as many as [`bytes_of`] says.
    pub(crate) fn new(geometry: Geometry, bytes: &[u8]) -> Self {
        let attempts = &bytes[attempts_at(geometry)..][..geometry.parts() as usize];
        let mut retried = if attempts.is_empty() { u64::MAX } else { 0 };
        for (part, attempt) in attempts.iter().enumerate() {
            retried |= u64::from(*attempt > 0) << (part % 64);
        }
        Self {
            geometry,
            locator: Locator::new(geometry),
            is_plain: attempts == [0],
            retried,
            fingerprint: PhantomData,
        }
    }

    /// Whether the key with this word may be present.
    #[inline(always)]
    pub(crate) fn contains(&self, bytes: &[u8], word: u64) -> bool {
        match self.place(bytes, word) {
            Some(place) => place.holds::<F>(bytes),
            None => false,
        }
    }

    /// Where a key is; `None` if the filter has no keys.
    #[inline(always)]
    pub(crate) fn place(&self, bytes: &[u8], word: u64) -> Option<Place> {
        if self.is_plain {
            let first = self.locator.first_of(word);
            return Some(Place::of::<F>(self.locator.slots_from(first, word), word));
        }
        let (part, word) = self.attempted(bytes, word)?;
        Some(Place::of::<F>(self.locator.slots_of(part, word), word))
    }

    /// The part of a key, and its word for the part's attempt; `None` if the filter has no keys.
    #[inline(always)]
    fn attempted(&self, bytes: &[u8], word: u64) -> Option<(u64, u64)> {
        let part = self.locator.part_of(word);
        if self.retried >> (part % 64) & 1 == 0 {
            return Some((part, word));
        }
        self.retried(bytes, part, word)
    }

    #[cold]
    #[inline(never)]
    fn retried(&self, bytes: &[u8], part: u64, word: u64) -> Option<(u64, u64)> {
        if self.geometry.parts() == 0 {
            return None;
        }
        let attempt = bytes[attempts_at(self.geometry) + part as usize];
        Some((part, self.locator.attempted(word, attempt)))
    }
}

/// Where a key is: its slots, and its fingerprint.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) slots: [usize; 3],
    fingerprint: u32,
}

impl Place {
    #[inline(always)]
    fn of<F: Fingerprint>(slots: [usize; 3], word: u64) -> Self {
        Self {
            slots,
            fingerprint: fingerprint::<F>(word),
        }
    }

    /// Whether the fingerprint is there.
    #[inline(always)]
    pub(crate) fn holds<F: Fingerprint>(&self, bytes: &[u8]) -> bool {
        let [a, b, c] = self.slots.map(|slot| F::read(bytes, slot));
        a ^ b ^ c == self.fingerprint
    }
}

/// Where the attempts begin, in bytes. Every part has whole bytes of slots.
#[inline(always)]
pub(crate) fn attempts_at(geometry: Geometry) -> usize {
    (geometry.size_bits() / 8) as usize
}

/// The bytes of a filter.
pub(crate) fn bytes_of(geometry: Geometry) -> u64 {
    geometry.size_bits() / 8 + geometry.parts()
}

/// The fingerprint of a key, from its word for an attempt.
#[inline(always)]
pub(crate) fn fingerprint<F: Fingerprint>(word: u64) -> u32 {
    (word ^ (word >> 32)) as u32 & (u32::MAX >> (32 - F::BITS))
}
