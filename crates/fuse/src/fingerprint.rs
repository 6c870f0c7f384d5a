//! The widths of fingerprints, and how they lie in bytes.

/// The type of a filter's fingerprints, which determines its FPR: `u8` (1 in 256), [`Bits12`] (1 in
/// 4,096), `u16` (1 in 65,536) or `u32` (1 in 4.3 billion).
///
/// The trait is implemented for these four alone.
pub trait Fingerprint: Copy + Send + Sync + 'static + sealed::Sealed {
    /// The width of a fingerprint.
    const BITS: u32;
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
}

impl Fingerprint for Bits12 {
    const BITS: u32 = 12;
}

impl Fingerprint for u16 {
    const BITS: u32 = 16;
}

impl Fingerprint for u32 {
    const BITS: u32 = 32;
}

/// The fingerprint in a slot. Slots lie one after the other in the bytes, each with its lowest bits
/// first.
#[inline(always)]
pub(crate) fn read<F: Fingerprint>(bytes: &[u8], slot: usize) -> u32 {
    match F::BITS {
        8 => bytes[slot].into(),
        16 => u16::from_le_bytes(bytes.as_chunks().0[slot]).into(),
        32 => u32::from_le_bytes(bytes.as_chunks().0[slot]),
        _ => {
            let first = byte_of::<F>(slot);
            let two = u16::from_le_bytes([bytes[first], bytes[first + 1]]);
            u32::from(two >> (4 * (slot % 2))) & 0xfff
        }
    }
}

/// Writes the fingerprint of an empty slot.
#[inline(always)]
pub(crate) fn write<F: Fingerprint>(bytes: &mut [u8], slot: usize, fingerprint: u32) {
    match F::BITS {
        8 => bytes[slot] = fingerprint as u8,
        16 => bytes.as_chunks_mut().0[slot] = (fingerprint as u16).to_le_bytes(),
        32 => bytes.as_chunks_mut().0[slot] = fingerprint.to_le_bytes(),
        _ => {
            let first = byte_of::<F>(slot);
            let [low, high, ..] = (fingerprint << (4 * (slot % 2))).to_le_bytes();
            bytes[first] |= low;
            bytes[first + 1] |= high;
        }
    }
}

/// The first byte of a slot. Two fingerprints of 12 bits take three bytes.
#[inline(always)]
pub(crate) fn byte_of<F: Fingerprint>(slot: usize) -> usize {
    let bits = F::BITS as usize;
    slot * (bits / 8) + slot / 2 * (bits % 8) / 4
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
            write::<F>(&mut bytes, slot, fingerprint(slot));
        }
        for slot in 0..slots {
            assert_eq!(read::<F>(&bytes, slot), fingerprint(slot), "{slot}");
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
