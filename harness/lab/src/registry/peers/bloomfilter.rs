//! The crate bloomfilter: a classic filter.

use anyhow::{Result, anyhow};
use bloomfilter::Bloom;
use bouquet_core::math::expected_fpr;

use super::{
    Ask, CLASSIC, Contender, Hashing, Size, State, Store, Subject, boxed, peer, reload, wide_seed,
};
use crate::registry::Entry;

pub fn contender() -> Contender {
    let about = "The crate bloomfilter: one bit array, two SipHash-1-3 with the run's seed, \
                 combined by double hashing";
    let peer = peer("bloomfilter", "bloomfilter 3.0.2", about, CLASSIC, |ask| {
        boxed(Peer(build(ask)?))
    });
    Contender {
        entry: Entry {
            reproducible_by_seed: true,
            ..peer.entry
        },
        hashing: Hashing::Seeded,
        reload: Some(reload::<Peer>),
        ..peer
    }
}

fn build(ask: &Ask) -> Result<Bloom<[u8]>> {
    let (seed, keys) = (wide_seed(ask.seed), ask.capacity as usize);
    let built = match ask.size {
        Size::TargetFpr(fpr) => Bloom::new_for_fp_rate_with_seed(keys, fpr, &seed),
        Size::BitsPerKey(bits) => {
            let bytes = (keys as f64 * bits / 8.0).ceil() as usize;
            Bloom::new_with_seed(bytes, keys, &seed)
        }
    };
    built.map_err(|error| anyhow!(error))
}

struct Peer(Bloom<[u8]>);

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.set(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.check(key)
    }

    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }

    fn state(&self, keys: u64) -> State {
        let (bits, hashes) = (self.0.len(), self.0.number_of_hash_functions());
        let memory = self.0.as_slice().len() + size_of::<Self>();
        super::state(
            bits,
            hashes,
            memory as u64,
            expected_fpr(bits, hashes, keys),
        )
    }
}

impl Store for Peer {
    fn write(&self) -> Result<Vec<u8>> {
        Ok(self.0.to_bytes())
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        Bloom::from_bytes(bytes)
            .map(Self)
            .map_err(|error| anyhow!(error))
    }
}
