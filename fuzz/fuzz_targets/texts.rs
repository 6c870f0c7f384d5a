//! The fuzz targets for texts and pages: libFuzzer runs the one that `BOUQUET_FUZZ` names.
#![no_main]

use std::sync::LazyLock;

use bouquet_fuzz::{TEXTS, chosen};

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| chosen(TEXTS));

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
