//! Numbers that are counted here: for filters of other systems, which `interop` reproduces bit for
//! bit, and for deliberate mistakes. Nothing is random, so every run counts the same.

use bouquet::{
    BlockedBloom, CountingBloom, Inspect, StandardBloom,
    interop::{GoBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom, guava::Release},
};
use bouquet_core::math;

use crate::{
    Figures,
    records::{Row, digits, percent, rows_of},
};

const KEYS: u64 = 100_000;
const ABSENT: u64 = 400_000;

fn member(i: u64) -> String {
    format!("member-{i}")
}

fn absent(i: u64) -> String {
    format!("absent-{i}")
}

/// A table row for a filter; asserts that it contains all members.
fn line(name: &str, bits: u64, hashes: u32, contains: impl Fn(&str) -> bool) -> String {
    assert!((0..KEYS).all(|i| contains(&member(i))), "{name}");
    let wrong = (0..ABSENT).filter(|i| contains(&absent(*i))).count() as f64;
    let bits = digits(bits as f64 / KEYS as f64);
    format!(
        "| {name} | {bits} | {hashes} | {} |\n",
        percent(wrong / ABSENT as f64)
    )
}

/// Each system's filter for 100,000 keys at 1 %, filled and queried.
fn systems() -> String {
    let mut table = String::from(
        "| filter for 100,000 keys at 1 % | bits per key | k | FPR counted |\n| --- | ---: | ---: | ---: |\n",
    );
    let mut own = StandardBloom::new(KEYS as usize, 0.01).unwrap();
    let mut blocked = BlockedBloom::new(KEYS as usize, 0.01).unwrap();
    let mut go = GoBloom::with_estimates(KEYS, 0.01).unwrap();
    let mut guava = GuavaBloom::create(Release::V33, KEYS, 0.01).unwrap();
    let mut fixed = RedisBloom::reserve(0.01, KEYS, None).unwrap();
    let mut scaling = RedisBloom::reserve(0.01, KEYS, Some(2)).unwrap();
    let mut redisson = RedissonBloom::with_estimates(KEYS, 0.01).unwrap();
    let mut parquet = ParquetBloom::with_capacity(KEYS, 0.01).unwrap();
    for key in (0..KEYS).map(member) {
        own.insert(&key);
        blocked.insert(&key);
        go.insert(&key);
        guava.insert(&key);
        fixed.insert(&key).unwrap();
        scaling.insert(&key).unwrap();
        redisson.insert(&key);
        parquet.insert(&key);
    }
    assert_eq!(scaling.links().len(), 1);
    let hashes = |filter: &RedisBloom| filter.links().next().unwrap().hashes;
    table += &line("`StandardBloom`", own.size_bits(), own.hashes(), |key| {
        own.contains(key)
    });
    table += &line("`BlockedBloom`", blocked.size_bits(), 8, |key| {
        blocked.contains(key)
    });
    table += &line("bits-and-blooms v3", go.size_bits(), go.hashes(), |key| {
        go.contains(key)
    });
    table += &line("Guava 33", guava.size_bits(), guava.hashes(), |key| {
        guava.contains(key)
    });
    table += &line(
        "RedisBloom, `NONSCALING`",
        fixed.size_bits(),
        hashes(&fixed),
        |key| fixed.contains(key),
    );
    table += &line(
        "RedisBloom, first link of one that grows",
        scaling.size_bits(),
        hashes(&scaling),
        |key| scaling.contains(key),
    );
    table += &line("Redisson", redisson.size_bits(), redisson.hashes(), |key| {
        redisson.contains(key)
    });
    table += &line(
        "Parquet (parquet-rs's sizing)",
        parquet.size_bits(),
        8,
        |key| parquet.contains(key),
    );
    table
}

/// The size that the textbook formula gives for one key.
fn one_key() -> String {
    let textbook = math::estimate_parameters(1, 1e-6).unwrap();
    let fpr = math::expected_fpr(textbook.size_bits, textbook.hashes, 1);
    let least = math::min_bits_exact(1, 1e-6).unwrap();
    format!(
        "For one key at 1e-6 the textbook gives {} bits, whose FPR is {} times the target; the least\n\
         that keeps it is {} bits.",
        textbook.size_bits,
        digits(fpr / 1e-6),
        least.size_bits
    )
}

/// The FPR of four shards of blocked filters. If `reused`, the bits that select the shard also
/// select the block.
fn in_shards(reused: bool) -> f64 {
    let shards = (0..4).map(|_| BlockedBloom::new(KEYS as usize / 4, 0.01).unwrap());
    let mut shards: Vec<BlockedBloom> = shards.collect();
    let asked = shards[0].clone();
    let place = |key: &str| {
        let hash = asked.hash(key);
        let (shard, rest) = hash.split(4);
        (shard as usize, if reused { hash } else { rest })
    };
    for key in (0..KEYS).map(member) {
        let (shard, hash) = place(&key);
        shards[shard].insert_hash(hash);
    }
    let wrong = (0..ABSENT).filter(|i| {
        let (shard, hash) = place(&absent(*i));
        shards[shard].contains_hash(hash)
    });
    wrong.count() as f64 / ABSENT as f64
}

fn shared_bits() -> String {
    format!(
        "Four shards of blocked filters at 1 %: with the same bits for shard and block the FPR is {},\n\
         with what `KeyHash::split` leaves it is {}.",
        percent(in_shards(true)),
        percent(in_shards(false))
    )
}

/// Removes keys that were never inserted but are false positives.
fn removed() -> String {
    let mut filter = CountingBloom::new(10_000, 0.01).unwrap();
    filter.extend((0..10_000).map(member));
    let removed = (0..100_000)
        .map(absent)
        .filter(|key| filter.remove(key))
        .count();
    let missing = (0..10_000)
        .map(member)
        .filter(|key| !filter.contains(key))
        .count();
    format!(
        "A counting filter of 10,000 members at 1 % was asked to remove 100,000 keys that nobody had\n\
         inserted: it removed {removed} of them, and {missing} members became false negatives."
    )
}

fn few_keys() -> String {
    let bytes = |keys| StandardBloom::new(keys, 0.01).unwrap().memory_bytes();
    format!(
        "At 1 % a standard filter takes {} bytes for one key, {} for ten and {} for a hundred.",
        bytes(1),
        bytes(10),
        bytes(100)
    )
}

fn attacked() -> String {
    let all = rows_of("crates/hash/tests/data/attacks.csv");
    let row = |attack: &str, hasher: &str| -> &Row {
        let wanted = [("attack", attack), ("hasher", hasher)];
        all.iter().find(|row| row.is(&wanted)).unwrap()
    };
    let fpr = |row: &Row| percent(row.number("false_positives") / row.number("asked"));
    let passed = |row: &Row| format!("{} of {}", row.text("succeeded"), row.text("chosen"));
    format!(
        "A standard filter sized for 1 % with a hash that anybody can compute, filled by keys chosen to set\n\
         only empty slots: FPR {}; with `SipKeyed` {}. Non-members chosen to pass for members: {}\n\
         pass; with `SipKeyed` {}.",
        fpr(row("pollution", "Folded")),
        fpr(row("pollution", "SipKeyed")),
        passed(row("forged positives", "Folded")),
        passed(row("forged positives", "SipKeyed"))
    )
}

pub fn add(figures: &mut Figures) {
    figures.insert("systems", systems());
    figures.insert("one-key", one_key());
    figures.insert("shared-bits", shared_bits());
    figures.insert("removed", removed());
    figures.insert("few-keys", few_keys());
    figures.insert("attacked", attacked());
}
