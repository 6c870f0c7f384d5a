//! The locations of a scalable filter, which has no geometry of its own.

use bouquet_core::{KeyHash, Locate, SpecError};
use bouquet_standard::Geometry;

use crate::Part;

const NAMES: [&str; 3] = ["slot of stage 1", "slot of stage 2", "slot of stage 3"];

/// Three stages, roughly as the default policy makes them: each has twice the size of the one
/// before, and the third has one more probe for its lower FPR. All use the same hash.
pub struct Stages([Geometry; 3]);

impl Stages {
    /// Stages with about `slots` slots together; the first has `probes` probes.
    pub fn new(slots: u64, probes: u32) -> Result<Self, SpecError> {
        let stage =
            |times: u64, more: u32| Geometry::new((slots / 7 * times).max(1), probes + more);
        Ok(Self([stage(1, 0)?, stage(2, 0)?, stage(4, 1)?]))
    }

    /// The parts of the layout: the slots of each stage.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let (mut slot, mut probe) = (0, 0);
        for (stage, name) in self.0.iter().zip(NAMES) {
            let probes = probe..probe + stage.hashes();
            parts.push(Part::new(name, probes, 1, stage.size_bits()).from(slot));
            slot += stage.size_bits();
            probe += stage.hashes();
        }
        parts
    }
}

impl Locate for Stages {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.0.iter().map(Geometry::size_bits).sum()
    }

    fn probes(&self) -> u32 {
        self.0.iter().map(Geometry::hashes).sum()
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        let mut first = 0;
        for stage in &self.0 {
            stage.locate(hash, &mut |slot| visit(first + slot));
            first += stage.size_bits();
        }
    }
}
