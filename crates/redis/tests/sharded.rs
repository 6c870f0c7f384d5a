//! Tests one filter over many strings, on one server and in a cluster.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_redis::{Error, Inserted, Reconnecting, Retry, ShardedBitmap};
use common::{Server, keys, liar::Liar, proxy::Proxy};
use redis::{Connection, cmd};
use std::time::Duration;

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

fn made(connection: &mut Connection, shards: u32) -> ShardedBitmap {
    ShardedBitmap::create(connection, "s", 20_000, 0.01, shards).unwrap()
}

#[test]
fn shards_answer_as_one_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let (members, others) = (keys(0..20_000), keys(20_000..60_000));
    for shards in [1, 2, 7, 64] {
        let filter = made(connection, shards);
        assert!(
            filter
                .contains_batch::<String>(connection, &[])
                .unwrap()
                .is_empty()
        );
        let inserted = filter.insert_batch(connection, &members).unwrap();
        let new = inserted.iter().filter(|new| **new == Inserted::New).count();
        assert!(new > 19_800, "{new} of 20,000 were new");
        let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
        let calls = stats.split("cmdstat_bitfield:calls=").nth(1).unwrap();
        let calls: u32 = calls.split(',').next().unwrap().parse().unwrap();
        // 256 keys per command, and an incomplete command for each shard: no command is sent twice.
        assert!(calls <= 20_000 / 256 + shards, "{calls} of {shards} shards");
        cmd("CONFIG").arg("RESETSTAT").exec(connection).unwrap();
        let again = filter.insert(connection, &members[3]).unwrap();
        assert_eq!(again, Inserted::MayHaveBeenPresent);
        assert!(all(&filter.contains_batch(connection, &members).unwrap()));
        let joined = ShardedBitmap::join(connection, "s").unwrap();
        assert_eq!(joined.shards(), shards as usize);
        let found = joined.contains_batch(connection, &others).unwrap();
        let false_positives = found.iter().filter(|found| **found).count();
        // If the whole hash located the keys within a shard, they would use only a part of its
        // blocks, and the FPR would be higher.
        assert!(
            (100..=480).contains(&false_positives),
            "{false_positives} of 40,000 at 1 %"
        );
        assert_eq!(joined.contains(connection, &others[0]).unwrap(), found[0]);
        let taken = ShardedBitmap::create(connection, "s", 20_000, 0.1, shards);
        assert!(matches!(taken, Err(Error::Exists { .. })), "{taken:?}");
        assert!(filter.delete(connection).unwrap());
        assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
    }
    let absent = ShardedBitmap::join(connection, "s");
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    for (name, shards) in [("s", 0), ("s", 1_025), ("", 3), ("a{b", 3), ("a}", 3)] {
        let bad = ShardedBitmap::create(connection, name, 10, 0.1, shards);
        assert!(matches!(bad, Err(Error::BadName { .. })), "{bad:?}");
    }
}

#[test]
fn a_lost_shard_is_a_lost_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = made(connection, 5);
    let members = keys(0..1_000);
    filter.insert_batch(connection, &members).unwrap();
    let shard = filter.shard_name(3).unwrap().to_vec();
    let dump = |connection: &mut Connection| -> Option<Vec<u8>> {
        cmd("DUMP").arg(&shard).query(connection).unwrap()
    };
    let loss: [fn(&[u8], &mut Connection); 2] = [
        |name, connection| cmd("DEL").arg(name).exec(connection).unwrap(),
        |name, connection| {
            cmd("LPUSH").arg(name).arg("x").exec(connection).unwrap();
        },
    ];
    for loss in loss {
        loss(&shard, connection);
        let there = dump(connection);
        for lost in [
            filter.contains_batch(connection, &members).err(),
            filter.insert_batch(connection, &members).err(),
        ] {
            let Some(Error::FilterLost { name, .. }) = lost else {
                panic!("{lost:?}");
            };
            assert_eq!(name.as_bytes(), shard);
        }
        assert_eq!(dump(connection), there);
        // Keys of the other shards are still answered.
        let here = members
            .iter()
            .find(|key| filter.shard_of(key) == 1)
            .unwrap();
        assert!(filter.contains(connection, here).unwrap());
        cmd("DEL").arg(&shard).exec(connection).unwrap();
    }
    // A shard of a filter with another number of shards must be rejected.
    let other = ShardedBitmap::create(connection, "t", 20_000, 0.01, 6).unwrap();
    let mut rename = cmd("RENAME");
    rename.arg(other.shard_name(3)).arg(&shard);
    rename.exec(connection).unwrap();
    let mixed = ShardedBitmap::join(connection, "s");
    assert!(
        matches!(mixed, Err(Error::Incompatible { .. })),
        "{mixed:?}"
    );
}

#[test]
fn a_reply_that_fails_is_retried_alone() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let liar = Liar::new(server.port);
    let connection = &mut Reconnecting::new(liar.client(), Duration::from_secs(2));
    let filter = ShardedBitmap::create(connection, "s", 20_000, 0.01, 7).unwrap();
    let members = keys(0..2_000);
    filter.insert_batch(connection, &members).unwrap();
    for reply in [
        "-MOVED 1 127.0.0.1:1\r\n",
        "-LOADING wait\r\n",
        "-TRYAGAIN later\r\n",
    ] {
        for times in [1, 5, 9] {
            liar.say("BITFIELD_RO", reply.as_bytes(), times);
            assert!(all(&filter.contains_batch(connection, &members).unwrap()));
            assert!(liar.count() > 7);
            liar.say("EXEC", reply.as_bytes(), times);
            assert_eq!(
                filter.insert_batch(connection, &members).unwrap().len(),
                2_000
            );
        }
    }
    // Zeros mean that the filter is lost; this is checked once more.
    liar.say("BITFIELD_RO", b"*2\r\n:0\r\n:0\r\n", 1);
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    for reply in [":0\r\n", "*0\r\n", "$-1\r\n"] {
        liar.say("BITFIELD_RO", reply.as_bytes(), 1);
        let asked = filter.contains_batch(connection, &members);
        assert!(asked.is_err(), "{reply:?}");
    }
    let hasty = filter.with_retry(Retry::NEVER);
    liar.say("BITFIELD_RO", b"-LOADING wait\r\n", u32::MAX);
    assert!(hasty.contains_batch(connection, &members).is_err());
}

#[test]
fn cuts_lose_no_key_and_report_what_is_unsure() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = redis::Client::open(proxy.url()).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_secs(5));
    let filter = ShardedBitmap::create(connection, "s", 20_000, 0.01, 5).unwrap();
    let mut unsure = 0;
    for round in 0..100 {
        proxy.cut_after(i64::from(round) * 131);
        let new = keys(round * 40..round * 40 + 40);
        let inserted = filter.insert_batch(connection, &new).unwrap();
        for inserted in inserted {
            unsure += u32::from(inserted == Inserted::Unsure);
        }
        proxy.cut_after(i64::from(round) * 131);
        assert!(all(&filter.contains_batch(connection, &new).unwrap()));
    }
    let members = keys(0..4_000);
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    let again = filter.insert_batch(connection, &members).unwrap();
    assert!(!again.contains(&Inserted::New));
    assert!(unsure > 0);
}

#[cfg(feature = "async")]
#[test]
fn non_blocking_connections_agree() {
    use bouquet_redis::aio;
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().unwrap().block_on(async {
        let client = server.client();
        let connection = &mut client.get_multiplexed_async_connection().await.unwrap();
        let filter = aio::ShardedBitmap::create(connection, "s", 20_000, 0.01, 6).await;
        let filter = filter.unwrap();
        let members = keys(0..3_000);
        filter.insert_batch(connection, &members).await.unwrap();
        let joined = aio::ShardedBitmap::join(connection, "s").await.unwrap();
        let found = joined.contains_batch(connection, &members).await.unwrap();
        assert!(all(&found));
        cmd("DEL")
            .arg(filter.shard_name(2))
            .exec_async(connection)
            .await
            .unwrap();
        let lost = filter.contains_batch(connection, &members).await;
        assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    });
}

#[test]
fn what_several_processes_recover_is_one_filter() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let open = |connection: &mut Connection| ShardedBitmap::open(connection, "s", 20_000, 0.01, 4);
    let filter = open(connection).unwrap();
    for lost in [&[1][..], &[0], &[0, 1, 2, 3]] {
        for shard in lost {
            let mut del = cmd("DEL");
            del.arg(filter.shard_name(*shard)).exec(connection).unwrap();
        }
        std::thread::scope(|threads| {
            for i in 0..6 {
                let (server, filter, open) = (&server, &filter, &open);
                threads.spawn(move || {
                    let connection = &mut server.connect();
                    match i % 2 {
                        0 => drop(open(connection).unwrap()),
                        _ => filter.clone().replace(connection).unwrap(),
                    }
                });
            }
        });
        let joined = ShardedBitmap::join(connection, "s").unwrap();
        joined.insert_batch(connection, &keys(0..100)).unwrap();
        let found = filter.contains_batch(connection, &keys(0..100)).unwrap();
        assert!(found.iter().all(|found| *found), "{lost:?}");
    }
}
