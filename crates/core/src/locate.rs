//! Where a key's probes go.

/// The slot arithmetic of a filter, apart from its storage.
///
/// # For users
///
/// A geometry is a small value (m, k and the like) that tells for every hash
/// which slots are visited. It needs no array: the uniformity tests ask it for
/// locations at m = 2^48.
///
/// # Implementing
///
/// - `locate` is a function of the hash and the geometry alone.
/// - It visits exactly [`probes`](Self::probes) locations, each below
///   [`slots`](Self::slots), in probe order, repeats included: the i-th visit
///   of every key is its i-th probe.
/// - The filter of this geometry sets and tests these slots and no others.
pub trait Locate {
    /// What a key is reduced to before it is located.
    type Hash;

    /// Addressable slots (m).
    fn slots(&self) -> u64;

    /// Probes a key (k).
    fn probes(&self) -> u32;

    /// Calls `visit` with each location of the hash, in probe order.
    fn locate(&self, hash: &Self::Hash, visit: &mut dyn FnMut(u64));
}
