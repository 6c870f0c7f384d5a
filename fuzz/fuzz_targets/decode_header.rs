//! Headers with the right checksums.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::header(data));
