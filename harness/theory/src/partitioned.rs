//! Partitioned filters: one partition for each of k probes.

use anyhow::Result;
use bouquet_core::math::{Occupancy, Parameters};
use bouquet_partitioned::math::{best_hashes, expected_fpr, min_bits_in_words};

use super::{
    Answer, Form, Request,
    model::{Model, at_most_a_slot_each},
    solve::{describe, fill_and_spread, settle},
};

/// The number of bits that k partitions of equal size use.
fn used(bits: u64, hashes: u32) -> u64 {
    bits / u64::from(hashes) * u64::from(hashes)
}

pub const PARTITIONED: Form = Form {
    name: "",
    about: "k partitions of m/k bits, a probe in each",
    takes: &["bits", "bits_per_key", "hashes"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    let model = Model {
        least: Some(&|keys, fpr| {
            let Parameters { size_bits, hashes } = min_bits_in_words(keys, fpr)?;
            let size_bits = used(size_bits, hashes);
            Ok(Parameters { size_bits, hashes })
        }),
        most_hashes: &at_most_a_slot_each,
        best_hashes: Some(&best_hashes),
        ..Model::new(1, &|bits, hashes, keys| {
            expected_fpr(bits / u64::from(hashes), hashes, keys)
        })
    };
    let mut settled = settle(request, &model)?;
    settled.units = used(settled.units, settled.hashes);
    let mut answer = describe(request, &model, &settled, settled.units)?;
    let (hashes, keys) = (settled.hashes, settled.capacity);
    let partition_bits = settled.units / u64::from(hashes);
    answer.set("partition_bits", partition_bits);
    let occupancy = Occupancy {
        groups: 1,
        ranges: hashes.into(),
        slots: partition_bits,
        throws: 1,
    };
    fill_and_spread(&mut answer, occupancy, hashes, keys);
    Ok(answer)
}
