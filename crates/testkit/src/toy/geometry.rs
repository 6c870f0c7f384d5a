use bouquet_core::{KeyHash, Locate};

use super::Fault;
use crate::rng::mix;

/// The number of slots of a [`Toy`](super::Toy) and the locations of its probes, which are
/// independent and may coincide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToyGeometry {
    pub(super) slots: u64,
    pub(super) hashes: u32,
    pub(super) fault: Fault,
}

impl ToyGeometry {
    /// The slots that a filter sets and tests for a key.
    pub(super) fn slots_of(self, hash: KeyHash) -> impl Iterator<Item = usize> {
        (0..self.hashes).map(move |probe| {
            let last = probe + 1 == self.hashes;
            let again = last && self.fault == Fault::ReusesOneProbe;
            self.slot(hash, if again { 0 } else { probe }) as usize
        })
    }

    /// Mixes a word for each probe, and scales it to a slot by the high word of the product with
    /// the number of slots.
    fn slot(self, hash: KeyHash, probe: u32) -> u64 {
        let step = hash.place | 1;
        let word = mix(hash.probe.wrapping_add(step.wrapping_mul(u64::from(probe))));
        ((u128::from(word) * u128::from(self.slots)) >> 64) as u64
    }
}

impl Locate for ToyGeometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.slots
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        let visited = self.hashes as usize - usize::from(self.fault == Fault::LocatesOneLess);
        for (probe, slot) in self.slots_of(*hash).take(visited).enumerate() {
            let last = probe + 1 == visited;
            let beyond = last && self.fault == Fault::LocatesOutOfRange;
            visit(if beyond { self.slots } else { slot as u64 });
        }
    }
}
