//! A `ScalableBloom` from a file, used within a limit.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::operations::scalable(data));
