//! Definitions of experiments and of the gate.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::texts::definitions(data));
