//! A scheme as two functions: from a key to some state, from the state to the
//! location of a probe.

use anyhow::{Result, bail};
use bouquet_core::MAX_SIZE_BITS;

use super::{Locator, Pairs, Part};

/// Location i of a key is `place(hash(key), i)`.
pub struct Probing<H, P> {
    slots: u64,
    probes: u32,
    parts: Vec<Part>,
    hash: H,
    place: P,
}

impl<S, H, P> Probing<H, P>
where
    H: Fn(&[u8]) -> S + 'static,
    P: Fn(&S, u32) -> u64 + 'static,
{
    /// A scheme of which all probes go to any of `slots` slots. `place` gives a
    /// location below `slots`.
    pub fn boxed(slots: u64, probes: u32, hash: H, place: P) -> Result<Box<dyn Locator>> {
        Self::claiming(slots, probes, Pairs::Independent, hash, place)
    }

    /// The same with another claim about pairs of probes.
    pub fn claiming(
        slots: u64,
        probes: u32,
        pairs: Pairs,
        hash: H,
        place: P,
    ) -> Result<Box<dyn Locator>> {
        if slots == 0 || slots > MAX_SIZE_BITS || probes == 0 {
            bail!("{slots} slots and {probes} probes: 1 to 2^48 slots and a probe are needed");
        }
        Ok(Box::new(Self {
            slots,
            probes,
            parts: vec![Part::slot(probes, slots).pairs(pairs)],
            hash,
            place,
        }))
    }
}

impl<S, H, P> Locator for Probing<H, P>
where
    H: Fn(&[u8]) -> S,
    P: Fn(&S, u32) -> u64,
{
    fn slots(&self) -> u64 {
        self.slots
    }

    fn probes(&self) -> u32 {
        self.probes
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn locate(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
        let state = (self.hash)(key);
        for probe in 0..self.probes {
            visit((self.place)(&state, probe));
        }
    }
}
