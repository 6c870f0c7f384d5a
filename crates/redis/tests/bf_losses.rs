//! Tests that a `BF.*` filter that was lost without the client's knowledge leads to an error, never
//! to an answer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{Error, Lost, RemoteBf};
use common::{Server, filter::how, keys};
use redis::{Connection, cmd};

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

fn dump(connection: &mut Connection) -> Option<Vec<u8>> {
    cmd("DUMP").arg("f").query(connection).unwrap()
}

#[test]
fn a_lost_filter_is_not_an_answer() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let losses: [fn(&mut Connection); 5] = [
        |connection| cmd("DEL").arg("f").exec(connection).unwrap(),
        |connection| cmd("FLUSHALL").exec(connection).unwrap(),
        |connection| {
            cmd("PEXPIRE").arg("f").arg(1).exec(connection).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        },
        |connection| {
            cmd("SET")
                .arg("f")
                .arg("of another type")
                .exec(connection)
                .unwrap();
        },
        |connection| {
            let there = RemoteBf::join(connection, "f").unwrap();
            assert!(there.delete(connection).unwrap());
            RemoteBf::create(connection, "f", 1_000, 0.01, Some(2)).unwrap();
        },
    ];
    for (i, loss) in losses.into_iter().enumerate() {
        for add_first in [false, true] {
            cmd("FLUSHALL").exec(connection).unwrap();
            let filter = RemoteBf::create(connection, "f", 1_000, 0.01, Some(2)).unwrap();
            filter.insert_batch(connection, &keys(0..100)).unwrap();
            loss(connection);
            let is_lost = |error: Option<Error>| {
                assert!(
                    matches!(error, Some(Error::FilterLost { .. })),
                    "{i}: {error:?}"
                );
            };
            if add_first {
                let before = dump(connection);
                is_lost(filter.insert_batch(connection, &keys(0..10)).err());
                is_lost(filter.insert_batch(connection, &keys(0..10)).err());
                assert_eq!(dump(connection), before, "{i}: it was written");
            }
            is_lost(filter.contains_batch(connection, &keys(0..100)).err());
            is_lost(filter.contains(connection, "key:1").err());
            is_lost(filter.info(connection).err());
            is_lost(filter.pull(connection).err());
        }
    }
    // An older dump is restored; a client that has inserted a key since notices it.
    cmd("FLUSHALL").exec(connection).unwrap();
    let filter = RemoteBf::create(connection, "f", 1_000, 0.01, Some(2)).unwrap();
    filter.insert_batch(connection, &keys(0..100)).unwrap();
    let dump = dump(connection).unwrap();
    let mut restore = cmd("RESTORE");
    restore.arg("f").arg(0).arg(dump).arg("REPLACE");
    restore.exec(connection).unwrap();
    assert!(filter.contains(connection, "key:1").unwrap());
    filter.insert(connection, "since").unwrap().unwrap();
    restore.exec(connection).unwrap();
    let lost = how(filter.contains(connection, "since"));
    assert_eq!(lost, Lost::RolledBack);
    let lost = how(filter.insert(connection, "more"));
    assert_eq!(lost, Lost::RolledBack);
}

#[test]
fn losses_during_batches_are_never_answers() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let filter = RemoteBf::create(connection, "f", 3_000, 0.01, Some(2)).unwrap();
    let members = keys(0..2_000);
    filter.insert_batch(connection, &members).unwrap();
    let dump = dump(connection).unwrap();
    let stop = AtomicBool::new(false);
    let (mut answers, mut losses, mut wrong) = (0, 0, None);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let other = &mut server.connect();
            while !stop.load(Relaxed) {
                cmd("DEL").arg("f").exec(other).unwrap();
                cmd("SET").arg("f").arg("x").exec(other).unwrap();
                let mut restore = cmd("RESTORE");
                restore.arg("f").arg(0).arg(&dump).arg("REPLACE");
                restore.exec(other).unwrap();
                cmd("PEXPIRE").arg("f").arg(1).exec(other).unwrap();
                std::thread::sleep(Duration::from_millis(2));
                restore.exec(other).unwrap();
                cmd("FLUSHALL").exec(other).unwrap();
                restore.exec(other).unwrap();
            }
        });
        for round in 0..2_000 {
            let members = &members[..[1, 30, 2_000][round % 3]];
            match filter.contains_batch(connection, members) {
                Ok(found) if all(&found) => answers += 1,
                Err(Error::FilterLost { .. }) => losses += 1,
                other => {
                    wrong = Some(other);
                    break;
                }
            }
        }
        stop.store(true, Relaxed);
    });
    assert!(wrong.is_none(), "{wrong:?}");
    assert!(
        answers > 20 && losses > 20,
        "{answers} answers, {losses} losses"
    );
}

#[test]
fn another_filter_that_has_a_key_of_ours_by_chance_is_not_ours() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    for round in 0..100 {
        cmd("FLUSHALL").exec(connection).unwrap();
        let filter = RemoteBf::create(connection, "f", 1_000, 0.05, None).unwrap();
        cmd("FLUSHALL").exec(connection).unwrap();
        let other = RemoteBf::create(connection, "f", 1_000, 0.05, None).unwrap();
        let theirs = keys(1_000 * round..1_000 * (round + 1));
        other.insert_batch(connection, &theirs).unwrap();
        let asked = filter.contains(connection, "rose");
        assert!(matches!(asked, Err(Error::FilterLost { .. })), "{asked:?}");
    }
}
