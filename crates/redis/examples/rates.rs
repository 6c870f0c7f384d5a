//! Measures the server's cost per key for several ways to share a filter, interleaved in one run,
//! on a server that this program starts. Also measures the rate of lookups answered by a local copy
//! that threads share, and how long other clients wait while a large string is created.
//!
//! BOUQUET_SERVERS=… cargo run --release --example rates
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "an example stops where something fails"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use bouquet_redis::{
    GoZero, Native, Reconnecting, RemoteBitmap, Scheme, TieredFilter, connect,
    interop::go_zero::{GoZeroHash, Scheme as Locations},
};
use common::{Server, fetched};
use redis::{Connection, Pipeline, Value, cmd, pipe};

const CAPACITY: u64 = 400_000;
const TARGET_FPR: f64 = 0.01;
/// Number of keys per round trip.
const AT_ONCE: usize = 100;
const ROUNDS: u64 = 12;
/// Number of new keys inserted per round. At the start the filter contains half of its capacity.
const OF_ROUND: u64 = 16_000;

/// One way to insert keys (`true`) or to query them (`false`).
type Way<'a> = Box<dyn Fn(&mut Connection, &[String], bool) + 'a>;

/// The locations that a plain client computes for a key: those of go-zero, with the scheme's number
/// of probes.
fn locations(scheme: Locations, key: &str) -> Vec<u64> {
    scheme.locations(GoZeroHash::of(key.as_bytes())).collect()
}

/// A client that sends a pipeline of `SETBIT` or `GETBIT`.
fn plain(scheme: Locations, name: &'static str) -> Way<'static> {
    Box::new(move |connection, keys, is_insert| {
        let mut all = pipe();
        for location in keys.iter().flat_map(|key| locations(scheme, key)) {
            match is_insert {
                true => all.cmd("SETBIT").arg(name).arg(location).arg(1),
                false => all.cmd("GETBIT").arg(name).arg(location),
            };
        }
        send(connection, &all);
    })
}

/// A client like go-zero: one script per key, which sets or reads one bit after another.
fn scripts(connection: &mut Connection, scheme: Locations) -> Way<'static> {
    let mut load = |text: &str| -> String {
        cmd("SCRIPT")
            .arg("LOAD")
            .arg(text)
            .query(connection)
            .unwrap()
    };
    let set = load("for i = 1, #ARGV do redis.call('SETBIT', KEYS[1], ARGV[i], 1) end");
    let test = load(
        "for i = 1, #ARGV do \
         if redis.call('GETBIT', KEYS[1], ARGV[i]) == 0 then return false end \
         end return true",
    );
    Box::new(move |connection, keys, is_insert| {
        let mut all = pipe();
        for key in keys {
            let call = all.cmd("EVALSHA").arg(if is_insert { &set } else { &test });
            call.arg(1).arg("scripts").arg(locations(scheme, key));
        }
        send(connection, &all);
    })
}

fn send(connection: &mut Connection, all: &Pipeline) {
    let _: Vec<Value> = all.query(connection).unwrap();
}

fn module(connection: &mut Connection, keys: &[String], is_insert: bool) {
    let mut all = cmd(if is_insert { "BF.MADD" } else { "BF.MEXISTS" });
    all.arg("module").arg(keys).exec(connection).unwrap();
}

fn ours<S: Scheme + 'static>(filter: RemoteBitmap<S>) -> Way<'static> {
    Box::new(move |connection, keys, is_insert| {
        if is_insert {
            filter.insert_batch(connection, keys).unwrap();
        } else {
            filter.contains_batch(connection, keys).unwrap();
        }
    })
}

/// The processor time in microseconds that the server's main thread has used, including the time to
/// read commands and to write replies. It limits the rate of keys of all clients together.
fn server_us(connection: &mut Connection) -> f64 {
    let stats: String = cmd("INFO").arg("cpu").query(connection).unwrap();
    let of_main = |line: &str| -> Option<f64> {
        let (name, seconds) = line.split_once(':')?;
        let is_main = name.starts_with("used_cpu") && name.ends_with("main_thread");
        is_main.then(|| seconds.trim().parse().ok()).flatten()
    };
    1e6 * stats.lines().filter_map(of_main).sum::<f64>()
}

fn keys(range: std::ops::Range<u64>) -> Vec<String> {
    range.map(|i| format!("user:{i}")).collect()
}

fn main() {
    let module_file = fetched("redisbloom.so");
    let args: Vec<&str> = match &module_file {
        Some(file) => vec!["--loadmodule", file.to_str().unwrap()],
        None => Vec::new(),
    };
    let Some(server) = Server::redis(&args) else {
        return;
    };
    let connection = &mut server.connect();
    let go = GoZero::for_target(CAPACITY, TARGET_FPR).unwrap();
    let fourteen = Locations::new(go.size_bits()).unwrap();
    // The fewest bits for the target FPR, with the best number of probes for them.
    let seven = Locations::with_hashes(3_833_984, 7).unwrap();
    let native = Native::new(CAPACITY, TARGET_FPR).unwrap();
    let go = RemoteBitmap::create(connection, "go", go).unwrap();
    let native = RemoteBitmap::create(connection, "native", native).unwrap();
    let mut ways: Vec<(&str, Way<'_>)> = vec![
        ("go-zero's scripts", scripts(connection, fourteen)),
        ("pipeline, 14 bits", plain(fourteen, "fourteen")),
        ("pipeline, 7 bits", plain(seven, "seven")),
        ("`GoZero`", ours(go)),
        ("`Native`", ours(native.clone())),
    ];
    if module_file.is_some() {
        let mut reserve = cmd("BF.RESERVE");
        reserve
            .arg("module")
            .arg(TARGET_FPR)
            .arg(CAPACITY)
            .arg("NONSCALING");
        reserve.exec(connection).unwrap();
        ways.push(("`BF.MADD`, `BF.MEXISTS`", Box::new(module)));
    }
    for (_, way) in &ways {
        keys(0..CAPACITY / 2)
            .chunks(AT_ONCE)
            .for_each(|keys| way(connection, keys, true));
    }
    let mut seen = vec![[(); 3].map(|()| Vec::new()); ways.len()];
    for round in 0..ROUNDS {
        let first = CAPACITY / 2 + round * OF_ROUND;
        let new = keys(first..first + OF_ROUND);
        let absent = keys(CAPACITY + first..CAPACITY + first + OF_ROUND);
        for (kind, keys) in [(0, &new), (1, &new), (2, &absent)] {
            for (i, (_, way)) in ways.iter().enumerate() {
                let before = server_us(connection);
                keys.chunks(AT_ONCE)
                    .for_each(|keys| way(connection, keys, kind == 0));
                seen[i][kind].push((server_us(connection) - before) / OF_ROUND as f64);
            }
        }
    }
    println!("us of the server's processor per key, median and range of {ROUNDS} rounds\n");
    println!("| | insert | check, member | check, non-member |\n| --- | ---: | ---: | ---: |");
    for ((name, _), kinds) in ways.iter().zip(&mut seen) {
        let cells = kinds.each_mut().map(|all| {
            all.sort_by(f64::total_cmp);
            let (least, most) = (all[0], all[all.len() - 1]);
            format!("{:.2} ({least:.2} to {most:.2})", all[all.len() / 2])
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    copies(&server, &native);
    stalls(&server);
}

/// Measures lookups that the copy answers, with eight threads that share one copy and with eight
/// threads that have one copy each.
fn copies(server: &Server, native: &RemoteBitmap<Native>) {
    let members = keys(0..CAPACITY / 2);
    let made = || {
        let tier = TieredFilter::new(native.clone(), u64::MAX).unwrap();
        tier.refresh(&mut server.connect()).unwrap();
        tier
    };
    let shared = made();
    let own: Vec<_> = (0..8).map(|_| made()).collect();
    let run = |of: &(dyn Fn(usize) -> TieredFilter<Native> + Sync)| {
        let began = Instant::now();
        thread::scope(|scope| {
            for i in 0..8 {
                let (tier, members, url) = (of(i), &members, server.url());
                scope.spawn(move || {
                    let connection: &mut Reconnecting = &mut connect(url).unwrap();
                    for key in members {
                        assert!(tier.contains(connection, key).unwrap());
                    }
                });
            }
        });
        8.0 * members.len() as f64 / began.elapsed().as_secs_f64() / 1e6
    };
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (one, each) = (run(&|_| shared.clone()), run(&|i| own[i].clone()));
        ratios.push((one / each, one, each));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, one, each) = ratios[ratios.len() / 2];
    let (least, most) = (ratios[0].0, ratios[ratios.len() - 1].0);
    println!(
        "\n8 threads, checks that the copy answers: {one:.2} million per second of one that they share, \
         {each:.2} of one each: {ratio:.2} ({least:.2} to {most:.2})"
    );
}
/// Measures the longest wait of another client while a string is created.
fn stalls(server: &Server) {
    let connection = &mut server.connect();
    for log2 in [29, 32] {
        // Leaves room in the string for the settings.
        let largest = GoZero::new((1 << log2) - (1 << 15)).unwrap();
        let mut filter = None;
        let by_create = longest(server, || {
            filter = RemoteBitmap::create(connection, "large", largest).ok();
        });
        assert!(filter.unwrap().delete(connection).unwrap());
        thread::sleep(Duration::from_secs(1));
        let at_once = longest(server, || {
            let mut set = cmd("SETBIT");
            set.arg("large").arg((1u64 << log2) - 1).arg(1);
            set.exec(connection).unwrap();
        });
        cmd("UNLINK").arg("large").exec(connection).unwrap();
        thread::sleep(Duration::from_secs(1));
        let mib = (1u64 << log2) >> 23;
        println!(
            "longest wait while {mib} MiB are made: {by_create:?}; by one SETBIT: {at_once:?}"
        );
    }
}

fn longest(server: &Server, work: impl FnOnce()) -> Duration {
    let (stop, has_begun) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let connection = &mut server.connect();
            let mut longest = Duration::ZERO;
            while !stop.load(Relaxed) {
                let began = Instant::now();
                cmd("PING").exec(connection).unwrap();
                longest = longest.max(began.elapsed());
                has_begun.store(true, Relaxed);
            }
            longest
        });
        while !has_begun.load(Relaxed) {
            thread::yield_now();
        }
        work();
        stop.store(true, Relaxed);
        waiting.join().unwrap()
    })
}
