//! Conversions to and from the bitmaps of the crate `roaring`.

use roaring::RoaringBitmap;

use super::BitSet;
use crate::GrowError;

/// Needs the feature `roaring`.
impl BitSet {
    /// Creates a set from a Roaring bitmap, with the default limit. It needs one bit for every
    /// integer up to the largest, so it may take up to 512 MiB, however small the bitmap is.
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

    /// Converts the set to a Roaring bitmap, which takes less memory if the integers are sparse
    /// or form long runs. (If an allocation of the `roaring` crate fails, the process ends.)
    ///
    /// # Errors
    ///
    /// [`GrowError::PastLimit`] if an integer does not fit a `u32`; that is possible only if
    /// the set's [limit](Self::with_limit) is above the default.
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
