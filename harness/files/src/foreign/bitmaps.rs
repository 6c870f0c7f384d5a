//! go-zero's and Redisson's bitmaps: Redis strings, with m and k kept elsewhere.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::{GoZeroBloom, RedissonBloom, go_zero};

use super::{Array, System, one_array};
use crate::{Facts, Format};

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

    one_array!(write);
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

    one_array!(write);
}
