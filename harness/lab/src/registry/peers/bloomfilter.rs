//! The crate bloomfilter: a classic filter.

use anyhow::{Result, anyhow};
use bloomfilter::Bloom;

use super::{CLASSIC, Entry, Peer, Request, Resolved, Size, State, classic, wide_seed};

pub fn contender() -> Entry {
    let about = "The crate bloomfilter: one bit array, two SipHash-1-3 with the run's seed, \
                 combined by double hashing";
    let mut peer = Entry::new(
        "bloomfilter",
        "bloomfilter 3.0.2",
        about,
        CLASSIC,
        |request| Ok(Peer(build(request)?)),
    );
    peer.reproducible_by_seed = true;
    peer
}

fn build(request: &Request) -> Result<Bloom<[u8]>> {
    let (seed, keys) = (wide_seed(request.seed), request.capacity as usize);
    let built = match request.size {
        Size::TargetFpr(fpr) => Bloom::new_for_fp_rate_with_seed(keys, fpr, &seed),
        Size::BitsPerKey(bits) => {
            let bytes = (keys as f64 * bits / 8.0).ceil() as usize;
            Bloom::new_with_seed(bytes, keys, &seed)
        }
    };
    built.map_err(|error| anyhow!(error))
}

impl Resolved for Bloom<[u8]> {
    fn state_with(&self, keys: u64) -> State {
        let (bits, hashes) = (self.len(), self.number_of_hash_functions());
        let memory = self.as_slice().len() + size_of::<Self>();
        classic(bits, hashes, memory as u64, keys, None)
    }
}
