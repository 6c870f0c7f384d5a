//! Files of `CuckooFilter`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::decoders::cuckoo(data));
