//! Parquet's split block filter: like Bouquet's blocks of eight 32-bit words, with another hash.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Geometry, Words32};
use bouquet_catalogue::{keys_until, left};
use bouquet_core::{Fill, Inner, Union, math::estimated_keys};
use bouquet_interop::ParquetBloom;

use super::{Array, System};
use crate::{Facts, Format, any_filter::Load};

/// The number of 64-bit words in a block.
const BLOCK_WORDS: usize = 4;

/// Probes per key, one in each word of a block.
const HASHES: u32 = 8;

impl System for ParquetBloom {
    fn describe(&self) -> Facts {
        Facts {
            filter: "split block".into(),
            hash: "XXH64 of the plain value".into(),
            size_bits: self.size_bits(),
            hashes: Some(HASHES),
            made_of: Some(("blocks", self.blocks().into())),
            note: Some(
                "the type of the column is not in the filter: text is BYTE_ARRAY; for numbers give \
                 their bytes with --hex, little-endian, in the width of the column",
            ),
            ..Facts::default()
        }
    }

    as_usual!(write);
    as_usual!(one array);

    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        let geometry = Geometry::new(self.blocks().into(), Words32).ok();
        let fill_ratio = arrays.first().map_or(0.0, Array::fill);
        // The number of keys for a fill ratio: its logarithm divided by that of one key's.
        let one_key = geometry.map_or(0.0, |geometry| geometry.fill_mean(1));
        let log = |fill| estimated_keys(2, 1, fill);
        let keys = log(fill_ratio) / log(one_key);
        Load {
            fill_ratio,
            counted_keys: None,
            estimated_keys: keys,
            estimated_fpr: fpr(self.words()),
            keys_left: target_fpr
                .zip(geometry)
                .map(|(target, geometry)| left(most_keys(geometry, target), keys)),
        }
    }
}

/// The largest number of keys for which the expected FPR is at most the target.
fn most_keys(geometry: Geometry<Words32>, target: f64) -> u64 {
    let expected = |keys| <BlockedBloom<Words32> as Inner>::expected_fpr_of(geometry, keys);
    keys_until(target, expected)
}

/// The FPR given the bits: the product of the fill ratios of the words of a block, averaged over
/// all blocks.
fn fpr(words: &[u64]) -> f64 {
    let (blocks, _) = words.as_chunks::<BLOCK_WORDS>();
    let of_block = |block: &[u64; BLOCK_WORDS]| -> f64 {
        let halves = block
            .iter()
            .flat_map(|two| [*two as u32, (two >> 32) as u32]);
        halves
            .map(|word| f64::from(word.count_ones()) / 32.0)
            .product()
    };
    blocks.iter().map(of_block).sum::<f64>() / blocks.len().max(1) as f64
}
