//! The crate growable-bloom-filter: a scalable filter of partitioned stages.

use growable_bloom_filter::GrowableBloom;

use super::{Entry, PROMISED, State, Subject, target};

const NAME: &str = "growable-bloom-filter";

pub fn contender() -> Entry {
    let about = "The crate growable-bloom-filter: stages that double, with FPRs that tighten by \
                 0.85. One fixed hash (xxh3), no seed";
    let release = "growable-bloom-filter 2.1.1";
    let mut peer = Entry::new(NAME, release, about, PROMISED, |request| {
        let fpr = target(NAME, request)?;
        let filter = GrowableBloom::new(fpr, request.capacity as usize);
        Ok(Peer { filter, fpr })
    });
    peer.reproducible_by_seed = true;
    peer.grows = true;
    peer
}

struct Peer {
    filter: GrowableBloom,
    fpr: f64,
}

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.filter.insert(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter.contains(key)
    }

    fn state(&self, _keys: u64) -> State {
        // It tells nothing of its stages but when it is written, byte for byte.
        let bytes = bincode::serialized_size(&self.filter).unwrap_or(0);
        super::state(bytes * 8, 0, bytes, self.fpr)
    }
}
