//! Tests that another program's key of another type in the filter's place is neither deleted nor
//! replaced.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{
    Error, GoZero, Native, Redisson, RemoteBf, RemoteBitmap, Scheme, ShardedBitmap, Trust,
};
use common::Server;
use redis::{Connection, cmd};

/// Replaces a key by a list.
fn put_list(connection: &mut Connection, key: &[u8]) {
    cmd("DEL").arg(key).exec(connection).unwrap();
    let mut push = cmd("RPUSH");
    push.arg(key).arg("theirs").exec(connection).unwrap();
}

/// Asserts that the call fails with an error that names the filter, and that the list is unchanged.
fn spares<T: std::fmt::Debug>(
    connection: &mut Connection,
    key: &[u8],
    result: bouquet_redis::Result<T>,
) {
    let shown = String::from_utf8_lossy(key).replace("{f}:config", "f");
    assert!(
        matches!(&result, Err(Error::OtherType { name }) if *name == shown),
        "{result:?}"
    );
    let items: Vec<String> = cmd("LRANGE")
        .arg(key)
        .arg(0)
        .arg(-1)
        .query(connection)
        .unwrap();
    assert_eq!(items, ["theirs"]);
}

fn bitmap<S: Scheme>(connection: &mut Connection, scheme: S, beside: &[&str]) {
    for suffix in beside {
        cmd("FLUSHALL").exec(connection).unwrap();
        let key = match *suffix {
            "" => "f".to_owned(),
            suffix => format!("{{f}}{suffix}"),
        };
        let filter = RemoteBitmap::create(connection, "f", scheme.clone()).unwrap();
        // The list appears while a new generation is being built.
        let draft = filter.rebuild(connection, scheme.clone()).unwrap();
        put_list(connection, key.as_bytes());
        let published = draft.publish(connection);
        spares(connection, key.as_bytes(), published);
        let deleted = filter.delete(connection);
        match S::HAS_CONFIG {
            // The list is not the filter, so `delete` returns `false`.
            false => assert!(!deleted.unwrap()),
            true => spares(connection, key.as_bytes(), deleted),
        }
        let replaced = filter.replace(connection);
        spares(connection, key.as_bytes(), replaced);
        cmd("DEL").arg(key).exec(connection).unwrap();
        filter.replace(connection).unwrap();
        assert!(filter.delete(connection).unwrap());
    }
}

#[test]
fn a_bitmap_spares_keys_of_another_type() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    bitmap(connection, Native::new(1_000, 0.01).unwrap(), &[""]);
    bitmap(connection, GoZero::new(1_000).unwrap(), &[""]);
    let redisson = Redisson::new(1_000, 0.01).unwrap();
    bitmap(connection, redisson, &["", ":config"]);
}

#[test]
fn shards_spare_keys_of_another_type() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = ShardedBitmap::create(connection, "s", 10_000, 0.01, 3).unwrap();
    let key = filter.shard_name(1).unwrap().to_vec();
    put_list(connection, &key);
    let draft = filter.rebuild(connection, 10_000, 0.01).unwrap();
    let published = draft.publish(connection);
    spares(connection, &key, published);
    assert!(!filter.delete(connection).unwrap());
    let replaced = filter.replace(connection);
    spares(connection, &key, replaced);
}

#[test]
fn a_filter_of_the_module_spares_keys_of_another_type() {
    for (_, server) in Server::with_bloom() {
        let connection = &mut server.connect();
        let filter = RemoteBf::create(connection, "f", 100, 0.01, None).unwrap();
        put_list(connection, b"f");
        let replaced = filter.replace(connection, 100, 0.01, None);
        spares(connection, b"f", replaced);
        let adopted = RemoteBf::adopt(connection, "f", Trust::HasAllItsKeys);
        spares(connection, b"f", adopted);
        assert!(!filter.delete(connection).unwrap());
        let joined = RemoteBf::join(connection, "f");
        spares(connection, b"f", joined);
    }
}
