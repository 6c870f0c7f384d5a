//! Tests large batches and long names of a filter over shards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::{Duration, Instant};

use bouquet_redis::{Error, ShardedBitmap};
use common::Server;
use redis::cmd;

/// By default a multiplexed connection waits half a second for a reply, so a large batch must be
/// split.
#[cfg(feature = "async")]
#[test]
fn a_batch_over_a_multiplexed_connection_is_none_of_its_timeouts() {
    use bouquet_redis::{Inserted, aio};
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = server.client();
        let connection = &mut client.get_multiplexed_async_connection().await.unwrap();
        let made = aio::ShardedBitmap::create(connection, "s", 400_000, 0.01, 3).await;
        let filter = made.unwrap();
        let members: Vec<u64> = (0..400_000).collect();
        let inserted = filter.insert_batch(connection, &members).await;
        let inserted = inserted.unwrap();
        let new = inserted.iter().filter(|new| **new == Inserted::New).count();
        assert!(new > 390_000, "{new} of 400,000 were new");
        assert!(!inserted.contains(&Inserted::Unsure));
        let found = filter.contains_batch(connection, &members).await;
        assert!(found.unwrap().iter().all(|found| *found));
    });
}

#[test]
fn a_name_is_checked_before_anything_is_done_with_it() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let longest = vec![b'x'; 4_080];
    let made = ShardedBitmap::create(connection, &longest, 1_000_000, 0.01, 1_024);
    assert_eq!(made.unwrap().shards(), 1_024);
    for length in [4_081, 512 << 20] {
        let name = vec![b'x'; length];
        let began = Instant::now();
        let results = [
            ShardedBitmap::create(connection, &name, 1_000, 0.01, 1_024).map(drop),
            ShardedBitmap::join(connection, &name).map(drop),
            ShardedBitmap::open(connection, &name, 1_000, 0.01, 1_024).map(drop),
        ];
        let took = began.elapsed();
        assert!(took < Duration::from_millis(100), "{took:?}");
        for result in results {
            assert!(matches!(result, Err(Error::BadName { .. })), "{result:?}");
        }
    }
    // If the filter does not exist, only the few names that a first shard can have are queried.
    cmd("CONFIG").arg("RESETSTAT").exec(connection).unwrap();
    let began = Instant::now();
    let joined = ShardedBitmap::join(connection, vec![b'y'; 4_080]);
    assert!(matches!(joined, Err(Error::NotFound { .. })), "{joined:?}");
    let took = began.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    let calls = stats.split("cmdstat_strlen:calls=").nth(1).unwrap();
    let calls: u32 = calls.split(',').next().unwrap().parse().unwrap();
    assert!(calls < 40, "{calls}");
}
