//! Tests real faults: connections that break at any byte, late replies, and servers that die.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use bouquet_redis::{
    Error, GoZero, Inserted, Lost, Native, Reconnecting, RemoteBitmap, Retry, Scheme,
};
use common::{Server, keys, proxy::Proxy};
use redis::Client;

/// The number of rounds: the value of `BOUQUET_FAULTS`, by default 100.
fn rounds() -> u32 {
    env::var("BOUQUET_FAULTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(100)
}

/// A pseudo-random generator with the same sequence in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((u128::from(self.0.rotate_left(29) ^ self.0) * u128::from(most)) >> 64) as u64
    }
}

const PATIENT: Retry = Retry {
    deadline: Duration::from_secs(20),
    pause: Duration::from_millis(1),
};

fn cuts<S: Scheme>(scheme: S, seed: u64) {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = Client::open(proxy.url()).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_secs(5));
    let filter = RemoteBitmap::create(connection, "cut", scheme)
        .unwrap()
        .with_retry(PATIENT);
    let mut random = Random(seed);
    let (mut unsure, mut count) = (0, 0);
    for _ in 0..rounds() {
        proxy.cut_after(random.below(12_000) as i64);
        let new = keys(count..count + 20);
        // The connection may break in any of these calls.
        for (key, inserted) in new
            .iter()
            .zip(filter.insert_batch(connection, &new).unwrap())
        {
            unsure += u32::from(inserted == Inserted::Unsure);
            assert!(
                filter.contains(connection, key).unwrap(),
                "a false negative"
            );
        }
        count += 20;
        let first = random.below(u64::from(count - 19)) as u32;
        let members = keys(first..first + 20);
        let again = filter.insert_batch(connection, &members).unwrap();
        assert!(!again.contains(&Inserted::New), "a member was reported new");
        let found = filter.contains_batch(connection, &members).unwrap();
        assert!(found.iter().all(|found| *found), "a false negative");
    }
    let members = keys(0..count);
    let found = filter.contains_batch(connection, &members).unwrap();
    assert!(found.iter().all(|found| *found), "a key is lost");
    let others = keys(1_000_000..1_002_000);
    let found = filter.contains_batch(connection, &others).unwrap();
    let false_positives = found.iter().filter(|found| **found).count();
    assert!(
        false_positives < 100,
        "answers of others: {false_positives}"
    );
    // Every key was new, so only a lost reply can lead to `Unsure`.
    assert!(unsure > 0);
    eprintln!("{}: {} cuts, {unsure} of {count} unsure", S::NAME, rounds());
}

#[test]
fn a_connection_that_is_cut_at_any_byte_loses_no_key() {
    cuts(GoZero::for_target(40_000, 0.01).unwrap(), 1);
    cuts(Native::new(40_000, 0.01).unwrap(), 2);
}

/// The client for non-blocking connections reports a reply that ends early with another error.
#[cfg(feature = "async")]
#[test]
fn a_non_blocking_connection_that_is_cut_at_any_byte_loses_no_key() {
    use bouquet_redis::aio;
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = Client::open(proxy.url()).unwrap();
    let calls = async {
        let mut connection = redis::aio::ConnectionManager::new(client).await.unwrap();
        let scheme = Native::new(40_000, 0.01).unwrap();
        let made = aio::RemoteBitmap::create(&mut connection, "cut", scheme).await;
        let filter = made.unwrap().with_retry(PATIENT);
        let mut random = Random(3);
        for round in 0..rounds() {
            // Half of the cuts are in the first replies.
            let most = if round % 2 == 0 { 12_000 } else { 1_500 };
            proxy.cut_after(random.below(most) as i64);
            let new = keys(20 * round..20 * round + 20);
            filter.insert_batch(&mut connection, &new).await.unwrap();
            let members = keys(0..20 * round + 20);
            let found = filter
                .contains_batch(&mut connection, &members)
                .await
                .unwrap();
            assert!(found.iter().all(|found| *found), "a false negative");
        }
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().unwrap().block_on(calls);
}

#[test]
fn without_a_deadline_a_cut_is_an_error() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = Client::open(proxy.url()).unwrap();
    let connection = &mut Reconnecting::new(client, Duration::from_secs(5));
    let scheme = Native::new(10_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "cut", scheme)
        .unwrap()
        .with_retry(Retry::NEVER);
    let members = keys(0..100);
    for bytes in (0..20_000).step_by(997) {
        proxy.cut_after(bytes);
        let inserted = filter.insert_batch(connection, &members);
        let found = filter.contains_batch(connection, &members);
        assert!(
            inserted.is_err() || found.is_err() || bytes > 5_000,
            "{bytes}"
        );
        assert!(inserted.is_err() || found.is_err() || !found.unwrap().contains(&false));
    }
}

/// A late reply must not be taken for the answer to the next query.
fn late(name: &str, connection: &mut impl redis::ConnectionLike, proxy: &Proxy, server: &Server) {
    let direct = &mut server.connect();
    let scheme = Native::new(10_000, 0.001).unwrap();
    let filter = RemoteBitmap::create(direct, name, scheme).unwrap();
    let (members, others) = (keys(0..50), keys(1_000..1_050));
    filter.insert_batch(direct, &members).unwrap();
    let filter = filter.with_retry(Retry::NEVER);
    let (mut random, mut answers, mut failures) = (Random(3), 0, 0);
    for _ in 0..60 {
        proxy.delay(Duration::from_millis(if random.below(3) == 0 {
            150
        } else {
            0
        }));
        for (keys, answer) in [(&members, true), (&others, false)] {
            let count = 1 + random.below(keys.len() as u64) as usize;
            match filter.contains_batch(connection, &keys[..count]) {
                Ok(found) => {
                    let right = found.iter().filter(|found| **found == answer).count();
                    assert!(
                        right == count || !answer && right + 2 > count,
                        "another's answer"
                    );
                    answers += 1;
                }
                Err(Error::Redis { .. }) => failures += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(
        answers > 5 && failures > 5,
        "{answers} answers, {failures} failures"
    );
}

#[test]
fn a_reply_past_the_timeout_is_not_an_answer_to_anything() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let proxy = Proxy::new(server.port);
    let client = Client::open(proxy.url()).unwrap();
    late(
        "reconnecting",
        &mut Reconnecting::new(client.clone(), Duration::from_millis(60)),
        &proxy,
        &server,
    );
    proxy.delay(Duration::ZERO);
    let mut plain = client.get_connection().unwrap();
    plain
        .set_read_timeout(Some(Duration::from_millis(60)))
        .unwrap();
    late("plain", &mut plain, &proxy, &server);
}

#[test]
fn a_server_that_hangs_is_an_error_in_time() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut Reconnecting::new(server.client(), Duration::from_millis(200));
    let scheme = Native::new(10_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "hung", scheme).unwrap();
    let filter = filter.with_retry(Retry::NEVER);
    let members = keys(0..500);
    filter.insert_batch(connection, &members).unwrap();
    let mut pause = redis::cmd("CLIENT");
    pause.arg("PAUSE").arg(8_000).arg("ALL");
    pause.exec(&mut server.connect()).unwrap();
    // A transaction with hundreds of replies, none of which arrives.
    let began = Instant::now();
    let asked = filter.contains_batch(connection, &members);
    assert!(matches!(asked, Err(Error::Redis { .. })), "{asked:?}");
    let inserted = filter.insert_batch(connection, &members);
    assert!(matches!(inserted, Err(Error::Redis { .. })), "{inserted:?}");
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_server_that_is_killed_loses_no_acknowledged_key() {
    let args = ["--appendonly", "yes", "--appendfsync", "always"];
    let Some(mut server) = Server::redis(&args) else {
        return;
    };
    let scheme = Native::new(50_000, 0.01).unwrap();
    let connection = &mut Reconnecting::new(server.client(), Duration::from_secs(5));
    let filter = RemoteBitmap::create(connection, "durable", scheme).unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..5 {
        let (writer, client) = (filter.clone(), server.client());
        let count = Arc::new(AtomicU32::new(0));
        let written = count.clone();
        let writing = std::thread::spawn(move || {
            let connection = &mut Reconnecting::new(client, Duration::from_secs(5));
            let writer = writer.with_retry(Retry::NEVER);
            let mut done = Vec::new();
            for i in 0.. {
                let first = round * 1_000_000 + i * 10;
                let new = keys(first..first + 10);
                match writer.insert_batch(connection, &new) {
                    Ok(_) => done.extend(new),
                    Err(_) => break,
                }
                written.fetch_add(1, Relaxed);
            }
            done
        });
        std::thread::sleep(Duration::from_millis(120));
        // Waits until the thread has written something, however slow the machine is.
        while count.load(Relaxed) < 3 && !writing.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
        acknowledged.extend(writing.join().unwrap());
        // Without a server the result must be an error, not an answer.
        let asked = filter
            .clone()
            .with_retry(Retry::NEVER)
            .contains(connection, "x");
        assert!(matches!(asked, Err(Error::Redis { .. })), "{asked:?}");
        server.restart();
        let found = filter.contains_batch(connection, &acknowledged).unwrap();
        assert!(
            found.iter().all(|found| *found),
            "an acknowledged key is lost"
        );
    }
    assert!(acknowledged.len() > 100);
    eprintln!("{} acknowledged keys, 5 kills", acknowledged.len());
}

#[test]
fn a_server_without_its_data_after_a_kill_is_a_loss() {
    let Some(mut server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut Reconnecting::new(server.client(), Duration::from_secs(5));
    let scheme = Native::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "gone", scheme).unwrap();
    filter.insert(connection, "rose").unwrap();
    server.kill();
    server.restart();
    for keys in [&["rose"][..], &["rose"; 10]] {
        let asked = filter.contains_batch(connection, keys);
        assert!(
            matches!(
                asked,
                Err(Error::FilterLost {
                    how: Lost::Gone,
                    ..
                })
            ),
            "{asked:?}"
        );
    }
}
