//! What the fuzz targets do, each a plain function of some bytes: that of libFuzzer calls it
//! (`fuzz_targets`), and so does the plain loop where there is no nightly compiler
//! (`examples/plain.rs`). A target panics where something is wrong.
#![forbid(unsafe_code)]

pub mod decoders;
pub mod foreign;
pub mod input;
pub mod operations;
pub mod pages;
mod scratch;
pub mod texts;

/// A target's name, and what it does with some bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("decode_standard", decoders::standard),
    ("decode_atomic", decoders::atomic),
    ("decode_counting", decoders::counting),
    ("decode_partitioned", decoders::partitioned),
    ("decode_blocked", decoders::blocked),
    ("decode_scalable", decoders::scalable),
    ("decode_sharded", decoders::sharded),
    ("decode_cuckoo", decoders::cuckoo),
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
    ("keys", texts::keys),
    ("definitions", texts::definitions),
    ("records", texts::records),
    ("baselines", texts::baselines),
    ("markdown", pages::in_markdown),
    ("html", pages::in_html),
    ("splice", pages::into_text),
];
