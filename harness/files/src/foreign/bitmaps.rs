//! go-zero's and Redisson's bitmaps: Redis strings, with m and k kept elsewhere.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::{GoZeroBloom, RedissonBloom, go_zero};

use super::{Array, System, classic};
use crate::{Facts, Format, held::Load};

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

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        self.write_to(|piece| out.write_all(piece))
    }

    fn arrays(&self) -> Vec<Array<'_>> {
        vec![Array {
            slots: self.size_bits(),
            words: self.words(),
        }]
    }

    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        classic(arrays, go_zero::HASHES, target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
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

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        self.write_to(|piece| out.write_all(piece))
    }

    fn arrays(&self) -> Vec<Array<'_>> {
        vec![Array {
            slots: self.size_bits(),
            words: self.words(),
        }]
    }

    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.hashes(), target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }
}
