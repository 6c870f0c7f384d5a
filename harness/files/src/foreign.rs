//! The filters of other systems: reads, queries and writes them with their own hashing.

/// Methods that most implementations of [`System`] share.
macro_rules! as_usual {
    (write) => {
        fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
            self.write_to(|piece| out.write_all(piece))
        }
    };
    (one array) => {
        fn arrays(&self) -> Vec<Array<'_>> {
            let (slots, words) = (self.size_bits(), self.words());
            vec![Array { slots, words }]
        }

        fn union(&mut self, other: &Self) -> Result<()> {
            Ok(self.union_with(other)?)
        }

        fn insert_bytes(&mut self, key: &[u8]) -> Result<()> {
            self.insert(key);
            Ok(())
        }
    };
}

mod one_array;
mod parquet;
mod redisbloom;

use std::{
    any::Any,
    io,
    io::{Read, Write},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use bouquet_catalogue::{keys_until, left};
use bouquet_core::{
    Filter,
    math::{estimated_keys, expected_fpr, fpr_given_fill},
};
use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, ReadError, RedisBloom, RedissonBloom, go_zero,
};

use super::{
    AnyFilter, Facts, Format,
    any_filter::Load,
    chunk::{Chunk, Hash},
    differ,
};

/// The formats that can be recognised by their bytes.
pub const RECOGNISED: [Format; 5] = [
    Format::Go,
    Format::GoJson,
    Format::Guava,
    Format::Parquet,
    Format::Redisbloom,
];

/// A filter of another system.
pub trait System: Filter + Sized + 'static {
    /// Everything that is known without reading the slots.
    fn describe(&self) -> Facts;

    /// Writes the file piece by piece, without building it in memory.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()>;

    /// Its bit arrays, one per part.
    fn arrays(&self) -> Vec<Array<'_>>;

    /// The statistics of the arrays; the default implementation is for one array with k independent
    /// probes.
    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.describe().hashes.unwrap_or(1), target_fpr)
    }

    /// Inserts a key, given by the bytes that the system hashes.
    fn insert_bytes(&mut self, key: &[u8]) -> Result<()>;

    /// Adds the keys of another filter.
    fn union(&mut self, other: &Self) -> Result<()>;

    /// Wraps the filter, which is read, queried and written in this format.
    fn into_any(self, format: Format) -> Box<dyn AnyFilter> {
        let filter = self;
        Box::new(Foreign { filter, format })
    }
}

/// A bit array: slot i is bit i mod 64, counted from the least significant, of word i/64.
pub struct Array<'a> {
    pub slots: u64,
    pub words: &'a [u64],
}

impl Array<'_> {
    /// The share of slots that are set.
    fn fill(&self) -> f64 {
        let words = (self.slots / 64) as usize;
        let part = (1 << (self.slots % 64)) - 1;
        let last = self.words.get(words).map_or(0, |word| word & part);
        let whole = self.words.iter().take(words).chain([&last]);
        let ones: u64 = whole.map(|word| u64::from(word.count_ones())).sum();
        ones as f64 / self.slots.max(1) as f64
    }
}

/// The statistics of one array with k independent probes.
fn classic(arrays: &[Array<'_>], hashes: u32, target_fpr: Option<f64>) -> Load {
    let slots = arrays.first().map_or(1, |array| array.slots);
    let fill_ratio = arrays.first().map_or(0.0, Array::fill);
    let keys = estimated_keys(slots, hashes, fill_ratio);
    Load {
        fill_ratio,
        counted_keys: None,
        estimated_keys: keys,
        estimated_fpr: fpr_given_fill(fill_ratio, hashes),
        keys_left: target_fpr.map(|target| {
            let until = keys_until(target, |keys| expected_fpr(slots, hashes, keys));
            left(until, keys)
        }),
    }
}

/// A filter of another system, and the format that it was read from.
pub struct Foreign<F> {
    pub filter: F,
    pub format: Format,
}

impl<F: System> AnyFilter for Foreign<F> {
    fn format(&self) -> Format {
        self.format
    }

    /// Each system has hashes of another type, so the filter hashes its keys itself.
    fn hash(&self) -> Option<Arc<Hash>> {
        None
    }

    fn insert(&mut self, keys: &Chunk) -> Result<()> {
        for key in keys.keys() {
            self.filter.insert_bytes(key)?;
        }
        Ok(())
    }

    fn insert_new(&mut self, keys: &Chunk, new: &mut Vec<bool>) -> Result<()> {
        new.clear();
        for key in keys.keys() {
            let is_new = !self.filter.contains(key);
            if is_new {
                self.filter.insert_bytes(key)?;
            }
            new.push(is_new);
        }
        Ok(())
    }

    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()> {
        let keys: Vec<&[u8]> = keys.keys().collect();
        found.clear();
        found.resize(keys.len(), false);
        self.filter.contains_batch(&keys, found);
        Ok(())
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        self.filter.write(format, out)
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let facts = self.filter.describe();
        let target = target_fpr.or(facts.target_fpr);
        let load = self.filter.load(&self.filter.arrays(), target);
        Facts { load, ..facts }
    }

    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()> {
        let any: &dyn Any = other;
        let own = any
            .downcast_ref::<Self>()
            .ok_or_else(|| differ::in_kind(self, other))?;
        self.filter
            .union(&own.filter)
            .map_err(differ::in_parameters)
    }
}

/// A file to read: its length, and a reader from the beginning.
pub type File<'a> = (u64, &'a mut dyn Read);

/// Reads a filter in one of the [`RECOGNISED`] formats.
///
/// # Errors
///
/// The bytes are no such filter, or the reader fails.
pub fn structure(
    format: Format,
    (len, reader): File<'_>,
) -> Result<Box<dyn AnyFilter>, ReadError<io::Error>> {
    let fill = |buffer: &mut [u8]| reader.read_exact(buffer);
    Ok(match format {
        Format::GoJson => GoBloom::read_json_from(len, fill)?.into_any(format),
        Format::Guava | Format::Guava32 => {
            let filter = GuavaBloom::read_from(len, fill)?;
            let format = one_array::guava_format(&filter);
            filter.into_any(format)
        }
        Format::Parquet => ParquetBloom::read_from(len, fill)?.into_any(format),
        Format::Redisbloom => RedisBloom::read_from(len, fill)?.into_any(format),
        _ => GoBloom::read_from(len, fill)?.into_any(Format::Go),
    })
}

/// m and k of a bitmap, whose file contains neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bitmap {
    pub size_bits: Option<u64>,
    pub hashes: Option<u32>,
}

/// Reads a filter in a format that the user named.
///
/// # Errors
///
/// As for [`structure`]; sizes are missing for a bitmap, or given for another format.
pub fn read(format: Format, (len, reader): File<'_>, bitmap: Bitmap) -> Result<Box<dyn AnyFilter>> {
    let size_bits = || {
        bitmap.size_bits.context(
            "the number of bits is not in a bitmap: give it with --bits, as whoever made it has it",
        )
    };
    let fill = |buffer: &mut [u8]| reader.read_exact(buffer);
    Ok(match format {
        Format::GoZero => {
            if bitmap
                .hashes
                .is_some_and(|hashes| hashes != go_zero::HASHES)
            {
                bail!("--hashes: go-zero has {}, always", go_zero::HASHES);
            }
            GoZeroBloom::read_from(len, fill, size_bits()?)?.into_any(format)
        }
        Format::Redisson => {
            let hashes = bitmap.hashes.context(
                "the number of hashes is not in a bitmap: give it with --hashes; Redisson has it \
                 beside the bitmap, as hashIterations",
            )?;
            let filter = RedissonBloom::read_from(len, fill, size_bits()?, hashes)?;
            filter.into_any(format)
        }
        _ => {
            let into_any = structure(format, (len, reader))?;
            if into_any.format() != format {
                bail!("byte 0: the file says {}, which it is", into_any.format());
            }
            into_any
        }
    })
}
