//! Bitmaps of go-zero.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::foreign::go_zero(data));
