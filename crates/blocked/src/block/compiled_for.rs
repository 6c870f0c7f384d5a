//! A macro that compiles batches for processor features that the target does not guarantee.

#![allow(
    unsafe_code,
    reason = "what is compiled for certain processors may run on those only"
)]

/// Defines batch functions of a backend that are compiled for the given processor features: the
/// loops of [`batch`](super::batch) with everything that is inlined into them.
macro_rules! compiled_for {
    ($proof:ident, $features:literal) => {
        impl $proof {
            pub(crate) fn hold_each<L: Layout, K>(
                self,
                geometry: Geometry<L>,
                blocks: impl Blocks<L::Block>,
                keys: &[K],
                hash: impl Fn(&K) -> KeyHash,
                found: &mut [bool],
            ) {
                #[target_feature(enable = $features)]
                fn compiled<L: Layout, K>(
                    proof: $proof,
                    geometry: Geometry<L>,
                    blocks: impl Blocks<L::Block>,
                    keys: &[K],
                    hash: impl Fn(&K) -> KeyHash,
                    found: &mut [bool],
                ) {
                    batch::hold_each(proof, geometry, blocks, keys, hash, found);
                }
                // SAFETY: a `self` exists only if the processor has these features.
                unsafe { compiled(self, geometry, blocks, keys, hash, found) }
            }

            pub(crate) fn take_each<L: Layout, K>(
                self,
                geometry: Geometry<L>,
                words: &mut [u64],
                keys: &[K],
                hash: impl Fn(&K) -> KeyHash,
                tell: impl FnMut(usize, bool),
            ) {
                #[target_feature(enable = $features)]
                fn compiled<L: Layout, K>(
                    proof: $proof,
                    geometry: Geometry<L>,
                    words: &mut [u64],
                    keys: &[K],
                    hash: impl Fn(&K) -> KeyHash,
                    tell: impl FnMut(usize, bool),
                ) {
                    batch::take_each(proof, geometry, words, keys, hash, tell);
                }
                // SAFETY: a `self` exists only if the processor has these features.
                unsafe { compiled(self, geometry, words, keys, hash, tell) }
            }
        }
    };
}
pub(super) use compiled_for;
