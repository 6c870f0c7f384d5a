//! The compiler's messages for names that methods have in other crates and languages.
//!
//! Each trait has such a name as its method, and says by its own name what to write. Nobody imports
//! these traits; but if a filter has no method of that name, the compiler looks for a trait that
//! has, and prints the name of the trait.

use crate::Filter;

mod sealed {
    /// Keeps other crates from implementing the bounds.
    pub trait Sealed {}
}

macro_rules! other_names {
    ($($write:ident, $bound:ident, $note:literal: $($name:ident($($given:tt)*) -> $returned:ty),*;)*) => {$(
        /// What the method needs, so that it cannot be called even if the trait is imported.
        #[diagnostic::on_unimplemented(message = "this method has another name", note = $note)]
        pub trait $bound: sealed::Sealed {
            /// Never called: what the method returns.
            fn never<T>() -> T;
        }

        #[doc = $note]
        pub trait $write {$(
            #[doc = $note]
            fn $name($($given)*) -> $returned
            where
                Self: $bound + Sized,
            {
                <Self as $bound>::never()
            }
        )*}

        impl<F: Filter + ?Sized> $write for F {}
    )*};
}
other_names! {
    WriteInsert, NeedsInsert, "write `insert(&key)`":
        put(&self, _: &impl ?Sized) -> bool,
        add(&self, _: &impl ?Sized) -> bool;
    WriteContains, NeedsContains, "write `contains(&key)`":
        might_contain(&self, _: &impl ?Sized) -> bool,
        check(&self, _: &impl ?Sized) -> bool,
        test(&self, _: &impl ?Sized) -> bool;
    WriteEstimatedKeys, NeedsEstimatedKeys, "write `estimated_keys()`":
        len(&self) -> usize,
        approximate_element_count(&self) -> u64;
    WriteEstimatedCount, NeedsEstimatedCount, "write `estimated_count(&key)`":
        count(&self, _: &impl ?Sized) -> u32;
    WriteEstimatedFpr, NeedsEstimatedFpr, "write `estimated_fpr()`":
        expected_fpp(&self) -> f64;
    WriteFillRatio, NeedsFillRatio, "write `fill_ratio()`":
        fill(&self) -> f64;
    WriteUnionWith, NeedsUnionWith, "write `union_with(&other)?`":
        union(&self, _: &Self) -> (),
        merge(&self, _: &Self) -> ();
    WriteClear, NeedsClear, "write `clear()`":
        reset(&self) -> ();
    WriteRemove, NeedsRemove, "write `remove(&key)`":
        delete(&self, _: &impl ?Sized) -> bool;
    WriteNew, NeedsNew, "write `new(1_000, 0.01)?`":
        with_capacity(_: usize) -> Self,
        with_false_pos(_: f64) -> Self,
        with_num_bits(_: usize) -> Self;
    WriteContainsBytes, NeedsContainsBytes, "write `contains_bytes(bytes)`":
        contains(&self, _: &impl ?Sized) -> bool;
}
