//! The encoding of the toy filter, and its possible faults.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
};

use bouquet_core::{
    Filter, Inspect, KeyHash, KeyHasher, Prehashed, Spec, SpecError, TryInsert, math,
};
use bouquet_format::{
    Decode, DecodeError, Document, Encode, HEADER_BYTES, Header, Reader, Record, Stopped,
    TRAILER_BYTES, USER_VARIANT_IDS, View, Writer,
};

use super::{CodecFault, Fault, Toy, ToyGeometry, ToyHasher};
use crate::{
    forge,
    laws::{Asked, asked},
};

/// A variant ID from the range for users.
const VARIANT: u16 = *USER_VARIANT_IDS.start();

/// A [`Toy`] that can be encoded and decoded.
#[derive(Clone, Debug)]
pub struct CodecToy {
    toy: Toy,
    spec: Spec,
    fault: CodecFault,
}

impl CodecToy {
    /// A filter with the given fault in its codec, which may be `None`.
    ///
    /// # Errors
    ///
    /// Those of [`Toy::new`].
    pub fn new(spec: Spec, seed: u64, fault: CodecFault) -> Result<Self, SpecError> {
        let toy = Toy::new(spec, seed)?;
        Ok(Self { toy, spec, fault })
    }

    /// Decodes a filter with the given fault, which may be `None`.
    ///
    /// # Errors
    ///
    /// As [`Decode::decode_with`], except for the effect of the fault.
    pub fn decode_faulty(
        bytes: &[u8],
        hasher: ToyHasher,
        fault: CodecFault,
    ) -> Result<Self, DecodeError> {
        let mut bytes = bytes.to_vec();
        let len = bytes.len();
        let mut hasher = hasher;
        match fault {
            CodecFault::IgnoresChecksum if len >= TRAILER_BYTES as usize => {
                let (body, trailer) = bytes.split_at_mut(len - TRAILER_BYTES as usize);
                trailer.copy_from_slice(&bouquet_format::checksum(body).to_le_bytes());
            }
            CodecFault::IgnoresHeaderChecksum => forge::seal(&mut bytes),
            CodecFault::IgnoresParameters => wipe(&mut bytes, 56..80),
            CodecFault::IgnoresRest => {
                if let Some(whole) = bytes.first_chunk() {
                    let whole = Header::from_bytes(whole, 0)?.file_bytes();
                    bytes.truncate(usize::try_from(whole).unwrap_or(usize::MAX));
                }
            }
            CodecFault::TakesAnySeed => {
                let header = Document::open(&bytes)?.record.header;
                hasher = ToyHasher::with_seed(header.seed());
            }
            CodecFault::ClampsSlots => clamp(&mut bytes),
            CodecFault::PointsOutside => {
                return Self::decode_with(&bytes, hasher).map_err(|mut error| {
                    error.offset += 1_000_000;
                    error
                });
            }
            _ => {}
        }
        Self::decode_with(&bytes, hasher)
    }

    /// Opens a view with the given fault, which may be `None`, and queries it for keys.
    ///
    /// # Errors
    ///
    /// As [`View::open_with`], except for the effect of the fault.
    pub fn ask_faulty(
        bytes: &[u8],
        hasher: ToyHasher,
        keys: &[[u8; 8]],
        fault: CodecFault,
    ) -> Result<Asked, DecodeError> {
        let mut view = ToyView::open_with(bytes, hasher)?;
        match fault {
            CodecFault::ViewSkipsSlot => view.skipped = 1,
            CodecFault::ViewCountsLess => view.uncounted = 1,
            _ => {}
        }
        let mut asked = asked(&view, keys);
        if fault == CodecFault::ViewNeedsAlignment && !bytes.as_ptr().addr().is_multiple_of(8) {
            asked.found.fill(false);
        }
        Ok(asked)
    }

    /// Verifies the bytes through a view with the given fault, which may be `None`.
    ///
    /// # Errors
    ///
    /// As [`View::verify_with`], except for the effect of the fault.
    pub fn verify_faulty(
        bytes: &[u8],
        hasher: ToyHasher,
        fault: CodecFault,
    ) -> Result<(), DecodeError> {
        match fault {
            CodecFault::VerifiesHeaderAlone => ToyView::open_with(bytes, hasher).map(|_| ()),
            CodecFault::VerifiesChecksumAlone => {
                ToyView::open_with(bytes, hasher)?;
                Document::open(bytes)?.verify()
            }
            _ => ToyView::verify_with(bytes, hasher),
        }
    }
}

/// Sets some bytes to zero and corrects the checksums, if the bytes are a valid file.
fn wipe(bytes: &mut [u8], which: std::ops::Range<usize>) {
    if Document::open(bytes).is_ok_and(|document| document.verify().is_ok()) {
        bytes[which].fill(0);
        forge::seal(bytes);
    }
}

/// Lowers slots above 1 to 1 and corrects the checksums, if the bytes are a valid file.
fn clamp(bytes: &mut [u8]) {
    if Document::open(bytes).is_ok_and(|document| document.verify().is_ok()) {
        let end = bytes.len() - TRAILER_BYTES as usize;
        for slot in &mut bytes[HEADER_BYTES as usize..end] {
            *slot = (*slot).min(1);
        }
        forge::seal(bytes);
    }
}

fn geometry_of(header: &Header) -> Result<ToyGeometry, DecodeError> {
    header.expect_variant(VARIANT)?;
    header.expect_parameters(2)?;
    header.expect_no_keys()?;
    let slots = header.parameters()[0];
    let hashes = header.parameter_u32(1, "hashes")?;
    if slots == 0 || slots > 1 << 32 {
        return Err(header.invalid_parameter(0, "slots", "must be 1 to 2^32"));
    }
    if hashes == 0 || hashes > 1_000 {
        return Err(header.invalid_parameter(1, "hashes", "must be 1 to 1000"));
    }
    header.expect_slots(8 * slots)?;
    Ok(ToyGeometry {
        slots,
        hashes,
        fault: Fault::None,
    })
}

const SLOT_RULE: &str = "a slot must be 0 or 1";

impl Encode for CodecToy {
    fn header(&self) -> Header {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let hasher = match self.fault {
            CodecFault::ForgetsSeed => ToyHasher::with_seed(0),
            _ => self.toy.hasher,
        };
        let ToyGeometry { slots, hashes, .. } = self.toy.geometry;
        let salt = match self.fault {
            CodecFault::SaltsEncodings => CALLS.fetch_add(1, Relaxed),
            _ => 0,
        };
        let length = match self.fault {
            CodecFault::SaysOtherLength => slots + 512,
            _ => slots,
        };
        Header::new(VARIANT, &hasher, self.spec)
            .with_parameters(&[slots, hashes.into(), salt])
            .with_slots(8 * length)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        let mut slots: Vec<u8> = self.toy.counts().collect();
        if let (CodecFault::DropsLastSlot, Some(last)) = (self.fault, slots.last_mut()) {
            *last = 0;
        }
        slots.resize(slots.len().next_multiple_of(8), 0);
        let (words, _) = slots.as_chunks();
        out.words_of(words.iter().map(|word| u64::from_le_bytes(*word)))
    }
}

impl Decode for CodecToy {
    type Hasher = ToyHasher;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &ToyHasher,
    ) -> Result<Self, DecodeError> {
        let geometry = geometry_of(header)?;
        let mut slots = Vec::new();
        payload.words(8 * geometry.slots, |_, word| {
            slots.extend(word.to_le_bytes());
        })?;
        slots.truncate(geometry.slots as usize);
        if let Some(at) = slots.iter().position(|slot| *slot > 1) {
            return Err(header.invalid_slots(at as u64, SLOT_RULE));
        }
        let toy = Toy {
            spec: header.spec(),
            geometry,
            hasher: *hasher,
            max: 1,
            counters: slots.into_iter().map(AtomicU8::new).collect(),
            turns: AtomicU64::new(0),
            instance: 0,
            is_inserting: AtomicBool::new(false),
            turn: Mutex::new(()),
            fault: Fault::None,
        };
        let (spec, fault) = (header.spec(), CodecFault::None);
        Ok(Self { toy, spec, fault })
    }
}

/// An encoded [`CodecToy`] that answers queries in place.
#[derive(Clone, Debug)]
pub struct ToyView<'a> {
    geometry: ToyGeometry,
    hasher: ToyHasher,
    record: Record<'a>,
    /// Number of slots that are not tested. Only a fault sets it.
    skipped: usize,
    /// Number of slots at the end that the statistics leave out. Only a fault sets it.
    uncounted: u64,
}

impl<'a> View<'a> for ToyView<'a> {
    type Hasher = ToyHasher;

    fn of(record: Record<'a>, hasher: &ToyHasher) -> Result<Self, DecodeError> {
        Ok(Self {
            geometry: geometry_of(&record.header)?,
            hasher: *hasher,
            record,
            skipped: 0,
            uncounted: 0,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.record.expect_zero_from(8 * self.geometry.slots)?;
        let taken = self.record.payload.iter();
        match taken.clone().position(|slot| *slot > 1) {
            Some(at) => Err(self.record.header.invalid_slots(at as u64, SLOT_RULE)),
            None => Ok(()),
        }
    }
}

impl Filter for ToyView<'_> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        let slots = self.geometry.slots_of(self.hasher.hash(key));
        let mut slots = slots.skip(self.skipped);
        slots.all(|slot| self.record.payload[slot] > 0)
    }
}

/// The statistics are computed from the bytes in place.
impl Inspect for ToyView<'_> {
    fn capacity(&self) -> u64 {
        self.record.header.spec().capacity()
    }

    fn size_bits(&self) -> u64 {
        8 * self.geometry.slots
    }

    fn hashes(&self) -> u32 {
        self.geometry.hashes
    }

    fn fill_ratio(&self) -> f64 {
        let counted = (self.geometry.slots - self.uncounted) as usize;
        let slots = self.record.payload.iter().take(counted);
        slots.filter(|slot| **slot > 0).count() as f64 / self.geometry.slots as f64
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        math::expected_fpr(self.geometry.slots, self.geometry.hashes, keys)
    }

    fn estimated_fpr(&self) -> f64 {
        math::fpr_given_fill(self.fill_ratio(), self.geometry.hashes)
    }

    fn estimated_keys(&self) -> f64 {
        let ToyGeometry { slots, hashes, .. } = self.geometry;
        math::estimated_keys(slots, hashes, self.fill_ratio())
    }
}

impl Inspect for CodecToy {
    fn capacity(&self) -> u64 {
        self.toy.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.toy.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.toy.hashes()
    }

    fn fill_ratio(&self) -> f64 {
        self.toy.fill_ratio()
    }

    fn memory_bytes(&self) -> usize {
        self.toy.memory_bytes()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        self.toy.expected_fpr(keys)
    }

    fn estimated_fpr(&self) -> f64 {
        self.toy.estimated_fpr()
    }

    fn estimated_keys(&self) -> f64 {
        self.toy.estimated_keys()
    }
}

impl Filter for CodecToy {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.toy.contains(key)
    }
}

impl Prehashed for CodecToy {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.toy.hash_key(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.toy.contains_hash(hash)
    }
}

impl TryInsert for CodecToy {
    type Error = std::convert::Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Self::Error> {
        self.toy.try_insert_hash(hash)
    }
}

impl PartialEq for CodecToy {
    fn eq(&self, other: &Self) -> bool {
        self.toy == other.toy && self.toy.capacity() == other.toy.capacity()
    }
}
