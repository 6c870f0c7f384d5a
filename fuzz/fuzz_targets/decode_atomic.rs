//! Files of `AtomicBloom`, which are those of `StandardBloom`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::atomic(data));
