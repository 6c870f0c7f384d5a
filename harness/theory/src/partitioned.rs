//! k partitions.

use anyhow::Result;
use bouquet_core::math::{MAX_HASHES, Occupancy, Parameters};
use bouquet_partitioned::math::{best_hashes, expected_fpr, min_bits_in_words};

use super::{
    Answer, Ask,
    model::Model,
    solve::{describe, fill_and_spread, settle},
};

struct Partitioned;

impl Model for Partitioned {
    fn unit(&self) -> u64 {
        1
    }

    fn fpr(&self, bits: u64, hashes: u32, keys: u64) -> f64 {
        expected_fpr(bits / u64::from(hashes), hashes, keys)
    }

    fn least(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        let Parameters { size_bits, hashes } = min_bits_in_words(keys, fpr)?;
        Ok(Parameters {
            size_bits: used(size_bits, hashes),
            hashes,
        })
    }

    fn most_hashes(&self, bits: u64) -> u32 {
        bits.min(MAX_HASHES.into()) as u32
    }

    fn best_hashes(&self, bits: u64, keys: u64) -> u32 {
        best_hashes(bits, keys)
    }
}

/// The bits that k partitions of one size take.
fn used(bits: u64, hashes: u32) -> u64 {
    bits / u64::from(hashes) * u64::from(hashes)
}

pub fn answer(ask: &Ask) -> Result<Answer> {
    let mut settled = settle(ask, &Partitioned)?;
    settled.units = used(settled.units, settled.hashes);
    let mut answer = describe(ask, &Partitioned, &settled, settled.units)?;
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
