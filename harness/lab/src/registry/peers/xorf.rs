//! The crate xorf: binary fuse filters, built from all keys at once.

use std::{
    cell::{OnceCell, RefCell},
    hash::{DefaultHasher, Hash, Hasher},
};

use xorf::{BinaryFuse8, BinaryFuse16, DmaSerializable, Filter};

use super::{Entry, State, Subject};

const RELEASE: &str = "xorf 0.13.0";
const THEORY: &str = "1/2^b for fingerprints of b bits (Graf and Lemire 2022)";

pub fn fuse8() -> Entry {
    let about = "The crate xorf: BinaryFuse8, one-byte fingerprints, built from all keys at once. \
                 It takes hashes, not keys: the standard library's SipHash-1-3 with fixed keys here";
    contender::<BinaryFuse8>("xorf-fuse8", about, "one byte a fingerprint")
}

pub fn fuse16() -> Entry {
    let about = "The crate xorf: BinaryFuse16, two-byte fingerprints. Built and hashed as \
                 xorf-fuse8 is";
    contender::<BinaryFuse16>("xorf-fuse16", about, "two bytes a fingerprint")
}

fn contender<F: Fuse>(name: &'static str, about: &'static str, fixed_size: &'static str) -> Entry {
    let mut peer = Entry::new(name, RELEASE, about, THEORY, |request| {
        Ok(Peer::<F> {
            capacity: request.capacity as usize,
            hashes: RefCell::default(),
            built: OnceCell::new(),
        })
    });
    peer.fixed_size = Some(fixed_size);
    peer
}

/// One of the two widths.
trait Fuse:
    Filter<u64> + DmaSerializable + for<'a> TryFrom<&'a [u64], Error = &'static str> + 'static
{
    /// Bits of a fingerprint.
    const BITS: u32;
}

impl Fuse for BinaryFuse8 {
    const BITS: u32 = 8;
}

impl Fuse for BinaryFuse16 {
    const BITS: u32 = 16;
}

/// Collects hashes, as many as it is sized for, until it is first asked something, and is built
/// then.
struct Peer<F> {
    capacity: usize,
    hashes: RefCell<Vec<u64>>,
    built: OnceCell<Option<F>>,
}

impl<F: Fuse> Peer<F> {
    /// `None` before there is any key.
    #[expect(
        clippy::panic,
        reason = "whoever measures catches it and writes an error row"
    )]
    fn filter(&self) -> Option<&F> {
        let build = || {
            let mut hashes = self.hashes.take();
            if hashes.is_empty() {
                return None;
            }
            // The crate asks for different hashes, as many as there are keys.
            hashes.sort_unstable();
            hashes.dedup();
            match F::try_from(&hashes) {
                Ok(filter) => Some(filter),
                Err(error) => panic!("cannot be built: {error}"),
            }
        };
        self.built.get_or_init(build).as_ref()
    }
}

fn hash(key: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl<F: Fuse> Subject for Peer<F> {
    fn insert(&mut self, key: &[u8]) -> bool {
        // A filter that was asked while it was empty is not built yet.
        if let Some(None) = self.built.get() {
            self.built.take();
        }
        let hashes = self.hashes.get_mut();
        let open = self.built.get().is_none() && hashes.len() < self.capacity;
        if open {
            hashes.push(hash(key));
        }
        open
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter()
            .is_some_and(|filter| filter.contains(&hash(key)))
    }

    fn state(&self, _keys: u64) -> State {
        let bytes = self
            .filter()
            .map_or(0, |filter| filter.dma_fingerprints().len());
        let memory = bytes + size_of::<Self>();
        let expected = 0.5_f64.powi(F::BITS as i32);
        super::state(bytes as u64 * 8, 0, memory as u64, expected)
    }
}
