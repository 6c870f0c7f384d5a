//! Reports as HTML.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::pages::in_html(data));
