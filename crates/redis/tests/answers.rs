//! Tests the answers of real servers for every scheme, protocol and batch size.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{GoZero, Inserted, Native, Redisson, RemoteBitmap, Scheme};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

/// Asserts that members are found, that other keys are false positives at about the target FPR, and
/// that inserts report which keys were new.
fn answers<S: Scheme>(connection: &mut Connection, scheme: S) {
    let name = format!("answers {}", S::NAME);
    let filter = RemoteBitmap::create(connection, &name, scheme).unwrap();
    let (members, others) = (keys(0..2_000), keys(2_000..6_000));
    assert!(
        filter
            .contains_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    assert!(
        filter
            .insert_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    let inserted = filter.insert_batch(connection, &members).unwrap();
    let new = inserted.iter().filter(|new| **new == Inserted::New).count();
    assert!(
        inserted.len() == 2_000 && new > 1_970,
        "{new} of 2,000 were new"
    );
    for key in &members[..5] {
        let again = filter.insert(connection, key).unwrap();
        assert_eq!(again, Inserted::MayHaveBeenPresent);
        assert!(filter.contains(connection, key).unwrap());
    }
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    // The answers must be the same for single queries, pairs and one batch.
    let at_once = filter.contains_batch(connection, &others).unwrap();
    let one_by_one: Vec<bool> = others
        .iter()
        .map(|key| filter.contains(connection, key).unwrap())
        .collect();
    assert_eq!(at_once, one_by_one);
    let false_positives = at_once.iter().filter(|found| **found).count();
    assert!(
        (5..=100).contains(&false_positives),
        "{false_positives} of 4,000 at 1 %"
    );
    // Another client must get the same answers.
    let other = RemoteBitmap::<S>::join(connection, &name).unwrap();
    assert_eq!(other.contains_batch(connection, &others).unwrap(), at_once);
    let info = filter.info(connection).unwrap();
    assert!(
        (info.estimated_keys() / 2_000.0 - 1.0).abs() < 0.05,
        "{info:?}"
    );
    assert!(info.ttl.is_none());
}

#[test]
fn every_scheme_answers_on_every_server() {
    for (name, program) in programs() {
        let server = Server::start(&program, &[]);
        let connection = &mut server.connect();
        answers(connection, GoZero::for_target(2_000, 0.01).unwrap());
        answers(connection, Redisson::new(2_000, 0.01).unwrap());
        answers(connection, Native::new(2_000, 0.01).unwrap());
        eprintln!("{name}: all schemes");
    }
}

#[test]
fn old_and_new_protocol_agree() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let url = format!("{}/?protocol=resp3", server.url());
    let connection = &mut redis::Client::open(url).unwrap().get_connection().unwrap();
    answers(connection, Native::new(2_000, 0.01).unwrap());
    answers(connection, GoZero::for_target(2_000, 0.01).unwrap());
}

#[test]
fn the_largest_string_is_made_in_one_step_and_queried_to_its_end() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = GoZero::new((1 << 32) - (1 << 15)).unwrap();
    let filter = RemoteBitmap::create(connection, "large", scheme).unwrap();
    let length: u64 = cmd("STRLEN").arg("large").query(connection).unwrap();
    // The settings follow the bits.
    assert!(
        length > (512 << 20) - 4096 && length <= 512 << 20,
        "{length}"
    );
    let members = keys(0..1_000);
    filter.insert_batch(connection, &members).unwrap();
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let calls: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    assert!(calls.contains("cmdstat_setrange:calls=1,"), "{calls}");
}

#[test]
fn a_million_keys_are_one_batch() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "batch", scheme).unwrap();
    let members: Vec<u64> = (0..1_000_000).collect();
    let inserted = filter.insert_batch(connection, &members).unwrap();
    assert_eq!(inserted.len(), members.len());
    let found = filter.contains_batch(connection, &members).unwrap();
    assert!(found.len() == members.len() && found.iter().all(|found| *found));
}
