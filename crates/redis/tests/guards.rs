//! Shows that after the same faults clients without this crate's guards get `false` for members. If
//! they did not, the faults of the other tests would prove nothing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{thread::sleep, time::Duration};

use bouquet_interop::go_zero::{GoZeroHash, Scheme as Locations};
use bouquet_redis::{Error, GoZero, Native, RemoteBf, RemoteBitmap, TieredFilter};
use common::{Server, keys};
use redis::{Connection, RedisResult, cmd, pipe};

const SIZE_BITS: u64 = 50_000;

/// Queries a key in the way that go-zero's own client does.
fn naive(connection: &mut Connection, key: &str) -> bool {
    let mut all = pipe();
    let scheme = Locations::new(SIZE_BITS).unwrap();
    for location in scheme.locations(GoZeroHash::of(key.as_bytes())) {
        all.cmd("GETBIT").arg("f").arg(location);
    }
    let bits: Vec<bool> = all.query(connection).unwrap();
    bits.into_iter().all(|bit| bit)
}

fn naive_bf(connection: &mut Connection, key: &str) -> bool {
    let mut exists = cmd("BF.EXISTS");
    exists.arg("f").arg(key).query(connection).unwrap()
}

type Loss = fn(&mut Connection);

const LOSSES: [Loss; 3] = [
    |connection| cmd("DEL").arg("f").exec(connection).unwrap(),
    |connection| cmd("FLUSHALL").exec(connection).unwrap(),
    |connection| {
        cmd("PEXPIRE").arg("f").arg(1).exec(connection).unwrap();
        sleep(Duration::from_millis(5));
    },
];

/// Restores the state from before the last insert.
fn roll_back(connection: &mut Connection, dump: &[u8]) {
    let mut restore = cmd("RESTORE");
    restore.arg("f").arg(0).arg(dump).arg("REPLACE");
    restore.exec(connection).unwrap();
}

fn dump(connection: &mut Connection) -> Vec<u8> {
    cmd("DUMP").arg("f").query(connection).unwrap()
}

#[test]
fn others_get_false_negatives_of_a_lost_bitmap() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let made = |connection: &mut Connection| {
        cmd("FLUSHALL").exec(connection).unwrap();
        let scheme = GoZero::new(SIZE_BITS).unwrap();
        let filter = RemoteBitmap::create(connection, "f", scheme).unwrap();
        filter.insert(connection, "rose").unwrap();
        filter
    };
    for loss in LOSSES {
        let filter = made(connection);
        assert!(naive(connection, "rose"));
        loss(connection);
        assert!(!naive(connection, "rose"), "this is no fault");
        let lost = filter.contains(connection, "rose");
        assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    }
    let filter = made(connection);
    let older = dump(connection);
    filter.insert(connection, "tulip").unwrap();
    roll_back(connection, &older);
    assert!(!naive(connection, "tulip"), "this is no fault");
    let lost = filter.contains(connection, "tulip");
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
}

#[test]
fn others_get_false_negatives_of_a_lost_filter_of_the_module() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let made = |connection: &mut Connection| {
        cmd("FLUSHALL").exec(connection).unwrap();
        let filter = RemoteBf::create(connection, "f", 100, 0.001, None).unwrap();
        filter.insert(connection, "rose").unwrap().unwrap();
        filter
    };
    let of_other_type: Loss = |connection| {
        cmd("SET").arg("f").arg("x").exec(connection).unwrap();
    };
    for loss in LOSSES.into_iter().chain([of_other_type]) {
        let filter = made(connection);
        assert!(naive_bf(connection, "rose"));
        loss(connection);
        assert!(!naive_bf(connection, "rose"), "this is no fault");
        let lost = filter.contains(connection, "rose");
        assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    }
    let filter = made(connection);
    let older = dump(connection);
    filter.insert(connection, "tulip").unwrap().unwrap();
    roll_back(connection, &older);
    assert!(!naive_bf(connection, "tulip"), "this is no fault");
    let lost = filter.contains(connection, "tulip");
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    // The client library's own decoding loses the results of the keys before one that failed.
    let filter = RemoteBf::create(connection, "full", 4, 0.001, None).unwrap();
    let mut add = cmd("BF.MADD");
    add.arg("full").arg(keys(0..6));
    let decoded: RedisResult<Vec<bool>> = add.query(connection);
    assert!(decoded.is_err(), "{decoded:?}");
    let outcomes = filter.insert_batch(connection, &keys(0..6)).unwrap();
    assert!(outcomes[..4].iter().all(Result::is_ok), "{outcomes:?}");
    assert!(outcomes[4].is_err());
}

#[test]
fn a_filter_of_the_module_that_was_evicted_is_lost() {
    let Some(server) = Server::with_bloom().into_iter().next() else {
        return;
    };
    let connection = &mut server.1.connect();
    let filter = RemoteBf::create(connection, "f", 100_000, 0.01, Some(2)).unwrap();
    let members = keys(0..1_000);
    filter.insert_batch(connection, &members).unwrap();
    let mut set = cmd("CONFIG");
    set.arg("SET").arg("maxmemory").arg("30mb");
    set.arg("maxmemory-policy").arg("allkeys-lru");
    set.exec(connection).unwrap();
    // The server evicts the least recently used of a few random keys, so the number of keys that it
    // evicts is random.
    for i in 0..40_000 {
        let value = vec![b'x'; 200_000];
        let mut set = cmd("SET");
        set.arg(format!("other {i}")).arg(value);
        set.exec(connection).unwrap();
        if !cmd("EXISTS").arg("f").query::<bool>(connection).unwrap() {
            break;
        }
    }
    assert!(!naive_bf(connection, &members[0]), "it was not evicted");
    let lost = filter.contains_batch(connection, &members);
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
}

#[test]
fn a_copy_that_is_asked_before_inserting_swallows_keys() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(500, 0.01).unwrap();
    let remote = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let joined = RemoteBitmap::<Native>::join(connection, "f").unwrap();
    let tiered = TieredFilter::new(joined, 1 << 30).unwrap();
    tiered.insert_batch(connection, &keys(0..2_000)).unwrap();
    let mut known = keys(500_000..500_300);
    known.retain(|key| tiered.contains(connection, key).unwrap());
    let asked = tiered.server_checks();
    // Another client rebuilds the filter without these keys, so the copy now has false positives.
    let draft = remote.rebuild(connection, scheme).unwrap();
    draft.publish(connection).unwrap();
    // This imitates a client that does not insert a key that the copy reports as present.
    for key in &known {
        assert!(tiered.contains(connection, key).unwrap());
    }
    assert_eq!(tiered.server_checks(), asked);
    known.retain(|key| !remote.contains(connection, key).unwrap());
    assert!(known.len() > 10, "{} keys: this is no trap", known.len());
    for key in &known {
        tiered.insert(connection, key).unwrap();
        assert!(remote.contains(connection, key).unwrap());
    }
}
