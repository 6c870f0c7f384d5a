//! Location schemes: how the k slots of a key follow from its hash. Contains the schemes of
//! `bouquet-hash` by name, and others that serve for evaluation only.

#[cfg(test)]
mod excess;
mod foreign;
#[cfg(test)]
pub mod reference;
mod textbook;
mod weak;

use std::marker::PhantomData;

use anyhow::{Result, ensure};
use bouquet_core::{KeyHash, KeyHasher, Locate, MAX_SIZE_BITS};
use bouquet_hash::{Folded, scheme::RotateAdd};

use bouquet_catalogue::Options;
pub use bouquet_catalogue::{Lattice, Pairs, Part};
use bouquet_ground::record::SubjectRow;

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
pub struct Located<H, F> {
    geometry: Box<dyn Locate<Hash = H>>,
    hash: F,
    parts: Vec<Part>,
}

impl<H, F: Fn(&[u8]) -> H> Located<H, F> {
    /// A locator for a layout whose parts are uniform, but not the locations as a whole.
    pub fn of_parts(geometry: Box<dyn Locate<Hash = H>>, hash: F, parts: Vec<Part>) -> Self {
        Self {
            geometry,
            hash,
            parts,
        }
    }
}

impl<H, F: Fn(&[u8]) -> H> Locator for Located<H, F> {
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
fn claiming<G, F>(geometry: G, hash: F, pairs: Pairs) -> Result<Box<dyn Locator>>
where
    G: Locate + 'static,
    F: Fn(&[u8]) -> G::Hash + 'static,
{
    let part = Part::slot(geometry.probes(), geometry.slots()).pairs(pairs);
    let geometry = Box::new(geometry);
    Ok(Box::new(Located::of_parts(geometry, hash, vec![part])))
}

/// A scheme given by two functions: one maps a key to a state, the other maps the state to the
/// location of a probe. Location i of a key with state s is `place(s, i)`.
pub struct Probing<S, P> {
    at: Wanted,
    place: P,
    state: PhantomData<S>,
}

impl<S: 'static, P: Fn(&S, u32) -> u64 + 'static> Probing<S, P> {
    /// A scheme in which every probe may go to any slot. `hash` gives the state of a key, `place` a
    /// slot.
    pub fn boxed<H>(at: Wanted, hash: H, place: P) -> Result<Box<dyn Locator>>
    where
        H: Fn(&[u8]) -> S + 'static,
    {
        Self::claiming(at, Pairs::Independent, hash, place)
    }

    /// The same with another claim about pairs of probes.
    pub fn claiming<H>(at: Wanted, pairs: Pairs, hash: H, place: P) -> Result<Box<dyn Locator>>
    where
        H: Fn(&[u8]) -> S + 'static,
    {
        let Wanted { slots, probes, .. } = at;
        ensure!(
            (1..=MAX_SIZE_BITS).contains(&slots) && probes > 0,
            "{slots} slots and {probes} probes: 1 to 2^48 slots and a probe are needed"
        );
        let state = PhantomData;
        claiming(Self { at, place, state }, hash, pairs)
    }
}

impl<S, P: Fn(&S, u32) -> u64> Locate for Probing<S, P> {
    type Hash = S;

    fn slots(&self) -> u64 {
        self.at.slots
    }

    fn probes(&self) -> u32 {
        self.at.probes
    }

    fn locate(&self, state: &S, visit: &mut dyn FnMut(u64)) {
        (0..self.at.probes).for_each(|probe| visit((self.place)(state, probe)));
    }
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

/// Every scheme: ours, those of other systems and of textbooks, and weak ones.
pub fn schemes() -> Vec<Scheme> {
    let mut all = vec![Scheme {
        name: "default",
        about: "The native scheme: folded multiplications, rotate and add, multiply-shift",
        role: "known-good",
        make: |at| {
            let hasher = Folded::with_seed(at.seed);
            native(at, move |key| hasher.hash(key))
        },
    }];
    all.extend(foreign::schemes());
    all.extend(textbook::schemes());
    all.extend(weak::schemes());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(locator: &dyn Locator, key: &[u8]) -> Vec<u64> {
        let mut slots = Vec::new();
        locator.locate(key, &mut |slot| slots.push(slot));
        slots
    }

    #[test]
    fn every_scheme_gives_k_slots_below_m() {
        // These schemes support only whole 64-bit words, or at most the size of a Redis string.
        let limited = |name: &str| ["guava-64", "guava-32", "redisson"].contains(&name);
        for scheme in schemes() {
            for m in [2, 64, 1_021, 1 << 48] {
                let Ok(locator) = (scheme.make)(Wanted::new(m, 7, 1)) else {
                    assert!(limited(scheme.name) && m != 64, "{} {m}", scheme.name);
                    continue;
                };
                let got = slots(&*locator, b"tulip");
                assert_eq!(got.len(), locator.probes() as usize, "{}", scheme.name);
                let short = m - locator.slots();
                assert!(short < if limited(scheme.name) { 64 } else { 1 });
                // The fault of sign-32 is that its locations exceed m when m is more than 2^31.
                let is_short = scheme.name != "sign-32" || m <= 1 << 31;
                assert_eq!(
                    got.iter().all(|slot| *slot < m),
                    is_short,
                    "{} {m}: {got:?}",
                    scheme.name
                );
            }
        }
    }

    #[test]
    fn the_default_is_what_the_standard_filter_does() {
        let standard = crate::registry::filters().swap_remove(0);
        let make = standard.locate.unwrap();
        for m in [64, 958_511, 1 << 40] {
            let ours = slots(&*make(Wanted::new(m, 9, 5)).unwrap(), b"tulip");
            assert_eq!(
                ours,
                slots(
                    &*(schemes()[0].make)(Wanted::new(m, 9, 5)).unwrap(),
                    b"tulip"
                )
            );
        }
    }
}
