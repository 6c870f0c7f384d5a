//! The fuzz targets; each is a plain function of some bytes. libFuzzer calls it (`fuzz_targets`),
//! and so does a plain loop where there is no nightly compiler (`examples/plain.rs`). A target
//! panics if it finds a fault.
#![forbid(unsafe_code)]

use std::env;

pub mod decoders;
pub mod foreign;
pub mod input;
pub mod operations;
#[cfg(feature = "texts")]
pub mod pages;
mod scratch;
#[cfg(feature = "texts")]
pub mod texts;

/// The name of a target, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Targets for native files and files of other systems; `scripts/fuzz` reads the names here.
pub const FILES: &[Target] = &[
    ("decode_standard", decoders::standard),
    ("decode_atomic", decoders::atomic),
    ("decode_counting", decoders::counting),
    ("decode_partitioned", decoders::partitioned),
    ("decode_blocked", decoders::blocked),
    ("decode_scalable", decoders::scalable),
    ("decode_sharded", decoders::sharded),
    ("decode_cuckoo", decoders::cuckoo),
    ("decode_fuse", decoders::fuse),
    ("decode_aging", decoders::aging),
    ("decode_header", decoders::header),
    ("operate_standard", operations::standard),
    ("operate_atomic", operations::atomic),
    ("operate_counting", operations::counting),
    ("operate_partitioned", operations::partitioned),
    ("operate_blocked", operations::blocked),
    ("operate_scalable", operations::scalable),
    ("operate_sharded", operations::sharded),
    ("operate_cuckoo", operations::cuckoo),
    ("bits_and_blooms", foreign::bits_and_blooms),
    ("bits_and_blooms_json", foreign::bits_and_blooms_json),
    ("guava", foreign::guava),
    ("parquet", foreign::parquet),
    ("redisbloom", foreign::redisbloom),
    ("redisbloom_chunks", foreign::redisbloom_chunks),
    ("redisson", foreign::redisson),
    ("go_zero", foreign::go_zero),
];

/// Targets for texts that users write, and for pages that the program writes.
#[cfg(feature = "texts")]
pub const TEXTS: &[Target] = &[
    ("keys", texts::keys),
    ("definitions", texts::definitions),
    ("records", texts::records),
    ("baselines", texts::baselines),
    ("markdown", pages::in_markdown),
    ("html", pages::in_html),
    ("splice", pages::into_text),
];
/// Without the feature, there are none of these targets.
#[cfg(not(feature = "texts"))]
pub const TEXTS: &[Target] = &[];

/// The function of the target with this name.
pub fn target(targets: &[Target], name: &str) -> Option<fn(&[u8])> {
    let found = targets.iter().find(|(own, _)| *own == name);
    found.map(|(_, run)| *run)
}

/// The function of the target that `BOUQUET_FUZZ` names.
///
/// # Panics
///
/// If `BOUQUET_FUZZ` names none of the targets.
pub fn chosen(targets: &[Target]) -> fn(&[u8]) {
    let name = env::var("BOUQUET_FUZZ").unwrap_or_default();
    match target(targets, &name) {
        Some(run) => run,
        None => panic!("BOUQUET_FUZZ names no target here: {name}"),
    }
}
