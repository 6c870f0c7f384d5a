//! Tests that the settings are stored with the bits: an operation on a filter's Redis key affects
//! the whole filter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{
    Error, GoZero, Lost, Native, RedisBloom, Redisson, RemoteBitmap, Scheme, Trust,
};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

const HOUR: Duration = Duration::from_secs(3_600);

fn made<S: Scheme>(connection: &mut Connection, name: &str, scheme: S) -> RemoteBitmap<S> {
    let filter = RemoteBitmap::create(connection, name, scheme).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    filter
}

fn has_all<S: Scheme>(connection: &mut Connection, name: &str) {
    let joined = RemoteBitmap::<S>::join(connection, name).unwrap();
    let found = joined.contains_batch(connection, &keys(0..500)).unwrap();
    assert!(found.iter().all(|found| *found), "{name}");
    assert!(joined.info(connection).unwrap().ones > 0);
}

fn is_moved<S: Scheme>(connection: &mut Connection, scheme: S, has: u64) {
    cmd("FLUSHALL").exec(connection).unwrap();
    made(connection, "f", scheme);
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), has);
    let dump: Vec<u8> = cmd("DUMP").arg("f").query(connection).unwrap();
    cmd("COPY").arg("f").arg("copied").exec(connection).unwrap();
    let mut restore = cmd("RESTORE");
    restore
        .arg("restored")
        .arg(0)
        .arg(dump)
        .exec(connection)
        .unwrap();
    cmd("RENAME")
        .arg("f")
        .arg("renamed")
        .exec(connection)
        .unwrap();
    for name in ["copied", "restored", "renamed"] {
        has_all::<S>(connection, name);
    }
    let gone = RemoteBitmap::<S>::join(connection, "f");
    assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
}

#[test]
fn a_filter_is_one_key_on_every_server() {
    for (_, program) in programs() {
        let server = Server::start(&program, &[]);
        let connection = &mut server.connect();
        is_moved(connection, Native::new(1_000, 0.01).unwrap(), 1);
        is_moved(connection, GoZero::for_target(1_000, 0.01).unwrap(), 1);
        // Redisson stores settings of its own in a key beside its string.
        is_moved(connection, Redisson::new(1_000, 0.01).unwrap(), 2);
        let empty = bouquet_redis::interop::RedisBloom::reserve(0.01, 1_000, None).unwrap();
        is_moved(connection, RedisBloom::of(&empty).unwrap(), 1);
    }
}

#[test]
fn eviction_takes_all_of_a_filter_or_nothing() {
    let args = ["--maxmemory", "30mb", "--maxmemory-policy", "allkeys-lru"];
    for round in 0..3 {
        let Some(server) = Server::redis(&args) else {
            return;
        };
        let connection = &mut server.connect();
        let filter = made(connection, "f", Native::new(500_000, 0.01).unwrap());
        let mut answers = 0;
        for i in 0..4_000 {
            let mut set = cmd("SET");
            set.arg(format!("other {round} {i}"))
                .arg(vec![b'x'; 100_000]);
            set.exec(connection).unwrap();
            // The filter is the most frequently used key of the server.
            let found = filter.contains_batch(connection, &keys(0..100));
            let whole = (
                filter.ttl(connection),
                filter.info(connection).map(|info| info.ones),
            );
            match (found, whole) {
                (Ok(found), (Ok(None), Ok(_))) => {
                    assert!(found.iter().all(|found| *found), "a false negative");
                    answers += 1;
                }
                // The filter was evicted nevertheless, before these commands or between two of
                // them.
                (
                    _,
                    (
                        _,
                        Err(Error::FilterLost {
                            how: Lost::Gone, ..
                        }),
                    ),
                ) => break,
                other => panic!("{other:?}"),
            }
        }
        // The server's memory cannot be full before this number of answers.
        assert!(answers > 100, "{answers}");
        if filter.contains(connection, "key:1").is_ok() {
            filter.expire(connection, HOUR).unwrap();
            assert!(filter.ttl(connection).unwrap().is_some());
        }
    }
}

#[test]
fn a_string_that_was_changed_is_no_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = made(connection, "f", scheme.clone());
    let whole: Vec<u8> = cmd("GET").arg("f").query(connection).unwrap();
    let mut put = |bytes: &[u8]| {
        cmd("SET")
            .arg("f")
            .arg(bytes)
            .exec(&mut server.connect())
            .unwrap();
        let opened = RemoteBitmap::open(connection, "f", scheme.clone());
        opened.unwrap_err().to_string()
    };
    let said = put(&whole[..whole.len() - 1]);
    assert!(said.contains("has no settings"), "{said}");
    let said = put(&[&whole[..], b"\0"].concat());
    assert!(said.contains("has no settings"), "{said}");
    let said = put(&whole[1..]);
    assert!(said.contains("settings are those of"), "{said}");
    // The settings have an unknown version and a correct checksum.
    let mut newer = whole.clone();
    let end = newer.len();
    newer[end - 21] = 2;
    let begin = end - 8 - 8 - 4 - 2 - 128 - 24;
    let sum = bouquet_format::checksum(&newer[begin..end - 16]);
    newer[end - 16..end - 8].copy_from_slice(&sum.to_le_bytes());
    let said = put(&newer);
    assert!(
        said.contains("(version 1) requested") && said.contains("(version 2)"),
        "{said}"
    );
    // A client that joined before must not get a false negative from any of these strings.
    let asked = filter.contains_batch(connection, &keys(0..500));
    assert!(!asked.is_ok_and(|found| found.contains(&false)));
    cmd("SET").arg("f").arg(whole).exec(connection).unwrap();
    has_all::<Native>(connection, "f");
}

#[test]
fn a_string_that_nobody_vouches_for_is_not_adopted() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = GoZero::for_target(1_000, 0.01).unwrap();
    made(connection, "f", scheme);
    // The filter is lost, and the other program starts it again.
    cmd("FLUSHALL").exec(connection).unwrap();
    cmd("SETBIT")
        .arg("f")
        .arg(7)
        .arg(1)
        .exec(connection)
        .unwrap();
    for fresh in [
        RemoteBitmap::<GoZero>::join(connection, "f"),
        RemoteBitmap::open(connection, "f", scheme),
    ] {
        let said = fresh.unwrap_err().to_string();
        assert!(
            said.contains("only if you know that it has all its keys"),
            "{said}"
        );
    }
    // A caller who declares that the string contains all its keys can adopt it.
    let filter = RemoteBitmap::adopt(connection, "f", scheme, Trust::HasAllItsKeys).unwrap();
    assert!(!filter.contains(connection, "key:1").unwrap());
}
