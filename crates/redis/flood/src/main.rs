//! A cache (Redis) in front of a database (SQLite) under a flood of requests for ids that do not
//! exist. Counts the unnecessary queries that reach the database without a defence, with
//! short-lived null entries in the cache, with a filter, and with both.
//!
//! cargo run --release -p bouquet-redis-flood [REQUESTS]
//!
//! Starts its own server and creates its own database. Ends with an error if a defence hid an
//! existing row, or if the filter let more requests through than its target FPR allows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "an example stops where something fails"
)]

#[path = "../../tests/common/mod.rs"]
mod common;
mod shop;

use std::time::{Duration, Instant};

use bouquet_redis::{Native, RemoteBitmap};
use common::Server;
use redis::cmd;
use shop::{Defence, Shop};

/// Number of rows in the table.
const ROWS: u64 = 100_000;
const TARGET_FPR: f64 = 0.001;
/// Number of made-up ids that the `Repeated` flood requests again and again.
const REPEATED: u64 = 500;
/// How long a null entry stays in the cache.
const NULL_LIFE: Duration = Duration::from_millis(500);
/// One in this many requests is for an existing row.
const REAL: u64 = 10;

/// The ids that the attacker requests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flood {
    /// A new made-up id each time.
    Random,
    /// The same few made-up ids again and again.
    Repeated,
}

impl Flood {
    /// The id of request `i`: that of an existing row, or a made-up one.
    fn id(self, i: u64) -> u64 {
        let random = mixed(i);
        if i.is_multiple_of(REAL) {
            return random % ROWS;
        }
        let made_up = match self {
            Self::Random => random,
            Self::Repeated => mixed(random % REPEATED),
        };
        // Made-up ids are larger than the ids of all rows.
        ROWS + made_up % (u64::MAX - ROWS)
    }
}

/// The SplitMix64 generator.
fn mixed(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn main() {
    let requests: u64 = std::env::args()
        .nth(1)
        .map_or(20_000, |count| count.parse().expect("a number of requests"));
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut shop = Shop::new(&server, ROWS, NULL_LIFE);
    let scheme = Native::new(ROWS, TARGET_FPR).unwrap();
    let filter = RemoteBitmap::create(&mut server.connect(), "ids", scheme).unwrap();
    let began = Instant::now();
    let ids: Vec<String> = (0..ROWS).map(|id| id.to_string()).collect();
    filter.insert_batch(&mut server.connect(), &ids).unwrap();
    println!(
        "{ROWS} rows; a filter of {} KiB at {TARGET_FPR}, filled in {:.1} s",
        server_bytes(&server, "ids") / 1024,
        began.elapsed().as_secs_f64()
    );
    println!("{requests} requests, nine of ten for made-up ids; null entries last {NULL_LIFE:?}\n");
    println!(
        "| made-up ids | defence | reach the database | of them for nothing | cache entries for nothing | us a request |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for (flood, name) in [(Flood::Random, "random"), (Flood::Repeated, "repeated")] {
        let mut without = 0;
        for defence in Defence::ALL {
            shop.forget();
            let began = Instant::now();
            for i in 0..requests {
                let id = flood.id(i);
                let found = shop.find(id, defence.with(&filter));
                assert_eq!(found.is_some(), id < ROWS, "{}: id {id}", defence.name());
            }
            let time = began.elapsed().as_secs_f64() / requests as f64;
            let (all, in_vain) = shop.questions();
            println!(
                "| {name} | {} | {all} | {in_vain} | {} | {:.0} |",
                defence.name(),
                shop.null_entries(),
                1e6 * time
            );
            check(defence, in_vain, &mut without, flood, requests);
        }
    }
}

/// Panics if a defence does not have the expected effect.
fn check(defence: Defence, in_vain: u64, without: &mut u64, flood: Flood, requests: u64) {
    let made_up = requests - requests.div_ceil(REAL);
    match (defence, flood) {
        // Without a defence each request for a made-up id reaches the database.
        (Defence::Nothing, _) => {
            assert_eq!(in_vain, made_up);
            *without = in_vain;
        }
        // No id is requested again while its null entry lasts, so null entries have no effect.
        (Defence::NullEntries, Flood::Random) => assert_eq!(in_vain, *without),
        (Defence::NullEntries, Flood::Repeated) => assert!(in_vain < *without),
        (Defence::Filter | Defence::Both, Flood::Random) => {
            let expected = made_up as f64 * TARGET_FPR;
            let most = expected + 5.0 * expected.sqrt() + 1.0;
            assert!(in_vain as f64 <= most, "{in_vain} of {made_up} got through");
        }
        // A false positive is requested again and again; only a null entry prevents further queries
        // for it.
        (Defence::Filter | Defence::Both, Flood::Repeated) => assert!(in_vain * 10 < *without),
    }
}

fn server_bytes(server: &Server, key: &str) -> u64 {
    let mut usage = cmd("MEMORY");
    usage.arg("USAGE").arg(key).arg("SAMPLES").arg(0);
    usage.query(&mut server.connect()).unwrap()
}
