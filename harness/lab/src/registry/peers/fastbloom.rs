//! The crate fastbloom: a classic filter, plain and over atomic words.

use fastbloom::{AtomicBloomFilter, BloomFilter};

use super::{CLASSIC, Entry, Peer, Request, Resolved, Size, State, classic, wide_seed};

pub fn plain() -> Entry {
    let about = "The crate fastbloom: one bit array. SipHash-1-3, its default, with the run's \
                 seed (given none it draws one for each filter); many give it foldhash or ahash \
                 for speed";
    contender::<BloomFilter>("fastbloom", about)
}

pub fn atomic() -> Entry {
    let about = "The crate fastbloom: one array of atomic words, filled by many threads. Hashed \
                 as fastbloom is";
    let mut peer = contender::<AtomicBloomFilter>("fastbloom-atomic", about);
    peer.concurrent = true;
    peer
}

/// One of the two.
trait Fast: Resolved {
    fn made(request: &Request) -> Self;
}

fn contender<F: Fast>(name: &'static str, about: &'static str) -> Entry {
    let build = |request: &Request| Ok(Peer(F::made(request)));
    let mut peer = Entry::new(name, "fastbloom 0.17.0", about, CLASSIC, build);
    peer.reproducible_by_seed = true;
    peer
}

macro_rules! fast {
    ($($filter:ident)*) => {$(
        impl Fast for $filter {
            fn made(request: &Request) -> Self {
                let keys = request.capacity as usize;
                let seed = u128::from_le_bytes(wide_seed(request.seed));
                match request.size {
                    Size::TargetFpr(fpr) => {
                        Self::with_false_pos(fpr).seed(&seed).expected_items(keys)
                    }
                    Size::BitsPerKey(bits) => {
                        let bits = (request.capacity as f64 * bits).round() as usize;
                        Self::with_num_bits(bits).seed(&seed).expected_items(keys)
                    }
                }
            }
        }

        /// It tells m, k and its words.
        impl Resolved for $filter {
            fn state_with(&self, keys: u64) -> State {
                let (bits, hashes) = (self.num_bits() as u64, self.num_hashes());
                let ones = self.iter().map(|word| u64::from(word.count_ones())).sum();
                let memory = bits / 8 + size_of::<Self>() as u64;
                classic(bits, hashes, memory, keys, Some(ones))
            }
        }
    )*};
}
fast!(BloomFilter AtomicBloomFilter);
