//! The fuzz targets for files: libFuzzer runs the one that `BOUQUET_FUZZ` names.
#![no_main]

use std::sync::LazyLock;

use bouquet_fuzz::{FILES, chosen};

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| chosen(FILES));

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
