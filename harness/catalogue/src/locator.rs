//! Location schemes: how the k slots of a key are computed from its hash.

use anyhow::{Result, ensure};
use bouquet_core::{KeyHash, Locate, MAX_SIZE_BITS};
use bouquet_hash::scheme::RotateAdd;
use bouquet_record::SubjectRow;

use crate::{Options, Pairs, Part};

/// Calls the given function with each slot of a key.
type LocateKey = dyn Fn(&[u8], &mut dyn FnMut(u64));

/// A scheme with fixed m, k and seed, which maps a key to its slots.
pub struct Locator {
    slots: u64,
    probes: u32,
    parts: Vec<Part>,
    locate: Box<LocateKey>,
}

impl Locator {
    /// The locator of a geometry and a hash function; `parts` are the parts of the locations that
    /// must be uniform.
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

    /// A locator that computes a state s from each key by `hash`, and location i by `place(s, i)`,
    /// which may be any slot. `pairs` is the claim about pairs of probes.
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

    /// The number of slots m. It may differ from the requested one if the layout supports only
    /// certain sizes.
    pub fn slots(&self) -> u64 {
        self.slots
    }

    /// The number of probes k.
    pub fn probes(&self) -> u32 {
        self.probes
    }

    /// The parts of the locations that must be uniform, each tested by itself.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Calls `visit` with the slots of a key, in probe order.
    pub fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        (self.locate)(key, visit);
    }
}

/// The parameters of a locator: m, k, the seed and the options of a filter.
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

/// A location scheme of the harness, or the scheme of a filter that exposes its locations.
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

/// The locator of a layout in which every probe may fall on any slot, with this claim about pairs
/// of probes.
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
