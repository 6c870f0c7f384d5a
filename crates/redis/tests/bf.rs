//! Tests the `BF.*` filters against the RedisBloom module in real servers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_interop::RedisBloom;
use bouquet_redis::{
    BfInserted, Error, GoZero, Inserted, NotInserted, Reconnecting, RemoteBf, RemoteBitmap, Retry,
    Trust,
};
use common::{Server, fetched, keys, liar::Liar, proxy::Proxy};
use redis::{Connection, ConnectionLike, cmd};

const TRUSTED: Trust = Trust::HasAllItsKeys;

fn count(outcomes: &[BfInserted], wanted: &BfInserted) -> usize {
    outcomes.iter().filter(|outcome| *outcome == wanted).count()
}

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

fn answers(connection: &mut Connection, name: &str) {
    let filter = RemoteBf::create(connection, name, 500, 0.01, Some(2)).unwrap();
    let (members, others) = (keys(0..3_000), keys(3_000..9_000));
    assert!(
        filter
            .insert_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    assert!(
        filter
            .contains_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    let outcomes = filter.insert_batch(connection, &members).unwrap();
    assert_eq!(outcomes.len(), 3_000);
    let new = count(&outcomes, &Ok(Inserted::New));
    assert!(new > 2_950, "{new} of 3,000 were new");
    let again = filter.insert(connection, &members[7]).unwrap();
    assert_eq!(again, Ok(Inserted::MayHaveBeenPresent));
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    let found = filter.contains_batch(connection, &others).unwrap();
    let false_positives = found.iter().filter(|found| **found).count();
    assert!(
        (5..=120).contains(&false_positives),
        "{false_positives} of 6,000 at 1 %"
    );
    let other = RemoteBf::join(connection, name).unwrap();
    assert_eq!(other.contains_batch(connection, &others).unwrap(), found);
    let info = filter.info(connection).unwrap();
    assert_eq!((info.links, info.capacity), (3, 3_528));
    assert_eq!(info.expansion, Some(2));
    // The number includes this crate's own four keys.
    assert_eq!(info.keys, new as u64 + 4);
    // A number that any client adds is stored as its decimal digits.
    for number in [42, u64::MAX] {
        cmd("BF.ADD")
            .arg(name)
            .arg(number)
            .exec(connection)
            .unwrap();
        assert!(filter.contains(connection, &number).unwrap(), "{number}");
    }
    filter.expire(connection, Duration::from_secs(100)).unwrap();
    assert!(filter.delete(connection).unwrap());
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
}

#[test]
fn the_module_answers_in_every_server_and_protocol() {
    for (name, server) in Server::with_bloom() {
        answers(&mut server.connect(), "old");
        let url = format!("{}/?protocol=resp3", server.url());
        let client = redis::Client::open(url).unwrap();
        answers(&mut client.get_connection().unwrap(), "new");
        eprintln!("{name}: BF.*");
    }
}

#[test]
fn each_key_of_a_full_filter_has_its_own_outcome() {
    for (_, server) in Server::with_bloom() {
        let connection = &mut server.connect();
        let filter = RemoteBf::create(connection, "small", 10, 0.0001, None).unwrap();
        let members = keys(0..8);
        let outcomes = filter.insert_batch(connection, &members).unwrap();
        assert_eq!(count(&outcomes, &Ok(Inserted::New)), 8);
        let outcomes = filter.insert_batch(connection, &keys(6..13)).unwrap();
        assert_eq!(count(&outcomes[..2], &Ok(Inserted::MayHaveBeenPresent)), 2);
        assert_eq!(count(&outcomes[2..4], &Ok(Inserted::New)), 2);
        assert_eq!(outcomes[4], Err(NotInserted::Full));
        assert_eq!(
            outcomes[5..],
            [Err(NotInserted::NotTried), Err(NotInserted::NotTried)]
        );
        assert_eq!(
            filter.insert(connection, "x").unwrap(),
            Err(NotInserted::Full)
        );
        assert!(all(&filter
            .contains_batch(connection, &keys(0..10))
            .unwrap()));
        assert_eq!(filter.info(connection).unwrap().expansion, None);
    }
}

#[test]
fn a_pulled_filter_answers_as_the_server_does() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let filter = RemoteBf::create(connection, "chain", 1_000, 0.02, Some(3)).unwrap();
    let members = keys(0..20_000);
    filter.insert_batch(connection, &members).unwrap();
    let local = filter.pull(connection).unwrap();
    assert_eq!(local.links().len(), 4);
    // Encoding the copy as a file and decoding it again gives the same filter.
    assert_eq!(RedisBloom::from_bytes(&local.to_bytes()).unwrap(), local);
    let asked = keys(0..100_000);
    let there = filter.contains_batch(connection, &asked).unwrap();
    let here: Vec<bool> = asked.iter().map(|key| local.contains(key)).collect();
    assert!(there == here && all(&here[..20_000]));
    let false_positives = here[20_000..].iter().filter(|found| **found).count();
    assert!((100..4_000).contains(&false_positives), "{false_positives}");
    // Loads the copy to the server again; there this crate's own keys are added.
    let loaded = load(connection, "again", &local);
    let again = loaded.contains_batch(connection, &asked).unwrap();
    let changed = again.iter().zip(&there).filter(|(a, b)| a != b).count();
    assert!(changed < 20 && all(&again[..20_000]), "{changed}");
}

/// Loads a pulled filter to a server.
fn load(connection: &mut impl ConnectionLike, name: &str, local: &RedisBloom) -> RemoteBf {
    for (iter, data) in local.chunks() {
        let mut load = cmd("BF.LOADCHUNK");
        load.arg(name).arg(iter).arg(data);
        load.exec(connection).unwrap();
    }
    RemoteBf::adopt(connection, name, TRUSTED).unwrap()
}

#[test]
fn copying_continues_after_a_cut() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = redis::Client::open(proxy.url()).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_secs(5));
    // The connection breaks after any number of bytes, for a small filter.
    let mut local = RedisBloom::reserve(0.01, 100, Some(2)).unwrap();
    local.insert("rose").unwrap();
    let filter = load(&mut server.connect(), "small", &local);
    for at in (0..1_500).step_by(17) {
        proxy.cut_after(at);
        assert!(filter.pull(connection).unwrap().contains("rose"));
    }
    // The connection breaks while a filter of three chunks is copied.
    let mut local = RedisBloom::reserve(0.0001, 16_000_000, Some(2)).unwrap();
    let members = keys(0..1_000);
    for key in &members {
        local.insert(key).unwrap();
    }
    let bytes = local.size_bits() as i64 / 8;
    assert!(bytes > 2 * (16 << 20), "{bytes}");
    let filter = load(&mut server.connect(), "large", &local);
    for at in [50, 300, bytes / 3, bytes * 9 / 10, bytes + 1_400] {
        proxy.cut_after(at);
        let pulled = filter.pull(connection).unwrap();
        assert_eq!(pulled.keys(), 1_004);
        let is_there = members.iter().all(|key| pulled.contains(key));
        assert!(is_there, "cut at {at}");
    }
}

#[test]
fn filters_of_others_are_adopted_and_bitmaps_are_none() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let connection = &mut server.connect();
    let mut add = cmd("BF.ADD");
    add.arg("theirs").arg("rose").exec(connection).unwrap();
    let joined = RemoteBf::join(connection, "theirs");
    assert!(matches!(joined, Err(Error::Bare { .. })), "{joined:?}");
    let filter = RemoteBf::adopt(connection, "theirs", TRUSTED).unwrap();
    assert!(filter.contains(connection, "rose").unwrap());
    assert!(!filter.contains(connection, "tulip").unwrap());
    assert_eq!(
        RemoteBf::adopt(connection, "theirs", TRUSTED)
            .unwrap()
            .name(),
        b"theirs"
    );
    let absent = RemoteBf::adopt(connection, "none", TRUSTED);
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    assert!(!cmd("EXISTS").arg("none").query::<bool>(connection).unwrap());
    let bits = GoZero::new(1_000).unwrap();
    RemoteBitmap::create(connection, "bits", bits).unwrap();
    let other = RemoteBf::join(connection, "bits");
    assert!(matches!(other, Err(Error::OtherType { .. })), "{other:?}");
    let other = RemoteBitmap::<GoZero>::join(connection, "theirs");
    assert!(matches!(other, Err(Error::OtherType { .. })), "{other:?}");
    let taken = RemoteBf::create(connection, "theirs", 10, 0.1, None);
    assert!(matches!(taken, Err(Error::Exists { .. })), "{taken:?}");
    for (capacity, fpr) in [(0, 0.1), (10, 0.0), (10, 1.0), (10, f64::NAN)] {
        let result = RemoteBf::create(connection, "bad", capacity, fpr, None);
        assert!(matches!(result, Err(Error::Spec(_))), "{result:?}");
    }
    assert!(!cmd("EXISTS").arg("bad").query::<bool>(connection).unwrap());
}

#[test]
fn without_the_module_the_error_says_so() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let result = RemoteBf::create(&mut server.connect(), "f", 10, 0.1, None);
    let Err(error @ Error::Unsupported { .. }) = result else {
        panic!("{result:?}");
    };
    let text = error.to_string();
    assert!(
        text.contains("BF.RESERVE") && text.contains("module"),
        "{text}"
    );
    // A server without the commands that guard inserts must reject inserts.
    let (Some(module), Some(redis)) = (fetched("redisbloom.so"), common::redis()) else {
        return;
    };
    let module = ["--loadmodule", module.to_str().unwrap()];
    let server = Server::start(
        &redis,
        &[&module[..], &["--rename-command", "RENAME", ""]].concat(),
    );
    let connection = &mut server.connect();
    let filter = RemoteBf::create(connection, "f", 10, 0.1, None).unwrap();
    let result = filter.insert(connection, "rose");
    assert!(
        matches!(
            result,
            Err(Error::Unsupported {
                command: "RENAME, LPUSH or DEL",
                ..
            })
        ),
        "{result:?}"
    );
    assert!(!filter.contains(connection, "rose").unwrap());
}

#[test]
fn what_is_not_an_answer_is_an_error() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let liar = Liar::new(server.port);
    let connection = &mut Reconnecting::new(liar.client(), Duration::from_secs(2));
    let filter = RemoteBf::create(connection, "f", 1_000, 0.01, Some(2)).unwrap();
    let filter = filter.with_retry(Retry::NEVER);
    let members = keys(0..2);
    filter.insert_batch(connection, &members).unwrap();
    for reply in [
        "+OK\r\n",
        ":0\r\n",
        "$-1\r\n",
        "*0\r\n",
        "*4\r\n:1\r\n:1\r\n:1\r\n:2\r\n",
        "*4\r\n:1\r\n:1\r\n:1\r\n$-1\r\n",
        "*3\r\n:1\r\n:1\r\n:1\r\n",
        "*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n",
        "*3\r\n*2\r\n:1\r\n:1\r\n*1\r\n:1\r\n:0\r\n",
        "*3\r\n*2\r\n:1\r\n:1\r\n+OK\r\n:0\r\n",
        "*3\r\n*1\r\n:1\r\n*2\r\n:1\r\n:1\r\n:0\r\n",
        "*3\r\n*2\r\n:1\r\n:1\r\n*2\r\n:1\r\n:1\r\n-ERR other\r\n",
        "-LOADING Redis is loading the dataset in memory\r\n",
        "-ERR other\r\n",
    ] {
        for command in ["BF.MEXISTS", "EXEC"] {
            liar.say(command, reply.as_bytes(), 1);
            let is_error = match command {
                "EXEC" => filter.insert_batch(connection, &members).is_err(),
                _ => filter.contains_batch(connection, &members).is_err(),
            };
            assert!(is_error, "{command} {reply:?}");
        }
    }
    assert_eq!(
        filter.contains_batch(connection, &members).unwrap(),
        [true; 2]
    );
}

#[cfg(feature = "async")]
#[test]
fn non_blocking_connections_agree() {
    use bouquet_redis::aio;
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread();
    { runtime }.enable_all().build().unwrap().block_on(async {
        let client = server.client();
        let connection = &mut client.get_multiplexed_async_connection().await.unwrap();
        let filter = aio::RemoteBf::create(connection, "f", 1_000, 0.01, Some(2)).await;
        let filter = filter.unwrap();
        let members = keys(0..1_500);
        let outcomes = filter.insert_batch(connection, &members).await.unwrap();
        assert!(count(&outcomes, &Ok(Inserted::New)) > 1_450);
        assert_eq!(filter.info(connection).await.unwrap().links, 2);
        let pulled = filter.pull(connection).await.unwrap();
        assert!(members.iter().all(|key| pulled.contains(key)));
        let joined = aio::RemoteBf::join(connection, "f").await.unwrap();
        cmd("DEL").arg("f").exec_async(connection).await.unwrap();
        let lost = joined.contains_batch(connection, &members).await;
        assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    });
}
