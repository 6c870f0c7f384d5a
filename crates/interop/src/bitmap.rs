//! Redis strings used as bitmaps. Bit i is bit 7 - i mod 8 of byte i/8, and the string ends with
//! the highest byte that any `SETBIT` has written.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError};

use crate::{
    ForeignDecodeError, ReadError, Term,
    filter::{allocate, set, union_with},
    read::{Reader, no_memory, stray},
    write::{Pieces, Put, gathered},
};

/// The largest number of bits in a Redis string: 512 MiB.
pub(crate) const MAX_SIZE_BITS: u64 = 1 << 32;

/// The bits of one filter, and the length of the Redis string that stores them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bitmap {
    bits: BitArray,
    /// Length of the string in bytes: at most the number of bytes that all the bits take.
    len: usize,
}

impl Bitmap {
    /// The bitmap of a Redis key that does not exist yet: no bit is set and the string is empty.
    pub(crate) fn new(size_bits: u64) -> Result<Self, SpecError> {
        if size_bits > MAX_SIZE_BITS {
            return Err(SpecError::AboveLimit {
                size_bits: size_bits as f64,
                max: MAX_SIZE_BITS,
                of: "a Redis string",
            });
        }
        let bits = allocate(size_bits)?;
        Ok(Self { bits, len: 0 })
    }

    /// Reads a string that contains at most `size_bits` bits.
    pub(crate) fn read<E>(
        reader: &mut Reader<'_, E>,
        size_bits: u64,
    ) -> Result<Self, ReadError<E>> {
        let (bytes, most) = (reader.left(), size_bits.div_ceil(8));
        if bytes > most {
            return Err(ReadError::Decode(ForeignDecodeError {
                offset: most,
                field: "end of the bitmap",
                found: Term::Bytes(bytes - most),
                wanted: Term::Words("none: give the number of bits that it was written with"),
            }));
        }
        let mut bitmap = Self::new(size_bits).map_err(|_| no_memory(0, "bits", most))?;
        bitmap.len = bytes as usize;
        reader.words("bits", bytes, in_order, |i, word| {
            if let Some(slot) = stray(size_bits, i, word) {
                return Err(ForeignDecodeError {
                    offset: slot / 8,
                    field: "bit past the number of bits",
                    found: Term::Number(slot.into()),
                    wanted: Term::Words("none"),
                });
            }
            bitmap.bits.set_word(i, word);
            Ok(())
        })?;
        Ok(bitmap)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        gathered(self.len as u64, |put| self.write(put))
    }

    pub(crate) fn write<E>(&self, put: Put<'_, E>) -> Result<(), E> {
        let mut out = Pieces::new(put);
        out.words(self.words(), self.len as u64, |word| {
            word.to_le_bytes().map(u8::reverse_bits)
        })?;
        out.flush()
    }

    /// Sets the bits at `slots`; returns `true` if at least one of them was clear.
    pub(crate) fn insert(&mut self, slots: impl Iterator<Item = u64>) -> bool {
        let Self { bits, len } = self;
        set(
            bits,
            slots.inspect(|slot| *len = (*len).max((slot / 8) as usize + 1)),
        )
    }

    pub(crate) fn contains(&self, mut slots: impl Iterator<Item = u64>) -> bool {
        slots.all(|slot| self.bits.test(slot))
    }

    pub(crate) fn count_ones(&self) -> u64 {
        self.bits.count_ones()
    }

    pub(crate) fn words(&self) -> &[u64] {
        self.bits.words()
    }

    /// Computes the OR of both bitmaps, as `BITOP OR` does.
    pub(crate) fn union_with<const N: usize>(
        &mut self,
        other: &Self,
        parameters: [(Parameter, u64, u64); N],
    ) -> Result<(), Incompatible> {
        union_with(&mut self.bits, &other.bits, parameters)?;
        self.len = self.len.max(other.len);
        Ok(())
    }
}

/// Converts eight bytes of the string to a word whose bit i is slot i, counted from the least
/// significant bit.
fn in_order(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes.map(u8::reverse_bits))
}
