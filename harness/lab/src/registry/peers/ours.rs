//! Ours on the scoreboard.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::Union;
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::{Decode, Encode, StandardBloom};

use super::{Contender, Entry, Hashing, Subject, boxed, concrete, concrete_mut};
use crate::registry::ours;

pub fn contenders() -> Vec<Contender> {
    vec![
        united::<StandardBloom>(ours::standard()),
        united::<CountingBloom>(ours::counting()),
        united::<PartitionedBloom>(ours::partitioned()),
        united::<BlockedBloom<Words64>>(ours::blocked()),
        united::<BlockedBloom<Words32>>(ours::blocked_words32()),
        united::<BlockedBloom<Line>>(ours::blocked_line()),
        contender::<ScalableBloom>(ours::scalable()),
        united::<ShardedBloom>(ours::sharded()),
        united::<AtomicBloom>(ours::atomic()),
        contender::<CuckooFilter>(ours::cuckoo()),
    ]
}

fn contender<F: Ours>(entry: Entry) -> Contender {
    Contender {
        entry,
        release: concat!("bouquet ", env!("CARGO_PKG_VERSION")),
        hashing: Hashing::Seeded,
        is_static: false,
        unite: None,
        reload: Some(reload::<F>),
    }
}

fn united<F: Ours + Union>(entry: Entry) -> Contender {
    Contender {
        unite: Some(unite::<F>),
        ..contender::<F>(entry)
    }
}

/// What each of ours is.
trait Ours: Subject + Encode + Decode<Hasher = Xxh3> {}

impl<F: Subject + Encode + Decode<Hasher = Xxh3>> Ours for F {}

fn reload<F: Ours>(subject: &dyn Subject) -> Result<(u64, Box<dyn Subject>)> {
    let bytes = concrete::<F>(subject)?.encode();
    Ok((bytes.len() as u64, boxed(F::decode(&bytes)?)?))
}

fn unite<F: Subject + Union>(left: &mut dyn Subject, right: &dyn Subject) -> Result<()> {
    let right = concrete::<F>(right)?;
    Ok(concrete_mut::<F>(left)?.union_with(right)?)
}
