//! Tests filters of RedisBloom in plain strings on servers without the module.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{Error, RedisBloom, RemoteBitmap, TieredFilter, interop};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

/// Lets the module make a filter of these keys, and returns the module's answers for other keys.
fn made(connection: &mut Connection, reserve: &[&str], members: &[String]) -> Vec<bool> {
    cmd("DEL").arg("f").exec(connection).unwrap();
    let mut made = cmd("BF.RESERVE");
    made.arg("f").arg(reserve).exec(connection).unwrap();
    for members in members.chunks(500) {
        let mut add = cmd("BF.MADD");
        add.arg("f").arg(members).exec(connection).unwrap();
    }
    answers(connection, &keys(0..20_000))
}

fn answers(connection: &mut Connection, keys: &[String]) -> Vec<bool> {
    let mut asked = cmd("BF.MEXISTS");
    asked.arg("f").arg(keys).query(connection).unwrap()
}

/// The chunks that `BF.SCANDUMP` returns.
fn dump(connection: &mut Connection) -> Vec<(i64, Vec<u8>)> {
    let mut chunks = Vec::new();
    let mut iter = 0;
    loop {
        let mut dump = cmd("BF.SCANDUMP");
        let (next, data): (i64, Vec<u8>) = dump.arg("f").arg(iter).query(connection).unwrap();
        if next == 0 {
            return chunks;
        }
        chunks.push((next, data));
        iter = next;
    }
}

#[test]
fn answers_are_those_of_the_module_and_chunks_go_back() {
    let (Some((_, with)), programs) = (Server::with_bloom().pop(), programs()) else {
        return;
    };
    let module = &mut with.connect();
    for (name, program) in programs {
        let plain = Server::start(&program, &[]);
        let connection = &mut plain.connect();
        // A filter with one link, a chain of several links, and a chain with a growth factor of 3.
        for (reserve, count) in [
            (&["0.01", "2000", "NONSCALING"][..], 1_500),
            (&["0.02", "100"], 3_000),
            (&["0.001", "64", "EXPANSION", "3"], 1_000),
        ] {
            let members = keys(0..count);
            let expected = made(module, reserve, &members);
            let chunks = dump(module);
            let borrowed: Vec<_> = chunks.iter().map(|(i, data)| (*i, &data[..])).collect();
            let filter = interop::RedisBloom::from_chunks(&borrowed).unwrap();
            let key = format!("{reserve:?}");
            let loaded = RemoteBitmap::load(connection, &key, &filter).unwrap();
            let joined = RemoteBitmap::<RedisBloom>::join(connection, &key).unwrap();
            let found = joined.contains_batch(connection, &keys(0..20_000)).unwrap();
            assert_eq!(found, expected, "{name} {key}");
            let copy = TieredFilter::new(joined.clone(), 1 << 30).unwrap();
            copy.refresh(connection).unwrap();
            let found = copy.contains_batch(connection, &keys(0..20_000)).unwrap();
            assert_eq!(found, expected, "{name} {key}");
            assert!(copy.server_checks() <= 20_000 - u64::from(count));
            let fpr = joined.info(connection).unwrap().estimated_fpr;
            let seen = expected[count as usize..]
                .iter()
                .filter(|found| **found)
                .count();
            let seen = seen as f64 / f64::from(20_000 - count);
            assert!(
                fpr < 2.0 * seen + 0.002 && seen < 2.0 * fpr + 0.002,
                "{fpr} {seen}"
            );
            // Without inserts, unloading gives the same chunks again.
            let back: Vec<_> = loaded.unload(connection).unwrap().chunks().collect();
            assert_eq!(back, chunks, "{name} {key}");
            // After more inserts, the module accepts the unloaded filter and finds all keys.
            let more = keys(50_000..50_100);
            loaded.insert_batch(connection, &more).unwrap();
            cmd("DEL").arg("f").exec(module).unwrap();
            for (iter, data) in loaded.unload(connection).unwrap().chunks() {
                let mut load = cmd("BF.LOADCHUNK");
                load.arg("f").arg(iter).arg(data).exec(module).unwrap();
            }
            assert!(answers(module, &members).iter().all(|found| *found));
            assert!(answers(module, &more).iter().all(|found| *found));
            let asked = keys(0..20_000);
            let found = joined.contains_batch(connection, &asked).unwrap();
            assert_eq!(found, answers(module, &asked), "{name} {key}");
        }
    }
}

#[test]
fn a_chain_that_is_too_long_is_an_error() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = interop::RedisBloom::reserve(0.3, 1, Some(1)).unwrap();
    for key in keys(0..200) {
        let _ = filter.insert(&key);
    }
    assert!(filter.links().len() > 64);
    let loaded = RemoteBitmap::load(connection, "f", &filter);
    assert!(matches!(loaded, Err(Error::Damaged { .. })), "{loaded:?}");
    // A number as a key is its decimal text, as every client sends it.
    let mut filter = interop::RedisBloom::reserve(0.01, 100, None).unwrap();
    filter.insert("42").unwrap();
    let loaded = RemoteBitmap::load(connection, "f", &filter).unwrap();
    assert!(loaded.contains(connection, &42).unwrap());
}

#[test]
fn a_copy_has_what_was_inserted_through_it() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let mut filter = interop::RedisBloom::reserve(0.02, 100, Some(2)).unwrap();
    for key in keys(0..1_000) {
        filter.insert(&key).unwrap();
    }
    assert!(filter.links().len() > 1);
    let loaded = RemoteBitmap::load(connection, "f", &filter).unwrap();
    let copy = TieredFilter::new(loaded, 1 << 30).unwrap();
    copy.refresh(connection).unwrap();
    let more = keys(50_000..50_200);
    copy.insert_batch(connection, &more).unwrap();
    for key in &more {
        let age = std::time::Duration::from_secs(60);
        assert!(copy.contains_within(connection, key, age).unwrap());
    }
}
