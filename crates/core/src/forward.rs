//! The traits of a filter by its own methods, which have the code: written once for all
//! variants and their views.

/// [`Filter`](crate::Filter) and [`Prehashed`](crate::Prehashed), of a filter or a view with
/// `contains`, `contains_hash`, their batches and a `hasher`.
#[doc(hidden)]
#[macro_export]
macro_rules! query_traits {
    ([$($generics:tt)*] $filter:ty $(where $($bounds:tt)*)?) => {
        impl<$($generics)*> $crate::Filter for $filter $(where $($bounds)*)? {
            fn contains(&self, key: &[u8]) -> bool {
                self.contains(key)
            }

            fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) {
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

            fn contains_keys<K: $crate::Key>(&self, keys: &[K], found: &mut [bool]) {
                self.contains_batch(keys, found);
            }
        }
    };
}

/// [`TryInsert`](crate::TryInsert), of a filter that takes every key: with `insert_hash`,
/// `insert_batch`, `insert_hash_batch`, and with `insert_each` and `insert_hash_each`, which
/// write for each key whether it was new; and the message of
/// [`not_collected`](crate::not_collected).
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

/// [`Union`](crate::Union) and [`Intersect`](crate::Intersect) of a filter whose keys are in
/// an array named `bits`, once its `check_compatible`, that of
/// [`Inner`](crate::Inner) or its own, has passed.
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
    // Names the parameter for an error that equal geometries rule out.
    (@same_length $combined:expr) => {
        $combined.map_err(|error| $crate::Incompatible {
            parameter: $crate::Parameter::SizeBits,
            left: error.left,
            right: error.right,
        })
    };
}

/// [`Inner`](crate::Inner), of a filter with `with_geometry`, `geometry`, `hasher` of type `H`
/// and `clear`; then what it does in its own way.
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
