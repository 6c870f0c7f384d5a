//! Tests new generations that replace old ones while the server stalls or loses them.
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
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use bouquet_redis::{Error, Lost, Native, Reconnecting, RemoteBitmap, Retry};
use common::{Server, keys, liar::Liar};
use redis::{Connection, cmd};

const PATIENT: Retry = Retry {
    deadline: Duration::from_secs(20),
    pause: Duration::from_millis(5),
};

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

/// Deletes the only key whose name contains `part`.
fn lose(connection: &mut Connection, part: &str) {
    let pattern = format!("*{part}*");
    let found: Vec<String> = cmd("KEYS").arg(pattern).query(connection).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    cmd("DEL").arg(found).exec(connection).unwrap();
}

fn is_gone<T>(result: bouquet_redis::Result<T>) -> bool {
    let how = Lost::Gone;
    matches!(result, Err(Error::FilterLost { how: found, .. }) if found == how)
}

#[test]
fn what_was_built_and_lost_leaves_the_old_one() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let members = keys(0..1_000);
    filter.insert_batch(connection, &members).unwrap();
    // The draft was evicted, or expired an hour after its last insert.
    let draft = filter.rebuild(connection, scheme).unwrap();
    draft.insert_batch(connection, &members).unwrap();
    lose(connection, "new-bits");
    assert!(is_gone(draft.insert_batch(connection, &members)));
    assert!(is_gone(draft.publish(connection)));
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    assert_eq!(filter.ttl(connection).unwrap(), None);
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 1);
}

/// Drops the reply to the next script, and makes the server sleep for longer than the client waits
/// for a reply. Returns a counter of the scripts sent.
fn lose_the_reply(liar: &Liar, server: &Server) -> Arc<AtomicU32> {
    let other = server.client();
    let count = Arc::new(AtomicU32::new(0));
    let sent = count.clone();
    let edit = move |reply: Vec<u8>| {
        if count.fetch_add(1, Relaxed) > 0 {
            return reply;
        }
        let sleep = cmd("DEBUG").arg("SLEEP").arg("3.6").get_packed_command();
        let mut other = other.get_connection().unwrap();
        other.send_packed_command(&sleep).unwrap();
        Vec::new()
    };
    liar.edit("EVAL", edit, u32::MAX);
    sent
}

#[test]
fn a_script_that_is_executed_twice_destroys_nothing() {
    let Some(server) = Server::redis(&["--enable-debug-command", "yes"]) else {
        return;
    };
    let liar = Liar::new(server.port);
    let connection = &mut Reconnecting::new(liar.client(), Duration::from_secs(1));
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let filter = filter.with_retry(PATIENT);
    let members = keys(0..1_000);
    let draft = filter.rebuild(connection, scheme).unwrap();
    draft.insert_batch(connection, &members).unwrap();
    let sent = lose_the_reply(&liar, &server);
    draft.publish(connection).unwrap();
    // The script is sent more often if the server is slow to wake up.
    assert!(sent.load(Relaxed) >= 2, "it was not executed twice");
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    let left: Vec<String> = cmd("KEYS")
        .arg("*new-*")
        .query(&mut server.connect())
        .unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_older_generation_that_was_restored_is_not_followed() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let older = cmd("DUMP").arg("f").query::<Vec<u8>>(connection).unwrap();
    let draft = filter.rebuild(connection, scheme).unwrap();
    let filter = draft.publish(connection).unwrap();
    filter.insert(connection, "rose").unwrap();
    let mut restore = cmd("RESTORE");
    restore.arg("f").arg(0).arg(older).arg("REPLACE");
    restore.exec(connection).unwrap();
    let how = Lost::RolledBack;
    for _ in 0..2 {
        let asked = filter.contains(connection, "rose");
        assert!(
            matches!(&asked, Err(Error::FilterLost { how: found, .. }) if *found == how),
            "{asked:?}"
        );
    }
}

#[test]
fn threads_that_share_a_filter_follow_it_without_errors() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let mut newest = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let members = keys(0..100);
    newest.insert_batch(connection, &members).unwrap();
    let shared = RemoteBitmap::<Native>::join(connection, "f").unwrap();
    let is_over = AtomicU32::new(0);
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| {
                let connection = &mut server.connect();
                while is_over.load(Relaxed) == 0 {
                    assert!(all(&shared.contains_batch(connection, &members).unwrap()));
                    shared.insert(connection, &members[0]).unwrap();
                }
            });
        }
        for _ in 0..30 {
            let draft = newest.rebuild(connection, scheme.clone()).unwrap();
            draft.insert_batch(connection, &members).unwrap();
            newest = draft.publish(connection).unwrap();
            std::thread::sleep(Duration::from_millis(30));
        }
        is_over.store(1, Relaxed);
    });
}

#[test]
fn another_program_s_key_is_neither_replaced_nor_published_over() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
    let draft = filter.rebuild(connection, scheme.clone()).unwrap();
    let other = filter.rebuild(connection, scheme).unwrap();
    let mut set = cmd("SET");
    set.arg("f")
        .arg("of another program")
        .exec(connection)
        .unwrap();
    let replaced = filter.replace(connection);
    assert!(matches!(replaced, Err(Error::Bare { .. })), "{replaced:?}");
    let published = draft.publish(connection);
    assert!(
        matches!(published, Err(Error::Exists { .. })),
        "{published:?}"
    );
    let there: String = cmd("GET").arg("f").query(connection).unwrap();
    assert_eq!(there, "of another program");
    cmd("DEL").arg("f").exec(connection).unwrap();
    cmd("RPUSH").arg("f").arg(1).exec(connection).unwrap();
    let published = other.publish(connection);
    assert!(
        matches!(published, Err(Error::OtherType { .. })),
        "{published:?}"
    );
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 1);
}
