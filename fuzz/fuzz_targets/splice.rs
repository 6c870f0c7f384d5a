//! Figures put into a text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::pages::into_text(data));
