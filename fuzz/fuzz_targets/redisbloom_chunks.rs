//! Their chunks, in any order.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::foreign::redisbloom_chunks(data));
