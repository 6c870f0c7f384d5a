//! Baselines of the gate.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::texts::baselines(data));
