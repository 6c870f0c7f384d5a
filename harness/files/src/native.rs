//! Our own variants: what of them a file can be.

use std::{any::Any, error::Error, io, io::Write};

use anyhow::{Context, Result, bail};
use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::{Fold as _, Inner, Inspect, KeyHasher, TryInsert, Union as _};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_format::{Encode, HEADER_BYTES, Header, variant};
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::ShardedBloom;
use bouquet_standard::StandardBloom;

use super::{
    Facts, Format, Held, Part, chart,
    held::{Load, keys_until, left},
};

/// A variant with its inner filters and its hasher.
pub trait Variant:
    TryInsert<Error: Error + Send + Sync> + Inspect + Encode + Sized + 'static
{
    /// Whether a key that is held already is inserted again.
    const REPEATS: bool = true;

    /// Takes in the keys of another.
    fn union(&mut self, other: &Self) -> Result<()>;

    /// Halves it down to this FPR.
    fn fold(self, fpr: f64) -> Result<Self>;

    /// Keys, if it counts them.
    fn counted_keys(&self) -> Option<u64> {
        None
    }

    /// Keys until it passes the FPR. None if it never does.
    fn keys_left(&self, target_fpr: f64) -> Option<u64> {
        let until = keys_until(target_fpr, |keys| self.expected_fpr(keys));
        Some(left(until, self.estimated_keys()))
    }

    /// The header of the first filter that it is made of.
    fn inner(&self) -> Option<Header> {
        None
    }
}

/// The two methods of one that can be united and halved.
macro_rules! union_and_fold {
    () => {
        fn union(&mut self, other: &Self) -> Result<()> {
            Ok(self.union_with(other)?)
        }

        fn fold(self, fpr: f64) -> Result<Self> {
            // Says why, where it cannot be halved even once.
            self.halved()?;
            Ok(self.fold_to(fpr)?)
        }
    };
}

/// The header of the first shard.
macro_rules! first_shard {
    () => {
        fn inner(&self) -> Option<Header> {
            first_part(self)
        }
    };
}

impl<H: KeyHasher + 'static> Variant for StandardBloom<H> {
    union_and_fold!();
}

impl<H: KeyHasher + 'static> Variant for PartitionedBloom<H> {
    union_and_fold!();
}

impl<L: Layout + 'static, H: KeyHasher + 'static> Variant for BlockedBloom<L, H> {
    union_and_fold!();
}

impl<H: KeyHasher + 'static> Variant for ShardedBloom<StandardBloom<H>> {
    union_and_fold!();
    first_shard!();
}

impl<H: KeyHasher + 'static> Variant for ShardedBloom<PartitionedBloom<H>> {
    union_and_fold!();
    first_shard!();
}

impl<L: Layout + 'static, H: KeyHasher + 'static> Variant for ShardedBloom<BlockedBloom<L, H>> {
    union_and_fold!();
    first_shard!();
}

impl<H: KeyHasher + 'static> Variant for ShardedBloom<CountingBloom<H>> {
    first_shard!();

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!(COUNTERS)
    }
}

/// Why counters are not added up.
const COUNTERS: &str = "counting filters cannot be halved: two counters may not fit into one";

impl<H: KeyHasher + 'static> Variant for CountingBloom<H> {
    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!(COUNTERS)
    }
}

impl<F: Inner + Variant> Variant for ScalableBloom<F> {
    fn union(&mut self, _: &Self) -> Result<()> {
        bail!(
            "scalable filters cannot be united: the stages of two were filled by different keys, \
             and no stage has room for both; build one of the keys of both"
        )
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!("a scalable filter cannot be halved: it has grown with its keys, stage by stage")
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    fn keys_left(&self, _: f64) -> Option<u64> {
        None
    }

    fn inner(&self) -> Option<Header> {
        let first = self.stages().next()?;
        Some(first.filter().header())
    }
}

impl<H: KeyHasher + 'static> Variant for CuckooFilter<H> {
    /// It has room for eight copies of a key, and each takes a slot.
    const REPEATS: bool = false;

    fn union(&mut self, _: &Self) -> Result<()> {
        bail!(
            "cuckoo filters cannot be united: there may be no room for the fingerprints of both; \
             build one of the keys of both"
        )
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!("a cuckoo filter cannot be halved: its buckets have no room for those of others")
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    /// It keeps any FPR that it is sized for until it is full.
    fn keys_left(&self, _: f64) -> Option<u64> {
        Some(self.keys_left())
    }
}

/// One of our filters.
pub struct Native<F>(pub F);

impl<F: Variant> Held for Native<F> {
    fn format(&self) -> Format {
        Format::Native
    }

    fn insert(&mut self, keys: &[&[u8]]) -> Result<()> {
        if F::REPEATS {
            self.0.try_insert_batch(keys).map_err(|e| e.error)?;
            return Ok(());
        }
        for key in keys {
            if !self.0.contains(key) {
                self.0.try_insert(key)?;
            }
        }
        Ok(())
    }

    fn contains(&self, keys: &[&[u8]], found: &mut [bool]) {
        self.0.contains_batch(keys, found);
    }

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        self.0.encode_to(out)
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let header = self.0.header();
        let target = target_fpr.unwrap_or(header.spec().target_fpr());
        Facts {
            load: Some(Load {
                fill_ratio: self.0.fill_ratio(),
                counted_keys: self.0.counted_keys(),
                estimated_keys: self.0.estimated_keys(),
                estimated_fpr: self.0.estimated_fpr(),
                keys_left: self.0.keys_left(target),
            }),
            size_bits: self.0.size_bits(),
            ..of_header(&header, self.0.inner())
        }
    }

    fn fills(&self) -> io::Result<Vec<Part>> {
        chart::of_encoding(&self.0)
    }

    fn union_with(&mut self, other: &dyn Held) -> Result<()> {
        let other: &dyn Any = other;
        let other = other
            .downcast_ref::<Self>()
            .context("it is of another variant or has another hash: its bits mean other keys")?;
        self.0.union(&other.0)
    }

    fn fold_to(self: Box<Self>, fpr: f64) -> Result<Box<dyn Held>> {
        Ok(Box::new(Self(self.0.fold(fpr)?)))
    }
}

/// The header of the first part, for shards are not shown: read from the
/// encoding, which is then given up.
fn first_part(filter: &impl Encode) -> Option<Header> {
    struct Start(Vec<u8>);
    impl Write for Start {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() as u64 >= 2 * HEADER_BYTES {
                return Err(io::ErrorKind::Other.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut start = Start(Vec::new());
    // Of a whole file there would be no error; there is nothing to do with one.
    let _ = filter.encode_to(&mut start);
    let (headers, _) = start.0.as_chunks();
    Header::from_bytes(headers.get(1)?, HEADER_BYTES).ok()
}

/// Why there is no number of keys that are left.
pub const GROWS: &str = "it grows: the target FPR is not passed, whatever the keys";

/// What a header tells; `inner` is that of the first filter of several.
pub fn of_header(header: &Header, inner: Option<Header>) -> Facts {
    let [first, second, third, ..] = header.parameters();
    let layout = if second == 2 { 256 } else { 512 };
    let (size_bits, hashes, made_of, slot_bits) = match header.variant() {
        variant::STANDARD => (first, Some(second), None, None),
        variant::COUNTING => (first * third, Some(second), None, Some(third)),
        variant::PARTITIONED => (
            first * second,
            Some(second),
            Some(("partitions", second)),
            None,
        ),
        variant::BLOCKED => (first * layout, Some(third), Some(("blocks", first)), None),
        variant::SCALABLE => (0, None, Some(("stages", header.parts())), None),
        variant::SHARDED => (0, None, Some(("shards", header.parts())), None),
        variant::CUCKOO => (
            4 * first * second,
            None,
            Some(("buckets", first)),
            Some(second),
        ),
        _ => (0, None, None, None),
    };
    let narrow = |number: u64| u32::try_from(number).ok();
    let within = inner.filter(|_| header.variant() == variant::SHARDED);
    let within = within.map(|inner| of_header(&inner, None));
    Facts {
        filter: name(header, inner.as_ref()),
        hash: hash(header),
        seed: (!header.keyed()).then_some(header.seed()),
        capacity: Some(header.spec().capacity()),
        target_fpr: Some(header.spec().target_fpr()),
        size_bits,
        hashes: within.map_or(hashes.and_then(narrow), |inner| inner.hashes),
        made_of,
        slot_bits: slot_bits.and_then(narrow),
        note: (header.variant() == variant::SCALABLE).then_some(GROWS),
        ..Facts::default()
    }
}

fn name(header: &Header, inner: Option<&Header>) -> String {
    let plain = match header.variant() {
        variant::STANDARD => "standard",
        variant::COUNTING => "counting",
        variant::PARTITIONED => "partitioned",
        variant::BLOCKED => match header.parameters()[1] {
            2 => "blocked-words32",
            3 => "blocked-line",
            _ => "blocked",
        },
        variant::SCALABLE => "scalable",
        variant::SHARDED => "sharded",
        variant::CUCKOO => "cuckoo",
        other => return format!("variant {other}"),
    };
    match inner {
        Some(inner) if inner.variant() != variant::STANDARD => {
            format!("{plain} of {}", name(inner, None))
        }
        _ => plain.into(),
    }
}

fn hash(header: &Header) -> String {
    match header.hasher() {
        Xxh3::ID => "XXH3".into(),
        Xxh3Wide::ID => "XXH3, 128 bits".into(),
        SipKeyed::ID => "SipHash-1-3 with a secret key".into(),
        other => format!("hasher {other}"),
    }
}
