//! Reports as Markdown.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::pages::in_markdown(data));
