//! k partitions.

use anyhow::Result;
use bouquet_core::math::{MAX_HASHES, Parameters, expected_fill, fill_variance};
use bouquet_partitioned::math::{best_hashes, expected_fpr, min_bits_in_words};

use super::{
    Answer, Ask,
    model::Model,
    solve::{self, describe, settle},
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
    let (hashes, keys) = (settled.hashes, settled.capacity as f64);
    let partition_bits = settled.units / u64::from(hashes);
    answer.set("partition_bits", partition_bits);
    // A key throws once into each of k partitions, which are independent: the
    // mean of their fills varies k times less, and their product's relative
    // variances add up.
    let mean = expected_fill(partition_bits, keys);
    let deviation = fill_variance(partition_bits, keys).sqrt();
    let root = f64::from(hashes).sqrt();
    solve::fill(&mut answer, mean, deviation / root, root * deviation / mean);
    Ok(answer)
}
