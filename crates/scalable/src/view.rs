//! The filter over borrowed bytes.

use alloc::vec::Vec;

use bouquet_core::{
    Key, KeyHash, KeyHasher, Prehashed, Spec,
    batch::{Hashes, Ready},
};
use bouquet_format::{DecodeError, Record, View};
use bouquet_standard::StandardView;

use crate::{
    Policy,
    batch::{ask_group, in_groups},
    codec::{check_capacity, check_stage, stages_of},
};

/// A stored [`ScalableBloom`](crate::ScalableBloom) that answers in place, from
/// bytes that need not be aligned; `V` is the view of a stage's filter.
///
/// Opening reads the length and the headers of every stage and its filter,
/// whatever their size. It does not find damage to their slots:
/// [`verify`](View::verify) does, and reads all. So do the
/// [statistics](bouquet_core::Inspect), which are those of the filter.
///
/// ```
/// use bouquet_scalable::{ScalableBloom, ScalableView, View};
///
/// let mut filter = ScalableBloom::new(10, 0.001)?;
/// for key in 0..100u32 {
///     filter.insert(&key);
/// }
/// let stored = filter.encode();
/// let view: ScalableView = View::open(&stored)?;
/// assert!(view.contains(&42u32) && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScalableView<'a, V: View<'a> = StandardView<'a>> {
    hasher: V::Hasher,
    policy: Policy,
    /// Oldest first.
    pub(crate) stages: Vec<V>,
    /// What each is sized for, and the keys that it has taken.
    pub(crate) sizes: Vec<(Spec, u64)>,
}

impl<'a, V> ScalableView<'a, V>
where
    V: View<'a> + Prehashed<Hash = KeyHash>,
{
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let mut newest_first = self.stages.iter().rev();
        newest_first.any(|stage| stage.contains_hash(hash))
    }

    /// Queries many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does: each stage, newest first, is queried for those
    /// that were not found in the ones before it.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        in_groups(keys, hashing, found, |hashes, found| {
            ask_group(self.stages.iter().rev(), hashes, found);
        });
    }

    /// The stages' filters, oldest first; there is always one.
    pub fn stages(&self) -> &[V] {
        &self.stages
    }

    /// How the filter begins, grows and ends.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &V::Hasher {
        &self.hasher
    }
}

impl<'a, V> View<'a> for ScalableView<'a, V>
where
    V: View<'a> + Prehashed<Hash = KeyHash>,
{
    type Hasher = V::Hasher;

    fn of(record: Record<'a>, hasher: &V::Hasher) -> Result<Self, DecodeError> {
        let header = &record.header;
        let count = stages_of(header)?;
        let policy = Policy::from_header(header)?;
        let (mut stages, mut sizes) = (Vec::new(), Vec::new());
        let each = size_of::<V>() + size_of::<(Spec, u64)>();
        let bytes = (count as u64).saturating_mul(each as u64);
        let reserved = stages.try_reserve_exact(count);
        let reserved = reserved.and_then(|()| sizes.try_reserve_exact(count));
        reserved.map_err(|_| header.out_of_memory(bytes))?;
        record.parts(|stage| {
            check_stage(&stage.header)?;
            sizes.push((stage.header.spec(), stage.header.keys()));
            stage.parts(|filter| {
                check_capacity(&stage.header, &filter.header)?;
                stages.push(V::of(filter, hasher)?);
                Ok(())
            })
        })?;
        Ok(Self {
            hasher: hasher.clone(),
            policy,
            stages,
            sizes,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.stages.iter().try_for_each(V::check)
    }
}

bouquet_core::query_traits!(['a, V] ScalableView<'a, V> where V: View<'a> + Prehashed<Hash = KeyHash>);
