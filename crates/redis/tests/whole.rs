//! Tests operations on a whole filter: create, expire, delete and rebuild.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{Error, GoZero, Info, Lost, Native, Redisson, RemoteBitmap};
use common::{Server, keys, repeated::beside};
use redis::cmd;

#[test]
fn string_and_settings_expire_and_are_deleted_together() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Redisson::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "brief", scheme).unwrap();
    assert_eq!(filter.ttl(connection).unwrap(), None);
    filter.expire(connection, Duration::from_secs(100)).unwrap();
    for key in ["brief", "{brief}:config"] {
        let left: i64 = cmd("TTL").arg(key).query(connection).unwrap();
        assert!((98..=100).contains(&left), "{key} {left}");
    }
    assert!(filter.ttl(connection).unwrap().unwrap() > Duration::from_secs(98));
    // The string does not exist any more, so the call must not succeed.
    cmd("DEL").arg("brief").exec(connection).unwrap();
    let lost = filter.expire(connection, Duration::from_secs(1));
    assert!(
        matches!(
            lost,
            Err(Error::FilterLost {
                how: Lost::Gone,
                ..
            })
        ),
        "{lost:?}"
    );
    assert!(matches!(
        filter.ttl(connection),
        Err(Error::FilterLost { .. })
    ));
    assert!(!filter.delete(connection).unwrap());
    filter.replace(connection).unwrap();
    assert!(filter.delete(connection).unwrap());
    assert!(!filter.delete(connection).unwrap());
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
}

#[test]
fn what_is_too_large_is_rejected_and_nothing_is_left() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let created = RemoteBitmap::create(
        connection,
        "x",
        GoZero::new((1 << 32) - (1 << 15) + 1).unwrap(),
    );
    let error = created.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("spread them over several by a ShardedBitmap"),
        "{error}"
    );
    let created = RemoteBitmap::create(connection, "x", GoZero::new(100).unwrap());
    assert!(
        matches!(created, Err(Error::TooSmall { .. })),
        "{created:?}"
    );
    for name in [&b""[..], b"a}b", &[b'x'; 5_000], &vec![b'x'; 512 << 20]] {
        let created = RemoteBitmap::create(connection, name, GoZero::new(1_000).unwrap());
        assert!(matches!(created, Err(Error::BadName { .. })));
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
    for name in [&b"a b"[..], b"a\nb", b"a\0b", b"{a", b"x{a}y", b"\xff"] {
        let filter = RemoteBitmap::create(connection, name, GoZero::new(1_000).unwrap()).unwrap();
        filter.insert(connection, "key").unwrap();
        assert!(
            RemoteBitmap::<GoZero>::join(connection, name)
                .unwrap()
                .contains(connection, "key")
                .unwrap()
        );
        assert!(filter.delete(connection).unwrap());
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
}

#[test]
fn a_rebuild_leaves_no_gap() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let small = Native::new(1_000, 0.01).unwrap();
    let mut filter = RemoteBitmap::create(connection, "grow", small).unwrap();
    filter.expire(connection, Duration::from_secs(500)).unwrap();
    let members = keys(0..4_000);
    filter.insert_batch(connection, &members).unwrap();
    assert!(filter.info(connection).unwrap().is_full());
    let join = |()| RemoteBitmap::<Native>::join(connection, "grow").unwrap();
    let [reader, writer, stale] = [(); 3].map(join);
    let larger = Native::new(8_000, 0.01).unwrap();
    // A process dies during a rebuild: its draft expires and is never read.
    let dead = filter.rebuild(connection, larger.clone()).unwrap();
    drop(dead);
    let left: Vec<String> = cmd("KEYS").arg("*new-*").query(connection).unwrap();
    assert_eq!(left.len(), 1, "{left:?}");
    for key in &left {
        let expires: i64 = cmd("TTL").arg(key).query(connection).unwrap();
        assert!((3_500..=3_600).contains(&expires), "{key} {expires}");
    }
    assert!(
        reader
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    // This rebuild is published while a reader queries all the time.
    let asking = &mut server.connect();
    let round = || {
        let found = reader.contains_batch(asking, &members[..300]).unwrap();
        assert!(found.iter().all(|found| *found));
    };
    beside(round, |wait_for_a_round| {
        for _ in 0..5 {
            let draft = filter.rebuild(connection, larger.clone()).unwrap();
            for members in members.chunks(500) {
                draft.insert_batch(connection, members).unwrap();
            }
            filter = draft.publish(connection).unwrap();
            wait_for_a_round();
        }
    });
    assert_eq!(reader.scheme(), larger);
    assert!(!filter.info(connection).unwrap().is_full());
    assert!(filter.ttl(connection).unwrap().unwrap() > Duration::from_secs(400));
    // A client that joined before the rebuild and has not queried since finds the new filter. The
    // remaining time to live is not compared, because it changes.
    let contents = |info: Info| (info.size_bits, info.hashes, info.ones, info.estimated_fpr);
    assert_eq!(
        contents(stale.info(connection).unwrap()),
        contents(filter.info(connection).unwrap())
    );
    assert!(stale.ttl(connection).unwrap().unwrap() > Duration::from_secs(400));
    let dumped = stale.dump(connection).unwrap();
    assert_eq!(dumped, filter.dump(connection).unwrap());
    stale.expire(connection, Duration::from_secs(450)).unwrap();
    // A writer that joined before the rebuild finds the new filter as well.
    writer.insert(connection, "late").unwrap();
    assert!(filter.contains(connection, "late").unwrap());
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let strings: Vec<String> = cmd("KEYS").arg("*old*").query(connection).unwrap();
    assert!(strings.is_empty(), "{strings:?}");
}

#[test]
fn the_reported_rate_is_the_measured_one() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    fn reported<S: bouquet_redis::Scheme>(connection: &mut redis::Connection, scheme: S) {
        let filter = RemoteBitmap::create(connection, S::NAME, scheme).unwrap();
        filter.insert_batch(connection, &keys(0..5_000)).unwrap();
        let found = filter.contains_batch(connection, &keys(5_000..105_000));
        let found = found.unwrap().iter().filter(|found| **found).count();
        let reported = filter.info(connection).unwrap().estimated_fpr;
        // The tolerance is 4 to 5 standard deviations of the count, plus the variation of the
        // filter itself.
        let seen = found as f64 / 100_000.0;
        assert!(
            (reported / seen - 1.0).abs() < 0.25,
            "{}: {reported} {seen}",
            S::NAME
        );
    }
    reported(connection, Native::new(5_000, 0.01).unwrap());
    reported(connection, GoZero::for_target(5_000, 0.01).unwrap());
    reported(connection, Redisson::new(5_000, 0.01).unwrap());
}
