//! Location schemes: how the k slots of a key are computed from its hash.

use anyhow::{Result, ensure};
use bouquet_core::{KeyHash, Locate, MAX_SIZE_BITS};
use bouquet_hash::scheme::RotateAdd;
use bouquet_record::SubjectRow;

use crate::{Options, Pairs, Part};

/// Calls the given function with each slot of a key.
type LocateKey = dyn Fn(&[u8], &mut dyn FnMut(u64));

/// Maps keys to slots, with a fixed number of slots, number of probes and seed.
pub struct Locator {
    slots: u64,
    probes: u32,
    parts: Vec<Part>,
    locate: Box<LocateKey>,
}

impl Locator {
    /// Makes a locator from a geometry and a hash function. `parts` are the parts of a location,
    /// such as the block; tests check that each part is uniformly distributed.
    pub fn new<H: 'static>(
        geometry: Box<dyn Locate<Hash = H>>,
        hash: impl Fn(&[u8]) -> H + 'static,
        parts: Vec<Part>,
    ) -> Self {
        Self {
            slots: geometry.slots(),
            probes: geometry.probes(),
            parts,
            locate: Box::new(move |key, visit| geometry.locate(&hash(key), visit)),
        }
    }

    /// Makes a locator that computes a state s of each key with `hash`, and location i with
    /// `place(s, i)`. A location may be any slot. `pairs` says how two locations of a key depend on
    /// each other.
    pub fn probing<S>(
        at: Wanted,
        pairs: Pairs,
        hash: impl Fn(&[u8]) -> S + 'static,
        place: impl Fn(&S, u32) -> u64 + 'static,
    ) -> Result<Self> {
        let Wanted { slots, probes, .. } = at;
        ensure!(
            (1..=MAX_SIZE_BITS).contains(&slots) && probes > 0,
            "{slots} slots and {probes} probes: 1 to 2^48 slots and a probe are needed"
        );
        Ok(Self {
            slots,
            probes,
            parts: vec![Part::slot(probes, slots).pairs(pairs)],
            locate: Box::new(move |key, visit| {
                let state = hash(key);
                (0..probes).for_each(|probe| visit(place(&state, probe)));
            }),
        })
    }

    /// The number of slots m. It may differ from the requested number if the layout supports only
    /// certain sizes.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    pub fn probes(&self) -> u32 {
        self.probes
    }

    /// The parts of a location, such as the block and the bit in it. Each is tested for uniformity.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Calls `visit` with the slots of a key, in probe order.
    pub fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        (self.locate)(key, visit);
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub slots: u64,
    pub probes: u32,
    pub seed: u64,
    pub options: Options,
}

impl Wanted {
    pub fn new(slots: u64, probes: u32, seed: u64) -> Self {
        Self {
            slots,
            probes,
            seed,
            options: Options::default(),
        }
    }
}

pub type MakeLocator = fn(Wanted) -> Result<Locator>;

/// A method of computing the slots of a key, defined by the harness or used by a filter.
#[derive(Clone, Copy)]
pub struct Scheme {
    pub name: &'static str,
    pub about: &'static str,
    pub role: &'static str,
    pub make: MakeLocator,
}

impl Scheme {
    pub fn row(&self) -> SubjectRow {
        SubjectRow {
            subject: self.name.into(),
            kind: "scheme".into(),
            about: self.about.into(),
            role: self.role.into(),
            reproducible_by_seed: true,
            exposes_locations: true,
            ..SubjectRow::default()
        }
    }
}

/// Makes a locator for a geometry in which every probe may fall on any slot. `pairs` says how two
/// probes of a key depend on each other.
pub fn claiming<G: Locate + 'static>(
    geometry: G,
    hash: impl Fn(&[u8]) -> G::Hash + 'static,
    pairs: Pairs,
) -> Result<Locator> {
    let part = Part::slot(geometry.probes(), geometry.slots()).pairs(pairs);
    Ok(Locator::new(Box::new(geometry), hash, vec![part]))
}

/// The location scheme of our standard filter, with the given hash function.
pub fn native(at: Wanted, hash: impl Fn(&[u8]) -> KeyHash + 'static) -> Result<Locator> {
    let geometry = RotateAdd::new(at.slots, at.probes)?;
    claiming(geometry, hash, Pairs::Independent)
}
