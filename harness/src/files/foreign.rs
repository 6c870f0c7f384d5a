//! The filters of other systems: read, asked and written in their own hashing.

mod bitmaps;
mod go;
mod guava;
mod parquet;
mod redisbloom;

use std::{any::Any, error::Error, io, io::Write};

use anyhow::{Context, Result, bail};
use bouquet_core::{
    TryInsert,
    math::{estimated_keys, expected_fpr, fpr_given_fill},
};
use bouquet_interop::{
    DecodeError, GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
};

use super::{
    Bitmap, Facts, Format, Held, Part, chart,
    chart::Tally,
    held::{Load, keys_until, left},
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
pub trait System: TryInsert<Error: Error + Send + Sync> + Sized + 'static {
    /// All that can be told without a look at the slots.
    fn describe(&self) -> Facts;

    /// The file.
    fn to_file(&self, format: Format) -> Vec<u8>;

    /// Its arrays of bits, one a part, as bytes with their slots from the least
    /// significant bit on.
    fn arrays(&self) -> Vec<Array>;

    /// What can be told from the arrays.
    fn load(&self, arrays: &[Array], target_fpr: Option<f64>) -> Load;

    /// What one of several arrays is called.
    const PART: &'static str = "";

    /// Takes in the keys of another.
    fn union(&mut self, other: &Self) -> Result<()>;

    /// Halves it down to this FPR.
    fn fold(self, _fpr: f64) -> Result<Self> {
        bail!(
            "it is not halved here: of the formats of others only Parquet's blocks are, which \
             pair up as ours do"
        )
    }
}

/// An array of bits.
pub struct Array {
    pub slots: u64,
    pub bytes: Vec<u8>,
}

impl Array {
    /// From words of eight bytes, the most significant first.
    fn of_big_endian(slots: u64, mut bytes: Vec<u8>) -> Self {
        let (words, _) = bytes.as_chunks_mut::<8>();
        words.iter_mut().for_each(|word| word.reverse());
        Self { slots, bytes }
    }

    fn fill(&self) -> f64 {
        Tally::of_bits(&self.bytes, self.slots, 1).fill()
    }
}

/// The load of one array with k independent probes.
fn classic(arrays: &[Array], hashes: u32, target_fpr: Option<f64>) -> Load {
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

impl<F: System> Held for Foreign<F> {
    fn format(&self) -> Format {
        self.format
    }

    fn insert(&mut self, keys: &[&[u8]]) -> Result<()> {
        let inserted = self.filter.try_insert_batch(keys);
        inserted.map_err(|refused| refused.error)?;
        Ok(())
    }

    fn contains(&self, keys: &[&[u8]], found: &mut [bool]) {
        self.filter.contains_batch(keys, found);
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.filter.to_file(format))
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let facts = self.filter.describe();
        let load = self
            .filter
            .load(&self.filter.arrays(), target_fpr.or(facts.target_fpr));
        Facts {
            load: Some(load),
            ..facts
        }
    }

    fn fills(&self) -> io::Result<Vec<Part>> {
        Ok(match &self.filter.arrays()[..] {
            [array] => chart::one(&array.bytes, array.slots),
            arrays => {
                let tally = |array: &Array| Tally::of_bits(&array.bytes, array.slots, 1);
                let tallies: Vec<Tally> = arrays.iter().map(tally).collect();
                chart::parts(F::PART, &tallies)
            }
        })
    }

    fn union_with(&mut self, other: &dyn Held) -> Result<()> {
        let other: &dyn Any = other;
        let other = other
            .downcast_ref::<Self>()
            .context("it is of another system: its bits mean other keys")?;
        self.filter.union(&other.filter)
    }

    fn fold_to(self: Box<Self>, fpr: f64) -> Result<Box<dyn Held>> {
        Ok(boxed(self.filter.fold(fpr)?, self.format))
    }
}

pub fn boxed<F: System>(filter: F, format: Format) -> Box<dyn Held> {
    Box::new(Foreign { filter, format })
}

/// A filter of one of the formats that are [`RECOGNISED`].
///
/// # Errors
///
/// Where the bytes are no such filter.
pub fn structure(format: Format, bytes: &[u8]) -> Result<Box<dyn Held>, DecodeError> {
    Ok(match format {
        Format::GoJson => boxed(go::of_json(bytes)?, format),
        Format::Guava | Format::Guava32 => {
            let filter = GuavaBloom::from_bytes(bytes)?;
            let format = guava::format_of(&filter);
            boxed(filter, format)
        }
        Format::Parquet => boxed(ParquetBloom::from_bytes(bytes)?, format),
        Format::Redisbloom => boxed(RedisBloom::from_bytes(bytes)?, format),
        _ => boxed(GoBloom::from_bytes(bytes)?, Format::Go),
    })
}

/// A filter of a format that was named.
///
/// # Errors
///
/// As [`structure`], and sizes that a bitmap needs.
pub fn read(format: Format, bytes: &[u8], bitmap: Bitmap) -> Result<Box<dyn Held>> {
    let size_bits = || {
        bitmap.size_bits.context(
            "the number of bits is not in a bitmap: give it with --bits, as whoever made it has it",
        )
    };
    Ok(match format {
        Format::GoZero => boxed(GoZeroBloom::from_bytes(bytes, size_bits()?)?, format),
        Format::Redisson => {
            let hashes = bitmap.hashes.context(
                "the number of hashes is not in a bitmap: give it with --hashes; Redisson has it \
                 beside the bitmap, as hashIterations",
            )?;
            boxed(
                RedissonBloom::from_bytes(bytes, size_bits()?, hashes)?,
                format,
            )
        }
        _ => {
            let held = structure(format, bytes)?;
            if held.format() != format {
                bail!("byte 0: the file says {}, which it is", held.format());
            }
            held
        }
    })
}
