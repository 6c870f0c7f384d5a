//! The crate xorf: binary fuse filters, built from all keys at once.

use std::{
    cell::{OnceCell, RefCell},
    hash::{DefaultHasher, Hash, Hasher},
};

use anyhow::{Context, Result};
use xorf::{BinaryFuse8, BinaryFuse16, Descriptor, DmaSerializable, Filter};

use super::{Entry, Hashing, State, Subject, stored};

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
    let mut peer = Entry::new(name, RELEASE, about, THEORY, |_| {
        Ok(Peer::<F>::new(OnceCell::new()))
    });
    peer.fixed_size = Some(fixed_size);
    // The crate mixes the hashes with a word that it draws itself.
    peer.hashing = Hashing::Random;
    peer.is_static = true;
    peer.reload = stored(Peer::<F>::write, Peer::read);
    peer
}

/// One of the two widths.
trait Fuse:
    Filter<u64> + DmaSerializable + for<'a> TryFrom<&'a [u64], Error = &'static str> + 'static
{
    /// Bits of a fingerprint.
    const BITS: u32;

    fn of_parts(descriptor: Descriptor, fingerprints: &[u8]) -> Self;
}

impl Fuse for BinaryFuse8 {
    const BITS: u32 = 8;

    fn of_parts(descriptor: Descriptor, fingerprints: &[u8]) -> Self {
        Self {
            descriptor,
            fingerprints: fingerprints.into(),
        }
    }
}

impl Fuse for BinaryFuse16 {
    const BITS: u32 = 16;

    fn of_parts(descriptor: Descriptor, fingerprints: &[u8]) -> Self {
        let (words, _) = fingerprints.as_chunks();
        Self {
            descriptor,
            fingerprints: words.iter().map(|word| u16::from_ne_bytes(*word)).collect(),
        }
    }
}

/// Collects hashes until it is first asked something, and is built then.
struct Peer<F> {
    hashes: RefCell<Vec<u64>>,
    built: OnceCell<Option<F>>,
}

impl<F: Fuse> Peer<F> {
    fn new(built: OnceCell<Option<F>>) -> Self {
        let hashes = RefCell::default();
        Self { hashes, built }
    }

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

/// The crate reads a descriptor only into a filter that borrows its fingerprints.
fn parse(descriptor: &[u8]) -> Option<Descriptor> {
    let (seed, rest) = descriptor.split_first_chunk()?;
    let (words, _) = rest.as_chunks();
    let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
    Some(Descriptor {
        seed: u64::from_le_bytes(*seed),
        segment_length: words.next()?,
        segment_length_mask: words.next()?,
        segment_count_length: words.next()?,
    })
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
        let open = self.built.get().is_none();
        if open {
            self.hashes.get_mut().push(hash(key));
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

impl<F: Fuse> Peer<F> {
    /// Not by serde: its derived form has a flattened part, which bincode cannot
    /// write.
    fn write(&self) -> Result<Vec<u8>> {
        let filter = self.filter().context("no key yet")?;
        let mut bytes = vec![0; F::DESCRIPTOR_LEN];
        filter.dma_copy_descriptor_to(&mut bytes);
        bytes.extend_from_slice(filter.dma_fingerprints());
        Ok(bytes)
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        let (descriptor, fingerprints) = bytes
            .split_at_checked(F::DESCRIPTOR_LEN)
            .context("too short for a descriptor")?;
        let descriptor = parse(descriptor).context("too short for a descriptor")?;
        let filter = F::of_parts(descriptor, fingerprints);
        Ok(Self::new(OnceCell::from(Some(filter))))
    }
}
