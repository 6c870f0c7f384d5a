//! One way to compile a batch for a processor that the target does not guarantee.

#![allow(
    unsafe_code,
    reason = "what is compiled for certain processors may run on those only"
)]

/// Batches by a way whose functions are compiled for features of the processor: the loops of
/// [`batch`](super::batch) with all that is inlined into them.
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
                // SAFETY: that there is a `self` shows that the processor has them.
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
                // SAFETY: that there is a `self` shows that the processor has them.
                unsafe { compiled(self, geometry, words, keys, hash, tell) }
            }
        }
    };
}
pub(super) use compiled_for;
