//! The filters that consist of one bit array: Go's bits-and-blooms, Guava's, and the bitmaps of
//! go-zero and Redisson, which are Redis strings with m and k stored elsewhere.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::{GoBloom, GoZeroBloom, GuavaBloom, RedissonBloom, go_zero, guava::Strategy};

use super::{Array, System};
use crate::{Facts, Format};

impl System for GoBloom {
    fn describe(&self) -> Facts {
        Facts {
            filter: "bits-and-blooms".into(),
            hash: "MurmurHash3 x64 128, four words".into(),
            size_bits: self.size_bits(),
            hashes: Some(self.hashes()),
            ..Facts::default()
        }
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::GoJson => self.write_json_to(|piece| out.write_all(piece)),
            _ => self.write_to(|piece| out.write_all(piece)),
        }
    }

    as_usual!(one array);
}

/// The format that corresponds to the filter's strategy.
pub fn guava_format(filter: &GuavaBloom) -> Format {
    match filter.strategy() {
        Strategy::Mitz32 => Format::Guava32,
        Strategy::Mitz64 => Format::Guava,
    }
}

impl System for GuavaBloom {
    fn describe(&self) -> Facts {
        let strategy = match self.strategy() {
            Strategy::Mitz32 => "MURMUR128_MITZ_32",
            Strategy::Mitz64 => "MURMUR128_MITZ_64",
        };
        Facts {
            filter: "Guava BloomFilter".into(),
            hash: format!("{strategy}, of what the funnel feeds"),
            size_bits: self.size_bits(),
            hashes: Some(self.hashes()),
            note: Some(
                "the funnel is not in the file: text is stringFunnel(UTF_8); for longs, integers \
                 and UTF-16 give their bytes with --hex, little-endian",
            ),
            ..Facts::default()
        }
    }

    as_usual!(write);
    as_usual!(one array);
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

    as_usual!(write);
    as_usual!(one array);
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

    as_usual!(write);
    as_usual!(one array);
}
