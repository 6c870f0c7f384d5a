//! The same as JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::foreign::bits_and_blooms_json(data));
