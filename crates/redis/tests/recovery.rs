//! Tests losses while many clients write: nothing is written into a string that is not the filter,
//! and one call recovers the filter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use bouquet_redis::{
    Error, GoZero, Native, Redisson, RemoteBf, RemoteBitmap, Scheme, ShardedBitmap,
};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

fn is_lost<T>(result: bouquet_redis::Result<T>) {
    match result {
        Err(error @ Error::FilterLost { .. }) => {
            assert!(error.to_string().contains("`replace`"), "{error}");
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("an answer"),
    }
}

fn get(connection: &mut Connection, key: &str) -> Option<Vec<u8>> {
    cmd("GET").arg(key).query(connection).unwrap()
}

fn nothing_is_written<S: Scheme>(connection: &mut Connection, scheme: S) {
    cmd("FLUSHALL").exec(connection).unwrap();
    let filter = RemoteBitmap::open(connection, "f", scheme.clone()).unwrap();
    filter.insert(connection, "rose").unwrap();
    let untouched = filter.clone();
    let fresh = RemoteBitmap::<S>::join(connection, "f").unwrap();
    cmd("FLUSHALL").exec(connection).unwrap();
    for i in 0..100 {
        is_lost(filter.insert(connection, &format!("{i}")));
        is_lost(fresh.insert_batch(connection, &keys(0..10)));
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
    // Another client creates the filter again: inserts of clients that joined the old one must
    // leave it unchanged.
    let other = RemoteBitmap::open(connection, "f", scheme.clone()).unwrap();
    other.insert(connection, "tulip").unwrap();
    other.expire(connection, Duration::from_secs(500)).unwrap();
    let before = get(connection, "f");
    for i in 0..100 {
        is_lost(untouched.insert(connection, &format!("{i}")));
        is_lost(fresh.insert_batch(connection, &keys(0..200)));
    }
    assert_eq!(get(connection, "f"), before);
    assert!(other.ttl(connection).unwrap().unwrap() > Duration::from_secs(490));
    assert!(other.contains(connection, "tulip").unwrap());
    // A client that joined the old filter does not delete the new one either.
    assert!(!untouched.delete(connection).unwrap());
    assert!(other.contains(connection, "tulip").unwrap());
    // Nothing is inserted into a list, which stays unchanged.
    cmd("DEL").arg("f").exec(connection).unwrap();
    cmd("LPUSH")
        .arg("f")
        .arg("theirs")
        .exec(connection)
        .unwrap();
    is_lost(other.insert(connection, "rose"));
    let theirs: Vec<String> = cmd("LRANGE")
        .arg("f")
        .arg(0)
        .arg(-1)
        .query(connection)
        .unwrap();
    assert_eq!(theirs, ["theirs"]);
}

#[test]
fn a_failed_insert_writes_nothing() {
    for (_, program) in programs() {
        let server = Server::start(&program, &[]);
        let connection = &mut server.connect();
        nothing_is_written(connection, Native::new(1_000, 0.01).unwrap());
        nothing_is_written(connection, GoZero::for_target(1_000, 0.01).unwrap());
        nothing_is_written(connection, Redisson::new(1_000, 0.01).unwrap());
    }
}

#[test]
fn a_failed_insert_writes_nothing_into_a_filter_of_the_module() {
    for (_, server) in Server::with_bloom() {
        let connection = &mut server.connect();
        let open = |connection: &mut Connection| {
            RemoteBf::open(connection, "f", 1_000, 0.01, Some(2)).unwrap()
        };
        let filter = open(connection);
        filter.insert(connection, "rose").unwrap().unwrap();
        assert!(open(connection).contains(connection, "rose").unwrap());
        cmd("FLUSHALL").exec(connection).unwrap();
        is_lost(filter.insert(connection, "tulip"));
        assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
        let other = open(connection);
        let keys_before = other.info(connection).unwrap().keys;
        for i in 0..100 {
            is_lost(filter.insert(connection, &i));
        }
        assert_eq!(other.info(connection).unwrap().keys, keys_before);
        assert!(!filter.delete(connection).unwrap());
        filter.replace(connection, 1_000, 0.01, Some(2)).unwrap();
        filter.insert(connection, "iris").unwrap().unwrap();
        assert!(
            other.contains(connection, "iris").unwrap(),
            "it joined the new one"
        );
        // If only the settings are lost, queries for members are still answered.
        cmd("DEL").arg("{f}:bouquet").exec(connection).unwrap();
        assert!(filter.contains(connection, "iris").unwrap());
        assert!(filter.info(connection).unwrap().keys > 0);
        assert!(filter.delete(connection).unwrap());
    }
}

/// The number of filters that `open` and `replace` created.
fn filters_made(connection: &mut Connection) -> u32 {
    let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    let calls = stats
        .split("cmdstat_setrange:calls=")
        .nth(1)
        .unwrap_or("0,");
    calls.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn those_that_recover_at_once_make_one_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let scheme = Native::new(10_000, 0.01).unwrap();
    let connection = &mut server.connect();
    let (clients, losses) = (6, 20);
    let all_lost = Barrier::new(clients + 1);
    thread::scope(|scope| {
        for client in 0..clients as u32 {
            let (scheme, all_lost, server) = (scheme.clone(), &all_lost, &server);
            scope.spawn(move || {
                let connection = &mut server.connect();
                let filter = RemoteBitmap::open(connection, "f", scheme).unwrap();
                let own = keys(1_000 * client..1_000 * client + 50);
                filter.insert_batch(connection, &own).unwrap();
                for _ in 0..losses {
                    all_lost.wait();
                    // Here another thread executes `FLUSHALL`.
                    all_lost.wait();
                    is_lost(filter.contains(connection, &own[0]));
                    filter.replace(connection).unwrap();
                    filter.insert_batch(connection, &own).unwrap();
                    assert!(
                        filter
                            .contains_batch(connection, &own)
                            .unwrap()
                            .iter()
                            .all(|f| *f)
                    );
                }
                all_lost.wait();
            });
        }
        for _ in 0..losses {
            all_lost.wait();
            cmd("FLUSHALL").exec(connection).unwrap();
            all_lost.wait();
        }
        all_lost.wait();
    });
    assert_eq!(filters_made(connection), 1 + losses);
    let filter = RemoteBitmap::<Native>::join(connection, "f").unwrap();
    for client in 0..clients as u32 {
        let own = keys(1_000 * client..1_000 * client + 50);
        assert!(
            filter
                .contains_batch(connection, &own)
                .unwrap()
                .iter()
                .all(|found| *found)
        );
    }
}

/// Eight clients write while every second a `FLUSHALL` is executed: each call of `replace` must
/// succeed.
#[test]
fn recovery_succeeds_at_the_first_try() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let scheme = GoZero::for_target(20_000, 0.01).unwrap();
    let (stop, recoveries) = (AtomicBool::new(false), AtomicU32::new(0));
    thread::scope(|scope| {
        for writer in 0..8 {
            let (stop, recoveries, server) = (&stop, &recoveries, &server);
            scope.spawn(move || {
                let connection = &mut server.connect();
                let filter = RemoteBitmap::open(connection, "f", scheme).unwrap();
                let mut inserted = Vec::new();
                while !stop.load(Relaxed) {
                    let from = 100_000 * writer + inserted.len() as u32;
                    let new = keys(from..from + 20);
                    let done = filter.insert_batch(connection, &new).and_then(|_| {
                        inserted.extend(new);
                        let found = filter.contains_batch(connection, &inserted)?;
                        assert!(found.iter().all(|found| *found), "a false negative");
                        Ok(())
                    });
                    match done {
                        Ok(()) => {}
                        Err(Error::FilterLost { .. }) => {
                            filter.replace(connection).unwrap();
                            recoveries.fetch_add(1, Relaxed);
                            inserted.clear();
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
        let connection = &mut server.connect();
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_secs(1));
            cmd("FLUSHALL").exec(connection).unwrap();
        }
        thread::sleep(Duration::from_millis(200));
        stop.store(true, Relaxed);
    });
    let recoveries = recoveries.load(Relaxed);
    assert!(recoveries >= 8 * 4, "{recoveries}");
}

#[test]
fn what_another_program_began_again_is_kept() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = RemoteBitmap::open(connection, "f", GoZero::new(20_000).unwrap()).unwrap();
    filter.insert(connection, "rose").unwrap();
    cmd("FLUSHALL").exec(connection).unwrap();
    // Inserts a key as a Go program does.
    let go = bouquet_redis::interop::go_zero::Scheme::new(20_000).unwrap();
    let hash = bouquet_redis::interop::go_zero::GoZeroHash::of(b"from Go");
    for location in go.locations(hash) {
        cmd("SETBIT")
            .arg("f")
            .arg(location)
            .arg(1)
            .exec(connection)
            .unwrap();
    }
    is_lost(filter.contains(connection, "rose"));
    filter.replace(connection).unwrap();
    assert!(filter.contains(connection, "from Go").unwrap());
    assert!(!filter.contains(connection, "rose").unwrap());
    // A longer string does not have the size of this scheme and must be left unchanged.
    cmd("SET")
        .arg("f")
        .arg(vec![1u8; 3_000])
        .exec(connection)
        .unwrap();
    let rejected = filter.replace(connection);
    assert!(
        matches!(rejected, Err(Error::Incompatible { .. })),
        "{rejected:?}"
    );
    assert_eq!(get(connection, "f"), Some(vec![1; 3_000]));
    // `replace` must not replace a filter that is not lost.
    cmd("DEL").arg("f").exec(connection).unwrap();
    filter.replace(connection).unwrap();
    filter.insert(connection, "rose").unwrap();
    let other = RemoteBitmap::<GoZero>::join(connection, "f").unwrap();
    filter.replace(connection).unwrap();
    assert!(other.contains(connection, "rose").unwrap());
}

#[test]
fn an_older_state_is_replaced_for_everybody() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = RemoteBitmap::open(connection, "f", Native::new(1_000, 0.01).unwrap()).unwrap();
    let dump: Vec<u8> = cmd("DUMP").arg("f").query(connection).unwrap();
    filter.insert(connection, "rose").unwrap();
    let reader = RemoteBitmap::<Native>::join(connection, "f").unwrap();
    let mut restore = cmd("RESTORE");
    restore
        .arg("f")
        .arg(0)
        .arg(dump)
        .arg("REPLACE")
        .exec(connection)
        .unwrap();
    is_lost(filter.contains(connection, "rose"));
    filter.replace(connection).unwrap();
    filter.insert(connection, "rose").unwrap();
    assert!(filter.contains(connection, "rose").unwrap());
    // The reader, which could not know about the loss, must notice it too.
    is_lost(reader.contains(connection, "rose"));
    reader.replace(connection).unwrap();
    assert!(reader.contains(connection, "rose").unwrap());
}

#[test]
fn a_draft_is_published_if_nobody_else_published_since() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::open(connection, "f", scheme.clone()).unwrap();
    let (one, two) = (
        filter.rebuild(connection, scheme.clone()).unwrap(),
        filter.rebuild(connection, scheme.clone()).unwrap(),
    );
    one.insert_batch(connection, &keys(0..100)).unwrap();
    let one = one.publish(connection).unwrap();
    let rejected = two.publish(connection);
    assert!(
        matches!(rejected, Err(Error::Exists { .. })),
        "{rejected:?}"
    );
    assert!(
        one.contains_batch(connection, &keys(0..100))
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 1);
    // A lost filter is rebuilt and appears only with all its keys; clients that had joined it
    // switch to the new one.
    cmd("DEL").arg("f").exec(connection).unwrap();
    is_lost(filter.contains(connection, "key:1"));
    let draft = filter.rebuild(connection, scheme).unwrap();
    draft.insert_batch(connection, &keys(0..100)).unwrap();
    is_lost(one.contains(connection, "key:1"));
    draft.publish(connection).unwrap();
    assert!(one.contains(connection, "key:1").unwrap());
}

#[test]
fn shards_recover_by_one_call() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let open = |connection: &mut Connection| {
        ShardedBitmap::open(connection, "s", 10_000, 0.01, 4).unwrap()
    };
    let filter = open(connection);
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    let other = open(connection);
    assert!(
        other
            .contains_batch(connection, &keys(0..500))
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let lost = filter.shard_name(2).unwrap().to_vec();
    cmd("DEL").arg(&lost).exec(connection).unwrap();
    is_lost(filter.contains_batch(connection, &keys(0..500)));
    is_lost(filter.insert_batch(connection, &keys(0..500)));
    assert!(!cmd("EXISTS").arg(&lost).query::<bool>(connection).unwrap());
    filter.replace(connection).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    is_lost(other.contains_batch(connection, &keys(0..500)));
    other.replace(connection).unwrap();
    assert!(
        other
            .contains_batch(connection, &keys(0..500))
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let rejected = ShardedBitmap::open(connection, "s", 10_000, 0.01, 5);
    assert!(
        matches!(rejected, Err(Error::Incompatible { .. })),
        "{rejected:?}"
    );
    assert!(filter.delete(connection).unwrap());
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| open(&mut server.connect()));
        }
    });
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 4);
}
