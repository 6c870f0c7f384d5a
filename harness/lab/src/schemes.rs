//! Location schemes by name: ours, those of other systems, and others that serve for evaluation only.

#[cfg(test)]
mod excess;
mod foreign;
#[cfg(test)]
pub mod reference;
mod textbook;
mod weak;

use std::marker::PhantomData;

use anyhow::{Result, ensure};
use bouquet_core::{KeyHasher, Locate, MAX_SIZE_BITS};
use bouquet_hash::Folded;

pub use bouquet_catalogue::{Lattice, Locator, MakeLocator, Pairs, Part, Scheme, Wanted};
use bouquet_catalogue::{claiming, native};

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
