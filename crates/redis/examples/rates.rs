//! Keys per second of each scheme beside go-zero's own two scripts, on a server that this
//! starts, interleaved in one run; and how long others wait while a large string is created.
//!
//! cargo run --release --example rates
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

use bouquet_interop::go_zero::{GoZeroHash, Scheme as GoZeroScheme};
use bouquet_redis::{GoZero, Native, RemoteBitmap, Scheme};
use common::Server;
use redis::{Connection, cmd, pipe};

const KEYS: u64 = 100_000;
const TARGET_FPR: f64 = 0.001;
/// Keys of a round trip: go-zero's scripts in a pipeline, ours in one batch.
const AT_ONCE: [usize; 2] = [16, 128];
const ROUNDS: usize = 12;
/// Keys of a round.
const OF_ROUND: u64 = 8_000;

/// What go-zero sends: a script per key, which sets or reads one bit after another.
struct Scripts {
    scheme: GoZeroScheme,
    set: String,
    test: String,
}

impl Scripts {
    fn new(connection: &mut Connection, scheme: GoZeroScheme) -> Self {
        let mut load = |text: &str| {
            let mut load = cmd("SCRIPT");
            load.arg("LOAD").arg(text).query(connection).unwrap()
        };
        Self {
            scheme,
            set: load("for i = 1, #ARGV do redis.call('SETBIT', KEYS[1], ARGV[i], 1) end"),
            test: load(
                "for i = 1, #ARGV do \
                 if redis.call('GETBIT', KEYS[1], ARGV[i]) == 0 then return false end \
                 end return true",
            ),
        }
    }

    fn send(&self, script: &str, connection: &mut Connection, keys: &[u64]) {
        let mut all = pipe();
        for key in keys {
            let call = all.cmd("EVALSHA").arg(script).arg(1).arg("scripts");
            let hash = GoZeroHash::of(&key.to_le_bytes());
            self.scheme.locations(hash).for_each(|location| {
                call.arg(location);
            });
        }
        let _: Vec<redis::Value> = all.query(connection).unwrap();
    }
}

/// The best of some rounds: keys per second, and the server's own time per key.
#[derive(Clone, Copy)]
struct Best {
    rate: f64,
    server_us: f64,
}

impl Best {
    const NONE: Self = Self {
        rate: 0.0,
        server_us: f64::INFINITY,
    };

    fn and(self, other: Self) -> Self {
        Self {
            rate: self.rate.max(other.rate),
            server_us: self.server_us.min(other.server_us),
        }
    }
}

/// Microseconds that the server worked on commands, except for those that query this.
fn server_us(connection: &mut Connection) -> f64 {
    let stats: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    let lines = stats
        .lines()
        .filter(|line| !line.starts_with("cmdstat_info"));
    let of_line = |line: &str| -> Option<f64> {
        // A script's own calls are in its time as well.
        let is_inner = line.starts_with("cmdstat_setbit") || line.starts_with("cmdstat_getbit");
        if is_inner || line.starts_with("cmdstat_exec") {
            return None;
        }
        line.split("usec=").nth(1)?.split(',').next()?.parse().ok()
    };
    lines.filter_map(of_line).sum()
}

fn run(
    connection: &mut Connection,
    keys: &[u64],
    at_once: usize,
    mut send: impl FnMut(&mut Connection, &[u64]),
) -> Best {
    let (before, began) = (server_us(connection), Instant::now());
    keys.chunks(at_once).for_each(|keys| send(connection, keys));
    let rate = keys.len() as f64 / began.elapsed().as_secs_f64();
    Best {
        rate,
        server_us: (server_us(connection) - before) / keys.len() as f64,
    }
}

fn main() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let go = GoZero::for_target(KEYS, TARGET_FPR).unwrap();
    let scripts = Scripts::new(connection, GoZeroScheme::new(go.size_bits()).unwrap());
    let native = Native::new(KEYS, TARGET_FPR).unwrap();
    let mut go = RemoteBitmap::create(connection, "go", go).unwrap();
    let mut native = RemoteBitmap::create(connection, "native", native).unwrap();
    let members: Vec<u64> = (0..KEYS).collect();
    for keys in members.chunks(16) {
        scripts.send(&scripts.set, connection, keys);
    }
    go.insert_batch(connection, &members).unwrap();
    native.insert_batch(connection, &members).unwrap();
    for at_once in AT_ONCE {
        let mut best = [[Best::NONE; 3]; 3];
        for round in 0..ROUNDS as u64 {
            let members: Vec<u64> = (0..OF_ROUND)
                .map(|i| (round * OF_ROUND + i) % KEYS)
                .collect();
            let absent: Vec<u64> = members.iter().map(|key| key + KEYS).collect();
            let mut note = |kind: usize, scheme: usize, seen: Best| {
                best[kind][scheme] = best[kind][scheme].and(seen);
            };
            let set = |c: &mut Connection, keys: &[u64]| scripts.send(&scripts.set, c, keys);
            let test = |c: &mut Connection, keys: &[u64]| scripts.send(&scripts.test, c, keys);
            // Inserts of present keys: the filters stay as full as they are meant to be.
            note(0, 0, run(connection, &members, at_once, set));
            let insert = |c: &mut Connection, keys: &[u64]| drop(go.insert_batch(c, keys).unwrap());
            note(0, 1, run(connection, &members, at_once, insert));
            let insert =
                |c: &mut Connection, keys: &[u64]| drop(native.insert_batch(c, keys).unwrap());
            note(0, 2, run(connection, &members, at_once, insert));
            for (kind, keys) in [(1, &members), (2, &absent)] {
                note(kind, 0, run(connection, keys, at_once, test));
                let ask =
                    |c: &mut Connection, keys: &[u64]| drop(go.contains_batch(c, keys).unwrap());
                note(kind, 1, run(connection, keys, at_once, ask));
                let ask = |c: &mut Connection, keys: &[u64]| {
                    drop(native.contains_batch(c, keys).unwrap())
                };
                note(kind, 2, run(connection, keys, at_once, ask));
            }
        }
        println!(
            "{at_once} keys per round trip, best of {ROUNDS} interleaved rounds: keys per second (times go-zero's), the server's own us per key\n"
        );
        println!("| | add | check, member | check, non-member |");
        println!("| --- | ---: | ---: | ---: |");
        for (i, name) in ["go-zero's scripts", "`GoZero`", "`Native`"]
            .iter()
            .enumerate()
        {
            let cells = best.map(|kind| {
                let times = kind[i].rate / kind[0].rate;
                format!(
                    "{:.0} ({times:.1}), {:.1} us",
                    kind[i].rate, kind[i].server_us
                )
            });
            println!("| {name} | {} |", cells.join(" | "));
        }
        println!();
    }
    stalls(&server);
}

/// The longest wait of another client while a string is made.
fn stalls(server: &Server) {
    let connection = &mut server.connect();
    for log2 in [29, 32] {
        let in_steps = longest(server, || {
            let largest = GoZero::new(1 << log2).unwrap();
            RemoteBitmap::create(connection, "large", largest).unwrap();
        });
        RemoteBitmap::<GoZero>::delete(connection, "large").unwrap();
        thread::sleep(Duration::from_secs(1));
        let at_once = longest(server, || {
            let mut set = cmd("SETBIT");
            set.arg("large").arg((1u64 << log2) - 1).arg(1);
            set.exec(connection).unwrap();
        });
        cmd("UNLINK").arg("large").exec(connection).unwrap();
        thread::sleep(Duration::from_secs(1));
        let mib = (1u64 << log2) >> 23;
        println!("longest wait while {mib} MiB are made: {in_steps:?}; by one SETBIT: {at_once:?}");
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
