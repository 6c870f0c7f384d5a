//! Redis strings used as bitmaps: bit o is bit 7 - o mod 8 of byte o/8, and the
//! string ends with the last byte that a `SETBIT` ever reached.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::SpecError;

use crate::{
    DecodeError, Term,
    filter::{allocate, set},
    read::no_memory,
};

/// The most bits of a Redis string: 512 MiB.
pub(crate) const MAX_SIZE_BITS: u64 = 1 << 32;

/// The bits of one filter with the length of its string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bitmap {
    bits: BitArray,
    /// Bytes of the string, at most those that the bits take.
    len: usize,
}

impl Bitmap {
    /// The bits of a key that does not exist.
    pub(crate) fn new(size_bits: u64) -> Result<Self, SpecError> {
        if size_bits > MAX_SIZE_BITS {
            return Err(SpecError::TooLarge {
                size_bits: size_bits as f64,
            });
        }
        let bits = allocate(size_bits)?;
        Ok(Self { bits, len: 0 })
    }

    /// The bits of a string that has at most `size_bits`.
    pub(crate) fn from_bytes(bytes: &[u8], size_bits: u64) -> Result<Self, DecodeError> {
        let most = size_bits.div_ceil(8);
        if bytes.len() as u64 > most {
            return Err(DecodeError {
                offset: most,
                field: "end",
                found: Term::Bytes(bytes.len() as u64 - most),
                wanted: Term::Words("nothing more, for this number of bits"),
            });
        }
        let mut bitmap = Self::new(size_bits).map_err(|_| no_memory(0, "bits", most))?;
        bitmap.len = bytes.len();
        for (byte, at) in bytes.iter().zip(0u64..) {
            let ones = (0..8).filter(|bit| byte >> (7 - bit) & 1 != 0);
            for slot in ones.map(|bit| 8 * at + bit) {
                if slot >= size_bits {
                    return Err(DecodeError {
                        offset: at,
                        field: "bit past the number of bits",
                        found: Term::Number(slot.into()),
                        wanted: Term::Words("none"),
                    });
                }
                bitmap.bits.set(slot);
            }
        }
        Ok(bitmap)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let words = self.bits.words().iter();
        let bytes = words.flat_map(|word| word.to_le_bytes());
        bytes.map(u8::reverse_bits).take(self.len).collect()
    }

    /// Sets the slots; `true` if one of them was clear.
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
}
