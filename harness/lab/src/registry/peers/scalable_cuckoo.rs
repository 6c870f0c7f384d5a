//! The crate scalable_cuckoo_filter: cuckoo filters in a row.

use scalable_cuckoo_filter::ScalableCuckooFilter;

use super::{Entry, PROMISED, Peer, Resolved, State, target};

const NAME: &str = "scalable_cuckoo_filter";

pub fn contender() -> Entry {
    let about = "The crate scalable_cuckoo_filter: cuckoo filters that double, with FPRs that \
                 halve. SipHash-1-3 with fixed keys; what to evict is drawn at random";
    let mut peer = Entry::new(
        NAME,
        "scalable_cuckoo_filter 0.5.1",
        about,
        PROMISED,
        |request| {
            let fpr = target(NAME, request)?;
            let filter = ScalableCuckooFilter::new(request.capacity as usize, fpr);
            Ok(Peer(filter))
        },
    );
    peer.removes = true;
    peer.grows = true;
    peer
}

impl Resolved for ScalableCuckooFilter<[u8]> {
    fn forget(&mut self, key: &[u8]) -> bool {
        self.remove(key)
    }

    fn state_with(&self, _keys: u64) -> State {
        let bits = self.bits();
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        super::state(bits, 0, memory, self.false_positive_probability())
    }
}
