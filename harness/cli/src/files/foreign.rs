//! Filters of other systems: they are read, queried and written with the hashing of these systems.

use std::{
    io::{self, Read, Write},
    sync::Arc,
};

use anyhow::{Context, Result, bail, ensure};
use bouquet_catalogue::{keys_until, left, theory};
use bouquet_core::{
    Filter, Union,
    math::{estimated_keys, expected_fpr, fpr_given_fill},
};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom, go_zero,
    guava::Strategy,
};

use super::{
    AnyFilter, Chunk, Facts, Format,
    chunk::Hash,
    native::{GROWS, different, of_same_type},
};

/// A filter of another system, and its file format.
pub struct Foreign {
    pub format: Format,
    pub filter: System,
}

pub enum System {
    Go(GoBloom),
    Guava(GuavaBloom),
    Parquet(ParquetBloom),
    RedisBloom(RedisBloom),
    GoZero(GoZeroBloom),
    Redisson(RedissonBloom),
}

/// The number of bits (m) and of hashes (k) of a bitmap, whose file contains neither.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Bitmap {
    /// Bits of a bitmap from Redis (m), which its file does not contain.
    #[arg(long, value_name = "M", requires = "as_format", value_parser = theory::whole::<u64>)]
    bits: Option<u64>,
    /// Hashes of Redisson's bitmap (k), which its file does not contain.
    #[arg(long, value_name = "K", requires = "as_format", value_parser = theory::whole::<u32>)]
    hashes: Option<u32>,
}

impl Foreign {
    /// Reads a filter from the beginning of a file of `len` bytes.
    ///
    /// # Errors
    ///
    /// The bytes are not a filter of this format, cannot be read, or a bitmap's size is missing.
    pub fn read(format: Format, len: u64, from: &mut dyn Read, bitmap: &Bitmap) -> Result<Self> {
        let fill = |buffer: &mut [u8]| from.read_exact(buffer);
        let bits = bitmap.bits.context(
            "the file of a bitmap does not contain its number of bits: give the writer's with --bits",
        );
        let hashes = bitmap.hashes.context(
            "the file of a bitmap does not contain its number of hashes: give Redisson's \
             hashIterations with --hashes",
        );
        let filter = match format {
            Format::Native => bail!("not a format of another system"),
            Format::Go => System::Go(GoBloom::read_from(len, fill)?),
            Format::GoJson => System::Go(GoBloom::read_json_from(len, fill)?),
            Format::Guava | Format::Guava32 => System::Guava(GuavaBloom::read_from(len, fill)?),
            Format::Parquet => System::Parquet(ParquetBloom::read_from(len, fill)?),
            Format::Redisbloom => System::RedisBloom(RedisBloom::read_from(len, fill)?),
            Format::GoZero => {
                let own = go_zero::HASHES;
                let is_own = bitmap.hashes.is_none_or(|k| k == own);
                ensure!(is_own, "--hashes: go-zero has {own}, always");
                System::GoZero(GoZeroBloom::read_from(len, fill, bits?)?)
            }
            Format::Redisson => {
                System::Redisson(RedissonBloom::read_from(len, fill, bits?, hashes?)?)
            }
        };
        let format = match &filter {
            System::Guava(own) if own.strategy() == Strategy::Mitz32 => Format::Guava32,
            System::Guava(_) => Format::Guava,
            _ => format,
        };
        Ok(Self { format, filter })
    }

    fn as_filter(&self) -> &dyn Filter {
        match &self.filter {
            System::Go(own) => own,
            System::Guava(own) => own,
            System::Parquet(own) => own,
            System::RedisBloom(own) => own,
            System::GoZero(own) => own,
            System::Redisson(own) => own,
        }
    }
}

impl AnyFilter for Foreign {
    fn format(&self) -> Format {
        self.format
    }

    /// The filter hashes its keys itself, because each system has its own type of hash.
    fn hash(&self) -> Option<Arc<Hash>> {
        None
    }

    fn insert(&mut self, keys: &Chunk) -> Result<()> {
        for key in keys.keys() {
            match &mut self.filter {
                System::Go(own) => own.insert(key),
                System::Guava(own) => own.insert(key),
                System::Parquet(own) => own.insert(key),
                System::RedisBloom(own) => own.insert(key)?,
                System::GoZero(own) => own.insert(key),
                System::Redisson(own) => own.insert(key),
            };
        }
        Ok(())
    }

    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()> {
        let keys: Vec<&[u8]> = keys.keys().collect();
        found.clear();
        found.resize(keys.len(), false);
        self.as_filter().contains_bytes_batch(&keys, found);
        Ok(())
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let put = |piece: &[u8]| out.write_all(piece);
        match &self.filter {
            System::Go(own) if format == Format::GoJson => own.write_json_to(put),
            System::Go(own) => own.write_to(put),
            System::Guava(own) => own.write_to(put),
            System::Parquet(own) => own.write_to(put),
            System::RedisBloom(own) => own.write_to(put),
            System::GoZero(own) => own.write_to(put),
            System::Redisson(own) => own.write_to(put),
        }
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let array = |bits, hashes, ones| one_array(bits, hashes, ones, target_fpr);
        match &self.filter {
            System::Go(own) => Facts {
                filter: "bits-and-blooms".into(),
                hash: "MurmurHash3 x64 128, four words".into(),
                ..array(own.size_bits(), own.hashes(), own.count_ones())
            },
            System::Guava(own) => Facts {
                filter: "Guava BloomFilter".into(),
                hash: match self.format {
                    Format::Guava32 => "MURMUR128_MITZ_32, of the bytes from the funnel".into(),
                    _ => "MURMUR128_MITZ_64, of the bytes from the funnel".into(),
                },
                note: Some(
                    "keys are text of stringFunnel(UTF_8); give the bytes of others with --hex",
                ),
                ..array(own.size_bits(), own.hashes(), own.count_ones())
            },
            System::Parquet(own) => Facts {
                filter: "split block".into(),
                hash: "XXH64 of the plain value".into(),
                note: Some(
                    "keys are BYTE_ARRAY; give the little-endian bytes of numbers with --hex",
                ),
                ..blocks(own)
            },
            System::RedisBloom(own) => Facts {
                filter: "RedisBloom chain".into(),
                hash: "MurmurHash2-64A, twice".into(),
                note: own.expansion().map(|_| GROWS),
                ..chain(own)
            },
            System::GoZero(own) => Facts {
                filter: "go-zero bitmap".into(),
                hash: "MurmurHash3 x64 128, 14 times".into(),
                note: Some("the file does not contain m, which is from --bits"),
                ..array(own.size_bits(), go_zero::HASHES, own.count_ones())
            },
            System::Redisson(own) => Facts {
                filter: "Redisson bitmap".into(),
                hash: "HighwayHash-128, of the bytes from the codec".into(),
                note: Some("the file does not contain m, k and the codec; StringCodec is assumed"),
                ..array(own.size_bits(), own.hashes(), own.count_ones())
            },
        }
    }

    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()> {
        let theirs: &Self = of_same_type(self, other)?;
        let united = match (&mut self.filter, &theirs.filter) {
            (System::Go(own), System::Go(other)) => own.union_with(other),
            (System::Guava(own), System::Guava(other)) => own.union_with(other),
            (System::Parquet(own), System::Parquet(other)) => own.union_with(other),
            (System::GoZero(own), System::GoZero(other)) => own.union_with(other),
            (System::Redisson(own), System::Redisson(other)) => own.union_with(other),
            (System::RedisBloom(_), System::RedisBloom(_)) => bail!(
                "RedisBloom chains cannot be united: each link was filled by other keys, and the \
                 header counts them; build one filter from the keys of both"
            ),
            _ => return Err(different(self, other)),
        };
        Ok(united?)
    }
}

/// The facts about a filter of one bit array with k independent probes.
fn one_array(size_bits: u64, hashes: u32, ones: u64, target_fpr: Option<f64>) -> Facts {
    let fill_ratio = ones as f64 / size_bits.max(1) as f64;
    let keys = estimated_keys(size_bits, hashes, fill_ratio);
    Facts {
        size_bits,
        hashes: Some(hashes),
        fill_ratio,
        estimated_keys: keys,
        estimated_fpr: fpr_given_fill(fill_ratio, hashes),
        keys_left: target_fpr.map(|target| {
            let until = keys_until(target, |n| expected_fpr(size_bits, hashes, n));
            left(until, keys)
        }),
        ..Facts::default()
    }
}

/// The facts about a split block filter of Parquet.
fn blocks(filter: &ParquetBloom) -> Facts {
    let (slots, fill_ratio) = (filter.size_bits().max(1), filter.count_ones());
    let fill_ratio = fill_ratio as f64 / slots as f64;
    // Each key sets eight bits, so the number of keys is ln(1 - fill) / ln(1 - 8 / slots). Both
    // logarithms are computed by `estimated_keys`, up to a constant factor that cancels.
    let log = |fill| estimated_keys(2, 1, fill);
    // The FPR of a block given its bits is the product of the fill ratios of its eight words.
    let (blocks, _) = filter.words().as_chunks::<4>();
    let fpr = |block: &[u64; 4]| -> f64 {
        let words = block
            .iter()
            .flat_map(|two| [*two as u32, (two >> 32) as u32]);
        let fills = words.map(|word| f64::from(word.count_ones()) / 32.0);
        fills.product()
    };
    Facts {
        size_bits: filter.size_bits(),
        hashes: Some(8),
        made_of: Some(("blocks", filter.blocks().into())),
        fill_ratio,
        estimated_keys: log(fill_ratio) / log(8.0 / slots as f64),
        estimated_fpr: blocks.iter().map(fpr).sum::<f64>() / blocks.len().max(1) as f64,
        ..Facts::default()
    }
}

/// The facts about RedisBloom's chain of bit arrays.
fn chain(filter: &RedisBloom) -> Facts {
    let (mut passed, mut keys, mut ones, mut all) = (1.0, 0.0, 0, 0);
    for (link, words) in filter.links().zip(filter.words()) {
        // Keys use only the first 2^`size_log2` bits of a link (one bit array of the chain).
        let slots = match link.size_log2 {
            0 => link.size_bits,
            log2 => 1 << log2,
        };
        let set: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
        let fill = set.min(slots) as f64 / slots as f64;
        keys += estimated_keys(slots, link.hashes, fill);
        passed *= 1.0 - fpr_given_fill(fill, link.hashes);
        (ones, all) = (ones + set.min(slots), all + slots);
    }
    let (first, links) = (filter.links().next(), filter.links().len());
    // RedisBloom sizes the first bit array of a growing chain for half of the requested FPR.
    let share = f64::from(1 + u8::from(filter.expansion().is_some()));
    Facts {
        capacity: Some(filter.capacity()),
        target_fpr: first.map(|link| share * link.target_fpr),
        size_bits: filter.size_bits(),
        hashes: first.filter(|_| links == 1).map(|link| link.hashes),
        made_of: Some(("links", links as u64)),
        fill_ratio: ones as f64 / all.max(1) as f64,
        counted_keys: Some(filter.keys()),
        estimated_keys: keys,
        estimated_fpr: 1.0 - passed,
        ..Facts::default()
    }
}
