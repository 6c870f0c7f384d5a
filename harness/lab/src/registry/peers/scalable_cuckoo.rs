//! The crate scalable_cuckoo_filter: cuckoo filters in a row.

use std::fmt::{self, Debug};

use anyhow::Result;
use scalable_cuckoo_filter::ScalableCuckooFilter;

use super::{
    Contender, PROMISED, State, Store, Subject, boxed, from_bincode, peer, reload, target,
    to_bincode,
};
use crate::registry::Entry;

const NAME: &str = "scalable_cuckoo_filter";

pub fn contender() -> Contender {
    let about = "The crate scalable_cuckoo_filter: cuckoo filters that double, with FPRs that \
                 halve. SipHash-1-3 with fixed keys; what to evict is drawn at random";
    let peer = peer(
        NAME,
        "scalable_cuckoo_filter 0.5.1",
        about,
        PROMISED,
        |ask| {
            let fpr = target(NAME, ask)?;
            let filter = ScalableCuckooFilter::new(ask.capacity as usize, fpr);
            boxed(Peer(filter))
        },
    );
    Contender {
        entry: Entry {
            removes: true,
            grows: true,
            ..peer.entry
        },
        reload: Some(reload::<Peer>),
        ..peer
    }
}

struct Peer(ScalableCuckooFilter<[u8]>);

impl Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)
    }
}

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.0.remove(key)
    }

    fn state(&self, _keys: u64) -> State {
        let bits = self.0.bits();
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        super::state(bits, 0, memory, self.0.false_positive_probability())
    }
}

impl Store for Peer {
    fn write(&self) -> Result<Vec<u8>> {
        to_bincode(&self.0)
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        from_bincode(&bytes).map(Self)
    }
}
