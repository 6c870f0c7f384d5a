//! Tests a filter whose string is deleted while its clients continue to insert: no insert creates
//! it again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::thread;

use bouquet_redis::{
    Error, GoZero, Lost, Native, Redisson, RemoteBitmap, Scheme, ShardedBitmap, Trust,
};
use common::{Server, filter::how, keys};
use redis::cmd;

const CAPACITY: u32 = 1_000;
const TRUSTED: Trust = Trust::HasAllItsKeys;

/// Asserts that clients that query or join the filter get an error and no answer.
fn is_lost<S: Scheme>(server: &Server, reader: &RemoteBitmap<S>) {
    let connection = &mut server.connect();
    let joined = RemoteBitmap::<S>::join(connection, reader.name());
    assert!(matches!(joined, Err(Error::NotFound { .. })), "{joined:?}");
    for count in [1, 2, 500] {
        let found = reader.contains_batch(connection, &keys(0..count));
        assert_eq!(how(found), Lost::Gone);
    }
    let kept = reader.expire(connection, std::time::Duration::from_secs(100));
    assert_eq!(how(kept), Lost::Gone);
}

/// Three writers insert ten times the capacity and continue after errors.
fn write_on<S: Scheme + Send + Sync>(server: &Server, name: &str, scheme: S) {
    let connection = &mut server.connect();
    let filter = RemoteBitmap::create(connection, name, scheme).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    cmd("DEL").arg(name).exec(connection).unwrap();
    thread::scope(|scope| {
        for writer in 0..3 {
            let filter = &filter;
            scope.spawn(move || {
                let connection = &mut server.connect();
                for round in 0..10 * CAPACITY / 300 {
                    let from = 1_000 + 300 * round + 100 * writer;
                    let done = filter.insert_batch(connection, &keys(from..from + 100));
                    assert_eq!(how(done), Lost::Gone);
                    is_lost(server, filter);
                }
            });
        }
    });
    let left: Vec<String> = cmd("KEYS")
        .arg(format!("*{name}*"))
        .query(connection)
        .unwrap();
    assert!(left.iter().all(|key| key.ends_with(":config")), "{left:?}");
}

#[test]
fn a_lost_filter_stays_lost_whatever_is_inserted() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let capacity = CAPACITY.into();
    write_on(&server, "a", Native::new(capacity, 0.01).unwrap());
    write_on(&server, "b", GoZero::for_target(capacity, 0.01).unwrap());
    write_on(&server, "c", Redisson::new(capacity, 0.01).unwrap());
}

#[test]
fn a_lost_shard_stays_lost_whatever_is_inserted() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = ShardedBitmap::create(connection, "s", CAPACITY.into(), 0.01, 3).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    let lost = filter.shard_name(1).unwrap().to_vec();
    cmd("DEL").arg(&lost).exec(connection).unwrap();
    for round in 0..200 {
        let from = 1_000 + 100 * round;
        let done = filter.insert_batch(connection, &keys(from..from + 100));
        assert!(matches!(done, Err(Error::FilterLost { .. })), "{done:?}");
        let joined = ShardedBitmap::join(connection, "s");
        assert!(matches!(joined, Err(Error::NotFound { .. })), "{joined:?}");
        let found = filter.contains_batch(connection, &keys(0..500));
        assert!(matches!(found, Err(Error::FilterLost { .. })), "{found:?}");
    }
    // Only the two other keys are left.
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 2);
}

#[test]
fn clients_that_adopt_at_once_agree_on_one_mark() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let scheme = GoZero::new(20_000).unwrap();
    let connection = &mut server.connect();
    for round in 0..50 {
        let name = format!("theirs {round}");
        let mut set = cmd("SETRANGE");
        set.arg(&name).arg(1_000).arg(&b"\x80"[..]);
        set.exec(connection).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let connection = &mut server.connect();
                    let filter = RemoteBitmap::adopt(connection, &name, scheme, TRUSTED).unwrap();
                    filter.insert(connection, "rose").unwrap();
                    assert!(filter.contains(connection, "rose").unwrap());
                });
            }
        });
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 50);
    let again = RemoteBitmap::adopt(connection, "theirs 0", scheme, TRUSTED).unwrap();
    assert!(again.contains(connection, "rose").unwrap());
    // A string that is as long as one with a mark, but has none.
    let mut set = cmd("SETRANGE");
    set.arg("long").arg(2_500).arg(&[0x55u8; 8][..]);
    set.exec(connection).unwrap();
    let long = RemoteBitmap::adopt(connection, "long", scheme, TRUSTED);
    assert!(matches!(long, Err(Error::Incompatible { .. })), "{long:?}");
}

#[test]
fn writers_that_have_not_noticed_a_rebuild_spare_the_mark() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    for round in 0..20 {
        let name = format!("smaller {round}");
        let scheme = Native::new(4_000, 0.01).unwrap();
        let filter = RemoteBitmap::create(connection, &name, scheme).unwrap();
        let late = RemoteBitmap::<Native>::join(connection, &name).unwrap();
        let smaller = Native::new(1_000, 0.01).unwrap();
        let draft = filter.rebuild(connection, smaller).unwrap();
        draft.insert_batch(connection, &keys(0..500)).unwrap();
        draft.publish(connection).unwrap();
        // The client's first command addresses the place of the larger filter's mark, which is past
        // the end of the smaller string.
        late.insert_batch(connection, &keys(500..800)).unwrap();
        let reader = RemoteBitmap::<Native>::join(connection, &name).unwrap();
        let found = reader.contains_batch(connection, &keys(0..800)).unwrap();
        assert!(found.iter().all(|found| *found));
    }
}
