//! The widths of fingerprints, and how they lie in bytes.

/// The type of a filter's fingerprints, which determines its FPR: `u8` (1 in 256), [`Bits12`] (1 in
/// 4,096), `u16` (1 in 65,536) or `u32` (1 in 4.3 billion).
///
/// The trait is implemented for these four alone.
pub trait Fingerprint: Copy + Send + Sync + 'static + sealed::Sealed {
    /// The width of a fingerprint.
    const BITS: u32;

    /// The fingerprint in a slot. Slots lie one after the other in the bytes, each with its lowest
    /// bits first.
    #[doc(hidden)]
    fn read(bytes: &[u8], slot: usize) -> u32;

    /// Writes the fingerprint of an empty slot.
    #[doc(hidden)]
    fn write(bytes: &mut [u8], slot: usize, fingerprint: u32);
}

mod sealed {
    /// Keeps other crates from implementing the trait.
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for super::Bits12 {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

/// Fingerprints of 12 bits: one false positive in 4,096.
#[derive(Clone, Copy, Debug)]
pub enum Bits12 {}

impl Fingerprint for u8 {
    const BITS: u32 = 8;

    #[inline(always)]
    fn read(bytes: &[u8], slot: usize) -> u32 {
        bytes[slot].into()
    }

    #[inline(always)]
    fn write(bytes: &mut [u8], slot: usize, fingerprint: u32) {
        bytes[slot] = fingerprint as Self;
    }
}

/// Two fingerprints take three bytes.
impl Fingerprint for Bits12 {
    const BITS: u32 = 12;

    #[inline(always)]
    fn read(bytes: &[u8], slot: usize) -> u32 {
        let both = pair(bytes, slot + slot / 2);
        u32::from(both >> (4 * (slot % 2))) & 0xfff
    }

    #[inline(always)]
    fn write(bytes: &mut [u8], slot: usize, fingerprint: u32) {
        let first = slot + slot / 2;
        let both = pair(bytes, first) | (fingerprint as u16) << (4 * (slot % 2));
        bytes[first..first + 2].copy_from_slice(&both.to_le_bytes());
    }
}

#[inline(always)]
fn pair(bytes: &[u8], first: usize) -> u16 {
    let bytes = &bytes[first..first + 2];
    u16::from_le_bytes([bytes[0], bytes[1]])
}

impl Fingerprint for u16 {
    const BITS: u32 = 16;

    #[inline(always)]
    fn read(bytes: &[u8], slot: usize) -> u32 {
        Self::from_le_bytes(bytes.as_chunks().0[slot]).into()
    }

    #[inline(always)]
    fn write(bytes: &mut [u8], slot: usize, fingerprint: u32) {
        bytes.as_chunks_mut().0[slot] = (fingerprint as Self).to_le_bytes();
    }
}

impl Fingerprint for u32 {
    const BITS: u32 = 32;

    #[inline(always)]
    fn read(bytes: &[u8], slot: usize) -> u32 {
        Self::from_le_bytes(bytes.as_chunks().0[slot])
    }

    #[inline(always)]
    fn write(bytes: &mut [u8], slot: usize, fingerprint: u32) {
        bytes.as_chunks_mut().0[slot] = fingerprint.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn slots_are_apart<F: Fingerprint>() {
        let slots = 64;
        let mut bytes = vec![0; slots * F::BITS as usize / 8];
        let fingerprint = |slot: usize| {
            let word = (slot as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (word >> (64 - F::BITS)) as u32
        };
        // In an order that writes each slot between others.
        for slot in (0..slots).map(|i| i * 37 % slots) {
            F::write(&mut bytes, slot, fingerprint(slot));
        }
        for slot in 0..slots {
            assert_eq!(F::read(&bytes, slot), fingerprint(slot), "{slot}");
        }
    }

    #[test]
    fn slots_do_not_affect_each_other() {
        slots_are_apart::<u8>();
        slots_are_apart::<Bits12>();
        slots_are_apart::<u16>();
        slots_are_apart::<u32>();
    }
}
