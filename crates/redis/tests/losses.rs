//! Tests that a filter that was lost without the client's knowledge leads to an error, never to an
//! answer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use bouquet_redis::{Error, GoZero, Lost, Native, Redisson, RemoteBitmap};
use common::{
    Server,
    filter::{COUNTS, Filter, each_scheme, how, made},
    keys,
};
use redis::{Connection, cmd};

fn dump(connection: &mut Connection, name: &str) -> Option<Vec<u8>> {
    cmd("DUMP").arg(name).query(connection).unwrap()
}

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
        // Zeros, like the string that setting a bit of a missing key creates.
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
                        let there = dump(connection, &filter.name());
                        // A string of zeros counts as something else in the filter's place.
                        let lost = match there {
                            None => Lost::Gone,
                            Some(_) => Lost::Replaced,
                        };
                        if add_first {
                            assert_eq!(how(filter.add(connection)), lost);
                            assert_eq!(dump(connection, &filter.name()), there);
                        }
                        assert_eq!(how(filter.ask(connection, count)), lost);
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
fn a_filter_that_was_created_again_is_another() {
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
fn a_key_of_another_type_is_not_a_filter() {
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
        assert_eq!(how(filter.left(connection)), Lost::OtherType);
    });
}

#[test]
fn an_older_dump_is_noticed_by_a_client_that_wrote_since() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    each_scheme(&mut server.connect(), |filter, connection| {
        let name = filter.name();
        let dump = dump(connection, &name).unwrap();
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
    // Both filters were queried so rarely that the server evicted them.
    let exists = |name, connection: &mut Connection| -> bool {
        cmd("EXISTS").arg(name).query(connection).unwrap()
    };
    // The server evicts the least recently used of a few random keys, so the number of keys that it
    // evicts is random.
    for i in 400..40_000 {
        let value = vec![b'x'; 200_000];
        cmd("SET")
            .arg(format!("other {i}"))
            .arg(value)
            .exec(connection)
            .unwrap();
        if !exists("evicted", connection) && !exists("evicted too", connection) {
            break;
        }
    }
    assert!(!exists("evicted", connection) && !exists("evicted too", connection));
    assert_eq!(how(filter.ask(connection, 500)), Lost::Gone);
    assert_eq!(how(bare.ask(connection, 500)), Lost::Gone);
    eprintln!("evicted while being queried: {evicted:?}");
}

#[test]
fn a_lost_filter_is_made_again_as_its_error_says() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    each_scheme(&mut server.connect(), |filter, connection| {
        for add_first in [false, true] {
            cmd("DEL").arg(filter.name()).exec(connection).unwrap();
            let lost = match add_first {
                false => filter.ask(connection, 1).err(),
                true => filter.add(connection).err(),
            };
            let text = lost.unwrap().to_string();
            assert!(text.contains("call `replace` and insert them"), "{text}");
            filter.renew(connection);
            assert!(!filter.ask(connection, 500).unwrap().contains(&true));
            filter.add(connection).unwrap();
        }
    });
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
        let dump = dump(connection, name).unwrap();
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
                cmd("PEXPIRE").arg(name).arg(1).exec(&mut other).unwrap();
                thread::sleep(Duration::from_millis(2));
                restore.exec(&mut other).unwrap();
                cmd("FLUSHALL").exec(&mut other).unwrap();
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
