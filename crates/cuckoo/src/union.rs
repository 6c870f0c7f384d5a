//! The union of two filters, which contains the fingerprints of both.

use bouquet_core::{Incompatible, KeyHasher, Parameter};

use crate::{CuckooFilter, UnionError, room::Entry};

impl<H: KeyHasher> CuckooFilter<H> {
    /// Adds all keys of `other`, which must have the same number of buckets, the same fingerprint
    /// width and an equal hasher. A copy of each of its fingerprints is inserted, so that every key
    /// can be removed as often as it was inserted in both filters.
    ///
    /// There must be room for the keys of both filters, so size filters that will be united for all
    /// their keys together. Up to [`capacity`](Self::capacity) keys in total the FPR stays within
    /// the target.
    ///
    /// Inserts each key of `other` into a copy of this filter, so it temporarily uses as much
    /// memory again.
    ///
    /// # Errors
    ///
    /// [`UnionError`]: the filters differ, or there is no room for the keys of both. Then nothing
    /// changes.
    ///
    /// ```
    /// use bouquet_cuckoo::CuckooFilter;
    ///
    /// let [mut here, mut there] = [CuckooFilter::new(1_000, 0.01)?, CuckooFilter::new(1_000, 0.01)?];
    /// here.insert("rose")?;
    /// there.insert("tulip")?;
    /// here.union_with(&there)?;
    /// assert!(here.contains("rose") && here.contains("tulip"));
    /// assert_eq!(here.keys(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("merge", "putAll", "union"))]
    pub fn union_with(&mut self, other: &Self) -> Result<(), UnionError> {
        let [here, there] = [self.geometry, other.geometry];
        let width = Parameter::Other("bits of a fingerprint");
        let [own, its] = [here, there].map(|geometry| geometry.fingerprint_bits().bits());
        Incompatible::unless_equal(width, own, its)?;
        Incompatible::unless_equal(Parameter::Other("buckets"), here.buckets(), there.buckets())?;
        Incompatible::unless_same_hasher(&self.hasher, &other.hasher)?;
        let mut all = self.clone();
        for bucket in 0..there.buckets() {
            for fingerprint in other.table.bucket(bucket) {
                if fingerprint != 0 {
                    let entry = Entry {
                        fingerprint,
                        bucket,
                    };
                    all.insert_entry(entry)?;
                }
            }
        }
        if let Some(victim) = other.victim {
            all.insert_entry(victim)?;
        }
        *self = all;
        Ok(())
    }
}
