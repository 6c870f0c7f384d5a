//! Tests a local copy in front of the server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use bouquet_redis::{Error, GoZero, Native, RemoteBitmap, Scheme, TieredFilter};
use common::{Server, keys};
use redis::{Connection, cmd};

const FAST: u64 = 1 << 30;
const HOUR: Duration = Duration::from_secs(3_600);

fn made<S: Scheme>(connection: &mut Connection, name: &str, scheme: S) -> TieredFilter<S> {
    let remote = RemoteBitmap::create(connection, name, scheme).unwrap();
    TieredFilter::new(remote, FAST).unwrap()
}

fn questions(connection: &mut Connection) -> u64 {
    let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    let calls = stats.split("cmdstat_bitfield_ro:calls=").nth(1);
    calls.map_or(0, |rest| rest.split(',').next().unwrap().parse().unwrap())
}

fn answers<S: Scheme>(server: &Server, scheme: S) {
    let connection = &mut server.connect();
    let filter = made(connection, S::NAME, scheme);
    let other = filter.remote().clone();
    let (members, absent) = (keys(0..2_000), keys(2_000..4_000));
    other.insert_batch(connection, &members).unwrap();
    // The copy is still empty, so every key is queried from the server.
    assert!(filter.contains(connection, &members[0]).unwrap());
    assert_eq!((filter.server_checks(), filter.age()), (1, None));
    assert!(filter.refresh(connection).unwrap() > 0);
    assert!(filter.age().unwrap() < Duration::from_secs(5));
    let before = questions(connection);
    let found = filter.contains_batch(connection, &members).unwrap();
    assert!(found.iter().all(|found| *found));
    assert_eq!(questions(connection), before, "members were queried");
    // Absent keys are queried from the server and get its answer.
    let found = filter.contains_batch(connection, &absent).unwrap();
    assert_eq!(found, other.contains_batch(connection, &absent).unwrap());
    assert!(questions(connection) > before);
    // A key that another client inserts is found at once by `contains`, but only later by
    // `contains_within`. Two separate filters are used, because clones would share one copy.
    let [sure, now] = [(); 2].map(|()| {
        let own = TieredFilter::new(other.clone(), FAST).unwrap();
        own.refresh(connection).unwrap();
        own
    });
    let new = absent
        .iter()
        .zip(&found)
        .find(|(_, found)| !**found)
        .unwrap()
        .0;
    other.insert(connection, new).unwrap();
    assert!(sure.contains(connection, new).unwrap());
    assert!(!filter.contains_within(connection, new, HOUR).unwrap());
    assert!(
        now.contains_within(connection, new, Duration::ZERO)
            .unwrap()
    );
    while filter.refresh(connection).unwrap() == 0 {
        sleep(Duration::from_millis(1));
    }
    assert!(filter.contains_within(connection, new, HOUR).unwrap());
    assert!(filter.server_checks() <= 2_001);
}

#[test]
fn the_copy_answers_what_the_server_would() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    answers(&server, Native::new(2_000, 0.01).unwrap());
    answers(&server, GoZero::for_target(2_000, 0.01).unwrap());
}

#[test]
fn a_false_positive_of_the_copy_swallows_no_insert() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = made(connection, "f", Native::new(500, 0.01).unwrap());
    filter.insert_batch(connection, &keys(0..2_000)).unwrap();
    let mut others = keys(500_000..500_400);
    others.retain(|key| filter.contains(connection, key).unwrap());
    assert!(others.len() > 20, "{} false positives", others.len());
    // Each filter has a copy of its own, because the first insert drops the copy.
    let join = |_| RemoteBitmap::<Native>::join(connection, "f").unwrap();
    let remotes: Vec<_> = (0..20).map(join).collect();
    let with_copy = |remote| {
        let filter = TieredFilter::new(remote, FAST).unwrap();
        assert!(filter.refresh(connection).unwrap() > 0);
        filter
    };
    let copies: Vec<_> = remotes.into_iter().map(with_copy).collect();
    // Another client rebuilds the filter without these keys, so the copies still report them as
    // present.
    let scheme = filter.remote().scheme();
    let draft = filter.remote().rebuild(connection, scheme).unwrap();
    let other = draft.publish(connection).unwrap();
    for (copy, key) in copies.iter().zip(&others) {
        assert!(copy.contains(connection, key).unwrap() && copy.server_checks() == 0);
        assert!(!other.contains(connection, key).unwrap());
        copy.insert(connection, key).unwrap();
        assert!(
            other.contains(connection, key).unwrap(),
            "an insert was swallowed"
        );
    }
}

#[test]
fn a_new_generation_and_a_loss_drop_the_copy() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let members = keys(0..1_000);
    let absent = keys(7_000..7_020);
    let small = Native::new(1_000, 0.01).unwrap();
    let larger = Native::new(50_000, 0.001).unwrap();
    let smaller = Native::new(100, 0.01).unwrap();
    for (name, next) in [
        ("as large", &small),
        ("larger", &larger),
        ("smaller", &smaller),
    ] {
        let filter = made(connection, name, small.clone());
        let also = TieredFilter::new(filter.remote().clone(), FAST).unwrap();
        let [asked, refreshed] = [(); 2].map(|()| {
            let remote = RemoteBitmap::join(connection, name).unwrap();
            TieredFilter::new(remote, FAST).unwrap()
        });
        for filter in [&filter, &also, &asked, &refreshed] {
            filter.insert_batch(connection, &members).unwrap();
        }
        let draft = filter.remote().rebuild(connection, next.clone()).unwrap();
        draft.insert_batch(connection, &members[..10]).unwrap();
        draft.publish(connection).unwrap();
        // The rebuild is noticed by a refresh or by a query, both in a client that switches by
        // itself and in one whose clone has already switched.
        asked.contains_batch(connection, &absent).unwrap();
        also.contains_batch(connection, &absent).unwrap();
        filter.refresh(connection).unwrap();
        refreshed.refresh(connection).unwrap();
        for filter in [asked, also, filter, refreshed] {
            assert_eq!(filter.remote().scheme(), *next);
            let found = filter.contains_batch(connection, &members).unwrap();
            assert!(found[..10].iter().all(|found| *found));
            let left = found[10..].iter().filter(|found| **found).count();
            assert!(left < 10, "{left} keys of the old one");
        }
    }
    let filter = made(connection, "g", larger);
    filter.insert_batch(connection, &members).unwrap();
    cmd("DEL").arg("g").exec(connection).unwrap();
    let lost = filter.contains_batch(connection, &absent);
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    // Members are no longer answered from the copy.
    let lost = filter.contains_batch(connection, &members);
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
    let lost = filter.contains_within(connection, "x", HOUR);
    assert!(lost.is_err() && filter.refresh(connection).is_err());
    cmd("LPUSH").arg("g").arg(1).exec(connection).unwrap();
    let lost = filter.refresh(connection);
    assert!(matches!(lost, Err(Error::FilterLost { .. })), "{lost:?}");
}

#[test]
fn refreshing_keeps_to_its_byte_rate() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(2_000_000, 0.01).unwrap();
    let remote = RemoteBitmap::create(connection, "f", scheme).unwrap();
    let filter = TieredFilter::new(remote, 500_000).unwrap();
    let (began, mut fetched) = (Instant::now(), 0);
    while fetched <= 800_000 {
        fetched += filter.refresh(connection).unwrap();
        let waited = began.elapsed();
        // The budget of one second at the start, and one piece in addition.
        let most = 500_000.0 * (1.0 + waited.as_secs_f64()) + 65_536.0;
        assert!(fetched as f64 <= most, "{fetched} bytes in {waited:?}");
        assert!(waited < Duration::from_secs(60), "{fetched} bytes so far");
        sleep(Duration::from_millis(5));
    }
    assert_eq!(filter.age(), None);
}

/// Counts the queries that a copy saves if a few keys are queried often.
#[test]
fn queries_saved_on_zipf_keys_are_counted() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let filter = made(connection, "f", Native::new(20_000, 0.01).unwrap());
    // Half of all ids are members.
    let members: Vec<u64> = (0..40_000).filter(|id| id % 2 == 0).collect();
    filter
        .remote()
        .clone()
        .insert_batch(connection, &members)
        .unwrap();
    let weights: Vec<f64> = (1..=40_000).map(|rank| 1.0 / f64::from(rank)).collect();
    let total: f64 = weights.iter().sum();
    let mut state = 1u64;
    let mut id = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let mut left = (state >> 11) as f64 / (1u64 << 53) as f64 * total;
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        // Permutes the ranks, so that frequent ids are not simply the small ones.
        (drawn.unwrap_or(0) as u64 * 7_919) % 40_000
    };
    let asked: Vec<u64> = (0..20_000).map(|_| id()).collect();
    let aged = TieredFilter::new(filter.remote().clone(), FAST).unwrap();
    for id in &asked {
        let is_member = id % 2 == 0;
        assert!(filter.contains(connection, id).unwrap() || !is_member);
    }
    aged.refresh(connection).unwrap();
    let mut oldest = Duration::ZERO;
    for id in &asked {
        let is_member = id % 2 == 0;
        let found = aged.contains_within(connection, id, HOUR).unwrap();
        assert!(found || !is_member);
        oldest = oldest.max(aged.age().unwrap());
    }
    let saved = |checks: u64| 1.0 - checks as f64 / asked.len() as f64;
    let learned = saved(filter.server_checks());
    let refreshed = saved(aged.server_checks());
    eprintln!(
        "zipf: {:.1} % saved by what was learned, {:.1} % with absence of at most {oldest:?}",
        100.0 * learned,
        100.0 * refreshed
    );
    assert!(learned > 0.3 && learned < 0.6, "{learned}");
    assert_eq!(refreshed, 1.0);
}

#[cfg(feature = "async")]
#[test]
fn non_blocking_connections_agree() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = made(&mut server.connect(), "f", scheme);
    let filter = bouquet_redis::aio::TieredFilter::from(filter);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().unwrap().block_on(async {
        let client = server.client();
        let connection = &mut client.get_multiplexed_async_connection().await.unwrap();
        let members = keys(0..900);
        filter.insert_batch(connection, &members).await.unwrap();
        assert!(filter.refresh(connection).await.unwrap() > 0);
        let found = filter.contains_batch(connection, &members).await;
        assert!(found.unwrap().iter().all(|found| *found));
        assert_eq!(filter.server_checks(), 0);
    });
}
