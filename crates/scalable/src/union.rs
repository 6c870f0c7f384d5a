//! The union of two filters: a filter with the stages of both.

use alloc::vec::Vec;
use core::{cmp::Reverse, mem};

use bouquet_core::{Incompatible, Inner};

use crate::{Policy, ScalableBloom, Stage, UnionError, filter::bytes_of};

impl<F: Inner + Clone + PartialEq> ScalableBloom<F> {
    /// Adds all keys of `other`: copies its stages and adds them to the stages of this filter,
    /// except stages that are empty or already present.
    ///
    /// **The FPR becomes that of both together**: for two filters within a target p it is at
    /// most 2p, for n filters at most np, however many keys are inserted afterwards.
    /// [`estimated_fpr`](Self::estimated_fpr) shows it, and
    /// [`is_over_capacity`](Self::is_over_capacity) whether it is above the target. So create
    /// filters that will be united with a fraction of the target each. A query costs as much as
    /// with both filters, and [`keys`](Self::keys) counts the keys that both have twice. If
    /// these costs are too high, insert the keys again.
    ///
    /// From now on the largest stage is the newest: it accepts keys until it is full, and the
    /// filter grows from there. The other stages accept no more keys.
    ///
    /// # Errors
    ///
    /// [`UnionError`] if the filters differ in hasher or policy, or if the policy's limits
    /// leave no room for the stages of both. Nothing changes then.
    ///
    /// ```
    /// use bouquet_scalable::ScalableBloom;
    ///
    /// // Half of the target each, for one of 1 % in the end.
    /// let mut all = ScalableBloom::from_keys(["rose", "tulip"], 0.005)?;
    /// let mut more = ScalableBloom::new(2, 0.005)?;
    /// more.insert("lily");
    /// all.union_with(&more)?;
    /// assert!(all.contains("rose") && all.contains("lily"));
    /// assert!(all.estimated_fpr() <= 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("merge", "putAll", "union"))]
    pub fn union_with(&mut self, other: &Self) -> Result<(), UnionError> {
        Incompatible::unless_same_hasher(self.hasher(), other.hasher())?;
        self.policy().expect_like(&other.policy())?;
        let own = self.stages().filter(|stage| has_keys(stage));
        let is_new = |stage: &&Stage<F>| has_keys(stage) && self.stages().all(|own| own != *stage);
        let new: Vec<&Stage<F>> = other.stages().filter(is_new).collect();
        if new.is_empty() {
            return Ok(());
        }
        let all: Vec<&Stage<F>> = own.chain(new.iter().copied()).collect();
        self.policy().expect_room(&all)?;
        let new: Vec<Stage<F>> = new.into_iter().cloned().collect();
        self.take_in(new);
        Ok(())
    }

    /// Adds non-empty stages to those of this filter, sorted by size as if it had grown.
    fn take_in(&mut self, new: Vec<Stage<F>>) {
        for stage in new {
            self.older.push(mem::replace(&mut self.newest, stage));
        }
        self.older.retain(has_keys);
        // Of two stages of equal capacity, the one with more room for keys counts as newer.
        let age = |stage: &Stage<F>| (stage.capacity(), Reverse(stage.keys()));
        for stage in &mut self.older {
            if age(stage) > age(&self.newest) {
                mem::swap(stage, &mut self.newest);
            }
        }
        self.older.sort_by_key(age);
        // The reason that stopped the growth of the previous newest stage may not apply to this
        // one.
        self.end = None;
    }
}

/// Whether the stage has keys, judged by its bits: a count from elsewhere may be wrong.
fn has_keys<F: Inner>(stage: &Stage<F>) -> bool {
    stage.filter().fill_ratio() > 0.0
}

impl Policy {
    /// Checks that the policies agree in everything except the limits.
    fn expect_like(&self, other: &Self) -> Result<(), UnionError> {
        for (parameter, left, right) in [
            (
                "first capacity",
                self.first_capacity() as f64,
                other.first_capacity() as f64,
            ),
            ("target FPR", self.target_fpr(), other.target_fpr()),
            ("growth", self.growth.into(), other.growth.into()),
            ("tightening", self.tightening, other.tightening),
        ] {
            if left != right {
                return Err(UnionError::Policy {
                    parameter,
                    left,
                    right,
                });
            }
        }
        Ok(())
    }

    fn expect_room<F: Inner>(&self, stages: &[&Stage<F>]) -> Result<(), UnionError> {
        let needed = stages.len() as u64;
        if let Some(max) = self.stage_cap().filter(|max| needed > (*max).into()) {
            return Err(UnionError::Stages { max, needed });
        }
        let size_bits = stages.iter().map(|stage| stage.filter().size_bits());
        let needed = bytes_of(size_bits.fold(0, u64::saturating_add));
        if let Some(max) = self.byte_cap().filter(|max| needed > *max) {
            return Err(UnionError::Bytes { max, needed });
        }
        Ok(())
    }
}
