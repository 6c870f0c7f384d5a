//! Filters of other crates, each in a released version, with its default hasher and its constructor
//! for a target FPR. The seed is set where the crate allows it. For timing, each filter gets the
//! type of key that suits its interface best, and some are timed also with a faster hash.
//!
//! All except the baseline, the crate `cuckoofilter`, are compiled only with the feature `peers`.

#[cfg(feature = "peers")]
mod forgetting;
#[cfg(feature = "peers")]
mod others;

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};

use anyhow::Result;
use cuckoofilter::CuckooFilter;

#[cfg(feature = "peers")]
pub use self::others::{FASTBLOOM, sharings};
use super::{Entry, Request, State, Subject};
use crate::{
    Facts, Family, Insertable, Inserted, Kind, PLAIN, bench_loop::among, of_bytes, of_integers,
};

/// The filters of other crates; the first is the baseline. Their false negatives are counted and
/// shown, but do not make a run fail.
pub fn peers() -> Vec<Entry> {
    let peers = cuckoofilter().into_iter();
    #[cfg(feature = "peers")]
    let peers = peers.chain(others::peers()).chain(forgetting::peers());
    peers.collect()
}

/// The capacity that a filter was made for, and its target FPR, which is NaN if the size was given
/// in bits per key.
type Target = (u64, f64);

/// Adapts a filter of another crate, so that it can be evaluated and timed.
trait Peer: Insertable<[u8]> + 'static {
    fn state(&self, sized_for: Target, keys: u64) -> State;

    /// Inserts a key that may be removed later, by the method that the crate documents for such
    /// keys.
    fn insert_to_remove(&mut self, key: &[u8]) -> bool {
        self.accepts(key)
    }

    /// Removes a key; only called on filters that support removal.
    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }
}

struct Evaluated<F>(F, Target);

impl<F: Peer> Subject for Evaluated<F> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert_to_remove(key)
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.0.remove(key)
    }

    fn state(&self, keys: u64) -> State {
        self.0.state(self.1, keys)
    }
}

/// The name of a filter, the name and version of its crate, and a description.
type Words = [&'static str; 3];

/// The registry entry of another crate's filter that is evaluated but not timed.
fn untimed<F: Peer>(
    [name, release, about]: Words,
    family: Family,
    theory: &'static str,
    make: fn(&Request) -> Result<F>,
) -> Entry {
    Entry {
        facts: Facts {
            name,
            about,
            family,
            theory,
            ..PLAIN
        },
        role: "peer",
        is_evaluated: true,
        is_quick: false,
        promises_no_false_negatives: false,
        reproducible_by_seed: true,
        fixed_size: None,
        options: Vec::new(),
        check: |_, _| Ok(()),
        build: Box::new(move |request| {
            let (target, _) = request.size.columns();
            let target = (request.capacity, target.unwrap_or(f64::NAN));
            Ok(Box::new(Evaluated(make(request)?, target)))
        }),
        make_loop: None,
        locate: None,
        release,
    }
}

/// The registry entry of another crate's filter that is evaluated with byte strings as keys, and
/// timed with byte strings and with integers.
fn peer<B: Peer, I: Insertable<u64> + 'static>(
    words: Words,
    family: Family,
    theory: &'static str,
    bytes: fn(&Request) -> Result<B>,
    integers: fn(&Request) -> Result<I>,
) -> Entry {
    Entry {
        make_loop: Some(Box::new(move |kind, capacity, fpr| {
            let request = |capacity| Request::of_target(capacity, fpr, 1);
            Ok(match kind {
                Kind::U64 => of_integers(integers(&request(capacity))?),
                Kind::Url => of_bytes(bytes(&request(capacity))?),
                Kind::Among => among(capacity, |capacity| integers(&request(capacity)))?,
            })
        })),
        ..untimed(words, family, theory, bytes)
    }
}

/// The state of another crate's filter, with NaN or `None` for what most crates do not expose.
fn state(size_bits: u64, hashes: u32, memory_bytes: u64, expected_fpr: f64) -> State {
    State {
        size_bits,
        hashes,
        memory_bytes,
        fill_ratio: f64::NAN,
        expected_fill: None,
        fpr_given_bits: None,
        expected_fpr,
        expected_fpr_sd: None,
        disagreement: None,
    }
}

/// Implements `Insertable` for filters of other crates. Each line gives the filter, its key type,
/// the names of its methods for inserting and looking up, and `true` if it can reject a key.
macro_rules! takes {
    ($([$($generic:tt)*] $filter:ty: $key:ty, $insert:ident, $contains:ident $(, $rejects:literal)?;)*) => {$(
        impl<$($generic)*> Insertable<$key> for $filter {
            $(const REJECTS: bool = $rejects;)?

            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                Inserted::answer(<$filter>::$insert(self, key))
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                <$filter>::$contains(self, key)
            }
        }
    )*};
}
#[cfg(feature = "peers")]
use takes;

takes! {
    [K: Hash + ?Sized, H: Hasher + Default] CuckooFilter<H>: K, add, contains, true;
}

fn cuckoofilter() -> Vec<Entry> {
    fn entry<H: Hasher + Default + 'static>(name: &'static str, about: &'static str) -> Entry {
        let theory = "1 - (1 - 1/(2^8 - 1))^(2 * 4 * load), load = keys / slots (Fan et al. 2014, \
                      with the zero fingerprint reserved)";
        let make =
            |request: &Request| Ok(CuckooFilter::<H>::with_capacity(request.capacity as usize));
        let words = [name, "cuckoofilter 0.5.0", about];
        let mut entry = peer(words, Family::Fingerprints, theory, make, make);
        entry.role = "baseline";
        entry.reproducible_by_seed = false;
        entry.facts.removes = true;
        entry.fixed_size = Some("one-byte fingerprints, slots rounded up to a power of two");
        entry
    }
    let about = "The crate cuckoofilter 0.5 as it is: a cuckoo filter with one-byte fingerprints \
                 in buckets of four";
    #[cfg(feature = "peers")]
    let with_ahash = "The crate cuckoofilter 0.5.0: ahash in place of its own hash";
    vec![
        entry::<DefaultHasher>("cuckoofilter", about),
        #[cfg(feature = "peers")]
        Entry {
            is_evaluated: false,
            ..entry::<ahash::AHasher>("cuckoofilter-ahash", with_ahash)
        },
    ]
}

/// The number of slots. Each takes one byte; the rest of the used memory is the struct itself.
fn slots<H: Hasher + Default>(filter: &CuckooFilter<H>) -> u64 {
    (filter.memory_usage() - size_of::<CuckooFilter<H>>()) as u64
}

impl<H: Hasher + Default + 'static> Peer for CuckooFilter<H> {
    fn remove(&mut self, key: &[u8]) -> bool {
        self.delete(key)
    }

    fn state(&self, _: Target, _keys: u64) -> State {
        let (bits, bucket) = (8, 4.0);
        let slots = slots(self);
        let load = self.len() as f64 / slots as f64;
        let fingerprints = f64::from((1u32 << bits) - 1);
        let expected = 1.0 - (1.0 - 1.0 / fingerprints).powf(2.0 * bucket * load);
        State {
            fill_ratio: load,
            ..state(slots * bits, 0, self.memory_usage() as u64, expected)
        }
    }
}

#[cfg(feature = "peers")]
#[cfg(test)]
mod tests;

#[cfg(test)]
#[test]
fn the_baseline_s_slots_are_a_power_of_two() {
    for capacity in [1, 4, 1_000, 8_192, 10_000] {
        let filter = CuckooFilter::<DefaultHasher>::with_capacity(capacity);
        assert_eq!(slots(&filter), (capacity as u64).next_power_of_two().max(4));
    }
}
