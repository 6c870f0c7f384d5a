//! The laws of encoded filters, for the filters of this crate.

use bouquet_blocked::{BlockedBloom, BlockedView};
use bouquet_counting::{CountingBloom, CountingView};
use bouquet_sharded::{AtomicBloom, Folded, ShardedBloom, ShardedView, StandardView, Xxh3Wide};

bouquet_testkit::codec_laws! {
    one_shard {
        make: |spec, seed| ShardedBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ShardedBloom,
        view: ShardedView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    three_shards {
        make: |spec, seed| ShardedBloom::with_shards(spec, 3, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ShardedBloom,
        view: ShardedView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    blocked {
        make: |spec, seed| ShardedBloom::with_shards(spec, 2, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ShardedBloom<BlockedBloom>,
        view: ShardedView<'_, BlockedView<'_>>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    counting {
        make: |spec, seed| ShardedBloom::with_shards(spec, 2, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: ShardedBloom<CountingBloom>,
        view: ShardedView<'_, CountingView<'_>>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    atomic {
        make: |spec, seed| AtomicBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: AtomicBloom,
        view: StandardView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    atomic_odd_bits {
        make: |spec, seed| {
            AtomicBloom::from_parts(spec.capacity() * 11, 3, Xxh3Wide::with_seed(seed)).unwrap()
        },
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: AtomicBloom<Xxh3Wide>,
        view: StandardView<'_, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
