//! Finds room for fingerprints, and removes them.

use bouquet_core::{Key, KeyHash, KeyHasher};

use crate::{CuckooFilter, Full, Geometry, math::BUCKET_SLOTS};

/// The number of moves after which a search for room gives up. Measured with 16 million slots: with
/// 500 moves, as in most implementations, it gave up at a fill ratio of 95 to 96 %, with 2,000 at
/// 97 %.
const MAX_MOVES: u32 = 2_000;

/// A fingerprint and one of its two buckets: everything that is stored of a key. The other bucket
/// follows from these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) fingerprint: u32,
    pub(crate) bucket: u64,
}

impl Entry {
    pub(crate) fn new(geometry: Geometry, hash: KeyHash) -> Self {
        Self {
            fingerprint: geometry.fingerprint(hash),
            bucket: hash.split(geometry.buckets()).0,
        }
    }

    /// The other bucket of the fingerprint.
    pub(crate) fn partner(self, geometry: Geometry) -> u64 {
        geometry.partner(self.bucket, self.fingerprint)
    }

    /// The same fingerprint with its other bucket.
    fn moved(self, geometry: Geometry) -> Self {
        Self {
            bucket: self.partner(geometry),
            ..self
        }
    }

    /// The number of different buckets: 1 if both buckets are the same, otherwise 2.
    pub(crate) fn buckets(self, geometry: Geometry) -> u32 {
        1 + u32::from(self.partner(geometry) != self.bucket)
    }

    /// Whether both entries have the same fingerprint and the same two buckets, so that they are
    /// indistinguishable.
    pub(crate) fn is_same(self, other: Self, geometry: Geometry) -> bool {
        self.fingerprint == other.fingerprint
            && (self.bucket == other.bucket || self.bucket == other.partner(geometry))
    }
}

impl<H: KeyHasher> CuckooFilter<H> {
    /// Inserts a copy of the key with this hash; see [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert).
    pub fn insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        self.insert_entry(Entry::new(self.geometry, hash))
    }

    /// Inserts a copy of a fingerprint.
    #[inline]
    pub(crate) fn insert_entry(&mut self, entry: Entry) -> Result<bool, Full> {
        let was_present = self.holds(entry);
        if !self.store(entry) {
            // This is checked before any fingerprint is moved, so that an error leaves the filter
            // unchanged.
            if self.victim.is_some() {
                return Err(Full::Slots {
                    keys: self.keys,
                    slots: self.slots(),
                });
            }
            self.check_copies(entry)?;
            self.victim = self.make_room(entry);
        }
        self.keys += 1;
        Ok(!was_present)
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.holds(Entry::new(self.geometry, hash))
    }

    /// Removes one copy of a key. Returns `false`, and changes nothing, if the key was definitely
    /// absent.
    ///
    /// **Remove only keys that you inserted, and each only as often as you inserted it.** A
    /// non-member that is a false positive of [`contains`](Self::contains) has the fingerprint and
    /// the buckets of a member; removing it removes that member. No check can prevent this.
    ///
    /// After `true`, `contains` may still return `true`: the key may have been inserted more than
    /// once, or another key may have the same fingerprint and buckets.
    ///
    /// Visits two buckets. If the filter [is full](Self::is_full), it also searches for room for
    /// the fingerprint that has no slot.
    ///
    /// ```
    /// use bouquet_cuckoo::CuckooFilter;
    ///
    /// let mut sessions = CuckooFilter::new(1_000, 0.001)?;
    /// sessions.insert("alice")?;
    /// assert!(sessions.remove("alice"));
    /// assert!(!sessions.contains("alice"));
    /// assert!(!sessions.remove("alice"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("delete"))]
    pub fn remove<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.remove_hash(hash)
    }

    /// Removes one copy of the key with this hash; see [`remove`](Self::remove).
    pub fn remove_hash(&mut self, hash: KeyHash) -> bool {
        let entry = Entry::new(self.geometry, hash);
        let partner = entry.partner(self.geometry);
        if self.is_victim(entry) {
            self.victim = None;
        } else if self.table.take(entry.bucket, entry.fingerprint)
            || self.table.take(partner, entry.fingerprint)
        {
            self.victim = self.victim.and_then(|victim| self.place(victim));
        } else {
            return false;
        }
        self.keys -= 1;
        true
    }

    /// The number of stored copies of the key. It is never lower than the number of copies inserted
    /// and not removed. It is too high if other keys have the same fingerprint and buckets, which
    /// happens with the probability of a false positive.
    pub fn estimated_count<K: Key + ?Sized>(&self, key: &K) -> u32 {
        let entry = Entry::new(self.geometry, self.hash(key));
        self.copies_in_slots(entry) + u32::from(self.is_victim(entry))
    }

    #[inline]
    fn holds(&self, entry: Entry) -> bool {
        self.table.contains(entry.bucket, entry.fingerprint)
            || self
                .table
                .contains(entry.partner(self.geometry), entry.fingerprint)
            || self.is_victim(entry)
    }

    #[inline]
    fn is_victim(&self, entry: Entry) -> bool {
        self.victim
            .is_some_and(|victim| victim.is_same(entry, self.geometry))
    }

    fn copies_in_slots(&self, entry: Entry) -> u32 {
        let here = self.table.count(entry.bucket, entry.fingerprint);
        if entry.buckets(self.geometry) == 1 {
            return here;
        }
        let partner = entry.partner(self.geometry);
        here + self.table.count(partner, entry.fingerprint)
    }

    /// Rejects a copy that could only displace other copies of the same fingerprint. It would be
    /// moved endlessly between its two buckets, become the victim, and so make the filter full for
    /// all keys.
    fn check_copies(&self, entry: Entry) -> Result<(), Full> {
        let copies = self.copies_in_slots(entry);
        if copies < entry.buckets(self.geometry) * BUCKET_SLOTS as u32 {
            return Ok(());
        }
        Err(Full::Copies { copies })
    }

    /// Stores the entry in an empty slot of its two buckets. Returns `false` if there is none.
    fn store(&mut self, entry: Entry) -> bool {
        let partner = entry.partner(self.geometry);
        self.table.store(entry.bucket, entry.fingerprint)
            || self.table.store(partner, entry.fingerprint)
    }

    /// Stores the entry, and moves other entries if necessary. Returns the entry that has no slot
    /// in the end, if any.
    fn place(&mut self, entry: Entry) -> Option<Entry> {
        if self.store(entry) {
            return None;
        }
        self.make_room(entry)
    }

    /// Stores the entry in the slot of another entry, stores that one in its other bucket or in the
    /// slot of a third one, and so on. Returns the entry that has no slot in the end, if any.
    ///
    /// From: Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo filter:
    /// practically better than Bloom", CoNEXT 2014, algorithm 1.
    fn make_room(&mut self, entry: Entry) -> Option<Entry> {
        let mut choices = Choices::new(entry, self.keys);
        let mut homeless = entry;
        if choices.coin() {
            homeless = homeless.moved(self.geometry);
        }
        for _ in 0..MAX_MOVES {
            let bucket = homeless.bucket;
            let fingerprint = self
                .table
                .exchange(bucket, choices.slot(), homeless.fingerprint);
            homeless = Entry {
                fingerprint,
                bucket,
            }
            .moved(self.geometry);
            if self.table.store(homeless.bucket, fingerprint) {
                return None;
            }
        }
        Some(homeless)
    }
}

/// Pseudo-random choices that depend only on the filter and the entry, so that equal filters stay
/// equal under the same operations: the high bits of a linear congruential generator (Knuth's
/// MMIX).
struct Choices(u64);

impl Choices {
    fn new(entry: Entry, keys: u64) -> Self {
        let start = KeyHash::from_word(entry.bucket ^ keys.rotate_left(32)).probe;
        Self(start ^ u64::from(entry.fingerprint))
    }

    fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    fn slot(&mut self) -> u32 {
        (self.next() >> 62) as u32
    }

    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0
    }
}
