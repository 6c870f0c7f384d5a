//! To and from the bitmaps of the crate `roaring`.

use roaring::RoaringBitmap;

use super::BitSet;
use crate::GrowError;

/// Needs the feature `roaring`.
impl BitSet {
    /// The set of a Roaring bitmap, below the default limit. Takes a bit for every integer up
    /// to its largest, so at most 512 MiB, however small the bitmap is.
    ///
    /// # Errors
    ///
    /// [`GrowError::OutOfMemory`] if the allocation fails.
    ///
    /// ```
    /// use bouquet_bits::{BitSet, RoaringBitmap};
    ///
    /// let bitmap = RoaringBitmap::from([1, 70, 100_000]);
    /// let mut set = BitSet::from_roaring(&bitmap)?;
    /// set.set(2)?;
    /// assert_eq!(set.to_roaring()?, bitmap | RoaringBitmap::from([2]));
    /// # Ok::<(), bouquet_bits::GrowError>(())
    /// ```
    pub fn from_roaring(bitmap: &RoaringBitmap) -> Result<Self, GrowError> {
        let mut set = Self::new();
        if let Some(last) = bitmap.max() {
            set.reach(last.into())?;
        }
        for i in bitmap {
            set.set(i.into())?;
        }
        Ok(set)
    }

    /// The Roaring bitmap of these integers: less memory where they are sparse, or come in
    /// long runs. (Its own allocations end the process if they fail.)
    ///
    /// # Errors
    ///
    /// [`GrowError::PastLimit`] if an integer does not fit a `u32`, as only those of a set with
    /// a [limit](Self::with_limit) of its own may not.
    pub fn to_roaring(&self) -> Result<RoaringBitmap, GrowError> {
        let mut bitmap = RoaringBitmap::new();
        for bit in self.iter_ones() {
            let limit = Self::DEFAULT_LIMIT;
            let i = u32::try_from(bit).map_err(|_| GrowError::PastLimit { bit, limit })?;
            bitmap.insert(i);
        }
        bitmap.optimize();
        Ok(bitmap)
    }
}
