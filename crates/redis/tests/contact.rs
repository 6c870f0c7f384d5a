//! Tests the errors that a new user may meet: a server that does not exist, is slow or lacks a
//! command, and the text of each error.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{net::TcpListener, time::Duration};

use bouquet_redis::{Error, GoZero, Native, Reconnecting, RemoteBitmap, Retry, connect};
use common::{Server, fetched, keys, redis};
use redis::{Client, cmd};

#[test]
fn no_server_is_named_with_its_address() {
    let port = common::free_port();
    let said = connect(format!("redis://:secret@127.0.0.1:{port}/"))
        .unwrap_err()
        .to_string();
    assert!(
        said.contains(&format!("no server answers at 127.0.0.1:{port}")),
        "{said}"
    );
    assert!(!said.contains("secret"), "{said}");
    // The server ends while it is used.
    let Some(mut server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut connect(server.url()).unwrap();
    let filter = RemoteBitmap::open(connection, "f", GoZero::new(1_000).unwrap()).unwrap();
    let filter = filter.with_retry(Retry::NEVER);
    server.kill();
    filter.contains(connection, "rose").unwrap_err();
    let said = filter.contains(connection, "rose").unwrap_err().to_string();
    assert!(
        said.contains(&format!("127.0.0.1:{}", server.port)),
        "{said}"
    );
}

#[test]
fn a_server_that_does_not_answer_in_time_is_named_so() {
    // A server that accepts connections and never replies.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", silent.local_addr().unwrap());
    let client = Client::open(url).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_millis(400));
    let error = RemoteBitmap::<Native>::join(connection, "f").unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("timed out after 2") && said.contains(" s "),
        "{said}"
    );
    // The text that is shown if `main` returns this error.
    assert_eq!(format!("{error:?}"), said);
}

#[test]
fn a_password_may_have_any_character() {
    let Some(server) = Server::redis(&["--requirepass", "p@ss:w/rd"]) else {
        return;
    };
    let url = |user: &str| format!("redis://{user}@127.0.0.1:{}/", server.port);
    let connection = &mut connect(url(":p%40ss%3Aw%2Frd")).unwrap();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::open(connection, "f", scheme).unwrap();
    filter.insert(connection, "rose").unwrap();
    let said = connect(url(":wrong")).unwrap_err().to_string();
    assert!(
        !said.contains("wrong@") && said.contains("assword"),
        "{said}"
    );
}

/// If the server lacks a command, queries still work, and inserts return an error that says what to
/// enable.
#[test]
fn servers_that_lack_a_command_say_so() {
    let Some(whole) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut whole.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    filter.insert_batch(connection, &keys(0..100)).unwrap();
    let string: Vec<u8> = cmd("GET").arg("f").query(connection).unwrap();
    for lacks in ["EVAL", "MULTI", "RENAME", "BITFIELD"] {
        let server = Server::redis(&["--rename-command", lacks, ""]).unwrap();
        let connection = &mut server.connect();
        let created = RemoteBitmap::create(connection, "g", scheme.clone());
        match created {
            Ok(_) => assert_ne!(lacks, "EVAL"),
            Err(Error::Unsupported { .. }) => assert_eq!(lacks, "EVAL"),
            Err(error) => panic!("{error}"),
        }
        cmd("SET").arg("f").arg(&string).exec(connection).unwrap();
        let joined = RemoteBitmap::<Native>::join(connection, "f").unwrap();
        for count in [1, 100] {
            let found = joined.contains_batch(connection, &keys(0..count)).unwrap();
            assert!(found.iter().all(|found| *found), "{lacks}");
        }
        let rejected = joined.insert_batch(connection, &keys(0..100)).unwrap_err();
        assert!(
            matches!(rejected, Error::Unsupported { .. }),
            "{lacks}: {rejected}"
        );
        let said = rejected.to_string();
        assert!(said.contains(lacks) && said.contains("Enable it"), "{said}");
        let after: Vec<u8> = cmd("GET").arg("f").query(connection).unwrap();
        assert_eq!(after, string, "{lacks}");
    }
}

/// Tests all server versions that are still in use.
#[test]
fn every_server_is_served() {
    let mut programs: Vec<_> = common::programs();
    programs.extend(fetched("redis-6").map(|program| ("redis-6", program)));
    assert!(!programs.is_empty() || redis().is_none());
    for (name, program) in programs {
        let server = Server::start(&program, &[]);
        let connection = &mut connect(server.url()).unwrap();
        let scheme = Native::new(2_000, 0.01).unwrap();
        let filter = RemoteBitmap::open(connection, "f", scheme.clone()).unwrap();
        filter.insert_batch(connection, &keys(0..1_000)).unwrap();
        let found = filter.contains_batch(connection, &keys(0..1_000)).unwrap();
        assert!(found.iter().all(|found| *found), "{name}");
        filter.expire(connection, Duration::from_secs(100)).unwrap();
        assert!(filter.ttl(connection).unwrap().is_some());
        let draft = filter.rebuild(connection, scheme).unwrap();
        draft.insert_batch(connection, &keys(0..1_000)).unwrap();
        let rebuilt = draft.publish(connection).unwrap();
        assert!(filter.contains(connection, "key:1").unwrap(), "{name}");
        cmd("FLUSHALL").exec(connection).unwrap();
        assert!(rebuilt.insert(connection, "key").is_err(), "{name}");
        assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
        rebuilt.replace(connection).unwrap();
        rebuilt.insert(connection, "key").unwrap();
        assert!(rebuilt.delete(connection).unwrap());
    }
}

#[test]
fn a_key_may_be_as_large_as_a_string() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut connect(server.url()).unwrap();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::open(connection, "f", scheme).unwrap();
    let large = vec![7u8; 512 << 20];
    filter.insert(connection, &large).unwrap();
    assert!(filter.contains(connection, &large).unwrap());
    assert!(!filter.contains(connection, &large[1..]).unwrap());
}
