//! The crate broomfilter: a classic filter with a power of two of bits, and one of
//! blocks.

use std::f64::consts::LN_2;

use anyhow::Result;
use broomfilter::{BlockedFilter, Filter};

use super::{CLASSIC, Entry, State, Subject, classic, target};

const RELEASE: &str = "broomfilter 0.1.4";
const BLOCK_BITS: u64 = 512;

pub fn plain() -> Entry {
    let about = "The crate broomfilter: its Filter, one bit array rounded up to a power of two, \
                 one xxh3 of 128 bits without a seed, combined by double hashing";
    contender::<Filter>("broomfilter", about)
}

pub fn blocked() -> Entry {
    let about = "The crate broomfilter: its BlockedFilter, all probes of a key in one cache \
                 line. Hashed as broomfilter is; sized by the classic form, which leaves blocks \
                 out";
    contender::<BlockedFilter>("broomfilter-blocked", about)
}

fn contender<F: Broom>(name: &'static str, about: &'static str) -> Entry {
    let mut peer = Entry::new(name, RELEASE, about, CLASSIC, move |request| {
        let fpr = target(name, request)?;
        let wanted = -(request.capacity as f64) * fpr.ln() / LN_2.powi(2);
        let size_bits = F::size_bits(wanted.ceil() as u64);
        let hashes = (size_bits as f64 / request.capacity as f64 * LN_2).round();
        Ok(Peer {
            filter: F::made(request.capacity as usize, fpr)?,
            size_bits,
            hashes: hashes.clamp(1.0, 30.0) as u32,
        })
    });
    peer.reproducible_by_seed = true;
    peer
}

/// One of the two.
trait Broom: Sized + 'static {
    fn made(capacity: usize, fpr: f64) -> Result<Self>;
    /// What it makes of the bits that it wants.
    fn size_bits(wanted: u64) -> u64;
    fn insert_key(&mut self, key: &[u8]);
    fn may_contain(&self, key: &[u8]) -> bool;
}

macro_rules! brooms {
    ($($filter:ident: $size:expr;)*) => {$(
        impl Broom for $filter {
            fn made(capacity: usize, fpr: f64) -> Result<Self> {
                Ok(Self::from_fpr(capacity, fpr)?)
            }

            fn size_bits(wanted: u64) -> u64 {
                $size(wanted)
            }

            fn insert_key(&mut self, key: &[u8]) {
                self.insert(key);
            }

            fn may_contain(&self, key: &[u8]) -> bool {
                self.contains(key)
            }
        }
    )*};
}
brooms! {
    Filter: u64::next_power_of_two;
    BlockedFilter: |wanted: u64| wanted.next_multiple_of(BLOCK_BITS);
}

/// The crate tells neither m nor k of a filter.
struct Peer<F> {
    filter: F,
    size_bits: u64,
    hashes: u32,
}

impl<F: Broom> Subject for Peer<F> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.filter.insert_key(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter.may_contain(key)
    }

    fn state(&self, keys: u64) -> State {
        let memory = self.size_bits / 8 + size_of::<F>() as u64;
        classic(self.size_bits, self.hashes, memory, keys, None)
    }
}
