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
/// Connections, and keys of a round trip: go-zero's scripts in a pipeline, ours in one batch.
/// Several connections keep the server at work, which many machines share; with one each
/// waits for the other.
const LOADS: [(usize, usize); 3] = [(8, 16), (1, 16), (1, 128)];
const ROUNDS: usize = 12;
/// Keys of a round.
const OF_ROUND: u64 = 16_000;

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

/// The least that answers for keys of a blocked filter: their blocks, and no mark.
fn fetch(machine: &mut Machine, keys: &[u64]) {
    let blocks = machine.native.scheme().size_bits() / 256;
    let mut all = pipe();
    for key in keys {
        let first = key % blocks * 32;
        all.cmd("GETRANGE").arg("native").arg(first).arg(first + 31);
    }
    let _: Vec<redis::Value> = all.query(&mut machine.connection).unwrap();
}

/// Microseconds of its processor that the server has taken, to read commands and to answer
/// too: what limits the keys of all machines together.
fn server_us(connection: &mut Connection) -> f64 {
    let stats: String = cmd("INFO").arg("cpu").query(connection).unwrap();
    let of_main = |line: &str| -> Option<f64> {
        let (name, seconds) = line.split_once(':')?;
        let is_main = name.starts_with("used_cpu") && name.ends_with("main_thread");
        is_main.then(|| seconds.trim().parse().ok()).flatten()
    };
    1e6 * stats.lines().filter_map(of_main).sum::<f64>()
}

/// One of the machines that share the filters.
struct Machine {
    connection: Connection,
    go: RemoteBitmap<GoZero>,
    native: RemoteBitmap<Native>,
}

/// Each machine sends its share of the keys, all at once.
fn run(
    server: &mut Connection,
    machines: &mut [Machine],
    (keys, at_once): (&[u64], usize),
    send: impl Fn(&mut Machine, &[u64]) + Sync,
) -> Best {
    let shares = keys.chunks(keys.len().div_ceil(machines.len()));
    let (before, began) = (server_us(server), Instant::now());
    thread::scope(|scope| {
        for (machine, keys) in machines.iter_mut().zip(shares) {
            let send = &send;
            scope.spawn(move || keys.chunks(at_once).for_each(|keys| send(machine, keys)));
        }
    });
    let rate = keys.len() as f64 / began.elapsed().as_secs_f64();
    Best {
        rate,
        server_us: (server_us(server) - before) / keys.len() as f64,
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
    go.insert_batch(connection, &bytes(&members)).unwrap();
    native.insert_batch(connection, &members).unwrap();
    for (count, at_once) in LOADS {
        let machine = |_| Machine {
            connection: server.connect(),
            go: go.clone(),
            native: native.clone(),
        };
        let mut machines: Vec<Machine> = (0..count).map(machine).collect();
        println!(
            "{count} connections, {at_once} keys per round trip, best of {ROUNDS} interleaved \
             rounds: keys per second (times go-zero's), us of the server's processor per key (times \
             fewer)\n"
        );
        print(measure(connection, &mut machines, at_once, &scripts));
    }
    stalls(&server);
}

/// The keys as a Go program of this loop gives them.
fn bytes(keys: &[u64]) -> Vec<[u8; 8]> {
    keys.iter().map(|key| key.to_le_bytes()).collect()
}

/// The best rounds of inserts, of checks of members and of others, each of the scripts, of
/// both schemes, and of blocks alone.
fn measure(
    server: &mut Connection,
    machines: &mut [Machine],
    at_once: usize,
    scripts: &Scripts,
) -> [[Best; 4]; 3] {
    let mut best = [[Best::NONE; 4]; 3];
    for round in 0..ROUNDS as u64 {
        let numbers = (0..OF_ROUND).map(|i| (round * OF_ROUND + i) % KEYS);
        let members: Vec<u64> = numbers.collect();
        let absent: Vec<u64> = members.iter().map(|key| key + KEYS).collect();
        let mut note = |kind: usize, scheme: usize, seen: Best| {
            best[kind][scheme] = best[kind][scheme].and(seen);
        };
        // Inserts of present keys: the filters stay as full as they are meant to be.
        let load = (&members[..], at_once);
        let set = |m: &mut Machine, keys: &[u64]| {
            scripts.send(&scripts.set, &mut m.connection, keys);
        };
        note(0, 0, run(server, machines, load, set));
        let insert = |m: &mut Machine, keys: &[u64]| {
            m.go.insert_batch(&mut m.connection, &bytes(keys)).unwrap();
        };
        note(0, 1, run(server, machines, load, insert));
        let insert = |m: &mut Machine, keys: &[u64]| {
            m.native.insert_batch(&mut m.connection, keys).unwrap();
        };
        note(0, 2, run(server, machines, load, insert));
        for (kind, keys) in [(1, &members), (2, &absent)] {
            let load = (&keys[..], at_once);
            let test = |m: &mut Machine, keys: &[u64]| {
                scripts.send(&scripts.test, &mut m.connection, keys);
            };
            note(kind, 0, run(server, machines, load, test));
            let ask = |m: &mut Machine, keys: &[u64]| {
                m.go.contains_batch(&mut m.connection, &bytes(keys))
                    .unwrap();
            };
            note(kind, 1, run(server, machines, load, ask));
            let ask = |m: &mut Machine, keys: &[u64]| {
                m.native.contains_batch(&mut m.connection, keys).unwrap();
            };
            note(kind, 2, run(server, machines, load, ask));
            note(kind, 3, run(server, machines, load, fetch));
        }
    }
    best
}

fn print(best: [[Best; 4]; 3]) {
    println!("| | insert | check, member | check, non-member |");
    println!("| --- | ---: | ---: | ---: |");
    let names = [
        "go-zero's scripts",
        "`GoZero`",
        "`Native`",
        "blocks, no mark",
    ];
    for (i, name) in names.iter().enumerate() {
        let cells = best.map(|kind| {
            let (rate, server_us) = (kind[i].rate, kind[i].server_us);
            if rate == 0.0 {
                return "–".to_owned();
            }
            let (times, fewer) = (rate / kind[0].rate, kind[0].server_us / server_us);
            format!("{rate:.0} ({times:.1}), {server_us:.1} us ({fewer:.1})")
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
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
