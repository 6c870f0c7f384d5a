//! A `PartitionedBloom` from a file, used.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bouquet_fuzz::operations::partitioned(data));
