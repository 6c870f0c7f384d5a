//! The most used trait methods as inherent methods of each filter, so that users need not
//! import a trait to call them. The macros are written once for all variants; each variant's
//! documentation page shows the methods.

/// Defines the most used statistics of [`Inspect`](crate::Inspect) as inherent methods.
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_statistics {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $filter {
            /// Whether no slot is occupied, so that the filter contains no key; the same as
            /// [`Inspect::is_empty`]($crate::Inspect::is_empty).
            pub fn is_empty(&self) -> bool {
                $crate::Inspect::is_empty(self)
            }

            /// Share of slots that are not zero, from 0 to 1; the same as
            /// [`Inspect::fill_ratio`]($crate::Inspect::fill_ratio).
            #[doc(alias("fill", "load_factor"))]
            pub fn fill_ratio(&self) -> f64 {
                $crate::Inspect::fill_ratio(self)
            }

            /// The estimated number of different keys in the filter, computed from its non-zero
            /// slots; the same as [`Inspect::estimated_keys`]($crate::Inspect::estimated_keys).
            #[doc(alias("approximateElementCount", "approximate_element_count", "cardinality", "count", "len"))]
            pub fn estimated_keys(&self) -> f64 {
                $crate::Inspect::estimated_keys(self)
            }

            /// The estimated FPR with the current contents, computed from the non-zero slots;
            /// the same as [`Inspect::estimated_fpr`]($crate::Inspect::estimated_fpr).
            #[doc(alias("expectedFpp", "expected_fpp", "false_positive_rate"))]
            pub fn estimated_fpr(&self) -> f64 {
                $crate::Inspect::estimated_fpr(self)
            }
        }
    };
}

/// Implements [`Inspect`](crate::Inspect) for a view, and the methods of
/// [`inherent_statistics`]. The macro derives what follows from the geometry; the items `$own`
/// are computed from the view's bytes.
#[doc(hidden)]
#[macro_export]
macro_rules! inspect_view {
    ($(#[$more:meta])* [$($generics:tt)*] $view:ty; $($own:item)*) => {
        $crate::inherent_statistics!([$($generics)*] $view);

        /// Computed from the borrowed bytes; equal to the statistics of the decoded filter.
        $(#[$more])*
        impl<$($generics)*> $crate::Inspect for $view {
            fn capacity(&self) -> u64 {
                self.spec().capacity()
            }

            fn size_bits(&self) -> u64 {
                self.geometry().size_bits()
            }

            fn hashes(&self) -> u32 {
                $crate::Locate::probes(&self.geometry())
            }

            /// Only the size of the view itself: its bytes are borrowed.
            fn memory_bytes(&self) -> usize {
                size_of::<Self>()
            }

            $($own)*
        }
    };
}

/// Defines the methods of [`Union`](crate::Union) and [`Intersect`](crate::Intersect) as
/// inherent methods.
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_sets {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $filter {
            /// Adds the keys of a filter with the same geometry, hasher and seed; the same as
            /// [`Union::union_with`]($crate::Union::union_with).
            ///
            /// # Errors
            ///
            /// [`Incompatible`]($crate::Incompatible), naming the parameter that differs;
            /// `self` is unchanged.
            #[doc(alias("merge", "putAll", "union"))]
            pub fn union_with(&mut self, other: &Self) -> Result<(), $crate::Incompatible> {
                $crate::Union::union_with(self, other)
            }

            /// Keeps the keys that a filter with the same geometry, hasher and seed may contain
            /// too; the same as
            /// [`Intersect::intersect_with`]($crate::Intersect::intersect_with).
            ///
            /// # Errors
            ///
            /// [`Incompatible`]($crate::Incompatible), naming the parameter that differs;
            /// `self` is unchanged.
            #[doc(alias("intersection"))]
            pub fn intersect_with(&mut self, other: &Self) -> Result<(), $crate::Incompatible> {
                $crate::Intersect::intersect_with(self, other)
            }
        }
    };
}

/// A bound that no type satisfies, so that `collect` into a filter does not compile: `collect`
/// cannot pass a target FPR. The compiler's message explains this.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a filter cannot be collected: `collect` has no place for its target FPR",
    label = "the keys of an iterator",
    note = "write `from_keys(keys, 0.01)?` in its place, such as `StandardBloom::from_keys(keys, 0.01)?`",
    note = "or make the filter first and `extend` it"
)]
pub trait TargetOfCollect: sealed::Sealed {
    /// Never called: required so that `FromIterator` can be implemented.
    fn filter<F>() -> F;
}

/// A bound that no filter satisfies, for the compiler's message about `Default`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a filter has no default: `Default` has no place for its capacity and its target FPR",
    note = "write `StandardBloom::new(1_000, 0.01)?`; in a struct that derives `Default`, make the field an `Option`"
)]
pub trait TargetOfDefault: sealed::Sealed {
    /// Never called: required so that `Default` can be implemented.
    fn filter<F>() -> F;
}

/// A bound that no type satisfies, for the compiler's message about `|=`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "filters have no `|=`, because a union can fail",
    note = "write `filter.union_with(&other)?`"
)]
pub trait UnitesByOperator: sealed::Sealed {}

mod sealed {
    /// Keeps other crates from implementing the trait.
    pub trait Sealed {}
}

/// Adds implementations of `FromIterator`, `Default` and `BitOrAssign` that cannot be used, so that
/// the compiler prints the messages of their bounds; without them the compiler reports only that
/// these traits are not implemented.
#[doc(hidden)]
#[macro_export]
macro_rules! not_collected {
    ([$($generics:tt)*] $filter:ty) => {
        #[doc(hidden)]
        impl<K: $crate::TargetOfCollect, $($generics)*> FromIterator<K> for $filter {
            fn from_iter<I: IntoIterator<Item = K>>(_: I) -> Self {
                K::filter()
            }
        }

        #[doc(hidden)]
        impl<$($generics)*> Default for $filter
        where
            // With the bound on the filter itself, the compiler prints another message.
            [Self]: $crate::TargetOfDefault,
        {
            fn default() -> Self {
                <[Self] as $crate::TargetOfDefault>::filter()
            }
        }

        #[doc(hidden)]
        impl<K: $crate::UnitesByOperator, $($generics)*> ::core::ops::BitOrAssign<K> for $filter {
            fn bitor_assign(&mut self, _: K) {}
        }
    };
}
