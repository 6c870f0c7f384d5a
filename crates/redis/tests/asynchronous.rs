//! Tests non-blocking connections, including calls whose futures are dropped before the end.
#![cfg(feature = "async")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::{Duration, Instant};

use bouquet_redis::{GoZero, Native, Scheme, aio::RemoteBitmap};
use common::{Server, keys};
use redis::aio::{ConnectionLike, ConnectionManager, MultiplexedConnection};

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(test);
}

async fn connect(server: &Server) -> MultiplexedConnection {
    server
        .client()
        .get_multiplexed_async_connection()
        .await
        .unwrap()
}

async fn answers<S: Scheme>(connection: &mut impl ConnectionLike, name: &str, scheme: S) {
    let filter = RemoteBitmap::create(connection, name, scheme)
        .await
        .unwrap();
    let (members, others) = (keys(0..2_000), keys(2_000..4_000));
    filter.insert_batch(connection, &members).await.unwrap();
    let found = filter.contains_batch(connection, &members).await.unwrap();
    assert!(found.iter().all(|found| *found));
    let found = filter.contains_batch(connection, &others).await.unwrap();
    assert!(found.iter().filter(|found| **found).count() < 60);
    let other = RemoteBitmap::<S>::join(connection, name).await.unwrap();
    assert!(other.contains(connection, "key:7").await.unwrap());
    assert!(other.info(connection).await.unwrap().ones > 0);
    other
        .expire(connection, Duration::from_secs(9))
        .await
        .unwrap();
    assert!(other.ttl(connection).await.unwrap().is_some());
    let draft = other
        .rebuild(connection, other.scheme().clone())
        .await
        .unwrap();
    draft.insert_batch(connection, &members).await.unwrap();
    draft.publish(connection).await.unwrap();
    let found = filter.contains_batch(connection, &members).await.unwrap();
    assert!(found.iter().all(|found| *found));
    assert!(other.delete(connection).await.unwrap());
    assert!(filter.contains_batch(connection, &members).await.is_err());
}

#[test]
fn multiplexed_and_managed_connections_answer() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    run(async {
        let mut multiplexed = connect(&server).await;
        let mut managed = ConnectionManager::new(server.client()).await.unwrap();
        answers(&mut multiplexed, "a", Native::new(2_000, 0.01).unwrap()).await;
        answers(&mut managed, "b", Native::new(2_000, 0.01).unwrap()).await;
        answers(&mut managed, "c", GoZero::for_target(2_000, 0.01).unwrap()).await;
        // Runs in a task of its own, as in a server program.
        let task = tokio::spawn(async move {
            let scheme = GoZero::for_target(2_000, 0.01).unwrap();
            answers(&mut multiplexed, "d", scheme).await;
        });
        task.await.unwrap();
    });
}

#[test]
fn a_call_that_is_dropped_leaves_filter_and_connection_right() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    run(async {
        let mut connection = connect(&server).await;
        let scheme = Native::new(20_000, 0.001).unwrap();
        let filter = RemoteBitmap::create(&mut connection, "drop", scheme)
            .await
            .unwrap();
        let (members, others) = (keys(0..600), keys(600_000..600_600));
        filter
            .insert_batch(&mut connection, &members)
            .await
            .unwrap();
        let mut undisturbed = Duration::MAX;
        for _ in 0..20 {
            let began = Instant::now();
            filter
                .insert_batch(&mut connection, &members[..10])
                .await
                .unwrap();
            filter
                .contains_batch(&mut connection, &others)
                .await
                .unwrap();
            undisturbed = undisturbed.min(began.elapsed());
        }
        let mut dropped = 0;
        for round in 0..360u32 {
            // The time until the drop varies from before the first command is sent to after the
            // last reply.
            let time = undisturbed * (round % 120) / 100;
            let new = keys(1_000 + round * 10..1_010 + round * 10);
            let both = async {
                filter.insert_batch(&mut connection, &new).await.unwrap();
                filter
                    .contains_batch(&mut connection, &others)
                    .await
                    .unwrap();
            };
            dropped += u32::from(tokio::time::timeout(time, both).await.is_err());
            // The replies to dropped calls must not be taken for answers to later ones.
            let found = filter
                .contains_batch(&mut connection, &members)
                .await
                .unwrap();
            assert!(found.iter().all(|found| *found), "a false negative");
            let found = filter
                .contains_batch(&mut connection, &others[..50])
                .await
                .unwrap();
            assert!(
                found.iter().filter(|found| **found).count() < 5,
                "another's answer"
            );
        }
        assert!(dropped > 50, "{dropped}");
        // The dropped inserts may have been executed or not; after inserting again every key must
        // be present.
        let new = keys(1_000..4_000);
        filter.insert_batch(&mut connection, &new).await.unwrap();
        let found = filter.contains_batch(&mut connection, &new).await.unwrap();
        assert!(found.iter().all(|found| *found));
    });
}
