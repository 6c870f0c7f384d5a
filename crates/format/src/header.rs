//! The header: 128 bytes, with the same fields for all variants. The table of the fields is in
//! `docs/FORMAT.md`.

use core::ops::RangeInclusive;

use bouquet_core::{KeyHasher, Spec, SpecError};

use crate::{DecodeError, Problem, checksum, named::StoredType};

/// The signature of every file: a byte that is not ASCII, so that the file is not taken for
/// text; a name; and line ends and an end-of-file character, which a transfer in text mode
/// would visibly change. PNG does the same.
pub const MAGIC: [u8; 8] = *b"\x89BQT\r\n\x1a\n";

/// The format version that this release writes.
pub const VERSION: u16 = 1;

/// The number of bytes of a header.
pub const HEADER_BYTES: u64 = 128;

/// The number of bytes of the checksum at the end of a file.
pub const TRAILER_BYTES: u64 = 8;

/// The number of bytes in a line; a payload consists of whole lines.
pub const LINE_BYTES: u64 = 64;

/// Variant IDs that this project will never assign: choose the IDs of your own filters from
/// here.
pub const USER_VARIANT_IDS: RangeInclusive<u16> = 0x8000..=0xffff;

/// The IDs of the filter variants. An ID is never reused.
pub mod variant {
    /// One array of bits: `StandardBloom`, and `AtomicBloom`, which is stored in the same way.
    pub const STANDARD: u16 = 1;
    /// An array of small counters: `CountingBloom`.
    pub const COUNTING: u16 = 2;
    /// A range of bits for each probe: `PartitionedBloom`.
    pub const PARTITIONED: u16 = 3;
    /// All probes of a key in one block: `BlockedBloom`.
    pub const BLOCKED: u16 = 4;
    /// A series of stages: `ScalableBloom`.
    pub const SCALABLE: u16 = 5;
    /// A stage of a scalable filter: its inner filter, its spec and its number of keys.
    pub const STAGE: u16 = 8;
    /// Independent shards: `ShardedBloom`.
    pub const SHARDED: u16 = 6;
    /// Fingerprints in buckets: `CuckooFilter`.
    pub const CUCKOO: u16 = 7;
    /// Fingerprints in slots of consecutive segments: `FuseFilter`.
    pub const FUSE: u16 = 9;
    /// Slices by age: `AgingBloom`.
    pub const AGING: u16 = 10;
}

/// The number of parameters in a header; the variant defines their meaning.
const PARAMETERS: usize = 5;

/// The byte offsets of the fields.
mod at {
    pub(super) const VERSION: usize = 8;
    pub(super) const VARIANT: usize = 10;
    pub(super) const HASHER: usize = 12;
    pub(super) const FLAGS: usize = 14;
    pub(super) const SEED: usize = 16;
    pub(super) const CAPACITY: usize = 24;
    pub(super) const TARGET_FPR: usize = 32;
    pub(super) const PARAMETERS: usize = 40;
    pub(super) const KEYS: usize = 80;
    pub(super) const PARTS: usize = 88;
    pub(super) const PAYLOAD_BYTES: usize = 96;
    pub(super) const RESERVED: [usize; 2] = [104, 112];
    pub(super) const CHECKSUM: usize = 120;
}

/// The flag for a hasher with a secret key.
const KEYED: u16 = 1;

/// What a file states about its filter, without the slots.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Header {
    /// The byte offset at which the header was read.
    offset: u64,
    variant: u16,
    hasher: u16,
    keyed: bool,
    seed: u64,
    spec: Spec,
    parameters: [u64; PARAMETERS],
    keys: u64,
    parts: u64,
    payload_bytes: u64,
}

impl Header {
    /// A header without parameters, keys, parts or payload.
    ///
    /// Does not compile for a hasher with ID 0, because its filters cannot be stored.
    pub fn new<H: KeyHasher>(variant: u16, hasher: &H, spec: Spec) -> Self {
        const {
            assert!(
                H::ID != 0,
                "a filter with this hasher cannot be stored: it may hash otherwise tomorrow. Take \
                 `Folded`, `Xxh3`, `Xxh3Wide` or `SipKeyed` for filters with bytes and files"
            );
        }
        Self {
            offset: 0,
            variant,
            hasher: H::ID,
            keyed: H::KEYED,
            seed: hasher.seed(),
            spec,
            parameters: [0; PARAMETERS],
            keys: 0,
            parts: 0,
            payload_bytes: 0,
        }
    }

    /// Returns the header with these parameters, at most five; missing parameters are 0.
    #[must_use]
    pub fn with_parameters(mut self, parameters: &[u64]) -> Self {
        for (to, from) in self.parameters.iter_mut().zip(parameters) {
            *to = *from;
        }
        self
    }

    /// Returns the header with this number of keys, for filters that count their keys.
    #[must_use]
    pub const fn with_keys(mut self, keys: u64) -> Self {
        self.keys = keys;
        self
    }

    /// Returns the header with a payload of slots that have `bits` bits in total, rounded up to
    /// whole lines of 64 bytes.
    #[must_use]
    pub const fn with_slots(mut self, bits: u64) -> Self {
        self.payload_bytes = payload_of(bits);
        self
    }

    /// Returns the header with a payload of `parts` parts, each with its own header, which take
    /// `payload_bytes` bytes in total.
    #[must_use]
    pub const fn with_parts(mut self, parts: u64, payload_bytes: u64) -> Self {
        self.parts = parts;
        self.payload_bytes = payload_bytes;
        self
    }

    /// The variant of the filter: one of the IDs in [`variant`], or one of the user range.
    pub const fn variant(&self) -> u16 {
        self.variant
    }

    /// The ID of the hasher, [`KeyHasher::ID`].
    pub const fn hasher(&self) -> u16 {
        self.hasher
    }

    /// Whether the hasher has a secret key, which has to be supplied to open the file.
    pub const fn keyed(&self) -> bool {
        self.keyed
    }

    /// The seed of the hasher; for a hasher with a secret key, the check value of the key.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The spec that the filter is sized for: capacity and target FPR.
    pub const fn spec(&self) -> Spec {
        self.spec
    }

    /// The five parameters, whose meaning the variant defines.
    pub const fn parameters(&self) -> [u64; PARAMETERS] {
        self.parameters
    }

    /// The number of keys if the variant counts them, otherwise 0.
    pub const fn keys(&self) -> u64 {
        self.keys
    }

    /// The number of filters that this filter consists of, or 0 if its payload is slots.
    pub const fn parts(&self) -> u64 {
        self.parts
    }

    /// The number of bytes of the payload.
    pub const fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// The number of bytes of the header and the payload; a part of another filter takes this
    /// many bytes of its payload.
    pub const fn record_bytes(&self) -> u64 {
        HEADER_BYTES.saturating_add(self.payload_bytes)
    }

    /// The number of bytes of the whole file.
    pub const fn file_bytes(&self) -> u64 {
        self.record_bytes().saturating_add(TRAILER_BYTES)
    }

    /// The bytes of the header as they are stored.
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES as usize] {
        let mut bytes = [0; HEADER_BYTES as usize];
        let mut put = |offset: usize, value: &[u8]| {
            bytes[offset..offset + value.len()].copy_from_slice(value);
        };
        put(0, &MAGIC);
        put(at::VERSION, &VERSION.to_le_bytes());
        put(at::VARIANT, &self.variant.to_le_bytes());
        put(at::HASHER, &self.hasher.to_le_bytes());
        put(at::FLAGS, &(KEYED * u16::from(self.keyed)).to_le_bytes());
        put(at::SEED, &self.seed.to_le_bytes());
        put(at::CAPACITY, &self.spec.capacity().to_le_bytes());
        put(
            at::TARGET_FPR,
            &self.spec.target_fpr().to_bits().to_le_bytes(),
        );
        for (i, parameter) in self.parameters.iter().enumerate() {
            put(at::PARAMETERS + 8 * i, &parameter.to_le_bytes());
        }
        put(at::KEYS, &self.keys.to_le_bytes());
        put(at::PARTS, &self.parts.to_le_bytes());
        put(at::PAYLOAD_BYTES, &self.payload_bytes.to_le_bytes());
        let sum = checksum(&bytes[..at::CHECKSUM]);
        bytes[at::CHECKSUM..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Parses a header that begins at byte `offset` of the file.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the header is damaged, has another version, or has field values that
    /// no filter has.
    pub fn from_bytes(
        bytes: &[u8; HEADER_BYTES as usize],
        offset: u64,
    ) -> Result<Self, DecodeError> {
        let error = |at: usize, problem| Err(DecodeError::new(offset + at as u64, problem));
        if bytes[..MAGIC.len()] != MAGIC {
            return error(0, Problem::NotThisFormat);
        }
        // Checked before the checksum, which another version may store elsewhere.
        let version = u16_at(bytes, at::VERSION);
        if version != VERSION {
            return error(at::VERSION, Problem::Version { found: version });
        }
        let (computed, found) = (
            checksum(&bytes[..at::CHECKSUM]),
            u64_at(bytes, at::CHECKSUM),
        );
        if computed != found {
            return error(at::CHECKSUM, Problem::HeaderChecksum { computed, found });
        }
        let capacity = u64_at(bytes, at::CAPACITY);
        let target_fpr = f64::from_bits(u64_at(bytes, at::TARGET_FPR));
        let spec = match Spec::new(capacity, target_fpr) {
            Ok(spec) => spec,
            Err(why @ SpecError::ZeroCapacity) => return error(at::CAPACITY, Problem::Spec(why)),
            Err(why) => return error(at::TARGET_FPR, Problem::Spec(why)),
        };
        let flags = u16_at(bytes, at::FLAGS);
        let header = Self {
            offset,
            variant: u16_at(bytes, at::VARIANT),
            hasher: u16_at(bytes, at::HASHER),
            keyed: flags & KEYED != 0,
            seed: u64_at(bytes, at::SEED),
            spec,
            parameters: [0, 1, 2, 3, 4].map(|i| u64_at(bytes, at::PARAMETERS + 8 * i)),
            keys: u64_at(bytes, at::KEYS),
            parts: u64_at(bytes, at::PARTS),
            payload_bytes: u64_at(bytes, at::PAYLOAD_BYTES),
        };
        header.zero(at::FLAGS, "flags past the first", (flags & !KEYED).into())?;
        for reserved in at::RESERVED {
            header.zero(reserved, "a reserved field", u64_at(bytes, reserved))?;
        }
        Ok(header)
    }

    fn zero(&self, at: usize, field: &'static str, found: u64) -> Result<(), DecodeError> {
        if found == 0 {
            return Ok(());
        }
        let rule = "must be 0";
        Err(self.error(at, Problem::Field { field, found, rule }))
    }

    fn error(&self, at: usize, problem: Problem) -> DecodeError {
        DecodeError::new(self.offset + at as u64, problem)
    }
}

/// Checks used by decoders. Each error names the byte offset of the field.
impl Header {
    /// Checks that the filter is of this variant.
    ///
    /// # Errors
    ///
    /// [`Problem::Variant`].
    pub fn expect_variant(&self, expected: u16) -> Result<(), DecodeError> {
        if self.variant == expected {
            return Ok(());
        }
        let found = StoredType::of(self);
        let of = None;
        Err(self.error(
            at::VARIANT,
            Problem::Variant {
                found,
                expected,
                of,
            },
        ))
    }

    /// Checks that the layout has this number and name; for blocked filters, whose layout is
    /// parameter 1.
    ///
    /// # Errors
    ///
    /// [`Problem::Layout`], or [`Problem::Field`] for a number that is not a layout.
    pub fn expect_layout(&self, id: u64, expected: &'static str) -> Result<(), DecodeError> {
        let found = StoredType::of(self);
        if found.layout == id {
            return Ok(());
        }
        if found.layout_name().is_none() {
            return Err(self.invalid_parameter(
                1,
                "layout",
                "must be 1 (Words64), 2 (Words32) or 3 (Line)",
            ));
        }
        let problem = Problem::Layout { found, expected };
        Err(self.error(at::PARAMETERS + 8, problem))
    }

    /// Checks that the file uses this type of hasher, with the same seed or key.
    ///
    /// # Errors
    ///
    /// [`Problem::Hasher`], [`Problem::Keyed`], [`Problem::Seed`].
    pub fn expect_hasher<H: KeyHasher>(&self, hasher: &H) -> Result<(), DecodeError> {
        self.expect_hasher_type::<H>()?;
        self.expect_seed(hasher.seed(), H::KEYED)
    }

    /// Checks that the file uses this type of hasher.
    ///
    /// # Errors
    ///
    /// [`Problem::Hasher`], [`Problem::Keyed`].
    pub fn expect_hasher_type<H: KeyHasher>(&self) -> Result<(), DecodeError> {
        if self.hasher != H::ID {
            let (found, expected) = (StoredType::of(self), H::ID);
            return Err(self.error(at::HASHER, Problem::Hasher { found, expected }));
        }
        if self.keyed != H::KEYED {
            return Err(self.error(at::FLAGS, Problem::Keyed { found: self.keyed }));
        }
        Ok(())
    }

    /// Checks that this part of a filter has the same hasher type and the same seed or key as
    /// the whole filter.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`], [`Problem::Keyed`], [`Problem::Seed`].
    pub fn expect_hasher_of(&self, whole: &Self) -> Result<(), DecodeError> {
        if self.hasher != whole.hasher {
            let (field, rule) = ("a part's hasher", "must be that of the whole");
            let found = self.hasher.into();
            return Err(self.error(at::HASHER, Problem::Field { field, found, rule }));
        }
        if self.keyed != whole.keyed {
            return Err(self.error(at::FLAGS, Problem::Keyed { found: self.keyed }));
        }
        self.expect_seed(whole.seed, whole.keyed)
    }

    fn expect_seed(&self, given: u64, keyed: bool) -> Result<(), DecodeError> {
        let found = self.seed;
        if found == given {
            return Ok(());
        }
        Err(self.error(
            at::SEED,
            Problem::Seed {
                found,
                given,
                keyed,
            },
        ))
    }

    /// Checks that all parameters after the first `used` are zero.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`].
    pub fn expect_parameters(&self, used: usize) -> Result<(), DecodeError> {
        for (i, found) in self.parameters.into_iter().enumerate().skip(used) {
            self.zero(at::PARAMETERS + 8 * i, "an unused parameter", found)?;
        }
        Ok(())
    }

    /// Checks that the number of keys is zero.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`].
    pub fn expect_no_keys(&self) -> Result<(), DecodeError> {
        self.zero(at::KEYS, "keys", self.keys)
    }

    /// Checks that the payload is slots with `bits` bits in total.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`].
    pub fn expect_slots(&self, bits: u64) -> Result<(), DecodeError> {
        self.zero(at::PARTS, "parts", self.parts)?;
        self.expect_payload(payload_of(bits), "does not match the parameters")
    }

    /// Checks that the payload consists of at least one part, each of at least `least` bytes
    /// including its header, and returns the number of parts.
    ///
    /// A caller that then reserves memory for this many parts, at most `least` bytes each,
    /// reserves no more than there are bytes in the payload.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`].
    pub fn expect_parts(&self, least: u64) -> Result<u64, DecodeError> {
        let parts = self.parts;
        if parts == 0 {
            return Err(self.invalid_parts("must be at least 1"));
        }
        if parts > self.payload_bytes / least.max(1) {
            return Err(self.invalid_parts("is more than the payload has room for"));
        }
        Ok(parts)
    }

    /// Checks that the payload has `bytes` bytes.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`] with the given `rule`.
    pub fn expect_payload(&self, bytes: u64, rule: &'static str) -> Result<(), DecodeError> {
        if self.payload_bytes == bytes {
            return Ok(());
        }
        let (field, found) = ("payload_bytes", self.payload_bytes);
        Err(self.error(at::PAYLOAD_BYTES, Problem::Field { field, found, rule }))
    }

    /// Returns parameter `i`, named `field`, as a 32-bit number.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`] if the value is larger.
    pub fn parameter_u32(&self, i: usize, field: &'static str) -> Result<u32, DecodeError> {
        let found = self.parameters.get(i).copied().unwrap_or(0);
        u32::try_from(found).map_err(|_| self.invalid_parameter(i, field, "must be below 2^32"))
    }

    /// The error for a parameter that violates a rule.
    pub fn invalid_parameter(
        &self,
        i: usize,
        field: &'static str,
        rule: &'static str,
    ) -> DecodeError {
        let found = self.parameters.get(i).copied().unwrap_or(0);
        self.error(
            at::PARAMETERS + 8 * i,
            Problem::Field { field, found, rule },
        )
    }

    /// The error for parameters, the first of them number `i`, for which no filter can be
    /// created.
    pub fn invalid_spec(&self, i: usize, error: SpecError) -> DecodeError {
        self.error(at::PARAMETERS + 8 * i, Problem::Spec(error))
    }

    /// The error for a capacity that violates a rule.
    pub fn invalid_capacity(&self, rule: &'static str) -> DecodeError {
        let (field, found) = ("capacity", self.spec.capacity());
        self.error(at::CAPACITY, Problem::Field { field, found, rule })
    }

    /// The error for a number of keys that violates a rule.
    pub fn invalid_keys(&self, rule: &'static str) -> DecodeError {
        let (field, found) = ("keys", self.keys);
        self.error(at::KEYS, Problem::Field { field, found, rule })
    }

    /// The error for a number of parts that violates a rule.
    pub fn invalid_parts(&self, rule: &'static str) -> DecodeError {
        let (field, found) = ("parts", self.parts);
        self.error(at::PARTS, Problem::Field { field, found, rule })
    }

    /// The error for a payload that violates a rule at its byte `at`.
    pub const fn invalid_slots(&self, at: u64, rule: &'static str) -> DecodeError {
        let offset = self.offset.saturating_add(HEADER_BYTES).saturating_add(at);
        DecodeError::new(offset, Problem::Slots { rule })
    }

    /// Checks that the header of a part equals that of the first part, except for the number of
    /// keys.
    ///
    /// # Errors
    ///
    /// [`Problem::Field`].
    pub fn expect_same(&self, first: &Self) -> Result<(), DecodeError> {
        let (own, first) = (self.to_bytes(), first.to_bytes());
        for at in (at::VERSION..at::CHECKSUM).step_by(8) {
            let (found, expected) = (u64_at(&own, at), u64_at(&first, at));
            if found != expected && at != at::KEYS {
                let (field, rule) = ("a part's header", "must equal the first part's");
                return Err(self.error(at, Problem::Field { field, found, rule }));
            }
        }
        Ok(())
    }

    /// The error if the memory for the parts could not be allocated.
    pub const fn out_of_memory(&self, bytes: u64) -> DecodeError {
        DecodeError::new(self.offset, Problem::OutOfMemory { bytes })
    }

    /// The byte offset in the file at which the header begins.
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

/// The size in bytes of a payload of `bits` bits, in whole lines.
const fn payload_of(bits: u64) -> u64 {
    bits.div_ceil(8 * LINE_BYTES) * LINE_BYTES
}

fn u16_at(bytes: &[u8; HEADER_BYTES as usize], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8; HEADER_BYTES as usize], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
