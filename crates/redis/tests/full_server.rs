//! Tests a server whose memory is full: a filter that does not fit is not created at all, and
//! queries are still answered.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{Error, GoZero, Native, RemoteBf, RemoteBitmap, Scheme, ShardedBitmap};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

/// Adds other keys until the server rejects writes.
fn fill(connection: &mut Connection) {
    for i in 0..10_000 {
        let mut set = cmd("SET");
        set.arg(format!("other {i}")).arg(vec![b'x'; 10_000]);
        if let Err(error) = set.exec(connection) {
            assert_eq!(error.code(), Some("OOM"));
            return;
        }
    }
    panic!("it is never full");
}

fn made<S: Scheme>(connection: &mut Connection, scheme: S) -> RemoteBitmap<S> {
    let filter = RemoteBitmap::create(connection, S::NAME, scheme).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    filter
}

fn is_answered<S: Scheme>(connection: &mut Connection, filter: &RemoteBitmap<S>) {
    for count in [1, 2, 500] {
        let found = filter.contains_batch(connection, &keys(0..count)).unwrap();
        assert!(found.iter().all(|found| *found));
    }
    assert!(filter.info(connection).unwrap().ones > 0);
    assert_eq!(filter.ttl(connection).unwrap(), None);
    assert!(!filter.string(connection).unwrap().is_empty());
    assert!(RemoteBitmap::<S>::join(connection, S::NAME).is_ok());
    let rejected = filter.insert(connection, "one more").unwrap_err();
    assert!(rejected.to_string().contains("OOM"), "{rejected}");
}

#[test]
fn checks_are_answered_where_writes_are_not() {
    for (name, program) in programs() {
        for policy in ["noeviction", "volatile-lru", "volatile-ttl"] {
            let args = ["--maxmemory", "20mb", "--maxmemory-policy", policy];
            let server = Server::start(&program, &args);
            let connection = &mut server.connect();
            let native = made(connection, Native::new(1_000, 0.01).unwrap());
            let go = made(connection, GoZero::for_target(1_000, 0.01).unwrap());
            fill(connection);
            eprintln!("{name} {policy}");
            is_answered(connection, &native);
            is_answered(connection, &go);
        }
    }
}

#[test]
fn what_does_not_fit_is_not_begun() {
    for (name, program) in programs() {
        for policy in ["noeviction", "volatile-lru", "allkeys-lru"] {
            let args = ["--maxmemory", "20mb", "--maxmemory-policy", policy];
            let server = Server::start(&program, &args);
            let connection = &mut server.connect();
            let large = Native::new(40_000_000, 0.01).unwrap();
            let rejected = RemoteBitmap::create(connection, "f", large.clone());
            let Err(Error::Full {
                bytes, used, max, ..
            }) = &rejected
            else {
                panic!("{name} {policy}: {rejected:?}");
            };
            assert_eq!(*max, 20 << 20);
            assert!(*bytes > *max && *used > 100_000 && *used < *max);
            let said = rejected.unwrap_err().to_string();
            assert!(said.contains("20971520 bytes. Raise that"), "{said}");
            let rejected = RemoteBitmap::open(connection, "f", large.clone());
            assert!(matches!(rejected, Err(Error::Full { .. })), "{rejected:?}");
            let small = RemoteBitmap::create(connection, "g", Native::new(1_000, 0.01).unwrap());
            let small = small.unwrap();
            let rejected = small.rebuild(connection, large);
            assert!(matches!(rejected, Err(Error::Full { .. })), "{rejected:?}");
            assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 1);
            // Other clients can still write.
            cmd("SET").arg("theirs").arg(1).exec(connection).unwrap();
            // Some shards fit and one does not: none of them may remain.
            let rejected = ShardedBitmap::create(connection, "s", 40_000_000, 0.01, 8);
            if policy != "allkeys-lru" {
                assert!(matches!(rejected, Err(Error::Full { .. })), "{rejected:?}");
                assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 2);
            }
        }
        // Memory of keys that may be evicted counts as free.
        let server = Server::start(&program, &["--maxmemory-policy", "volatile-lru"]);
        let connection = &mut server.connect();
        for i in 0..140 {
            let mut set = cmd("SET");
            set.arg(format!("brief {i}")).arg(vec![b'x'; 100_000]);
            set.arg("EX").arg(1_000).exec(connection).unwrap();
        }
        let mut limit = cmd("CONFIG");
        limit
            .arg("SET")
            .arg("maxmemory")
            .arg("20mb")
            .exec(connection)
            .unwrap();
        let scheme = Native::new(6_000_000, 0.01).unwrap();
        RemoteBitmap::create(connection, "f", scheme).unwrap();
    }
}

#[test]
fn what_does_not_fit_is_not_begun_by_the_module() {
    for (_, server) in Server::with_bloom() {
        let connection = &mut server.connect();
        let mut set = cmd("CONFIG");
        set.arg("SET")
            .arg("maxmemory")
            .arg("20mb")
            .exec(connection)
            .unwrap();
        let rejected = RemoteBf::create(connection, "f", 40_000_000, 0.01, None);
        assert!(matches!(rejected, Err(Error::Full { .. })), "{rejected:?}");
        assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
        let filter = RemoteBf::create(connection, "g", 1_000, 0.01, None).unwrap();
        filter.insert(connection, "rose").unwrap().unwrap();
        fill(connection);
        assert!(filter.contains(connection, "rose").unwrap());
        assert!(filter.info(connection).unwrap().keys > 0);
        let rejected = filter.insert(connection, "tulip").unwrap_err();
        assert!(rejected.to_string().contains("OOM"), "{rejected}");
    }
}
