//! Files of `BlockedBloom`, in each layout.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::blocked(data));
