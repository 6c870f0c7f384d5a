//! Cuckoo, quotient and fuse filters of other crates.

use std::{
    cell::{OnceCell, RefCell},
    hash::Hash,
};

use anyhow::{Result, anyhow};
use qfilter::Filter as Quotient;
use scalable_cuckoo_filter::ScalableCuckooFilter;
use xorf::{BinaryFuse8, BinaryFuse16, DmaSerializable, Filter};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Entry, Family, Insertable, Inserted, Peer, Request, State,
    bloom::{PROMISED, target},
    peer, state, takes,
};
use crate::{Kind, of_bytes, of_integers, single};

pub fn peers() -> Vec<Entry> {
    let mut peers = vec![of_scalable_cuckoo()];
    peers.extend(of_qfilter());
    peers.extend([
        of_xorf::<BinaryFuse8>(
            "xorf-fuse8",
            "The crate xorf: BinaryFuse8, one-byte fingerprints, built from all keys at once. It \
             takes hashes, not keys: integers as they are and the xxh3 of others",
            "one byte a fingerprint",
        ),
        of_xorf::<BinaryFuse16>(
            "xorf-fuse16",
            "The crate xorf: BinaryFuse16, two-byte fingerprints. Built and hashed as xorf-fuse8 \
             is",
            "two bytes a fingerprint",
        ),
    ]);
    peers
}

takes! {
    [] ScalableCuckooFilter<u64>: u64, insert, contains;
    [] ScalableCuckooFilter<[u8]>: [u8], insert, contains;
    [K: Hash + ?Sized] Quotient: K, insert, contains;
}

fn of_scalable_cuckoo() -> Entry {
    fn made<K: Hash + ?Sized>(request: &Request) -> Result<ScalableCuckooFilter<K>> {
        let fpr = target(request)?;
        Ok(ScalableCuckooFilter::new(request.capacity as usize, fpr))
    }
    let about = "The crate scalable_cuckoo_filter: cuckoo filters that double, with FPRs that \
                 halve. SipHash-1-3 with fixed keys; what to evict is drawn at random";
    let release = "scalable_cuckoo_filter 0.5.1";
    let entry = peer(
        "scalable_cuckoo_filter",
        release,
        about,
        PROMISED,
        made::<[u8]>,
    );
    let entry = entry.timed(Family::Fingerprints, |kind, request| {
        Ok(match kind {
            Kind::U64 => of_integers(made::<u64>(request)?),
            Kind::Url => of_bytes(made::<[u8]>(request)?),
        })
    });
    Entry {
        reproducible_by_seed: false,
        removes: true,
        grows: true,
        ..entry
    }
}

impl Peer for ScalableCuckooFilter<[u8]> {
    fn remove(&mut self, key: &[u8]) -> bool {
        ScalableCuckooFilter::remove(self, key)
    }

    fn state(&self, _keys: u64) -> State {
        let bits = self.bits();
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        state(bits, 0, memory, self.false_positive_probability())
    }
}

fn of_qfilter() -> [Entry; 2] {
    let release = "qfilter 0.3.1";
    let theory = "1 - exp(-load / 2^r), r = bits of a remainder: what the crate reports";
    let removing = |entry| Entry {
        removes: true,
        ..entry
    };
    let about = "The crate qfilter: a quotient filter of one size, slots rounded up to a power of \
                 two. foldhash with a fixed seed; another hasher can be given";
    let fixed = |request: &Request| Ok(Quotient::new(request.capacity, target(request)?)?);
    let fixed = peer("qfilter", release, about, theory, fixed);
    let fixed = fixed.timed(Family::Fingerprints, |kind, request| {
        Ok(single(
            Quotient::new(request.capacity, target(request)?)?,
            kind,
        ))
    });
    let about = "The crate qfilter: a quotient filter that doubles up to ten times its capacity, \
                 keeping the target FPR. Hashed as qfilter is";
    // The crate must know how far the filter will grow; the harness fills growing filters up to ten
    // times their capacity.
    let growing = |request: &Request| {
        let (keys, fpr) = (request.capacity, target(request)?);
        Ok(Quotient::new_resizeable(keys, keys * 10, fpr)?)
    };
    let growing = Entry {
        grows: true,
        ..peer("qfilter-resizeable", release, about, theory, growing)
    };
    [removing(fixed), removing(growing)]
}

impl Peer for Quotient {
    /// Stores one fingerprint for each key, also if several keys have the same one; otherwise the
    /// first removal would remove it for all of them.
    fn insert_to_remove(&mut self, key: &[u8]) -> bool {
        self.insert_duplicated(key).is_ok()
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        Quotient::remove(self, key)
    }

    fn state(&self, _keys: u64) -> State {
        let bytes = self.memory_usage() as u64;
        let memory = bytes + size_of::<Self>() as u64;
        state(bytes * 8, 0, memory, self.current_error_ratio())
    }
}

fn of_xorf<F: Fuse>(name: &'static str, about: &'static str, fixed_size: &'static str) -> Entry {
    let theory = "1/2^b for fingerprints of b bits (Graf and Lemire 2022)";
    let entry = peer(name, "xorf 0.13.0", about, theory, Fused::<F>::new);
    let entry = entry.timed(Family::Static, |kind, request| {
        Ok(single(Fused::<F>::new(request)?, kind))
    });
    Entry {
        reproducible_by_seed: false,
        fixed_size: Some(fixed_size),
        ..entry
    }
}

/// The type of a fuse filter with one of the two fingerprint widths.
trait Fuse:
    Filter<u64> + DmaSerializable + for<'a> TryFrom<&'a [u64], Error = &'static str> + 'static
{
    /// Bits of a fingerprint.
    const BITS: u32;
}

impl Fuse for BinaryFuse8 {
    const BITS: u32 = 8;
}

impl Fuse for BinaryFuse16 {
    const BITS: u32 = 16;
}

/// Collects integers, at most as many as it is sized for, until the first lookup, and then builds
/// the filter.
struct Fused<F> {
    capacity: usize,
    integers: RefCell<Vec<u64>>,
    /// The filter, once built; `None` inside if there were no keys.
    built: OnceCell<Result<Option<F>, &'static str>>,
}

impl<F: Fuse> Fused<F> {
    fn new(request: &Request) -> Result<Self> {
        let capacity = request.capacity as usize;
        Ok(Self {
            capacity,
            integers: Vec::with_capacity(capacity).into(),
            built: OnceCell::new(),
        })
    }

    fn built(&self) -> &Result<Option<F>, &'static str> {
        self.built.get_or_init(|| {
            let mut integers = self.integers.take();
            if integers.is_empty() {
                return Ok(None);
            }
            // The crate requires distinct hashes. Keys nearly always have them, so duplicates are
            // removed only if building fails.
            F::try_from(&integers).map(Some).or_else(|_| {
                integers.sort_unstable();
                integers.dedup();
                F::try_from(&integers).map(Some)
            })
        })
    }

    #[expect(
        clippy::panic,
        reason = "whoever measures catches it and writes an error row"
    )]
    fn filter(&self) -> Option<&F> {
        match self.built() {
            Ok(filter) => filter.as_ref(),
            Err(error) => panic!("cannot be built: {error}"),
        }
    }

    fn push(&mut self, integer: u64) -> bool {
        // After a lookup while it was empty, the filter counts as not built yet.
        if let Some(Ok(None)) = self.built.get() {
            self.built.take();
        }
        let integers = self.integers.get_mut();
        let open = self.built.get().is_none() && integers.len() < self.capacity;
        if open {
            integers.push(integer);
        }
        open
    }
}

macro_rules! fused {
    ($key:ty, $integer:expr) => {
        impl<F: Fuse> Insertable<$key> for Fused<F> {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                self.push($integer(key))
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                let filter = self.filter();
                filter.is_some_and(|filter| filter.contains(&$integer(key)))
            }

            fn finish(&mut self) -> Result<()> {
                self.built()
                    .as_ref()
                    .map(drop)
                    .map_err(|error| anyhow!("{error}"))
            }
        }
    };
}
fused!(u64, |key: &u64| *key);
fused!([u8], xxh3_64);

impl<F: Fuse> Peer for Fused<F> {
    fn state(&self, _keys: u64) -> State {
        let bytes = self
            .filter()
            .map_or(0, |filter| filter.dma_fingerprints().len());
        let memory = bytes + size_of::<Self>();
        state(
            bytes as u64 * 8,
            0,
            memory as u64,
            0.5_f64.powi(F::BITS as i32),
        )
    }
}
