//! Filters that are halved.

use anyhow::{Result, bail};

use super::{Lifecycle, PhasesCell, Tell};
use crate::{registry::Subject, workload::Workload};

/// A filter that is folded has room for so many times its keys.
const ROOMY: u64 = 8;
/// So many sizes are tried for one that can be halved.
const SIZES: u64 = 16;
/// No more keys than these are inserted into each of neighbouring sizes.
const FEW: u64 = 1_000;
/// The FPR that they are folded to.
const HALF: f64 = 0.5;

impl PhasesCell {
    /// An empty one with more room than it needs that can be halved: what is paired must
    /// be even in number, so not every size can.
    pub(super) fn roomy(&self, workload: &Workload<'_>) -> Result<Option<Box<dyn Subject>>> {
        let mut buffer = Vec::new();
        for more in 0..SIZES {
            let made = || self.0.made_for(ROOMY * self.0.capacity + more);
            let mut tried = made()?;
            tried.insert(workload.member(0, &mut buffer));
            // With a key in it no half has an FPR of 0: this folds nothing.
            if tried.fold(0.0) {
                return Ok(Some(made()?));
            }
        }
        Ok(None)
    }

    /// Halved down to the FPR of a filter that is sized for these keys, and then on.
    pub(super) fn fold(&self, cycle: &mut Lifecycle<'_>, tell: &mut Tell<'_>) -> Result<()> {
        let mut row = self.row("fold");
        cycle.insert(0..self.0.capacity, &mut row);
        let target = self.0.make()?.state(self.0.capacity).expected_fpr;
        let unfolded = cycle.filter.state(self.0.capacity).size_bits;
        cycle.filter.fold(target);
        let state = cycle.filter.state(self.0.capacity);
        if let Some(fpr) = state.fpr_given_bits.filter(|fpr| *fpr > target) {
            bail!("folded to an FPR of {target:e}, its bits give one of {fpr:e}");
        }
        if state.size_bits == unfolded {
            bail!("it is not folded, with room for {ROOMY} times its keys");
        }
        tell(cycle, row);
        Ok(())
    }

    /// Small ones of neighbouring sizes, whether they can be halved or not: what is paired is odd
    /// in number in some of them, before the first half or a later one, and a half of that
    /// would lose keys.
    pub(super) fn fold_neighbours(&self, workload: &Workload<'_>) -> Result<()> {
        let keys = self.0.capacity.min(FEW);
        let mut buffer = Vec::new();
        for more in 0..SIZES {
            let mut filter = self.0.made_for(ROOMY * keys + more)?;
            for key in 0..keys {
                filter.insert(workload.member(key, &mut buffer));
            }
            let mut lost = |filter: &dyn Subject| {
                let mut is_lost = |key| !filter.contains(workload.member(key, &mut buffer));
                (0..keys).filter(|key| is_lost(*key)).count()
            };
            let before = lost(&*filter);
            // Fuller ones would answer for keys that they lost.
            filter.fold(HALF);
            let after = lost(&*filter);
            if after > before {
                bail!(
                    "for {} keys, halved as far as it can be, it has {after} false negatives",
                    ROOMY * keys + more
                );
            }
        }
        Ok(())
    }
}
