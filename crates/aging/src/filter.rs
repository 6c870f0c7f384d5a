//! The age-partitioned filter.

use core::convert::Infallible;

use bouquet_bits::BitArray;
use bouquet_core::{Key, KeyHash, KeyHasher, Spec, SpecError, TryInsert};
use bouquet_hash::Folded;

use crate::{Geometry, age::Age};

/// A Bloom filter that forgets: it contains the last n insertions, or those of the last while by a
/// clock that you give, and older keys soon no more.
///
/// ```
/// use bouquet_aging::AgingBloom;
///
/// // The last million insertions, at most 1 % false positives at every moment.
/// let mut seen = AgingBloom::new(1_000_000, 0.01)?;
/// assert!(seen.insert("rose")); // definitely new
/// assert!(!seen.insert("rose"));
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// # Ok::<(), bouquet_aging::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone, Debug)]
pub struct AgingBloom<H: KeyHasher = Folded> {
    pub(crate) age: Age,
    pub(crate) hasher: H,
    pub(crate) bits: BitArray,
    pub(crate) spec: Spec,
}

impl AgingBloom {
    /// A filter that contains the last `window` insertions, and older ones up to the end of a
    /// generation, `window` / l insertions, where l is the number of
    /// [generations](Geometry::generations); in windows below a thousand, up to as many as the window.
    /// Then half of those left are forgotten with each generation, since a key loses one of its k
    /// slices, which other keys fill by half; after k generations it is found as rarely as any other.
    /// Hashed with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be allocated.
    pub fn new(window: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(window as u64, target_fpr)?, Folded::default())
    }

    /// A filter that contains the insertions of the last `span` ticks of a clock that
    /// [`advance`](Self::advance) sets, which begins at 0, and older ones up to `span` / l + 1 ticks
    /// more; then they are forgotten as by [`new`](Self::new).
    ///
    /// It is sized for `capacity` insertions in `span` ticks, evenly over time: if a generation,
    /// `span` / l ticks, has more than `capacity` / l of them, no key is lost, and the FPR exceeds
    /// the target. So give the span a hundred ticks or more: in a longer tick come more keys than a
    /// generation has room for.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); [`SpecError::ZeroSpan`].
    ///
    /// ```
    /// use bouquet_aging::AgingBloom;
    ///
    /// // A million keys per hour, in seconds.
    /// let mut seen = AgingBloom::lasting(3_600, 1_000_000, 0.001)?;
    /// seen.advance(1_790_000_000);
    /// seen.insert("rose");
    /// seen.advance(1_790_003_600);
    /// assert!(seen.contains("rose"));
    /// seen.advance(1_790_007_200);
    /// assert!(!seen.contains("rose"));
    /// # Ok::<(), bouquet_aging::SpecError>(())
    /// ```
    pub fn lasting(span: u64, capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        let spec = Spec::new(capacity as u64, target_fpr)?;
        Self::lasting_with_hasher(span, spec, Folded::default())
    }
}

impl<H: KeyHasher> AgingBloom<H> {
    /// Inserts a key, which is the newest then, also if it was present; `true` if it was definitely
    /// not present before.
    ///
    /// To let a key be forgotten a while after it came first, and not after it came last, ask
    /// [`contains`](Self::contains) before and insert only what is absent, or use
    /// [`insert_if_absent`](Self::insert_if_absent).
    ///
    /// Sets k bits; once in a generation it clears a slice.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        self.insert_hash(self.hash(key))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent, so that it was not
    /// inserted in the window.
    ///
    /// Reads k bits or more of a member, and of a non-member about two for each k of the k + l slices,
    /// ten at 1 %.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Inserts a key unless the filter may contain it, which then keeps its age; `true` if it was
    /// inserted.
    #[inline]
    pub fn insert_if_absent<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        !self.contains_hash(hash) && self.insert_hash(hash)
    }

    /// Sets the clock to `now`, in ticks; forgets what is too old by then. Does nothing in a filter
    /// of the last n insertions.
    ///
    /// A clock that stands still or runs back forgets nothing. One that jumps ahead by more than the
    /// span and a generation forgets everything.
    pub fn advance(&mut self, now: u64) {
        for _ in 0..self.age.advance(now) {
            self.begin();
        }
    }

    /// A filter of the last insertions, as many as the capacity of `spec`, with a hasher of your
    /// choice.
    ///
    /// # Errors
    ///
    /// As [`new`](AgingBloom::new), and [`SpecError::BelowHashFloor`] if the hasher is too narrow
    /// for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::of(None, spec, hasher)
    }

    /// Like [`lasting`](AgingBloom::lasting), with a hasher of your choice.
    ///
    /// # Errors
    ///
    /// As `lasting`, and [`SpecError::BelowHashFloor`] if the hasher is too narrow for the target.
    pub fn lasting_with_hasher(span: u64, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::of(Some(span), spec, hasher)
    }

    fn of(span: Option<u64>, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let age = Age::new::<H>(span, &spec)?;
        let bits = BitArray::new(age.geometry.size_bits());
        Ok(Self {
            age,
            hasher,
            bits: bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?,
            spec,
        })
    }

    /// The hash of a key. It is valid for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present before.
    #[inline]
    pub fn insert_hash(&mut self, hash: KeyHash) -> bool {
        let was_absent = !self.contains_hash(hash);
        if self.age.span == 0 && self.age.inserted >= self.age.geometry.generation_keys() {
            self.begin();
        }
        self.age.inserted = self.age.inserted.saturating_add(1);
        for slot in self.age.slots(hash) {
            self.bits.set(slot);
        }
        was_absent
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.age.finds(hash, |slot| self.bits.test(slot))
    }

    /// Begins a generation.
    fn begin(&mut self) {
        let words = self.age.begin();
        self.bits.whole_words_mut()[words].fill(0);
    }

    /// Forgets all keys. The memory stays allocated, and the clock goes on.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.bits.clear_all();
        self.age.inserted = 0;
        self.age.newest = 0;
    }

    /// The highest FPR allowed.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Insertions in a window (n).
    #[doc(alias("window"))]
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// How long keys are remembered, in ticks; `None` if insertions are counted.
    pub fn span(&self) -> Option<u64> {
        (self.age.span > 0).then_some(self.age.span)
    }

    /// Bits of storage (m), those of all slices.
    pub fn size_bits(&self) -> u64 {
        self.age.geometry.size_bits()
    }

    /// The number of probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.age.geometry.hashes()
    }

    /// The sizes: k, l, the bits of a slice and the insertions of a generation.
    pub fn geometry(&self) -> Geometry {
        self.age.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

bouquet_core::query_traits!([H: KeyHasher] AgingBloom<H>);

impl<H: KeyHasher> TryInsert for AgingBloom<H> {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        Ok(self.insert_hash(hash))
    }
}

bouquet_core::not_collected!([H: KeyHasher] AgingBloom<H>);

impl<K: Key, H: KeyHasher> Extend<K> for AgingBloom<H> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(&key);
        }
    }
}

/// Filters are equal if their sizes, hashers (with seeds), bits and ages are.
impl<H: KeyHasher> PartialEq for AgingBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.age == other.age && self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<H: KeyHasher> Eq for AgingBloom<H> {}
