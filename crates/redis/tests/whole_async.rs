//! Tests whole filters over non-blocking connections: `BF.*`, shards, and a real cluster.
#![cfg(feature = "async")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::Duration;

use bouquet_redis::{
    Inserted,
    aio::{RemoteBf, ShardedBitmap},
};
use common::{Server, keys};
use redis::aio::ConnectionLike;

const LIFE: Duration = Duration::from_secs(300);

fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().unwrap().block_on(test);
}

fn all(found: &[bool]) -> bool {
    found.iter().all(|found| *found)
}

fn is_life(left: Option<Duration>) -> bool {
    left.is_some_and(|left| left <= LIFE && left.as_secs() > 280)
}

#[test]
fn filters_of_the_module_are_counted_and_expire() {
    let Some((_, server)) = Server::with_bloom().pop() else {
        return;
    };
    run(async {
        let client = server.client();
        let connection = &mut client.get_multiplexed_async_connection().await.unwrap();
        let filter = RemoteBf::create(connection, "f", 2_000, 0.01, None).await;
        let filter = filter.unwrap();
        let other = RemoteBf::join(connection, "f").await.unwrap();
        let members = keys(0..1_000);
        let inserted = filter.insert_batch(connection, &members).await;
        let new = inserted
            .unwrap()
            .iter()
            .filter(|it| **it == Ok(Inserted::New))
            .count();
        let info = filter.info(connection).await.unwrap();
        assert_eq!(info.keys, new as u64 + 4);
        filter.expire(connection, LIFE).await.unwrap();
        let left = redis::cmd("PTTL").arg("f").query_async(connection).await;
        assert!(is_life(Some(Duration::from_millis(left.unwrap()))));
        let found = other.contains_batch(connection, &members).await;
        assert!(all(&found.unwrap()));
        assert!(filter.delete(connection).await.unwrap());
        assert!(!filter.delete(connection).await.unwrap());
    });
}

async fn shards(connection: &mut impl ConnectionLike) {
    let filter = ShardedBitmap::create(connection, "s", 20_000, 0.01, 6).await;
    let filter = filter.unwrap();
    let other = ShardedBitmap::join(connection, "s").await.unwrap();
    let members = keys(0..10_000);
    let inserted = filter.insert_batch(connection, &members).await;
    let new = inserted
        .unwrap()
        .iter()
        .filter(|it| **it == Inserted::New)
        .count();
    assert!(new > 9_900, "{new} of 10,000 were new");
    let found = other.contains_batch(connection, &members).await;
    assert!(all(&found.unwrap()));
    let absent = other
        .contains_batch(connection, &keys(10_000..20_000))
        .await;
    let false_positives = absent.unwrap().iter().filter(|found| **found).count();
    assert!(false_positives < 100, "{false_positives} of 10,000");
    filter.expire(connection, LIFE).await.unwrap();
    let info = filter.info(connection).await.unwrap();
    assert!(is_life(info.ttl));
    let keys = info.estimated_keys();
    assert!((9_500.0..10_500.0).contains(&keys), "{keys} of 10,000");
    let draft = filter.rebuild(connection, 30_000, 0.01).await;
    let draft = draft.unwrap();
    draft.insert_batch(connection, &members).await.unwrap();
    let filter = draft.publish(connection).await.unwrap();
    assert!(is_life(filter.info(connection).await.unwrap().ttl));
    let found = other.contains_batch(connection, &members).await;
    assert!(all(&found.unwrap()));
}

#[test]
fn shards_are_counted_expire_and_are_rebuilt() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    run(async {
        let client = server.client();
        shards(&mut client.get_multiplexed_async_connection().await.unwrap()).await;
    });
}

#[cfg(feature = "async-cluster")]
#[test]
fn a_cluster_says_the_same() {
    use bouquet_redis::{GoZero, Native, Scheme, aio::RemoteBitmap};
    use redis::cluster::ClusterClient;

    async fn one<S: Scheme>(connection: &mut impl ConnectionLike, scheme: S) {
        let filter = RemoteBitmap::create(connection, S::NAME, scheme).await;
        let filter = filter.unwrap();
        let members = keys(0..800);
        filter.insert_batch(connection, &members).await.unwrap();
        // Few keys take one command; with the native scheme many keys take one pipeline.
        for count in [1, 2, 800] {
            let found = filter.contains_batch(connection, &members[..count]).await;
            assert!(all(&found.unwrap()));
        }
        assert!(filter.delete(connection).await.unwrap());
        assert!(filter.contains(connection, "key:1").await.is_err());
    }

    let Some(cluster) = common::cluster::Cluster::start() else {
        return;
    };
    run(async {
        let client = ClusterClient::new(cluster.urls()).unwrap();
        let connection = &mut client.get_async_connection().await.unwrap();
        shards(connection).await;
        one(connection, Native::new(1_000, 0.01).unwrap()).await;
        one(connection, GoZero::for_target(1_000, 0.01).unwrap()).await;
    });
}
