//! Files of `StandardBloom`, by each hasher.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::standard(data));
