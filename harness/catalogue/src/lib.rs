//! The filters that the harness knows, one file each. Nothing else in the harness
//! names one: whoever needs them all goes over the list.
//!
//! A file has a type that stands for the filter whatever its hasher, so that what
//! measures is compiled for each filter, with no call through a pointer in a loop.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::len_without_is_empty,
    clippy::new_without_default,
    reason = "a part of the program, not a library to be published: its items are documented where \
              their names do not say enough"
)]

pub mod atomic;
pub mod blocked;
pub mod blocked_line;
pub mod blocked_words32;
pub mod counting;
pub mod cuckoo;
pub mod partitioned;
pub mod scalable;
pub mod sharded;
pub mod sharded_counting;
pub mod standard;

#[cfg(test)]
mod crates_tests;
mod facts;
mod filter;
#[cfg(test)]
mod form_tests;
pub mod hash;
pub mod in_shards;
#[cfg(test)]
mod names_tests;
mod nested;
mod of_keys;
mod options;
mod pairs;
mod part;
mod prelude;
mod size;
mod sizing;
mod stages;
mod style;
mod variant;

pub use self::{
    facts::{Facts, Family, Foreign, InShards, PLAIN, Snippet, Unites},
    filter::{CatalogueFilter, HashKeys, Hasher, Inserted, Load, Shape, keys_until, left},
    hash::Seeded,
    of_keys::{Built, OfKeys, Static},
    options::{HASHER, Options},
    pairs::{Lattice, Pairs},
    part::{Part, Reference},
    size::ExactSize,
    sizing::{Fpr, HASH_BITS},
    style::{Colour, Marker, PEER, Stroke, Style},
    variant::{Geometries, Located, OwnStatistic, SizingFn, Variant},
};

/// The list: what a function, called with each filter as its type, gives for it. The first
/// is the one that others are compared with.
#[macro_export]
macro_rules! every {
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
            $of::<$crate::sharded_counting::ShardedCounting $(, $more)*>(),
        ]
    };
}

/// The first of the list.
pub const FIRST: &Facts = &<standard::Standard as Variant>::FACTS;

/// What is known of the filter of this name.
pub fn named(name: &str) -> Option<&'static Facts> {
    facts().into_iter().find(|facts| facts.name == name)
}

/// The names of those that are made of blocks, in the order of the list.
pub fn blocked() -> impl Iterator<Item = &'static str> {
    let blocked = facts().into_iter().filter(|f| f.family == Family::Blocked);
    blocked.map(|facts| facts.name)
}

/// What is to be known of each filter.
pub fn facts() -> Vec<&'static Facts> {
    fn of<V: Variant>() -> &'static Facts {
        &V::FACTS
    }
    every!(of)
}

/// The look of the filter of this name; that of peers for any other name.
pub fn style(name: &str) -> Style {
    named(name).map_or(PEER, |facts| facts.style)
}

/// Every colour, in the order of their places.
pub fn colours() -> Vec<Colour> {
    let mut all: Vec<Colour> = facts().iter().map(|f| f.style.colour).collect();
    all.push(PEER.colour);
    all.sort_by_key(|colour| colour.place);
    all.dedup();
    all
}
