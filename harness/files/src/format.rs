//! The file formats, by name.

use std::fmt;

use clap::ValueEnum;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Ours: docs/FORMAT.md.
    Native,
    /// Go's bits-and-blooms v3, binary.
    Go,
    /// Go's bits-and-blooms v3, JSON.
    GoJson,
    /// Guava's BloomFilter.writeTo, MURMUR128_MITZ_64.
    Guava,
    /// The same, MURMUR128_MITZ_32: old files.
    Guava32,
    /// Parquet's split block filter, header and bitset.
    Parquet,
    /// RedisBloom: the chunks of BF.SCANDUMP, one after another.
    Redisbloom,
    /// go-zero's bitmap, a Redis string.
    GoZero,
    /// Redisson's bitmap, a Redis string.
    Redisson,
}

impl Format {
    /// The name on the command line.
    pub fn name(self) -> String {
        let name = self.to_possible_value();
        name.map_or_else(String::new, |name| name.get_name().to_owned())
    }

    /// Whether both formats hash keys alike, so that a filter in one can be written in the other.
    pub fn has_hashing_of(self, other: Self) -> bool {
        let system = |format| match format {
            Self::GoJson => Self::Go,
            format => format,
        };
        system(self) == system(other)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
