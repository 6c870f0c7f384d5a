//! A set of integers, stored as bits, that grows.

#[cfg(feature = "roaring")]
mod roaring;

use core::fmt;

use crate::{BitArray, GrowError, Ones, OutOfMemory};

/// A set of integers, stored as bits, that grows when a bit past its end is set.
///
/// It needs one bit for every integer up to the largest, so its memory depends on the largest
/// integer. To bound the memory even if the integers come from untrusted input, the set has a
/// [limit](Self::with_limit): it takes at most `limit / 8` bytes, twice that while it grows,
/// and a larger integer is an error. If the length is known in advance, use [`BitArray`], which
/// needs neither a limit nor errors.
///
/// ```
/// use bouquet_bits::BitSet;
///
/// let mut seen = BitSet::new();
/// seen.set_all([3, 70])?.set_all(1_000..1_003)?;
/// assert!(!seen.set(70)?); // was set already
/// assert!(seen.set(1_000_000)?);
/// assert!(seen.test(1_001) && !seen.test(u64::MAX));
/// assert_eq!(seen.count_ones(), 6);
/// # Ok::<(), bouquet_bits::GrowError>(())
/// ```
// The words past the last set bit are spare room; they do not count when sets are compared.
#[derive(Clone)]
pub struct BitSet {
    bits: BitArray,
    limit: u64,
}

impl BitSet {
    /// The limit of sets made by [`new`](Self::new): 2^32, that is 512 MiB. Every `u32` is
    /// below it.
    pub const DEFAULT_LIMIT: u64 = 1 << 32;

    /// An empty set of integers below 2^32. Allocates nothing.
    pub fn new() -> Self {
        Self::with_limit(Self::DEFAULT_LIMIT)
    }

    /// An empty set of integers below `limit`, or below [`BitArray::MAX_LEN`] if that is less.
    /// Allocates nothing.
    ///
    /// ```
    /// use bouquet_bits::{BitSet, GrowError};
    ///
    /// let mut users = BitSet::with_limit(1_000_000);
    /// let (bit, limit) = (u64::MAX, 1_000_000);
    /// assert_eq!(users.set(bit), Err(GrowError::PastLimit { bit, limit }));
    /// assert_eq!(users.memory_bytes(), 0);
    /// ```
    pub fn with_limit(limit: u64) -> Self {
        Self {
            bits: BitArray::empty(),
            limit: limit.min(BitArray::MAX_LEN),
        }
    }

    /// Creates the set of the set bits of an array, and takes over its memory. The limit is the
    /// default limit, or the array's length if that is larger.
    pub fn from_bits(bits: BitArray) -> Self {
        Self {
            limit: bits.len().max(Self::DEFAULT_LIMIT),
            bits: bits.into_whole_words(),
        }
    }

    /// Converts the set into an array of `len` bits; integers from `len` on are dropped.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the array must grow and the allocation fails.
    pub fn into_bits(mut self, len: u64) -> Result<BitArray, OutOfMemory> {
        if len > self.bits.len() {
            self.bits = self.bits.grown(len)?;
        }
        self.bits.truncate(len);
        Ok(self.bits)
    }

    /// Returns a copy like [`Clone`], but fails with an error.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails; `clone` ends the process in that case.
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let bits = self.bits.try_clone()?;
        Ok(Self { bits, ..*self })
    }

    /// The set can contain only integers below this limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes allocated for the bits, without the `BitSet` value itself.
    pub fn memory_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }

    /// Sets bit `i` and returns whether it was clear before. If the bit is past the end, the
    /// set grows to at least twice its size.
    ///
    /// # Errors
    ///
    /// [`GrowError`] if the bit is not below the [limit](Self::limit), or if there is no
    /// memory. Nothing has changed then.
    #[inline]
    pub fn set(&mut self, i: u64) -> Result<bool, GrowError> {
        // Both are checked: the last word may have room for bits past the limit.
        if i >= self.limit || i >= self.bits.len() {
            self.reach(i)?;
        }
        Ok(self.bits.set(i))
    }

    /// Sets all these bits, and returns the set so that calls can be chained.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Self::set), for the first bit that cannot be set; the bits before it
    /// are set then.
    pub fn set_all(&mut self, bits: impl IntoIterator<Item = u64>) -> Result<&mut Self, GrowError> {
        for i in bits {
            self.set(i)?;
        }
        Ok(self)
    }

    /// Clears bit `i` and returns whether it was set before.
    #[inline]
    pub fn clear(&mut self, i: u64) -> bool {
        i < self.bits.len() && self.bits.clear(i)
    }

    /// Returns whether bit `i` is set; false if it is past the end.
    #[inline]
    pub fn test(&self, i: u64) -> bool {
        i < self.bits.len() && self.bits.test(i)
    }

    /// Clears all bits in one pass over the words. The memory is not freed.
    pub fn clear_all(&mut self) {
        self.bits.clear_all();
    }

    /// Returns whether no bit is set.
    pub fn is_empty(&self) -> bool {
        self.first_set().is_none()
    }

    /// The number of set bits, counted in one pass over the words.
    pub fn count_ones(&self) -> u64 {
        self.bits.count_ones()
    }

    /// The lowest set bit, or `None` if no bit is set.
    pub fn first_set(&self) -> Option<u64> {
        self.bits.first_set()
    }

    /// The highest set bit, or `None` if no bit is set.
    pub fn last_set(&self) -> Option<u64> {
        self.bits.last_set()
    }

    /// The lowest set bit that is not below `from`, or `None` if there is none.
    pub fn next_set(&self, from: u64) -> Option<u64> {
        self.bits.next_set(from)
    }

    /// An iterator over the set bits in ascending order: one pass over the words.
    pub fn iter_ones(&self) -> Ones<'_> {
        self.bits.iter_ones()
    }

    /// Sets the bits that are set in `other`, and grows if necessary.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Self::set); nothing has changed then.
    pub fn union_with(&mut self, other: &Self) -> Result<(), GrowError> {
        self.reach_as(other)?;
        self.combine(other, |left, right| left | right);
        Ok(())
    }

    /// Clears the bits that are clear in `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.combine(other, |left, right| left & right);
    }

    /// Clears the bits that are set in `other`.
    pub fn difference_with(&mut self, other: &Self) {
        self.combine(other, |left, right| left & !right);
    }

    /// Flips the bits that are set in `other`, and grows if necessary.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Self::set); nothing has changed then.
    pub fn symmetric_difference_with(&mut self, other: &Self) -> Result<(), GrowError> {
        self.reach_as(other)?;
        self.combine(other, |left, right| left ^ right);
        Ok(())
    }

    /// Makes room for every bit of `other`.
    fn reach_as(&mut self, other: &Self) -> Result<(), GrowError> {
        other.last_set().map_or(Ok(()), |last| self.reach(last))
    }

    /// Makes room for bit `i`.
    #[cold]
    fn reach(&mut self, i: u64) -> Result<(), GrowError> {
        let (len, limit) = (self.bits.len(), self.limit);
        if i >= limit {
            return Err(GrowError::PastLimit { bit: i, limit });
        }
        if i < len {
            return Ok(());
        }
        // This cannot overflow: a limit is at most 2^48.
        let needed = (i + 1).next_multiple_of(64);
        let twice = (2 * len).min(limit.next_multiple_of(64));
        let grown = self.bits.grown(needed.max(twice));
        self.bits = grown.or_else(|_| self.bits.grown(needed))?;
        Ok(())
    }

    /// Combines the words of both sets; words that `other` does not have count as zero.
    fn combine(&mut self, other: &Self, operation: impl Fn(u64, u64) -> u64) {
        let others = other.bits.words().iter().copied();
        let others = others.chain(core::iter::repeat(0));
        for (left, right) in self.bits.whole_words_mut().iter_mut().zip(others) {
            *left = operation(*left, right);
        }
    }
}

impl Default for BitSet {
    fn default() -> Self {
        Self::new()
    }
}

/// Compares the set bits; spare room and limits do not matter.
impl PartialEq for BitSet {
    fn eq(&self, other: &Self) -> bool {
        let (left, right) = (self.bits.words(), other.bits.words());
        let both = left.len().min(right.len());
        let rest = left[both..].iter().chain(&right[both..]);
        left[..both] == right[..both] && rest.copied().all(|word| word == 0)
    }
}

impl Eq for BitSet {}

/// Prints the limit and the number of set bits, which are counted in one pass, but not the
/// bits.
impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitSet")
            .field("limit", &self.limit)
            .field("count_ones", &self.count_ones())
            .finish()
    }
}
