//! Two filters made one, as far as that is more than a phase of a lifecycle.

use anyhow::{Result, bail};

use super::{Fitted, Lifecycle, PhasesCell};
use crate::registry::{Size, Subject};

/// Non-members that are asked for.
const OTHERS: u64 = 2_000;
/// A filter of so many bits per key has as many bits as one of twice the capacity and half
/// the bits per key, and other hashes.
const BITS_PER_KEY: f64 = 24.0;

impl PhasesCell {
    /// Filters of another size, and those of as many bits and another number of hashes:
    /// their bits are those of other keys.
    pub(super) fn reject_other_sizes(&self) -> Result<()> {
        let of = &self.0;
        if of.make()?.unite(&*of.make()?).is_none() {
            return Ok(());
        }
        let twice = 2 * of.capacity;
        let by_bits = |capacity, bits| Fitted {
            size: Size::BitsPerKey(bits),
            ..sized(of, capacity)
        };
        let other_size = (sized(of, of.capacity), sized(of, twice));
        let fewer_bits = BITS_PER_KEY / 2.0;
        let other_hashes = (fewer_bits >= of.filter.least_bits_per_key).then(|| {
            let one = by_bits(of.capacity, BITS_PER_KEY);
            (one, by_bits(twice, fewer_bits))
        });
        for (one, other) in [other_size].into_iter().chain(other_hashes) {
            let (mut one, other) = (one.make()?, other.make()?);
            let (own, its) = (shape(&*one), shape(&*other));
            if own != its && matches!(one.unite(&*other), Some(Ok(()))) {
                bail!(
                    "of {} bits and {} hashes it takes in the keys of a filter of {} bits and {} \
                     hashes",
                    own.0,
                    own.1,
                    its.0,
                    its.1
                );
            }
        }
        Ok(())
    }

    /// What is left of two filters answers as both of them did.
    pub(super) fn intersect(&self, [mut one, mut two]: [Lifecycle<'_>; 2]) -> Result<()> {
        let mut row = self.row("");
        let third = self.0.capacity / 3;
        one.insert(0..2 * third, &mut row);
        two.insert(third..self.0.capacity, &mut row);
        let (by_one, by_two) = (answers(&one), answers(&two));
        let Some(done) = one.filter.intersect(&*two.filter) else {
            return Ok(());
        };
        done?;
        let by_both = by_one.iter().zip(&by_two).map(|(one, two)| *one && *two);
        let wrong = answers(&one).into_iter().zip(by_both);
        let wrong = wrong.filter(|(own, both)| own != both).count();
        if wrong > 0 {
            bail!(
                "an intersection answers for {wrong} of {} keys otherwise than both filters did",
                by_one.len()
            );
        }
        Ok(())
    }

    /// Two filters of the same keys, each inserted in both more often than counters count:
    /// of their union they are removed as often as of one, and are still there.
    pub(super) fn unite_repeats(&self, [mut one, mut two]: [Lifecycle<'_>; 2]) -> Result<()> {
        let mut row = self.row("");
        one.insert(0..self.0.capacity / 2, &mut row);
        two.insert(0..self.0.capacity / 2, &mut row);
        let taken = one.repeat(&mut row);
        two.repeat(&mut row);
        let Some(united) = one.filter.unite(&*two.filter) else {
            return Ok(());
        };
        united?;
        one.remove_repeats(&taken, &mut row);
        one.look_up(&mut row);
        if row.removals_rejected + row.false_negatives > 0 {
            bail!(
                "keys were inserted in two filters, more often than counters count, and removed \
                 of their union as often as of one: {} of {} removals are rejected, and {} of {} \
                 members",
                row.removals_rejected,
                row.removed,
                row.false_negatives,
                row.members_asked
            );
        }
        Ok(())
    }
}

/// The same for so many keys.
fn sized(of: &Fitted, capacity: u64) -> Fitted {
    Fitted {
        capacity,
        ..of.clone()
    }
}

/// Bits and hashes.
fn shape(filter: &dyn Subject) -> (u64, u32) {
    let state = filter.state(0);
    (state.size_bits, state.hashes)
}

/// For all keys that either of two filters has been given, and for others.
fn answers(life: &Lifecycle<'_>) -> Vec<bool> {
    let mut answers = Vec::new();
    life.workload
        .members(|key| answers.push(life.filter.contains(key)));
    life.workload.non_members(OTHERS, |key| {
        answers.push(life.filter.contains(key));
        true
    });
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::phases::wrong::{Fault, life};
    use crate::workload::Workload;

    type Law = fn(&PhasesCell, &Workload<'_>) -> Result<()>;

    fn two<'a>(cell: &PhasesCell, workload: &'a Workload<'a>) -> [Lifecycle<'a>; 2] {
        [(); 2].map(|()| Lifecycle {
            filter: cell.0.make().unwrap(),
            workload,
            present: vec![false; 600],
        })
    }

    /// What a law says of the counting filter with a fault; of one without it says nothing.
    fn said(law: Law, fault: Fault) -> String {
        let of = |fault| {
            let cell = life("counting", fault);
            let workload = cell.0.workload(600).unwrap();
            law(&cell, &workload)
        };
        of(Fault::None).unwrap();
        of(fault).unwrap_err().to_string()
    }

    #[test]
    fn who_takes_in_other_sizes_or_other_hashes_is_found() {
        let law: Law = |cell, _| cell.reject_other_sizes();
        let sizes = said(law, Fault::UnitesOtherSizes);
        assert!(sizes.ends_with("of 46080 bits and 7 hashes"), "{sizes}");
        let hashes = said(law, Fault::UnitesOtherHashes);
        assert_eq!(
            hashes,
            "of 14592 bits and 4 hashes it takes in the keys of a filter of 14592 bits and 2 \
             hashes"
        );
    }

    #[test]
    fn an_intersection_that_is_none_is_found() {
        let law: Law = |cell, workload| cell.intersect(two(cell, workload));
        let said = said(law, Fault::IntersectsByUnion);
        assert!(
            said.ends_with("of 2600 keys otherwise than both filters did"),
            "{said}"
        );
    }

    #[test]
    fn counters_of_a_union_that_wrap_are_found() {
        let law: Law = |cell, workload| cell.unite_repeats(two(cell, workload));
        let said = said(law, Fault::SumWraps);
        assert!(
            said.contains(" of 4080 removals are rejected, and "),
            "{said}"
        );
    }
}
