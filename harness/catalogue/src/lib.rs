//! The filters that the harness (the code that measures filters) knows, each in its own file. The
//! macro `for_each_filter` lists them all.
//!
//! Each file defines a type that stands for the filter with any hasher. Benchmark code is generic
//! over this type, so it is compiled for each filter and its loops contain no indirect calls.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::len_without_is_empty,
    clippy::new_without_default,
    reason = "a part of the program, not a library to be published: its items are documented where \
              their names do not say enough"
)]

pub mod aging;
pub mod atomic;
pub mod blocked;
pub mod blocked_line;
pub mod blocked_words32;
pub mod counting;
pub mod cuckoo;
pub mod fuse;
pub mod partitioned;
pub mod scalable;
pub mod sharded;
pub mod sharded_counting;
pub mod sharded_scalable;
pub mod standard;

mod bench_loop;
#[cfg(test)]
mod crates_tests;
mod facts;
mod filter;
#[cfg(test)]
mod form_tests;
pub mod hash;
pub mod in_shards;
mod keys;
mod locator;
#[cfg(test)]
mod names_tests;
mod nested;
mod of_keys;
mod options;
mod pairs;
mod part;
mod prelude;
pub mod registry;
mod size;
mod sizing;
mod style;
pub mod theory;
mod variant;

pub use self::{
    bench_loop::{
        BenchLoop, FilterBytes, Insertable, MakeShared, Shared, Sharing, dry_run, dry_walk,
        look_up_in_batches, of_bytes, of_integers, single,
    },
    facts::{Facts, Family, Foreign, InShards, PLAIN, Snippet, Unites},
    filter::{CatalogueFilter, HashKeys, Hasher, Inserted, Load, Shape, keys_until, left},
    hash::Seeded,
    keys::{CHUNK, Integers, Kind, Mixed, NON_MEMBERS, StoredKeys, Stream, each_chunk, mix},
    locator::{Locator, MakeLocator, Scheme, Wanted, claiming, native},
    of_keys::{Built, Collected, OfKeys, Static, looked_up},
    options::{HASHER, Options},
    pairs::{Lattice, Pairs},
    part::{Part, Reference},
    scalable::spec_error,
    size::ExactSize,
    sizing::{BySize, Fpr, HASH_BITS, Outline, Sizable},
    style::{PEER, Style},
    variant::{FilterInfo, Geometries, Located, OwnStatistic, SizingFn},
};

/// Calls the function `$of` with each filter of this workspace as its type argument and returns the
/// results as a vector. The other filters are compared with the first filter.
#[macro_export]
macro_rules! for_each_filter {
    ($of:ident $(, $more:ty)*) => {
        vec![
            $of::<$crate::standard::Standard $(, $more)*>(),
            $of::<$crate::counting::Counting $(, $more)*>(),
            $of::<$crate::partitioned::Partitioned $(, $more)*>(),
            $of::<$crate::blocked::Blocked $(, $more)*>(),
            $of::<$crate::blocked_words32::BlockedWords32 $(, $more)*>(),
            $of::<$crate::blocked_line::BlockedLine $(, $more)*>(),
            $of::<$crate::scalable::Scalable $(, $more)*>(),
            $of::<$crate::sharded::Sharded $(, $more)*>(),
            $of::<$crate::atomic::Atomic $(, $more)*>(),
            $of::<$crate::cuckoo::Cuckoo $(, $more)*>(),
            $of::<$crate::fuse::StaticFuse $(, $more)*>(),
            $of::<$crate::aging::Aging $(, $more)*>(),
            $of::<$crate::sharded_counting::ShardedCounting $(, $more)*>(),
            $of::<$crate::sharded_scalable::ShardedScalable $(, $more)*>(),
        ]
    };
}

pub const FIRST: &Facts = &<standard::Standard as FilterInfo>::FACTS;

pub fn named(name: &str) -> Option<&'static Facts> {
    facts().into_iter().find(|facts| facts.name == name)
}

pub fn facts() -> Vec<&'static Facts> {
    fn of<V: FilterInfo>() -> &'static Facts {
        &V::FACTS
    }
    for_each_filter!(of)
}

/// The chart style of the filter with this name; `PEER` if it is not one of our filters.
pub fn style(name: &str) -> Style {
    named(name).map_or(PEER, |facts| facts.style)
}
