//! Location schemes: how the k slots of a key follow from its hash.

use anyhow::Result;
use bouquet_core::{KeyHash, Locate};
use bouquet_ground::record::SubjectRow;
use bouquet_hash::scheme::RotateAdd;

use crate::{Options, Pairs, Part};

/// A scheme with fixed m, k and seed, which maps a key to its slots.
pub trait Locator {
    /// The number of slots m. It may differ from the requested one if the layout supports only
    /// certain sizes.
    fn slots(&self) -> u64;

    /// The number of probes k.
    fn probes(&self) -> u32;

    /// The parts of the locations that must be uniform, each tested by itself.
    fn parts(&self) -> &[Part];

    /// Calls `visit` with the slots of a key, in probe order.
    fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64));
}

/// A locator made of a geometry and a hash function.
pub struct HashLocator<H, F> {
    geometry: Box<dyn Locate<Hash = H>>,
    hash: F,
    parts: Vec<Part>,
}

impl<H, F: Fn(&[u8]) -> H> HashLocator<H, F> {
    /// A locator for a layout whose parts are uniform, but not the locations as a whole.
    pub fn of_parts(geometry: Box<dyn Locate<Hash = H>>, hash: F, parts: Vec<Part>) -> Self {
        Self {
            geometry,
            hash,
            parts,
        }
    }
}

impl<H, F: Fn(&[u8]) -> H> Locator for HashLocator<H, F> {
    fn slots(&self) -> u64 {
        self.geometry.slots()
    }

    fn probes(&self) -> u32 {
        self.geometry.probes()
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        self.geometry.locate(&(self.hash)(key), visit);
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

/// Makes the locator of a scheme.
pub type MakeLocator = fn(Wanted) -> Result<Box<dyn Locator>>;

/// A scheme that the harness knows, or the scheme of a filter that exposes its locations.
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

/// A layout with a single part that covers all slots, and this claim about pairs of probes.
pub fn claiming<G, F>(geometry: G, hash: F, pairs: Pairs) -> Result<Box<dyn Locator>>
where
    G: Locate + 'static,
    F: Fn(&[u8]) -> G::Hash + 'static,
{
    let part = Part::slot(geometry.probes(), geometry.slots()).pairs(pairs);
    let geometry = Box::new(geometry);
    Ok(Box::new(HashLocator::of_parts(geometry, hash, vec![part])))
}

/// Our native scheme with the given hash function.
pub fn native<F>(at: Wanted, hash: F) -> Result<Box<dyn Locator>>
where
    F: Fn(&[u8]) -> KeyHash + 'static,
{
    claiming(
        RotateAdd::new(at.slots, at.probes)?,
        hash,
        Pairs::Independent,
    )
}
