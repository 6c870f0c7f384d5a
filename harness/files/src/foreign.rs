//! The filters of other systems: read, asked and written in their own hashing.

/// What is alike in most implementations of [`System`].
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

/// The formats that bytes can be known by.
pub const RECOGNISED: [Format; 5] = [
    Format::Go,
    Format::GoJson,
    Format::Guava,
    Format::Parquet,
    Format::Redisbloom,
];

/// A system's filter.
pub trait System: Filter + Sized + 'static {
    /// All that can be said without reading the slots.
    fn describe(&self) -> Facts;

    /// Writes the file, as it is made.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()>;

    /// Its arrays of bits, one a part.
    fn arrays(&self) -> Vec<Array<'_>>;

    /// What the arrays show; of one with k independent probes, unless said
    /// otherwise.
    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.describe().hashes.unwrap_or(1), target_fpr)
    }

    /// Takes a key, whose bytes are those that the system feeds.
    fn insert_bytes(&mut self, key: &[u8]) -> Result<()>;

    /// Takes in the keys of another.
    fn union(&mut self, other: &Self) -> Result<()>;

    /// As what is read, asked and written in a format.
    fn into_any(self, format: Format) -> Box<dyn AnyFilter> {
        let filter = self;
        Box::new(Foreign { filter, format })
    }
}

/// An array of bits: slot i is bit i mod 64, from the least significant, of word
/// i/64.
pub struct Array<'a> {
    pub slots: u64,
    pub words: &'a [u64],
}

impl Array<'_> {
    /// The share of the slots that are set.
    fn fill(&self) -> f64 {
        let words = (self.slots / 64) as usize;
        let part = (1 << (self.slots % 64)) - 1;
        let last = self.words.get(words).map_or(0, |word| word & part);
        let whole = self.words.iter().take(words).chain([&last]);
        let ones: u64 = whole.map(|word| u64::from(word.count_ones())).sum();
        ones as f64 / self.slots.max(1) as f64
    }
}

/// The load of one array with k independent probes.
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

/// A filter of another system, and the format it came in.
pub struct Foreign<F> {
    pub filter: F,
    pub format: Format,
}

impl<F: System> AnyFilter for Foreign<F> {
    fn format(&self) -> Format {
        self.format
    }

    /// Each system has hashes of its own kind: the filter hashes its keys itself.
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

/// A file that is read: its length, and its bytes from the first on.
pub type File<'a> = (u64, &'a mut dyn Read);

/// A filter of one of the formats that are [`RECOGNISED`].
///
/// # Errors
///
/// Where the bytes are no such filter, and those of the reader.
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

/// m and k of a bitmap, which has neither in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bitmap {
    pub size_bits: Option<u64>,
    pub hashes: Option<u32>,
}

/// A filter of a format that was named.
///
/// # Errors
///
/// As [`structure`], sizes that a bitmap needs, and sizes that others have.
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
