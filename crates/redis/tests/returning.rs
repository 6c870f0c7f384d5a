//! A filter whose string is gone while its clients go on inserting: it comes back as a
//! string, and never as the filter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::thread;

use bouquet_redis::{Error, GoZero, Native, Redisson, RemoteBitmap, Scheme, ShardedBitmap};
use common::{Server, keys};
use redis::cmd;

const CAPACITY: u32 = 1_000;

/// Whoever joins it again gets an error, and no answer.
fn is_lost<S: Scheme>(server: &Server, name: &str) {
    let connection = &mut server.connect();
    let mut reader = RemoteBitmap::<S>::join(connection, name).unwrap();
    for count in [1, 2, 500] {
        let found = reader.contains_batch(connection, &keys(0..count));
        assert!(matches!(found, Err(Error::FilterLost { .. })), "{found:?}");
    }
    let kept = reader.expire(connection, std::time::Duration::from_secs(100));
    assert!(matches!(kept, Err(Error::FilterLost { .. })), "{kept:?}");
}

/// Three writers insert ten times the capacity, and go on after errors.
fn write_on<S: Scheme + Send>(server: &Server, name: &str, scheme: S) {
    let connection = &mut server.connect();
    let filter = RemoteBitmap::create(connection, name, scheme).unwrap();
    let mut first = filter.clone();
    first.insert_batch(connection, &keys(0..500)).unwrap();
    cmd("DEL").arg(name).exec(connection).unwrap();
    thread::scope(|scope| {
        for writer in 0..3 {
            let mut filter = filter.clone();
            scope.spawn(move || {
                let connection = &mut server.connect();
                for round in 0..10 * CAPACITY / 300 {
                    let from = 1_000 + 300 * round + 100 * writer;
                    let done = filter.insert_batch(connection, &keys(from..from + 100));
                    assert!(matches!(done, Err(Error::FilterLost { .. })), "{done:?}");
                    is_lost::<S>(server, name);
                }
            });
        }
    });
    // The bits are there, and no mark.
    let ones: u32 = cmd("BITCOUNT").arg(name).query(connection).unwrap();
    assert!(ones > 3 * CAPACITY, "{ones}");
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
    let mut filter = ShardedBitmap::create(connection, "s", CAPACITY.into(), 0.01, 3).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    let lost = filter.shard_name(1).unwrap().to_vec();
    cmd("DEL").arg(&lost).exec(connection).unwrap();
    for round in 0..200 {
        let from = 1_000 + 100 * round;
        let done = filter.insert_batch(connection, &keys(from..from + 100));
        assert!(matches!(done, Err(Error::FilterLost { .. })), "{done:?}");
        let mut reader = ShardedBitmap::join(connection, "s").unwrap();
        let found = reader.contains_batch(connection, &keys(0..500));
        assert!(matches!(found, Err(Error::FilterLost { .. })), "{found:?}");
    }
    // The bits are there, and no mark.
    let mut count = cmd("BITCOUNT");
    let ones: u32 = count.arg(&lost).query(connection).unwrap();
    assert!(ones > CAPACITY, "{ones}");
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
                    let mut filter = RemoteBitmap::adopt(connection, &name, scheme).unwrap();
                    filter.insert(connection, "rose").unwrap();
                    assert!(filter.contains(connection, "rose").unwrap());
                });
            }
        });
    }
    let left: Vec<String> = cmd("KEYS").arg("*:new-*").query(connection).unwrap();
    assert!(left.is_empty(), "{left:?}");
    // The settings are gone and the mark is not: it is adopted as before.
    let mut del = cmd("DEL");
    del.arg("{theirs 0}:bouquet").exec(connection).unwrap();
    let mut again = RemoteBitmap::adopt(connection, "theirs 0", scheme).unwrap();
    assert!(again.contains(connection, "rose").unwrap());
    // As long as one with a mark, but without.
    let mut set = cmd("SETRANGE");
    set.arg("long").arg(2_500).arg(&[0x55u8; 8][..]);
    set.exec(connection).unwrap();
    let long = RemoteBitmap::adopt(connection, "long", scheme);
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
        let mut late = filter.clone();
        let smaller = Native::new(1_000, 0.01).unwrap();
        let mut draft = filter.rebuild(connection, smaller).unwrap();
        draft.insert_batch(connection, &keys(0..500)).unwrap();
        draft.publish(connection).unwrap();
        // Its first command goes to where the larger one had bits, which is past this one.
        late.insert_batch(connection, &keys(500..800)).unwrap();
        let mut reader = RemoteBitmap::<Native>::join(connection, &name).unwrap();
        let found = reader.contains_batch(connection, &keys(0..800)).unwrap();
        assert!(found.iter().all(|found| *found));
    }
}
