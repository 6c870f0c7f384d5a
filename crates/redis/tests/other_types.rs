//! Keys of other programs in the place of a filter's: neither deleted nor replaced.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{
    Error, GoZero, Native, Redisson, RemoteBf, RemoteBitmap, Scheme, ShardedBitmap,
};
use common::Server;
use redis::{Connection, cmd};

/// Puts a list in the place of a key.
fn put_list(connection: &mut Connection, key: &[u8]) {
    cmd("DEL").arg(key).exec(connection).unwrap();
    let mut push = cmd("RPUSH");
    push.arg(key).arg("theirs").exec(connection).unwrap();
}

/// The call fails and names the key, whose list is as it was.
fn spares<T: std::fmt::Debug>(
    connection: &mut Connection,
    key: &[u8],
    result: bouquet_redis::Result<T>,
) {
    let shown = String::from_utf8_lossy(key);
    assert!(
        matches!(&result, Err(Error::OtherType { name, there }) if *name == shown && there == "list"),
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
        // It comes while another one is built.
        let draft = filter.rebuild(connection, scheme.clone()).unwrap();
        put_list(connection, key.as_bytes());
        let published = draft.publish(connection);
        spares(connection, key.as_bytes(), published);
        let rebuilt = filter.rebuild(connection, scheme.clone());
        spares(connection, key.as_bytes(), rebuilt);
        let deleted = RemoteBitmap::<S>::delete(connection, "f");
        spares(connection, key.as_bytes(), deleted);
        cmd("DEL").arg(key).exec(connection).unwrap();
        assert!(RemoteBitmap::<S>::delete(connection, "f").unwrap());
    }
}

#[test]
fn a_bitmap_spares_keys_of_another_type() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let beside = ["", ":bouquet"];
    bitmap(connection, Native::new(1_000, 0.01).unwrap(), &beside);
    bitmap(connection, GoZero::new(1_000).unwrap(), &beside);
    let redisson = Redisson::new(1_000, 0.01).unwrap();
    bitmap(connection, redisson, &["", ":bouquet", ":config"]);
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
    let rebuilt = filter.rebuild(connection, 10_000, 0.01);
    spares(connection, &key, rebuilt);
    let deleted = ShardedBitmap::delete(connection, "s", 3);
    spares(connection, &key, deleted);
}

#[test]
fn a_filter_of_the_module_spares_keys_of_another_type() {
    for (_, server) in Server::with_bloom() {
        let connection = &mut server.connect();
        let filter = RemoteBf::create(connection, "f", 100, 0.01, None).unwrap();
        let draft = filter.rebuild(connection, 100, 0.01, None).unwrap();
        put_list(connection, b"f");
        let published = draft.publish(connection);
        spares(connection, b"f", published);
        let rebuilt = filter.rebuild(connection, 100, 0.01, None);
        spares(connection, b"f", rebuilt);
        let deleted = RemoteBf::delete(connection, "f");
        spares(connection, b"f", deleted);
    }
}
