//! Tests another filter as a stage: an exact set that records its queries.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    convert::Infallible,
    rc::Rc,
};

use bouquet_scalable::{
    Filter, Folded, Inner, Inspect, KeyHash, KeyHasher, Locate, Prehashed, ScalableBloom, Spec,
    SpecError, Stage, TryInsert,
};

/// An exact set that records the capacity of each queried stage in its hasher.
struct Spy {
    spec: Spec,
    keys: BTreeSet<(u64, u64)>,
    hasher: Counting,
}

/// A hasher that counts hashed keys, and records the capacities of the queried stages.
#[derive(Clone, Debug, Default)]
struct Counting {
    hashed: Rc<Cell<u64>>,
    asked: Rc<RefCell<Vec<u64>>>,
}

impl Counting {
    fn asked(&self) -> Vec<u64> {
        self.asked.take()
    }
}

impl PartialEq for Counting {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Counting {}

impl KeyHasher for Counting {
    const ID: u16 = 0x8765;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        self.hashed.set(self.hashed.get() + 1);
        Folded::default().hash(key)
    }
}

impl Filter for Spy {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains_hash(self.hash_key(key))
    }
}

impl Prehashed for Spy {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.hasher.asked.borrow_mut().push(self.spec.capacity());
        self.keys.contains(&(hash.place, hash.probe))
    }
}

impl TryInsert for Spy {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        Ok(self.keys.insert((hash.place, hash.probe)))
    }
}

impl Inspect for Spy {
    fn capacity(&self) -> u64 {
        self.spec.capacity()
    }
    fn size_bits(&self) -> u64 {
        128 * self.spec.capacity()
    }
    fn hashes(&self) -> u32 {
        1
    }
    fn fill_ratio(&self) -> f64 {
        self.keys.len() as f64 / self.spec.capacity() as f64
    }
    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
    }
    fn expected_fpr(&self, _: u64) -> f64 {
        0.0
    }
    fn estimated_fpr(&self) -> f64 {
        0.0
    }
    fn estimated_keys(&self) -> f64 {
        self.keys.len() as f64
    }
}

/// A geometry of 128 slots per key, which have no meaning for an exact set.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Room(u64);

impl Locate for Room {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        128 * self.0
    }
    fn probes(&self) -> u32 {
        1
    }
    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        visit(hash.split(self.slots()).0);
    }
}

impl Inner for Spy {
    type Hasher = Counting;
    type Geometry = Room;

    fn with_geometry(_: Room, spec: Spec, hasher: Counting) -> Result<Self, SpecError> {
        Ok(Self {
            spec,
            keys: BTreeSet::new(),
            hasher,
        })
    }
    fn geometry_for(spec: &Spec) -> Result<Room, SpecError> {
        Ok(Room(spec.capacity()))
    }
    fn size_bits_of(room: Room) -> u64 {
        room.slots()
    }
    fn expected_fpr_of(_: Room, _: u64) -> f64 {
        0.0
    }
    fn geometry(&self) -> Room {
        Room(self.spec.capacity())
    }
    fn hasher(&self) -> &Counting {
        &self.hasher
    }
    fn clear(&mut self) {
        self.keys.clear();
    }
}

#[test]
fn one_hash_serves_all_stages_and_the_newest_is_queried_first() {
    let calls = Counting::default();
    let spec = Spec::new(10, 0.01).unwrap();
    let mut filter = ScalableBloom::<Spy>::with_hasher(spec, calls.clone()).unwrap();
    for key in 0..50u64 {
        filter.insert(&key);
    }
    let keys: Vec<u64> = filter.stages().map(Stage::keys).collect();
    assert_eq!(keys, [10, 20, 20]);
    assert_eq!(calls.hashed.replace(0), 50);
    calls.asked();
    assert!(!filter.contains(&99u64));
    assert_eq!(
        (calls.hashed.replace(0), calls.asked()),
        (1, vec![40, 20, 10])
    );
    assert!(filter.contains(&45u64));
    assert_eq!((calls.hashed.replace(0), calls.asked()), (1, vec![40]));
    assert!(!filter.insert(&3u64));
    assert_eq!(
        (calls.hashed.replace(0), calls.asked()),
        (1, vec![40, 20, 10])
    );
}
