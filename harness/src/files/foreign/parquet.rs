//! Parquet's split blocks: as our blocks of eight words of 32 bits, with another
//! hash.

use anyhow::{Result, bail};
use bouquet_blocked::{BlockedBloom, Geometry, Words32};
use bouquet_core::{Fill, Inner, Union, math::estimated_keys};
use bouquet_interop::ParquetBloom;

use super::{Array, System};
use crate::files::{
    Facts, Format,
    held::{Load, keys_until, left},
};

/// Bytes of a block.
const BLOCK_BYTES: usize = 32;

/// Probes a key, one in each word of a block.
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

    fn to_file(&self, _: Format) -> Vec<u8> {
        self.to_bytes()
    }

    fn arrays(&self) -> Vec<Array> {
        let mut bytes = self.to_bytes();
        let header = bytes.len() - self.blocks() as usize * BLOCK_BYTES;
        let bytes = bytes.split_off(header);
        vec![Array {
            slots: self.size_bits(),
            bytes,
        }]
    }

    fn load(&self, arrays: &[Array], target_fpr: Option<f64>) -> Load {
        let geometry = Geometry::new(self.blocks().into(), Words32).ok();
        let fill_ratio = arrays.first().map_or(0.0, Array::fill);
        // Keys that make a fill: its logarithm over that of one key's.
        let one_key = geometry.map_or(0.0, |geometry| geometry.fill_mean(1));
        let log = |fill| estimated_keys(2, 1, fill);
        let keys = log(fill_ratio) / log(one_key);
        Load {
            fill_ratio,
            counted_keys: None,
            estimated_keys: keys,
            estimated_fpr: arrays.first().map_or(0.0, |array| fpr(&array.bytes)),
            keys_left: target_fpr.zip(geometry).map(|(target, geometry)| {
                let expected =
                    |keys| <BlockedBloom<Words32> as Inner>::expected_fpr_of(geometry, keys);
                left(keys_until(target, expected), keys)
            }),
        }
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }

    fn fold(self, target: f64) -> Result<Self> {
        let mut filter = self;
        if !filter.blocks().is_multiple_of(2) {
            bail!(
                "{} blocks cannot be halved: only an even number can",
                filter.blocks()
            );
        }
        while let Some(half) = filter.folded()? {
            if half
                .arrays()
                .first()
                .is_none_or(|array| fpr(&array.bytes) > target)
            {
                break;
            }
            filter = half;
        }
        Ok(filter)
    }
}

/// The FPR of the bits: of each block the product of the fills of its words, and
/// of all blocks the mean.
fn fpr(bytes: &[u8]) -> f64 {
    let (blocks, _) = bytes.as_chunks::<BLOCK_BYTES>();
    let of_block = |block: &[u8; BLOCK_BYTES]| -> f64 {
        let (words, _) = block.as_chunks::<4>();
        let ones = |word: &[u8; 4]| f64::from(u32::from_le_bytes(*word).count_ones()) / 32.0;
        words.iter().map(ones).product()
    };
    blocks.iter().map(of_block).sum::<f64>() / blocks.len().max(1) as f64
}
