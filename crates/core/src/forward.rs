//! Macros that implement the traits of a filter by calls of its inherent methods, which contain
//! the code. Written once for all variants and their views.

/// Implements [`Filter`](crate::Filter) and [`Prehashed`](crate::Prehashed) for a filter or a
/// view that has the methods `contains`, `contains_hash`, their batch versions and `hasher`.
#[doc(hidden)]
#[macro_export]
macro_rules! query_traits {
    ([$($generics:tt)*] $filter:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> $crate::Filter for $filter $(where $($bounds)*)? {
            fn contains_bytes(&self, key: &[u8]) -> bool {
                self.contains(key)
            }

            fn contains_bytes_batch(&self, keys: &[&[u8]], found: &mut [bool]) {
                self.contains_batch(keys, found);
            }
        }

        impl<$($generics)*> $crate::Prehashed for $filter $(where $($bounds)*)? {
            type Hash = $crate::KeyHash;

            fn hash_key(&self, key: &[u8]) -> $crate::KeyHash {
                $crate::KeyHasher::hash(self.hasher(), key)
            }

            fn contains_hash(&self, hash: $crate::KeyHash) -> bool {
                self.contains_hash(hash)
            }

            fn contains_hash_batch(&self, hashes: &[$crate::KeyHash], found: &mut [bool]) {
                self.contains_hash_batch(hashes, found);
            }

            fn contains<K: $crate::Key + ?Sized>(&self, key: &K) -> bool {
                self.contains(key)
            }

            fn contains_batch<K: $crate::Key>(&self, keys: &[K], found: &mut [bool]) {
                self.contains_batch(keys, found);
            }
        }
    };
}

/// Implements [`TryInsert`](crate::TryInsert) for a filter that accepts every key and has the
/// methods `insert_hash`, `insert_batch`, `insert_hash_batch`, `insert_each` and
/// `insert_hash_each` (the last two write for each key whether it was new). Also adds the
/// compiler message of [`not_collected`](crate::not_collected).
#[doc(hidden)]
#[macro_export]
macro_rules! insert_traits {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $crate::TryInsert for $filter {
            type Error = ::core::convert::Infallible;

            fn try_insert_hash(&mut self, hash: $crate::KeyHash) -> Result<bool, Self::Error> {
                Ok(self.insert_hash(hash))
            }

            fn try_insert_batch<K: $crate::Key>(
                &mut self,
                keys: &[K],
            ) -> Result<usize, $crate::BatchError<Self::Error>> {
                Ok(self.insert_batch(keys))
            }

            fn try_insert_hash_batch(
                &mut self,
                hashes: &[$crate::KeyHash],
            ) -> Result<usize, $crate::BatchError<Self::Error>> {
                Ok(self.insert_hash_batch(hashes))
            }

            fn try_insert_keys_each<K: $crate::Key>(
                &mut self,
                keys: &[K],
                new: &mut [bool],
            ) -> Result<(), $crate::BatchError<Self::Error>> {
                self.insert_each(keys, new);
                Ok(())
            }

            fn try_insert_hash_each(
                &mut self,
                hashes: &[$crate::KeyHash],
                new: &mut [bool],
            ) -> Result<(), $crate::BatchError<Self::Error>> {
                self.insert_hash_each(hashes, new);
                Ok(())
            }
        }

        $crate::not_collected!([$($generics)*] $filter);
    };
}

/// Implements [`Union`](crate::Union) and [`Intersect`](crate::Intersect) for a filter whose
/// keys are in an array named `bits`. The filter's `check_compatible`, from
/// [`Inner`](crate::Inner) or its own, is called first.
#[doc(hidden)]
#[macro_export]
macro_rules! bit_sets {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $crate::Union for $filter {
            fn union_with(&mut self, other: &Self) -> Result<(), $crate::Incompatible> {
                self.check_compatible(other)?;
                $crate::bit_sets!(@same_length self.bits.union_with(&other.bits))
            }
        }

        impl<$($generics)*> $crate::Intersect for $filter {
            fn intersect_with(&mut self, other: &Self) -> Result<(), $crate::Incompatible> {
                self.check_compatible(other)?;
                $crate::bit_sets!(@same_length self.bits.intersect_with(&other.bits))
            }
        }

        $crate::inherent_sets!([$($generics)*] $filter);
    };
    // Converts the array's length error; it cannot occur once the geometries are equal.
    (@same_length $combined:expr) => {
        $combined.map_err(|error| {
            $crate::Incompatible::new($crate::Parameter::SizeBits, error.left, error.right)
        })
    };
}

/// Implements [`Inner`](crate::Inner) for a filter that has the methods `with_geometry`,
/// `geometry`, `hasher` (of type `H`) and `clear`. The items `$own` are what the filter
/// implements itself.
#[doc(hidden)]
#[macro_export]
macro_rules! inner_traits {
    ([$($generics:tt)*] $filter:ty, $geometry:ty; $($own:item)*) => {
        impl<$($generics)*> $crate::Inner for $filter {
            type Hasher = H;
            type Geometry = $geometry;

            fn size_bits_of(geometry: $geometry) -> u64 {
                geometry.size_bits()
            }

            fn expected_fpr_of(geometry: $geometry, keys: u64) -> f64 {
                geometry.expected_fpr(keys)
            }

            fn with_geometry(
                geometry: $geometry,
                spec: $crate::Spec,
                hasher: H,
            ) -> Result<Self, $crate::SpecError> {
                Self::with_geometry(geometry, spec, hasher)
            }

            fn geometry(&self) -> $geometry {
                self.geometry()
            }

            fn hasher(&self) -> &H {
                self.hasher()
            }

            fn clear(&mut self) {
                self.clear();
            }

            $($own)*
        }
    };
}
