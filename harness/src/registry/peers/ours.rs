//! Ours on the scoreboard.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::Union;
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use super::{Contender, Entry, Hashing, Subject, Unite, concrete, concrete_mut};
use crate::registry::ours;

pub fn contenders() -> Vec<Contender> {
    vec![
        contender(ours::standard(), Some(unite::<StandardBloom>)),
        contender(ours::counting(), Some(unite::<CountingBloom>)),
        contender(ours::partitioned(), Some(unite::<PartitionedBloom>)),
        contender(ours::blocked(), Some(unite::<BlockedBloom<Words64>>)),
        contender(
            ours::blocked_words32(),
            Some(unite::<BlockedBloom<Words32>>),
        ),
        contender(ours::blocked_line(), Some(unite::<BlockedBloom<Line>>)),
        contender(ours::scalable(), None),
        contender(ours::sharded(), Some(unite::<ShardedBloom>)),
        contender(ours::atomic(), Some(unite::<AtomicBloom>)),
        contender(ours::cuckoo(), None),
    ]
}

fn contender(entry: Entry, unite: Option<Unite>) -> Contender {
    Contender {
        entry,
        release: concat!("bouquet ", env!("CARGO_PKG_VERSION")),
        hashing: Hashing::Seeded,
        is_static: false,
        unite,
        // Ours have no format of their own yet; theirs goes here.
        reload: None,
    }
}

fn unite<F: Subject + Union>(left: &mut dyn Subject, right: &dyn Subject) -> Result<()> {
    let right = concrete::<F>(right)?;
    Ok(concrete_mut::<F>(left)?.union_with(right)?)
}
