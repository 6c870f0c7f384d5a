//! Filters of `BF.*` that are rebuilt while they are asked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{Error, Inserted, Lost, NotInserted, Reconnecting, RemoteBf, Retry};
use common::{Server, keys, liar::Liar, repeated::beside};
use redis::cmd;

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

#[test]
fn a_rebuild_leaves_no_gap_and_clients_follow() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = RemoteBf::create(connection, "f", 4_000, 0.01, None).unwrap();
    filter.expire(connection, Duration::from_secs(500)).unwrap();
    let members = keys(0..3_000);
    filter.insert_batch(connection, &members).unwrap();
    let (mut reader, mut writer, stale) = (filter.clone(), filter.clone(), filter.clone());
    // A process that ends in the middle: the old one is as it was, the new one expires.
    drop(filter.rebuild(connection, 9_000, 0.01, None).unwrap());
    let left: Vec<String> = cmd("KEYS").arg("*new-*").query(connection).unwrap();
    assert_eq!(left.len(), 2, "{left:?}");
    for key in &left {
        let expires: i64 = cmd("TTL").arg(key).query(connection).unwrap();
        assert!((3_500..=3_600).contains(&expires), "{key} {expires}");
    }
    let asking = &mut server.connect();
    let round = || {
        let found = reader.contains_batch(asking, &members[..300]);
        assert!(matches!(&found, Ok(found) if all(found)), "{found:?}");
    };
    beside(round, |wait_for_a_round| {
        for _ in 0..20 {
            let mut draft = filter.rebuild(connection, 9_000, 0.01, None).unwrap();
            for members in members.chunks(1_000) {
                draft.insert_batch(connection, members).unwrap();
            }
            filter = draft.publish(connection).unwrap();
            wait_for_a_round();
        }
    });
    assert_eq!(filter.info(connection).unwrap().capacity, 9_000);
    // A client that joined before and asked nothing since finds the new one.
    assert_eq!(stale.info(connection).unwrap().capacity, 9_000);
    let card = stale.card(connection).unwrap();
    assert_eq!(card, filter.card(connection).unwrap());
    assert!(stale.pull(connection).unwrap().contains(&members[0]));
    let left = filter.ttl(connection).unwrap().unwrap();
    assert!(left > Duration::from_secs(400), "{left:?}");
    // A writer of the first generation: the very call that finds out has set the key.
    let inserted = writer.insert(connection, "late").unwrap();
    assert_eq!(inserted, Ok(Inserted::Unsure));
    assert_eq!(
        writer.insert(connection, "later").unwrap(),
        Ok(Inserted::New)
    );
    assert!(all(&filter
        .contains_batch(connection, &["late", "later"])
        .unwrap()));
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 4);
}

#[test]
fn another_filter_of_the_name_is_not_followed() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = RemoteBf::create(connection, "f", 100, 0.01, None).unwrap();
    filter.insert(connection, "rose").unwrap().unwrap();
    RemoteBf::delete(connection, "f").unwrap();
    RemoteBf::create(connection, "f", 100, 0.01, None).unwrap();
    for lost in [
        filter.contains(connection, "rose").err(),
        filter.insert(connection, "tulip").err(),
    ] {
        let is_replaced = matches!(
            lost,
            Some(Error::FilterLost {
                how: Lost::Replaced,
                ..
            })
        );
        assert!(is_replaced, "{lost:?}");
    }
    // And a new one that is full says so for each key, before it is published.
    let filter = RemoteBf::join(connection, "f").unwrap();
    let mut draft = filter.rebuild(connection, 3, 0.001, None).unwrap();
    let outcomes = draft.insert_batch(connection, &keys(0..4)).unwrap();
    assert_eq!(
        outcomes[2..],
        [Err(NotInserted::Full), Err(NotInserted::NotTried)]
    );
}

#[test]
fn what_cannot_be_looked_up_is_not_called_lost() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let liar = Liar::new(server.port);
    let connection = &mut Reconnecting::new(liar.client(), Duration::from_secs(2));
    let filter = RemoteBf::create(connection, "f", 100, 0.01, None).unwrap();
    let mut draft = filter.rebuild(connection, 200, 0.01, None).unwrap();
    draft.insert_batch(connection, &["rose"]).unwrap();
    draft.publish(connection).unwrap();
    // Whether it was rebuilt or is lost is in the settings, which the server does not tell.
    let mut reader = filter.with_retry(Retry::NEVER);
    liar.say("HGETALL", b"-LOADING wait\r\n", 2);
    for failed in [
        reader.contains(connection, "rose").err(),
        reader.insert(connection, "tulip").err(),
    ] {
        assert!(matches!(failed, Some(Error::Redis { .. })), "{failed:?}");
    }
    assert!(reader.contains(connection, "rose").unwrap());
}
