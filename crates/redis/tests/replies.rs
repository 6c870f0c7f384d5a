//! Tests that replies of the server that are not answers are never taken for answers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    thread,
    time::{Duration, Instant},
};

use bouquet_redis::{
    Error, GoZero, Lost, Native, Reconnecting, RemoteBitmap, Retry, ShardedBitmap, Trust,
};
use common::{
    Server,
    filter::{COUNTS, Filter, each_scheme, how, made},
};
use redis::{Connection, cmd};

#[test]
fn a_server_without_the_command_is_an_error() {
    let Some(whole) = Server::redis(&[]) else {
        return;
    };
    let filter = made(&mut whole.connect(), "x", GoZero::new(9_000).unwrap());
    let dump = |connection: &mut Connection| -> Vec<u8> {
        cmd("DUMP").arg("x").query(connection).unwrap()
    };
    let there = dump(&mut whole.connect());
    for without in ["BITFIELD", "EVAL", "RENAME"] {
        let server = Server::redis(&["--rename-command", without, ""]).unwrap();
        let connection = &mut server.connect();
        if without == "EVAL" {
            let created = RemoteBitmap::create(connection, "x", GoZero::new(1_000).unwrap());
            assert!(
                matches!(created, Err(Error::Unsupported { command, .. }) if command.contains(without))
            );
        }
        let mut restore = cmd("RESTORE");
        restore.arg("x").arg(0).arg(&there);
        restore.exec(connection).unwrap();
        // An existing filter can still be queried.
        let filter = RemoteBitmap::<GoZero>::join(connection, "x").unwrap();
        assert!(filter.contains(connection, "key:1").unwrap());
        for _ in 0..2 {
            let result = filter.insert(connection, "one more");
            let Err(error @ Error::Unsupported { .. }) = result else {
                panic!("{result:?}");
            };
            let text = error.to_string();
            assert!(
                text.contains("does not offer") && text.contains(without),
                "{text}"
            );
        }
        assert_eq!(dump(connection), there, "{without}: it was written");
        if let Ok(shards) = ShardedBitmap::create(connection, "s", 1_000, 0.01, 2) {
            let result = shards.insert(connection, "one more");
            assert!(
                matches!(result, Err(Error::Unsupported { command, .. }) if command.contains(without))
            );
        }
    }
    let Some(server) = Server::redis(&["--rename-command", "BITFIELD_RO", ""]) else {
        return;
    };
    let result = filter.contains(&mut server.connect(), "key:1");
    assert!(
        matches!(result, Err(Error::Unsupported { .. })),
        "{result:?}"
    );
}

fn as_user(
    server: &Server,
    name: &str,
    rights: &[impl AsRef<str>],
    connection: &mut Connection,
) -> Connection {
    let mut set = cmd("ACL");
    set.arg("SETUSER")
        .arg(name)
        .arg("on")
        .arg(">word")
        .arg("~*");
    for right in rights {
        set.arg(right.as_ref());
    }
    set.exec(connection).unwrap();
    let url = format!("redis://{name}:word@127.0.0.1:{}", server.port);
    redis::Client::open(url).unwrap().get_connection().unwrap()
}

#[test]
fn rights_that_are_missing_are_errors() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut native = made(connection, "n", Native::new(1_000, 0.01).unwrap());
    let mut go = made(connection, "g", GoZero::for_target(1_000, 0.01).unwrap());
    // This user may execute only GET.
    let mut poor = as_user(&server, "poor", &["+get"], connection);
    for count in COUNTS {
        for result in [native.ask(&mut poor, count), go.ask(&mut poor, count)] {
            assert!(
                matches!(&result, Err(Error::Redis { error, .. }) if error.code() == Some("NOPERM")),
                "{result:?}"
            );
        }
    }
    assert!(native.add(&mut poor).is_err());
    assert!(RemoteBitmap::<Native>::join(&mut poor, "n").is_err());
    // The permissions that the error recommends are sufficient, and each of them is named.
    let advice = native.ask(&mut poor, 1).unwrap_err().to_string();
    let rights = |rights: &[&str], more: &[&str]| {
        let named = |right: &&str| advice.contains(right.trim_start_matches(['+', '@']));
        assert!(more.iter().all(named), "{advice}");
        let add = |right: &&str| match right.strip_prefix('@') {
            Some(category) => format!("+@{category}"),
            None => format!("+{}", right.to_lowercase()),
        };
        rights.iter().chain(more).map(add).collect::<Vec<_>>()
    };
    let check = ["BITFIELD_RO", "GETRANGE", "STRLEN"];
    let insert = ["MULTI", "EXEC", "EVAL", "@read", "@write"];
    let statistics = ["BITCOUNT", "PTTL"];
    let make = insert;
    let mut checks = as_user(&server, "checks", &rights(&[], &check), connection);
    let mut joined = RemoteBitmap::<Native>::join(&mut checks, "n").unwrap();
    for count in COUNTS {
        assert!(joined.ask(&mut checks, count).is_ok() && go.ask(&mut checks, count).is_ok());
    }
    let absent = RemoteBitmap::<Native>::join(&mut checks, "absent");
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    assert!(joined.add(&mut checks).is_err() && joined.info(&mut checks).is_err());
    let mut inserts = as_user(&server, "inserts", &rights(&check, &insert), connection);
    joined.add(&mut inserts).unwrap();
    let mut informed = as_user(
        &server,
        "informed",
        &rights(&check, &statistics),
        connection,
    );
    joined.info(&mut informed).unwrap();
    joined.dump(&mut informed).unwrap();
    let mut makes = as_user(&server, "makes", &rights(&check, &make), connection);
    let scheme = GoZero::new(1_000).unwrap();
    let other = RemoteBitmap::create(&mut makes, "other", scheme).unwrap();
    let draft = other.rebuild(&mut makes, scheme).unwrap();
    draft.insert_batch(&mut makes, &["x"]).unwrap();
    draft.publish(&mut makes).unwrap();
    other.expire(&mut makes, Duration::from_secs(9)).unwrap();
    assert!(other.delete(&mut makes).unwrap());
    assert_eq!(how(other.insert(&mut makes, "x")), Lost::Gone);
    other.replace(&mut makes).unwrap();
    let mut set = cmd("SET");
    set.arg("bare").arg("x").exec(connection).unwrap();
    RemoteBitmap::adopt(&mut makes, "bare", scheme, Trust::HasAllItsKeys).unwrap();
    // A user with all read commands but without transactions can query the filter.
    let mut reader = as_user(&server, "reader", &["+@read"], connection);
    for count in COUNTS {
        assert!(
            native
                .ask(&mut reader, count)
                .unwrap()
                .iter()
                .all(|found| *found)
        );
        assert!(
            go.ask(&mut reader, count)
                .unwrap()
                .iter()
                .all(|found| *found)
        );
    }
    assert!(RemoteBitmap::<Native>::join(&mut reader, "n").is_ok());
    assert!(native.add(&mut reader).is_err());
}

#[test]
fn a_replica_answers_and_takes_nothing() {
    let Some(master) = Server::redis(&["--repl-diskless-sync-delay", "0"]) else {
        return;
    };
    let port = master.port.to_string();
    let Some(replica) = Server::redis(&["--replicaof", "127.0.0.1", &port]) else {
        return;
    };
    let connection = &mut master.connect();
    let mut filter = made(connection, "r", Native::new(1_000, 0.01).unwrap());
    let copied: u64 = cmd("WAIT").arg(1).arg(5_000).query(connection).unwrap();
    assert_eq!(copied, 1);
    let connection = &mut replica.connect();
    for count in COUNTS {
        assert!(
            filter
                .ask(connection, count)
                .unwrap()
                .iter()
                .all(|found| *found)
        );
    }
    let result = filter.with_retry(Retry::NEVER).insert(connection, "x");
    assert!(
        matches!(&result, Err(Error::Redis { error, .. }) if error.code() == Some("READONLY")),
        "{result:?}"
    );
}

#[test]
fn a_server_out_of_memory_answers_and_takes_nothing() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = made(connection, "full", GoZero::for_target(1_000, 0.01).unwrap());
    cmd("CONFIG")
        .arg("SET")
        .arg("maxmemory")
        .arg(1)
        .exec(connection)
        .unwrap();
    let result = filter.insert(connection, "x");
    assert!(
        matches!(&result, Err(Error::Redis { error, .. }) if error.code() == Some("OOM")),
        "{result:?}"
    );
    assert!(
        filter
            .ask(connection, 500)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
}

#[test]
fn a_server_that_is_loading_is_waited_for() {
    // While it loads its data, the server needs 10 ms per key and serves its clients in between.
    let args = ["--key-load-delay", "10000"];
    let more = ["--loading-process-events-interval-bytes", "1024"];
    let Some(mut server) = Server::redis(&[args, more].concat()) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = made(connection, "slow", Native::new(1_000, 0.01).unwrap());
    for i in 0..100 {
        let mut set = cmd("SET");
        set.arg(format!("other {i}")).arg(vec![b'x'; 2_000]);
        set.exec(connection).unwrap();
    }
    cmd("SAVE").exec(connection).unwrap();
    server.kill();
    server.restart_at_once();
    let connection = &mut Reconnecting::new(server.client(), Duration::from_secs(5));
    // The server first cannot be reached, then reports that it is loading, and then answers.
    let hasty = filter.clone().with_retry(Retry::NEVER);
    let mut loading = 0;
    let end = Instant::now() + Duration::from_secs(20);
    while loading == 0 {
        match hasty.contains_batch(connection, &["key:1"; 5]) {
            Ok(_) => panic!("it was never seen to load"),
            Err(Error::Redis { error, .. }) if error.code() == Some("LOADING") => loading += 1,
            Err(Error::Redis { .. }) => assert!(Instant::now() < end),
            Err(error) => panic!("{error}"),
        }
        thread::sleep(Duration::from_millis(1));
    }
    let retry = Retry {
        deadline: Duration::from_secs(20),
        ..Retry::default()
    };
    filter = filter.with_retry(retry);
    assert_eq!(
        filter.contains_batch(connection, &["key:1"; 5]).unwrap(),
        [true; 5]
    );
}

#[test]
fn an_old_server_answers_or_reports_what_it_lacks() {
    let Some(program) = common::fetched("redis-6") else {
        eprintln!("SKIPPED: redis-6 is not here: run scripts/install --all");
        return;
    };
    let server = Server::start(&program, &[]);
    each_scheme(&mut server.connect(), |filter, connection| {
        for count in COUNTS {
            assert!(
                filter
                    .ask(connection, count)
                    .unwrap()
                    .iter()
                    .all(|found| *found)
            );
        }
        cmd("DEL").arg(filter.name()).exec(connection).unwrap();
        assert_eq!(how(filter.ask(connection, 5)), Lost::Gone);
    });
}

#[test]
fn addresses_that_lead_nowhere_are_errors() {
    let Some(server) = Server::redis(&["--requirepass", "secret"]) else {
        return;
    };
    let scheme = GoZero::new(1_000).unwrap();
    let create = |url: &str| {
        let mut client = redis::Client::open(url).map_err(|error| error.to_string())?;
        RemoteBitmap::create(&mut client, "x", scheme)
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert!(create("redis://").is_err());
    assert!(create("redis:///0").is_err());
    let wrong = create(&format!("redis://:guess@127.0.0.1:{}", server.port)).unwrap_err();
    assert!(!wrong.contains("guess"), "{wrong}");
    create(&format!("redis://:secret@127.0.0.1:{}", server.port)).unwrap();
    // A port where nothing listens, and a port of a web server.
    assert!(create(&format!("redis://127.0.0.1:{}", common::free_port())).is_err());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        use std::io::{Read, Write};
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1_000]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    assert!(create(&format!("redis://127.0.0.1:{port}")).is_err());
}
