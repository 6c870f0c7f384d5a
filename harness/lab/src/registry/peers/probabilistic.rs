//! The crate probabilistic-collections: its classic filter. It has scalable,
//! partitioned, cuckoo and quotient filters beside it.

use probabilistic_collections::{SipHasherBuilder, bloom::BloomFilter};

use super::{CLASSIC, Entry, Peer, Request, Resolved, Size, State, classic, wide_seed};

/// Its filters are of one type of key; what is hashed may be borrowed from it.
type Filter = BloomFilter<Vec<u8>>;

pub fn contender() -> Entry {
    let about = "The crate probabilistic-collections: its BloomFilter, one bit array, two \
                 SipHash-2-4 with the run's seed, combined by double hashing";
    let release = "probabilistic-collections 0.7.0";
    let mut peer = Entry::new(
        "probabilistic-collections",
        release,
        about,
        CLASSIC,
        |request| Ok(Peer(build(request))),
    );
    peer.reproducible_by_seed = true;
    peer
}

fn build(request: &Request) -> Filter {
    let seed: [u8; 32] = wide_seed(request.seed);
    let word = |i: usize| {
        seed.as_chunks()
            .0
            .get(i)
            .map_or(0, |word| u64::from_le_bytes(*word))
    };
    let hashers = [0, 2].map(|i| SipHasherBuilder::from_seed(word(i), word(i + 1)));
    let keys = request.capacity as usize;
    match request.size {
        Size::TargetFpr(fpr) => Filter::with_hashers(keys, fpr, hashers),
        Size::BitsPerKey(bits) => {
            let bits = (keys as f64 * bits).round() as usize;
            Filter::from_item_count_with_hashers(bits, keys, hashers)
        }
    }
}

impl Resolved for Filter {
    fn state_with(&self, keys: u64) -> State {
        let (bits, hashes) = (self.len() as u64, self.hasher_count() as u32);
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        classic(bits, hashes, memory, keys, Some(self.count_ones() as u64))
    }
}
