//! Questions in two parts, where most keys were absent: the same answers for fewer words.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{Error, GoZero, Reconnecting, RemoteBitmap, Retry};
use common::{Server, keys, liar::Liar};
use redis::{Connection, cmd};

fn calls(connection: &mut Connection) -> u64 {
    let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    let calls = stats.split("cmdstat_bitfield_ro:calls=").nth(1);
    calls.map_or(0, |rest| rest.split(',').next().unwrap().parse().unwrap())
}

#[test]
fn two_parts_answer_as_one_does() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = GoZero::for_target(2_000, 0.05).unwrap();
    let mut filter = RemoteBitmap::create(connection, "f", scheme).unwrap();
    let (members, absent) = (keys(0..2_000), keys(2_000..8_000));
    filter.insert_batch(connection, &members).unwrap();
    let mut mixed = absent[..100].to_vec();
    for i in [0, 1, 7, 50, 99] {
        mixed[i] = members[i].clone();
    }
    for asked in [&absent[..], &mixed, &absent[..9], &members, &mixed] {
        // Who has asked nothing yet asks in one part.
        let mut fresh = RemoteBitmap::<GoZero>::join(connection, "f").unwrap();
        let mut all = Vec::new();
        for key in asked {
            all.push(fresh.contains(connection, key).unwrap());
        }
        // Twice: the first may be what tells that most are absent.
        for _ in 0..2 {
            assert_eq!(filter.contains_batch(connection, asked).unwrap(), all);
        }
    }
    // One command where most are members, two where most are not.
    filter.contains_batch(connection, &members[..20]).unwrap();
    let before = calls(connection);
    filter.contains_batch(connection, &members[..20]).unwrap();
    assert_eq!(calls(connection) - before, 1);
    filter.contains_batch(connection, &mixed).unwrap();
    let before = calls(connection);
    filter.contains_batch(connection, &mixed).unwrap();
    assert_eq!(calls(connection) - before, 2);
}

#[test]
fn a_loss_between_the_parts_is_no_answer() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let liar = Liar::new(server.port);
    let connection = &mut Reconnecting::new(liar.client(), Duration::from_secs(5));
    let mut mixed = keys(1_000..1_020);
    mixed[3] = keys(0..1).remove(0);
    for is_rebuilt in [false, true] {
        let name = format!("f{is_rebuilt}");
        let scheme = GoZero::for_target(1_000, 0.01).unwrap();
        let filter = RemoteBitmap::create(connection, &name, scheme).unwrap();
        let mut filter = filter.with_retry(Retry::NEVER);
        filter.insert_batch(connection, &keys(0..1_000)).unwrap();
        let found = filter.contains_batch(connection, &mixed).unwrap();
        assert!(found[3]);
        // The first part is answered, and then it happens.
        let (other, of_other) = (server.client(), filter.clone());
        let between = move |reply| {
            let connection = &mut other.get_connection().unwrap();
            if is_rebuilt {
                let scheme = GoZero::for_target(3_000, 0.01).unwrap();
                let mut draft = of_other.rebuild(connection, scheme).unwrap();
                draft.insert_batch(connection, &keys(0..1_000)).unwrap();
                draft.publish(connection).unwrap();
            } else {
                cmd("DEL").arg(of_other.name()).exec(connection).unwrap();
            }
            reply
        };
        liar.edit("BITFIELD_RO", between, 1);
        let answer = filter.contains_batch(connection, &mixed);
        if is_rebuilt {
            assert!(answer.unwrap()[3], "a false negative");
            // Both parts of the old one, then of the new one.
            assert_eq!(liar.count(), 4);
        } else {
            assert!(
                matches!(answer, Err(Error::FilterLost { .. })),
                "{answer:?}"
            );
            assert_eq!(liar.count(), 2);
        }
    }
}
