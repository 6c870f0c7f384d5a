//! go-zero's and Redisson's bitmaps: Redis strings, with m and k kept elsewhere.

use anyhow::{Result, bail};
use bouquet_interop::{GoZeroBloom, RedissonBloom, go_zero};

use super::{Array, System, classic};
use crate::files::{Facts, Format, held::Load};

/// Redis counts the bits of a byte from the most significant.
fn array(slots: u64, mut string: Vec<u8>) -> Vec<Array> {
    for byte in &mut string {
        *byte = byte.reverse_bits();
    }
    vec![Array {
        slots,
        bytes: string,
    }]
}

/// The bits of both strings, as `BITOP OR` gives them.
fn or(mut a: Vec<u8>, b: &[u8]) -> Vec<u8> {
    a.resize(a.len().max(b.len()), 0);
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
    a
}

impl System for GoZeroBloom {
    fn describe(&self) -> Facts {
        Facts {
            filter: "go-zero bitmap".into(),
            hash: "MurmurHash3 x64 128, 14 times".into(),
            size_bits: self.size_bits(),
            hashes: Some(go_zero::HASHES),
            note: Some("m is not in the file: it is the one that was given"),
            ..Facts::default()
        }
    }

    fn to_file(&self, _: Format) -> Vec<u8> {
        self.to_bytes()
    }

    fn arrays(&self) -> Vec<Array> {
        array(self.size_bits(), self.to_bytes())
    }

    fn load(&self, arrays: &[Array], target_fpr: Option<f64>) -> Load {
        classic(arrays, go_zero::HASHES, target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        if self.size_bits() != other.size_bits() {
            bail!("the filters differ in size_bits (m)");
        }
        let both = or(self.to_bytes(), &other.to_bytes());
        *self = Self::from_bytes(&both, self.size_bits())?;
        Ok(())
    }
}

impl System for RedissonBloom {
    fn describe(&self) -> Facts {
        Facts {
            filter: "Redisson bitmap".into(),
            hash: "HighwayHash-128, of what the codec writes".into(),
            size_bits: self.size_bits(),
            hashes: Some(self.hashes()),
            note: Some(
                "m, k and the codec are not in the file: m and k are those that were given, and \
                 keys are what StringCodec or ByteArrayCodec write",
            ),
            ..Facts::default()
        }
    }

    fn to_file(&self, _: Format) -> Vec<u8> {
        self.to_bytes()
    }

    fn arrays(&self) -> Vec<Array> {
        array(self.size_bits(), self.to_bytes())
    }

    fn load(&self, arrays: &[Array], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.hashes(), target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        if (self.size_bits(), self.hashes()) != (other.size_bits(), other.hashes()) {
            bail!("the filters differ in size_bits (m) or hashes (k)");
        }
        let both = or(self.to_bytes(), &other.to_bytes());
        *self = Self::from_bytes(&both, self.size_bits(), self.hashes())?;
        Ok(())
    }
}
