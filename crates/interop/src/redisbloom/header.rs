//! The header of a dump: the parameters of the chain without the bits.
//!
//! | offset | bytes | content, little-endian |
//! | --- | --- | --- |
//! | 0 | 8 | total number of keys |
//! | 8 | 4 | number of links |
//! | 12 | 4 | options: 1 no rounding, 2 entries are bits, 4 64-bit hash, 8 no growth |
//! | 16 | 4 | growth factor |
//! | then, 53 per link: | | |
//! | +0 | 8 | size of the bits, in bytes |
//! | +8 | 8 | size of the bits, in bits |
//! | +16 | 8 | keys in this link |
//! | +24 | 8 | target FPR of the link, f64 |
//! | +32 | 8 | bits per key, f64 |
//! | +40 | 4 | k |
//! | +44 | 8 | capacity |
//! | +52 | 1 | log2 of the number of bits if it is a power of two by design, otherwise 0 |

use alloc::vec::Vec;

use bouquet_bits::BitArray;

use super::{
    RedisBloom, Sizing,
    filter::{MAX_EXPANSION, NO_SCALING},
    limit::Limit,
    link::Link,
    sizing::{bits_per_key, hashes},
};
use crate::{
    ForeignDecodeError, ReadError, Term,
    read::{Reader, no_memory},
};

/// The largest number of links that is accepted. A filter that doubles with each link would use all
/// memory after 50 links.
const MAX_LINKS: u32 = 1_024;

/// Size in bytes of the part of the header before the first link, and of the part for each link.
const FIXED_BYTES: usize = 20;
const LINK_BYTES: usize = 53;

/// The allowed relative difference between the stored bits per key and those computed from the
/// target FPR: the logarithm of another platform may differ.
const TOLERANCE: f64 = 1e-9;

/// Reads and checks a header. The links of the returned chain have no bits yet.
pub(super) fn read<E>(reader: &mut Reader<'_, E>) -> Result<RedisBloom, ReadError<E>> {
    let keys = u64::from_le_bytes(reader.array("keys in all links")?);
    let allowed = |n| n > 0 && n <= MAX_LINKS;
    let count = reader.checked("number of links", u32::from_le_bytes, allowed, "1 to 1024")?;
    let options = reader.checked("options", u32::from_le_bytes, |o| o < 16, "0 to 15")?;
    // The server ignores the growth factor of a filter that does not grow.
    let allowed = |growth| (1..=MAX_EXPANSION).contains(&growth) || options & NO_SCALING != 0;
    let expansion = reader.checked("growth", u32::from_le_bytes, allowed, "1 to 32768")?;
    // This is checked before memory is allocated for the links.
    let bytes = u64::from(count) * LINK_BYTES as u64;
    reader.need("links", bytes)?;
    let mut links = Vec::new();
    let reserved = links.try_reserve_exact(count as usize);
    reserved.map_err(|_| no_memory(reader.offset(), "links", bytes))?;
    let mut total = Some(0u64);
    for _ in 0..count {
        let link = link(reader)?;
        total = total.and_then(|total| total.checked_add(link.keys));
        links.push(link);
    }
    if total != Some(keys) {
        return Err(ReadError::Decode(ForeignDecodeError {
            offset: 0,
            field: "keys in all links",
            found: Term::Number(keys.into()),
            wanted: total.map_or(Term::Words("less than 2^64"), |n| Term::Number(n.into())),
        }));
    }
    Ok(RedisBloom {
        links,
        options,
        expansion,
        limit: Limit::InProportion,
    })
}

fn link<E>(reader: &mut Reader<'_, E>) -> Result<Link, ReadError<E>> {
    let offset = reader.offset();
    let allowed = |bytes| bytes > 0 && bytes < 1 << 45;
    let bytes = reader.checked("bytes", u64::from_le_bytes, allowed, "1 to 2^45 - 1")?;
    let size_bits = 8 * bytes;
    let eight_times = |bits| bits == size_bits;
    reader.checked("bits", u64::from_le_bytes, eight_times, "8 times the bytes")?;
    let keys = u64::from_le_bytes(reader.array("keys in the link")?);
    let above_zero = |p| p > 0.0 && p < 1.0;
    let target_fpr = real(reader, "error", above_zero, "between 0 and 1")?;
    let expected = bits_per_key(target_fpr);
    let close = |bpe: f64| libm::fabs(bpe - expected) <= TOLERANCE * expected;
    let bits_per_key = real(reader, "bits per key", close, "|ln(error)| / 0.4805")?;
    let right = |k| k == hashes(bits_per_key);
    let hashes = reader.checked(
        "hashes (k)",
        u32::from_le_bytes,
        right,
        "0.6931 bits per key, up",
    )?;
    let capacity = reader.checked("capacity", u64::from_le_bytes, |n| n > 0, "at least 1")?;
    let fits = |log2| log2 < 64 && (log2 == 0 || 1u64 << log2 <= size_bits);
    let size_log2 = reader.checked(
        "log2 of the bits",
        |[b]: [u8; 1]| b,
        fits,
        "0, or that of no more bits than there are",
    )?;
    let sizing = Sizing {
        capacity,
        target_fpr,
        bits_per_key,
        size_bits,
        hashes,
        size_log2,
    };
    let scheme = sizing.scheme().map_err(|_| ForeignDecodeError {
        offset,
        field: "link",
        found: Term::Words("no bits or no hashes"),
        wanted: Term::Words("at least 1"),
    })?;
    let bits = BitArray::new(0).map_err(|_| no_memory(offset, "link", 0))?;
    Ok(Link {
        sizing,
        scheme,
        bits,
        keys,
    })
}

fn real<E>(
    reader: &mut Reader<'_, E>,
    field: &'static str,
    allowed: impl Fn(f64) -> bool,
    wanted: &'static str,
) -> Result<f64, ReadError<E>> {
    let offset = reader.offset();
    let value = f64::from_le_bytes(reader.array(field)?);
    if allowed(value) {
        return Ok(value);
    }
    Err(ReadError::Decode(ForeignDecodeError {
        offset,
        field,
        found: Term::Real(value),
        wanted: Term::Words(wanted),
    }))
}

impl RedisBloom {
    /// Size of this filter's header in bytes.
    pub(super) fn header_len(&self) -> usize {
        FIXED_BYTES + LINK_BYTES * self.links.len()
    }

    /// The bytes of the header: the data of the first chunk.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.header_len());
        bytes.extend(self.keys().to_le_bytes());
        bytes.extend((self.links.len() as u32).to_le_bytes());
        bytes.extend(self.options.to_le_bytes());
        bytes.extend(self.expansion.to_le_bytes());
        for Link { sizing, keys, .. } in &self.links {
            bytes.extend((sizing.size_bits / 8).to_le_bytes());
            bytes.extend(sizing.size_bits.to_le_bytes());
            bytes.extend(keys.to_le_bytes());
            bytes.extend(sizing.target_fpr.to_le_bytes());
            bytes.extend(sizing.bits_per_key.to_le_bytes());
            bytes.extend(sizing.hashes.to_le_bytes());
            bytes.extend(sizing.capacity.to_le_bytes());
            bytes.push(sizing.size_log2);
        }
        bytes
    }
}
