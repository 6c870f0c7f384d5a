//! The view: a stored filter that answers queries from borrowed bytes.

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

/// A stored [`ScalableBloom`](crate::ScalableBloom) that answers queries directly from its
/// bytes, which need not be aligned; `V` is the view of a stage's filter.
///
/// Opening reads only the length and the headers of every stage and its filter, whatever their
/// size. It does not detect damage to the slots: [`verify`](View::verify) does, and reads all
/// bytes. The [statistics](bouquet_core::Inspect), which equal those of the filter, read all
/// bytes too.
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
    /// The views of the stages, oldest first.
    pub(crate) stages: Vec<V>,
    /// The spec of each stage, and the number of keys inserted into it.
    pub(crate) sizes: Vec<(Spec, u64)>,
}

impl<'a, V> ScalableView<'a, V>
where
    V: View<'a> + Prehashed<Hash = KeyHash>,
{
    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let mut newest_first = self.stages.iter().rev();
        newest_first.any(|stage| stage.contains_hash(hash))
    }

    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`. Each stage, from the newest on, is queried for the keys that were not
    /// found in the stages before it.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
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

    /// The filters of the stages, oldest first; there is at least one.
    pub fn stages(&self) -> &[V] {
        &self.stages
    }

    /// How the filter starts, grows and stops growing.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The hasher, with its seed.
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
