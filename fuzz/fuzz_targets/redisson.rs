//! Bitmaps of Redisson.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::foreign::redisson(data));
