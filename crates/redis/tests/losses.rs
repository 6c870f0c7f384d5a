//! What becomes of a filter behind a client's back, and what a server can say: never an
//! answer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use bouquet_redis::{Error, GoZero, Lost, Native, Redisson, RemoteBitmap, Retry, Scheme};
use common::{Server, keys};
use redis::{Connection, cmd};

fn how<T: std::fmt::Debug>(result: bouquet_redis::Result<T>) -> Lost {
    match result {
        Err(Error::FilterLost { how, .. }) => how,
        other => panic!("{other:?}"),
    }
}

fn each_scheme(connection: &mut Connection, test: fn(&mut dyn Filter, &mut Connection)) {
    test(
        &mut made(connection, "a", GoZero::for_target(1_000, 0.01).unwrap()),
        connection,
    );
    test(
        &mut made(connection, "b", Redisson::new(1_000, 0.01).unwrap()),
        connection,
    );
    test(
        &mut made(connection, "c", Native::new(1_000, 0.01).unwrap()),
        connection,
    );
}

fn made<S: Scheme>(connection: &mut Connection, name: &str, scheme: S) -> RemoteBitmap<S> {
    let mut filter = RemoteBitmap::create(connection, name, scheme).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    filter
}

/// A filter of any scheme.
trait Filter {
    fn name(&self) -> String;
    fn ask(&mut self, connection: &mut Connection, count: u32) -> bouquet_redis::Result<Vec<bool>>;
    fn add(&mut self, connection: &mut Connection) -> bouquet_redis::Result<()>;
    fn again(&self, connection: &mut Connection);
}

impl<S: Scheme> Filter for RemoteBitmap<S> {
    fn name(&self) -> String {
        String::from_utf8(self.name().to_vec()).unwrap()
    }

    fn ask(&mut self, connection: &mut Connection, count: u32) -> bouquet_redis::Result<Vec<bool>> {
        self.contains_batch(connection, &keys(0..count))
    }

    fn add(&mut self, connection: &mut Connection) -> bouquet_redis::Result<()> {
        self.insert(connection, "one more").map(drop)
    }

    fn again(&self, connection: &mut Connection) {
        Self::delete(connection, self.name()).unwrap();
        Self::create(connection, self.name(), self.scheme().clone()).unwrap();
    }
}

/// One key, few and many are asked in other ways.
const COUNTS: [u32; 3] = [1, 2, 500];

#[test]
fn a_filter_that_was_deleted_flushed_or_expired_is_lost() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    for loss in [
        |name: &str, connection: &mut Connection| {
            cmd("DEL").arg(name).exec(connection).unwrap();
        },
        |_: &str, connection: &mut Connection| cmd("FLUSHALL").exec(connection).unwrap(),
        |name: &str, connection: &mut Connection| {
            cmd("PEXPIRE").arg(name).arg(1).exec(connection).unwrap();
            thread::sleep(Duration::from_millis(5));
        },
        // Zeros, as whoever sets a bit makes of nothing.
        |name: &str, connection: &mut Connection| {
            let zeros = vec![0u8; 4_000];
            cmd("SET").arg(name).arg(zeros).exec(connection).unwrap();
        },
    ] {
        for count in COUNTS {
            for add_first in [false, true] {
                cmd("FLUSHALL").exec(connection).unwrap();
                for which in 0..3 {
                    let run = |filter: &mut dyn Filter, connection: &mut Connection| {
                        assert!(filter.ask(connection, count).unwrap().iter().all(|f| *f));
                        loss(&filter.name(), connection);
                        if add_first {
                            // What it writes makes a string again, which is no filter.
                            assert_eq!(how(filter.add(connection)), Lost::Gone);
                        }
                        let lost = how(filter.ask(connection, count));
                        assert!(matches!(
                            lost,
                            Lost::Gone | Lost::RolledBack | Lost::Replaced
                        ));
                    };
                    let name = format!("f{which}");
                    match which {
                        0 => {
                            let scheme = GoZero::for_target(1_000, 0.01).unwrap();
                            run(&mut made(connection, &name, scheme), connection);
                        }
                        1 => {
                            let scheme = Redisson::new(1_000, 0.01).unwrap();
                            run(&mut made(connection, &name, scheme), connection);
                        }
                        _ => {
                            let scheme = Native::new(1_000, 0.01).unwrap();
                            run(&mut made(connection, &name, scheme), connection);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_filter_that_was_created_anew_is_another() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    each_scheme(&mut server.connect(), |filter, connection| {
        for count in COUNTS {
            assert!(filter.ask(connection, count).is_ok());
        }
        filter.again(connection);
        for count in COUNTS {
            assert!(matches!(
                how(filter.ask(connection, count)),
                Lost::Gone | Lost::Replaced
            ));
        }
        assert!(matches!(
            how(filter.add(connection)),
            Lost::Gone | Lost::Replaced
        ));
    });
}

#[test]
fn a_string_of_another_type_is_no_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    each_scheme(&mut server.connect(), |filter, connection| {
        cmd("DEL").arg(filter.name()).exec(connection).unwrap();
        cmd("LPUSH")
            .arg(filter.name())
            .arg(1)
            .exec(connection)
            .unwrap();
        for count in COUNTS {
            assert_eq!(how(filter.ask(connection, count)), Lost::OtherType);
        }
        assert_eq!(how(filter.add(connection)), Lost::OtherType);
    });
}

#[test]
fn an_older_dump_is_noticed_by_who_wrote_since() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    each_scheme(&mut server.connect(), |filter, connection| {
        let name = filter.name();
        let dump: Vec<u8> = cmd("DUMP").arg(&name).query(connection).unwrap();
        filter.add(connection).unwrap();
        for count in COUNTS {
            assert!(filter.ask(connection, count).is_ok());
        }
        let mut restore = cmd("RESTORE");
        restore.arg(&name).arg(0).arg(dump).arg("REPLACE");
        restore.exec(connection).unwrap();
        for count in COUNTS {
            assert_eq!(how(filter.ask(connection, count)), Lost::RolledBack);
        }
        assert_eq!(how(filter.add(connection)), Lost::RolledBack);
    });
}

#[test]
fn a_filter_that_was_evicted_is_lost() {
    let args = ["--maxmemory", "30mb", "--maxmemory-policy", "allkeys-lru"];
    let Some(server) = Server::redis(&args) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = made(connection, "evicted", Native::new(100_000, 0.01).unwrap());
    let mut bare = made(
        connection,
        "evicted too",
        GoZero::for_target(100_000, 0.01).unwrap(),
    );
    let mut evicted = [false; 2];
    for i in 0..400 {
        let value = vec![b'x'; 200_000];
        cmd("SET")
            .arg(format!("other {i}"))
            .arg(value)
            .exec(connection)
            .unwrap();
        if i % 40 != 39 {
            continue;
        }
        for (filter, evicted) in [&mut filter as &mut dyn Filter, &mut bare]
            .into_iter()
            .zip(&mut evicted)
        {
            match filter.ask(connection, 500) {
                Ok(found) => assert!(found.iter().all(|found| *found), "a false negative"),
                Err(Error::FilterLost { .. }) => *evicted = true,
                Err(error) => panic!("{error}"),
            }
        }
    }
    // Asked seldom enough, both went.
    let exists = |name, connection: &mut Connection| -> bool {
        cmd("EXISTS").arg(name).query(connection).unwrap()
    };
    for i in 400..800 {
        let value = vec![b'x'; 200_000];
        cmd("SET")
            .arg(format!("other {i}"))
            .arg(value)
            .exec(connection)
            .unwrap();
    }
    assert!(!exists("evicted", connection) && !exists("evicted too", connection));
    assert_eq!(how(filter.ask(connection, 500)), Lost::Gone);
    assert_eq!(how(bare.ask(connection, 500)), Lost::Gone);
    eprintln!("evicted while being asked: {evicted:?}");
}

#[test]
fn losses_during_batches_are_never_answers() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    for (name, is_native) in [("native", true), ("go", false)] {
        let members = keys(0..500);
        let mut filters: (Option<RemoteBitmap<Native>>, Option<RemoteBitmap<GoZero>>) =
            (None, None);
        if is_native {
            filters.0 = Some(made(connection, name, Native::new(1_000, 0.01).unwrap()));
        } else {
            filters.1 = Some(made(
                connection,
                name,
                GoZero::for_target(1_000, 0.01).unwrap(),
            ));
        }
        let dump: Vec<u8> = cmd("DUMP").arg(name).query(connection).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, mut other) = (stop.clone(), server.connect());
        let losing = thread::spawn(move || {
            while !stopped.load(Relaxed) {
                cmd("DEL").arg(name).exec(&mut other).unwrap();
                cmd("SET")
                    .arg(name)
                    .arg(vec![0u8; 4_000])
                    .exec(&mut other)
                    .unwrap();
                let mut restore = cmd("RESTORE");
                restore.arg(name).arg(0).arg(&dump).arg("REPLACE");
                restore.exec(&mut other).unwrap();
            }
        });
        let (mut answers, mut losses) = (0, 0);
        for round in 0..3_000 {
            let members = &members[..[1, 3, 100, 500][round % 4]];
            let asked = match &mut filters {
                (Some(filter), _) => filter.contains_batch(connection, members),
                (_, Some(filter)) => filter.contains_batch(connection, members),
                _ => unreachable!(),
            };
            match asked {
                Ok(found) => {
                    assert!(found.iter().all(|found| *found), "a false negative");
                    answers += 1;
                }
                Err(Error::FilterLost { .. }) => losses += 1,
                Err(error) => panic!("{error}"),
            }
        }
        stop.store(true, Relaxed);
        losing.join().unwrap();
        assert!(
            answers > 20 && losses > 20,
            "{answers} answers, {losses} losses"
        );
    }
}

#[test]
fn a_server_without_the_command_says_so() {
    let Some(server) = Server::redis(&["--rename-command", "BITFIELD", ""]) else {
        return;
    };
    let connection = &mut server.connect();
    let created = RemoteBitmap::create(connection, "x", GoZero::new(1_000).unwrap());
    let Err(Error::Unsupported { command, .. }) = &created else {
        panic!("{created:?}");
    };
    assert_eq!(*command, "BITFIELD");
}

#[test]
fn rights_that_are_missing_are_errors() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut native = made(connection, "n", Native::new(1_000, 0.01).unwrap());
    let mut go = made(connection, "g", GoZero::for_target(1_000, 0.01).unwrap());
    let as_user = |name: &str, rights: &[&str], connection: &mut Connection| {
        let mut set = cmd("ACL");
        set.arg("SETUSER")
            .arg(name)
            .arg("on")
            .arg(">word")
            .arg("~*");
        set.arg(rights).exec(connection).unwrap();
        let url = format!("redis://{name}:word@127.0.0.1:{}", server.port);
        redis::Client::open(url).unwrap().get_connection().unwrap()
    };
    // GET alone.
    let mut poor = as_user("poor", &["+get"], connection);
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
    // All reading, and no transactions: answers.
    let mut reader = as_user("reader", &["+@read"], connection);
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
    let refused = filter.with_retry(Retry::NEVER).insert(connection, "x");
    assert!(
        matches!(&refused, Err(Error::Redis { error, .. }) if error.code() == Some("READONLY")),
        "{refused:?}"
    );
}

#[test]
fn a_server_out_of_memory_or_loading_gives_errors() {
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
    let refused = filter.insert(connection, "x");
    assert!(
        matches!(&refused, Err(Error::Redis { error, .. }) if error.code() == Some("OOM")),
        "{refused:?}"
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
fn an_old_server_answers_or_says_what_it_lacks() {
    let Some(program) = common::fetched("redis-6") else {
        eprintln!("SKIPPED: redis-6 is not here: run scripts/check-redis");
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
    // A port where nobody listens, and one where a web server does.
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
