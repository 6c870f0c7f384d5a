//! The widely used ones.

use std::hash::{BuildHasher, Hasher};

use highway::{HighwayHash, HighwayHasher};
use sha2::Digest;
use xxhash_rust::{xxh3, xxh32, xxh64};

use crate::comparison::Hash;

pub fn all() -> Vec<Hash> {
    vec![
        hasher("fnv-1a", "fnv 1", fnv::FnvHasher::default),
        Hash::new("murmur3-32", "murmur3 0.5", 32, |mut key| {
            murmur3::murmur3_32(&mut key, 0).unwrap_or(0).into()
        }),
        Hash::new("murmur3-128", "murmur3 0.5", 128, |mut key| {
            murmur3::murmur3_x64_128(&mut key, 0).unwrap_or(0) as u64
        }),
        Hash::new("xxh32", XXH, 32, |key| xxh32::xxh32(key, 0).into()).in_parts(
            || xxh32::Xxh32::new(0),
            |state, part| state.update(part),
            |state| state.digest().into(),
        ),
        Hash::new("xxh64", XXH, 64, |key| xxh64::xxh64(key, 0)).in_parts(
            || xxh64::Xxh64::new(0),
            |state, part| state.update(part),
            |state| state.digest(),
        ),
        Hash::new("xxh3", XXH, 64, xxh3::xxh3_64).in_parts(
            xxh3::Xxh3::new,
            |state, part| state.update(part),
            |state| state.digest(),
        ),
        Hash::new("crc32", "crc32fast 1", 32, |key| {
            crc32fast::hash(key).into()
        })
        .in_parts(
            crc32fast::Hasher::new,
            |state, part| state.update(part),
            |state| state.finalize().into(),
        ),
        Hash::new("cityhash", "cityhasher 0.1", 64, |key| {
            cityhasher::hash::<u64>(key)
        }),
        Hash::new("highwayhash", "highway 1", 64, |key| {
            HighwayHasher::default().hash64(key)
        })
        .in_parts(
            HighwayHasher::default,
            |state, part| state.append(part),
            HighwayHash::finalize64,
        ),
        hasher(
            "siphash-1-3",
            "siphasher 1",
            siphasher::sip::SipHasher13::new,
        ),
        hasher(
            "siphash-2-4",
            "siphasher 1",
            siphasher::sip::SipHasher24::new,
        ),
        Hash::new("rapidhash", "rapidhash 4", 64, |key| {
            rapidhash::v3::rapidhash_v3(key)
        }),
        digest::<md5::Md5>("md5", "md-5 0.11", 128),
        digest::<sha1::Sha1>("sha-1", "sha1 0.11", 160),
        digest::<sha2::Sha256>("sha-256", "sha2 0.11", 256),
        digest::<blake2::Blake2b512>("blake2b", "blake2 0.11", 512),
        hasher("foldhash", "foldhash 0.2", || {
            foldhash::fast::FixedState::default().build_hasher()
        }),
        hasher("ahash", "ahash 0.8", || {
            ahash::RandomState::with_seeds(1, 2, 3, 4).build_hasher()
        }),
    ]
}

const XXH: &str = "xxhash-rust 0.8";

/// A hash of 64 bits behind `Hasher`.
fn hasher<H: Hasher>(
    name: &'static str,
    release: &'static str,
    start: impl Fn() -> H + Copy + 'static,
) -> Hash {
    Hash::new(name, release, 64, move |key| {
        let mut state = start();
        state.write(key);
        state.finish()
    })
    .in_parts(
        start,
        |state, part| state.write(part),
        |state| state.finish(),
    )
}

fn digest<D: Digest + 'static>(name: &'static str, release: &'static str, bits: u32) -> Hash {
    fn first(hash: &[u8]) -> u64 {
        hash.first_chunk()
            .map_or(0, |first| u64::from_le_bytes(*first))
    }
    Hash::new(name, release, bits, |key| first(&D::digest(key))).in_parts(
        D::new,
        |state, part| state.update(part),
        |state| first(&state.finalize()),
    )
}
