//! Tests operations on a whole filter over shards: statistics, expiry and rebuild.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{Error, Inserted, ShardedBitmap};
use common::{Server, keys, repeated::beside};
use redis::cmd;

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

#[test]
fn shards_are_counted_and_expire_together() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = ShardedBitmap::create(connection, "s", 20_000, 0.01, 7).unwrap();
    let empty = filter.info(connection).unwrap();
    // An empty filter contains only the marks, which are not counted.
    assert_eq!(empty.ones, 0);
    filter.insert_batch(connection, &keys(0..10_000)).unwrap();
    let info = filter.info(connection).unwrap();
    let keys = info.estimated_keys();
    assert!((9_500.0..10_500.0).contains(&keys), "{keys} of 10,000");
    assert!(!info.is_full() && info.ttl.is_none());
    let fpr = info.estimated_fpr;
    assert!((0.0..0.005).contains(&fpr), "{fpr} at half the capacity");
    filter.expire(connection, Duration::from_secs(300)).unwrap();
    let left = filter.info(connection).unwrap().ttl.unwrap();
    assert!((297..=300).contains(&left.as_secs()), "{left:?}");
    // The reported time to live is that of the shard that expires first.
    let shard = filter.shard_name(4).unwrap().to_vec();
    let mut sooner = cmd("EXPIRE");
    sooner.arg(&shard).arg(50).exec(connection).unwrap();
    let left = filter.info(connection).unwrap().ttl.unwrap();
    assert!(left.as_secs() <= 50, "{left:?}");
    cmd("DEL").arg(&shard).exec(connection).unwrap();
    for lost in [
        filter.info(connection).err(),
        filter.expire(connection, Duration::from_secs(9)).err(),
    ] {
        assert!(matches!(lost, Some(Error::FilterLost { .. })), "{lost:?}");
    }
}

#[test]
fn a_rebuild_leaves_no_gap_in_any_shard() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = ShardedBitmap::create(connection, "s", 2_000, 0.01, 6).unwrap();
    filter.expire(connection, Duration::from_secs(500)).unwrap();
    let members = keys(0..5_000);
    filter.insert_batch(connection, &members).unwrap();
    assert!(filter.info(connection).unwrap().is_full());
    let [reader, writer] = [(); 2].map(|()| ShardedBitmap::join(connection, "s").unwrap());
    // A process that ends before it publishes.
    drop(filter.rebuild(connection, 9_000, 0.01).unwrap());
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    let asking = &mut server.connect();
    let round = || {
        let found = reader.contains_batch(asking, &members[..400]);
        assert!(matches!(&found, Ok(found) if all(found)), "{found:?}");
        // A client that joins while shards are being published finds some new and some old ones.
        let joined = ShardedBitmap::join(asking, "s");
        let found = joined.and_then(|it| it.contains_batch(asking, &members[..9]));
        assert!(matches!(&found, Ok(found) if all(found)), "{found:?}");
    };
    beside(round, |wait_for_a_round| {
        for size in [9_000, 12_000, 7_000, 9_000] {
            let draft = filter.rebuild(connection, size, 0.01).unwrap();
            for members in members.chunks(900) {
                let inserted = draft.insert_batch(connection, members).unwrap();
                assert!(inserted.contains(&Inserted::New));
            }
            filter = draft.publish(connection).unwrap();
            wait_for_a_round();
        }
    });
    assert!(!filter.info(connection).unwrap().is_full());
    assert!(filter.info(connection).unwrap().ttl.unwrap().as_secs() > 400);
    writer.insert(connection, "late").unwrap();
    assert!(filter.contains(connection, "late").unwrap());
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    // Only the shards of the draft that was never published are left, and they expire.
    let left: Vec<String> = cmd("KEYS").arg("*new-*").query(connection).unwrap();
    assert_eq!(left.len(), 6, "{left:?}");
    for key in left {
        let expires: i64 = cmd("TTL").arg(&key).query(connection).unwrap();
        assert!((3_500..=3_600).contains(&expires), "{key} {expires}");
    }
}
