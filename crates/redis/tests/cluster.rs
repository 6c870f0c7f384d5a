//! Tests one filter on a real cluster that the test starts. It moves slots and kills nodes.
#![cfg(feature = "cluster")]
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

use bouquet_redis::{Error, Inserted, Native, Reconnecting, RemoteBitmap, Retry, ShardedBitmap};
use common::{Server, cluster::Cluster, keys, proxy::Proxy, repeated::beside};
use redis::{Connection, Value, cluster::ClusterClient, cmd};

fn connect(cluster: &Cluster) -> Reconnecting<ClusterClient> {
    let client = ClusterClient::new(cluster.urls()).unwrap();
    Reconnecting::new(client, Duration::from_secs(2))
}

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

#[test]
fn a_cluster_shares_keys_evenly_and_loses_none_while_slots_move() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let connection = &mut connect(&cluster);
    let filter = ShardedBitmap::create(connection, "s", 400_000, 0.01, 24).unwrap();
    let members: Vec<u64> = (0..200_000).collect();
    filter.insert_batch(connection, &members).unwrap();
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    let owners: Vec<usize> = (0..24)
        .map(|shard| cluster.owner(filter.shard_name(shard).unwrap()))
        .collect();
    let mut on_node = [0i64; 3];
    for key in &members {
        on_node[owners[filter.shard_of(key)]] += 1;
    }
    // 200,000 keys over three nodes have a standard deviation of 211 keys per node.
    for keys in on_node {
        assert!((keys - 66_667).abs() < 5 * 211, "{on_node:?}");
    }
    // Slots move while another client inserts and queries.
    let from = owners[0];
    let to = (from + 1) % 3;
    let mut other = connect(&cluster);
    let shared = ShardedBitmap::join(&mut other, "s").unwrap();
    let (mut rounds, mut inserted) = (0u64, Vec::new());
    let round = || {
        let first = rounds * 500 % 199_500;
        let asked = &members[first as usize..first as usize + 500];
        let found = shared.contains_batch(&mut other, asked).unwrap();
        assert!(all(&found), "a false negative");
        let new: Vec<u64> = (0..50).map(|i| 1_000_000 + rounds * 50 + i).collect();
        shared.insert_batch(&mut other, &new).unwrap();
        inserted.extend(new);
        rounds += 1;
    };
    beside(round, |wait_for_a_round| {
        wait_for_a_round();
        cluster.reshard(from, to, 1_000);
        wait_for_a_round();
    });
    assert_eq!(
        cluster.owner(filter.shard_name(0).unwrap()),
        to,
        "its slot did not move"
    );
    assert!(
        all(&filter.contains_batch(connection, &members).unwrap()),
        "a key is lost"
    );
    let joined = ShardedBitmap::join(connection, "s").unwrap();
    assert!(
        all(&joined.contains_batch(connection, &inserted).unwrap()),
        "a key is lost"
    );
    eprintln!("{on_node:?} keys per node; {rounds} rounds while 1,000 slots moved");
}

#[test]
fn a_node_that_is_queried_for_another_s_keys_reports_it() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(&mut connect(&cluster), "one", scheme).unwrap();
    filter.insert(&mut connect(&cluster), "rose").unwrap();
    for few in [&["rose"][..], &["rose"; 20]] {
        assert!(all(&filter
            .contains_batch(&mut connect(&cluster), few)
            .unwrap()));
    }
    let owner = cluster.owner(b"one");
    let brief = Retry {
        deadline: Duration::from_millis(30),
        pause: Duration::from_millis(5),
    };
    let filter = &mut filter.with_retry(brief);
    for other in (0..3).filter(|node| *node != owner) {
        let connection = &mut cluster.nodes[other].connect();
        for few in [&["rose"][..], &["rose"; 20]] {
            let error = filter.contains_batch(connection, few).unwrap_err();
            let text = error.to_string();
            assert!(
                text.contains("MOVED") && text.contains("connection to the cluster"),
                "{text}"
            );
        }
        let error = RemoteBitmap::<Native>::join(connection, "one").unwrap_err();
        assert!(error.to_string().contains("MOVED"), "{error}");
    }
}

/// A cluster of one node that clients reach through a proxy.
fn behind_a_proxy() -> Option<(Server, Proxy)> {
    let server = Server::redis(&["--cluster-enabled", "yes"])?;
    let proxy = Proxy::new(server.port);
    let connection = &mut server.connect();
    let mut announce = cmd("CONFIG");
    announce
        .arg("SET")
        .arg("cluster-announce-port")
        .arg(proxy.port);
    announce.exec(connection).unwrap();
    let mut slots = cmd("CLUSTER");
    slots.arg("ADDSLOTSRANGE").arg(0).arg(16_383);
    slots.exec(connection).unwrap();
    let end = Instant::now() + Duration::from_secs(15);
    let is_ready = |connection: &mut Connection| {
        let say = |what: &str, connection: &mut Connection| {
            let said: Value = cmd("CLUSTER").arg(what).query(connection).unwrap();
            format!("{said:?}")
        };
        say("INFO", connection).contains("cluster_state:ok")
            && say("SLOTS", connection).contains(&format!("int({})", proxy.port))
    };
    while !is_ready(connection) {
        assert!(Instant::now() < end, "the node did not come up");
        thread::sleep(Duration::from_millis(50));
    }
    Some((server, proxy))
}

#[test]
fn a_lost_reply_of_a_cluster_is_not_taken_for_another_s_insert() {
    let Some((_server, proxy)) = behind_a_proxy() else {
        return;
    };
    let client = ClusterClient::new([proxy.url()]).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_secs(2));
    let filter = ShardedBitmap::create(connection, "s", 20_000, 0.001, 3).unwrap();
    let (mut unsure, mut taken) = (0, 0);
    for round in 0..100 {
        proxy.cut_after(i64::from(round) * 131);
        let new = keys(round * 40..round * 40 + 40);
        for inserted in filter.insert_batch(connection, &new).unwrap() {
            unsure += u32::from(inserted == Inserted::Unsure);
            taken += u32::from(inserted == Inserted::MayHaveBeenPresent);
        }
        assert!(all(&filter.contains_batch(connection, &new).unwrap()));
    }
    // Every key was new, except for false positives and for batches whose reply was lost.
    assert!(
        unsure > 20 && taken < 20,
        "{unsure} unsure, {taken} of 4,000 taken for old"
    );
}

#[test]
fn a_master_that_dies_gives_errors_until_its_replica_answers() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let connection = &mut connect(&cluster);
    let filter = ShardedBitmap::create(connection, "s", 40_000, 0.01, 6)
        .unwrap()
        .with_retry(Retry {
            deadline: Duration::from_millis(200),
            pause: Duration::from_millis(20),
        });
    let victim = cluster.owner(filter.shard_name(0).unwrap());
    cluster.add_replica(victim);
    let members = keys(0..20_000);
    filter.insert_batch(connection, &members).unwrap();
    let copied: u32 = cmd("WAIT")
        .arg(1)
        .arg(5_000)
        .query(&mut cluster.nodes[victim].connect())
        .unwrap();
    assert_eq!(copied, 1);
    thread::sleep(Duration::from_millis(300));
    cluster.nodes[victim].kill();
    let (began, mut errors) = (Instant::now(), 0);
    loop {
        match filter.contains_batch(connection, &members) {
            Ok(found) => {
                assert!(all(&found), "a false negative");
                break;
            }
            Err(Error::Redis { .. }) => errors += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{errors} errors");
    }
    assert!(errors > 0);
    assert!(all(&filter.contains_batch(connection, &members).unwrap()));
    filter.insert_batch(connection, &members[..100]).unwrap();
    eprintln!(
        "answers {:.1} s after the kill",
        began.elapsed().as_secs_f64()
    );
}
