//! A scheme as two functions: from a key to some state, from the state to the
//! location of a probe.

use std::marker::PhantomData;

use anyhow::{Result, ensure};
use bouquet_core::{Locate, MAX_SIZE_BITS};

use super::{Locator, Pairs, Wanted, claiming};

/// Location i of a key with the state s is `place(s, i)`.
pub struct Probing<S, P> {
    at: Wanted,
    place: P,
    state: PhantomData<S>,
}

impl<S: 'static, P: Fn(&S, u32) -> u64 + 'static> Probing<S, P> {
    /// A scheme of which all probes go to any of the slots. `hash` gives the state of a
    /// key, `place` a slot.
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
