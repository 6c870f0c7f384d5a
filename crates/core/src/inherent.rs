//! What first programs call, as methods of the type: nobody should have to find the trait
//! of a filter that stands in front of them. Written once for all variants; each still
//! shows them on its own page.

/// The statistics of [`Inspect`](crate::Inspect) that are asked for most.
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_statistics {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $filter {
            /// About how many different keys are in it, from what is set; see
            /// [`Inspect::estimated_keys`]($crate::Inspect::estimated_keys), which is the
            /// same.
            #[doc(alias("approximateElementCount", "cardinality", "count", "len"))]
            pub fn estimated_keys(&self) -> f64 {
                $crate::Inspect::estimated_keys(self)
            }

            /// The false-positive rate that it has now, from what is set; see
            /// [`Inspect::estimated_fpr`]($crate::Inspect::estimated_fpr), which is the
            /// same.
            #[doc(alias("expectedFpp", "expected_fpp", "false_positive_rate"))]
            pub fn estimated_fpr(&self) -> f64 {
                $crate::Inspect::estimated_fpr(self)
            }
        }
    };
}

/// [`Inspect`](crate::Inspect) of a view, and what [`inherent_statistics`] gives: what follows
/// from the geometry of any; `own` is what the bytes say.
#[doc(hidden)]
#[macro_export]
macro_rules! inspect_view {
    ($(#[$more:meta])* [$($generics:tt)*] $view:ty; $($own:item)*) => {
        $crate::inherent_statistics!([$($generics)*] $view);

        /// From the bytes in place, as of the filter that they decode to.
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

            /// The view itself: its bytes are borrowed.
            fn memory_bytes(&self) -> usize {
                size_of::<Self>()
            }

            $($own)*
        }
    };
}

/// [`Union`](crate::Union) and [`Intersect`](crate::Intersect).
#[doc(hidden)]
#[macro_export]
macro_rules! inherent_sets {
    ([$($generics:tt)*] $filter:ty) => {
        impl<$($generics)*> $filter {
            /// Adds the keys of a filter of the same geometry, hasher and seed; see
            /// [`Union::union_with`]($crate::Union::union_with), which is the same.
            ///
            /// # Errors
            ///
            /// [`Incompatible`]($crate::Incompatible), naming the parameter that differs;
            /// `self` is unchanged.
            #[doc(alias("merge", "putAll", "union"))]
            pub fn union_with(&mut self, other: &Self) -> Result<(), $crate::Incompatible> {
                $crate::Union::union_with(self, other)
            }

            /// Keeps what a filter of the same geometry, hasher and seed has too; see
            /// [`Intersect::intersect_with`]($crate::Intersect::intersect_with), which is
            /// the same.
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

/// Why a filter is not made by `collect`: there is no place for its target FPR. Nothing
/// implements it; the compiler says so in these words.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a filter cannot be collected: `collect` has no place for its target FPR",
    label = "the keys of an iterator",
    note = "write `from_keys(keys, 0.01)?` in its place, such as `StandardBloom::from_keys(keys, 0.01)?`",
    note = "or make the filter first and `extend` it"
)]
pub trait TargetOfCollect: sealed::Sealed {
    /// The filter that cannot be.
    fn filter<F>() -> F;
}

mod sealed {
    /// Keeps others from implementing it.
    pub trait Sealed {}
}

/// An implementation of `FromIterator` that no key can use, for the message of
/// [`TargetOfCollect`]: without one the compiler says only that there is none.
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
    };
}
