//! Files of `ScalableBloom`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::scalable(data));
