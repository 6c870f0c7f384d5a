//! A filter's lifecycle, phase by phase: after each, every key that must be present is
//! looked up.

mod algebra;
mod bytes;
mod fold;
mod full;
mod removal;
mod threads;
#[cfg(test)]
mod wrong;

use anyhow::{Result, bail};

use super::{Fitted, guarded};
use crate::registry::Subject;
use crate::ways;
use crate::workload::Workload;
use bouquet_ground::record::PhaseRow;

/// Keys at the end of the lifecycle, over the capacity.
pub const GROWN: u64 = 4;

/// Threads that insert at once.
const THREADS: usize = 4;

pub struct PhasesCell(pub Fitted);

/// Sees the filter after each phase.
pub type Watch<'a> = dyn FnMut(&str, &dyn Subject, &Workload<'_>) + 'a;

/// Takes what became of the filter in a phase.
type Tell<'a> = dyn FnMut(&Lifecycle<'_>, PhaseRow) + 'a;

/// A filter, and which keys of the workload it should hold.
struct Lifecycle<'a> {
    filter: Box<dyn Subject>,
    workload: &'a Workload<'a>,
    present: Vec<bool>,
}

impl Lifecycle<'_> {
    fn insert(&mut self, range: std::ops::Range<u64>, row: &mut PhaseRow) {
        let mut buffer = Vec::new();
        for i in range {
            let taken = self.filter.insert(self.workload.member(i, &mut buffer));
            self.present[i as usize] = taken;
            row.inserted += 1;
            row.rejected += u64::from(!taken);
        }
    }

    /// All keys that it has, singly and in a batch: no bit of it is another then.
    fn insert_again(&mut self) -> Result<()> {
        let before = self.filter.encoded();
        let mut buffer = Vec::new();
        let had = (0..self.present.len()).filter(|&i| self.present[i]);
        let keys = had.map(|i| self.workload.member(i as u64, &mut buffer).to_vec());
        let keys: Vec<Vec<u8>> = keys.collect();
        for key in &keys {
            self.filter.insert(key);
        }
        let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        self.filter.insert_batch(&keys);
        if self.filter.encoded() != before {
            bail!("keys that it has already change it");
        }
        Ok(())
    }

    /// Every second key that is present.
    fn remove_half(&mut self, row: &mut PhaseRow) {
        let mut buffer = Vec::new();
        let present = (0..self.present.len()).filter(|&i| self.present[i]);
        for i in present.step_by(2).collect::<Vec<_>>() {
            let key = self.workload.member(i as u64, &mut buffer);
            row.removals_rejected += u64::from(!self.filter.remove(key));
            row.removed += 1;
            self.present[i] = false;
        }
    }

    /// By every way.
    fn look_up(&self, row: &mut PhaseRow) {
        let mut buffer = Vec::new();
        let present = (0..self.present.len()).filter(|&i| self.present[i]);
        let counted = ways::Count::of(&*self.filter, |look_up| {
            present.for_each(|i| look_up(self.workload.member(i as u64, &mut buffer)));
        });
        row.members_asked = counted.asked;
        row.false_negatives = counted.asked - counted.singly;
        row.batch_false_negatives = counted.batches.map(|own| counted.asked - own.present);
        row.batch_otherwise = counted.batches.map(|own| own.otherwise);
    }
}

impl PhasesCell {
    pub fn measure(&self) -> Vec<PhaseRow> {
        self.watched(&mut |_, _, _| {})
    }

    /// The same, looked on by another.
    pub fn watched(&self, watch: &mut Watch<'_>) -> Vec<PhaseRow> {
        let mut rows = Vec::new();
        let lived = guarded(|| {
            self.run(&mut |cycle, mut row| {
                cycle.look_up(&mut row);
                watch(&row.phase, &*cycle.filter, cycle.workload);
                rows.push(row);
            })
        });
        if let Err(error) = lived {
            let row = self.row("");
            rows.push(PhaseRow { error, ..row });
        }
        rows
    }

    fn run(&self, tell: &mut Tell<'_>) -> Result<()> {
        let all = GROWN * self.0.capacity;
        let workload = self.0.workload(all)?;
        let of = |filter| Lifecycle {
            filter,
            workload: &workload,
            present: vec![false; all as usize],
        };
        let new = || -> Result<Lifecycle<'_>> { Ok(of(self.0.make()?)) };
        self.live(&mut new()?, tell)?;
        self.take_capacity(&workload)?;
        if self.0.filter.removes {
            self.repeat(&mut new()?, tell);
            self.remove_absent(&mut new()?)?;
            self.empty(&mut new()?)?;
            self.unite_repeats([new()?, new()?])?;
            self.remove_when_full(&workload)?;
        } else {
            self.insert_twice(&workload)?;
        }
        self.unite([new()?, new()?], tell)?;
        self.reject_another(&mut *self.0.make()?)?;
        self.reject_other_sizes()?;
        self.intersect([new()?, new()?])?;
        self.share(&new, tell)?;
        self.share_batches(&workload)?;
        if let Some(roomy) = self.roomy(&workload)? {
            self.fold(&mut of(roomy), tell)?;
            self.fold_neighbours(&workload)?;
        }
        Ok(())
    }

    /// Filled, emptied by half if it can be, filled past its capacity, and written
    /// out and read back as it then is.
    fn live(&self, cycle: &mut Lifecycle<'_>, tell: &mut Tell<'_>) -> Result<()> {
        let Fitted { capacity, .. } = self.0;
        let mut row = self.row("insert");
        cycle.insert(0..capacity, &mut row);
        tell(cycle, row);
        if self.0.filter.removes {
            let mut row = self.row("remove");
            cycle.remove_half(&mut row);
            tell(cycle, row);
        }
        let mut row = self.row("grow");
        cycle.insert(capacity..GROWN * capacity, &mut row);
        if !self.0.filter.removes {
            cycle.insert_again()?;
        }
        tell(cycle, row);
        bytes::reject_damage(&*cycle.filter)?;
        if let Some(read) = cycle.filter.reload() {
            read?;
            tell(cycle, self.row("reload"));
        }
        Ok(())
    }

    /// Two filters with half of the keys each, made one.
    fn unite(&self, [mut one, mut two]: [Lifecycle<'_>; 2], tell: &mut Tell<'_>) -> Result<()> {
        let mut row = self.row("union");
        let half = self.0.capacity / 2;
        one.insert(0..half, &mut row);
        two.insert(half..self.0.capacity, &mut row);
        let Some(united) = one.filter.unite(&*two.filter) else {
            return Ok(());
        };
        united?;
        for (of_one, of_two) in one.present.iter_mut().zip(&two.present) {
            *of_one |= of_two;
        }
        tell(&one, row);
        Ok(())
    }

    /// Bits that another seed has chosen are those of other keys.
    fn reject_another(&self, one: &mut dyn Subject) -> Result<()> {
        let of = &self.0;
        let other = of.seeded(!of.seed)?;
        if of.filter.reproducible_by_seed && matches!(one.unite(&*other), Some(Ok(()))) {
            bail!("it takes in the keys of a filter of another seed");
        }
        Ok(())
    }

    fn row(&self, phase: &str) -> PhaseRow {
        let of = &self.0;
        let (target_fpr, bits_per_key) = of.size.columns();
        PhaseRow {
            target_fpr,
            bits_per_key,
            replicate: of.replicate,
            phase: phase.into(),
            ..row_of!(PhaseRow, of)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Entry, Options, Size, State, composed, filters};
    use crate::workload::Manifest;

    fn rows(filter: Entry) -> Vec<PhaseRow> {
        let keys = Manifest::find().unwrap().load("sequential").unwrap();
        PhasesCell(Fitted {
            experiment: "phases".into(),
            filter: filter.into(),
            keys: keys.into(),
            capacity: 500,
            size: Size::TargetFpr(0.01),
            replicate: 0,
            seed: 1,
            options: Options::default(),
        })
        .measure()
    }

    #[test]
    fn every_filter_lives_through_what_it_can() {
        let all = filters().into_iter().chain(composed());
        for entry in all.filter(|f| f.role == "ours") {
            let (name, removes) = (entry.name, entry.removes);
            let (grows, concurrent) = (entry.grows, entry.concurrent);
            let rows = rows(entry);
            let phase = |phase: &str| rows.iter().find(|row| row.phase == phase);
            for row in &rows {
                let wrong = (
                    row.error.as_str(),
                    row.false_negatives,
                    row.removals_rejected,
                );
                assert_eq!(wrong, ("", 0, 0), "{name}: {row:?}");
            }
            assert_eq!(phase("insert").unwrap().members_asked, 500, "{name}");
            assert_eq!(phase("remove").is_some(), removes, "{name}");
            assert_eq!(phase("concurrent insert").is_some(), concurrent, "{name}");
            for after in ["repeat", "remove repeats"] {
                assert_eq!(phase(after).is_some(), removes, "{name}");
            }
            let whole = grows || removes;
            assert_eq!(phase("fold").is_none(), whole, "{name}");
            let cuckoo = name == "cuckoo";
            assert_eq!(phase("union").is_none(), cuckoo || grows, "{name}");
            let grown = phase("grow").unwrap();
            assert_eq!(grown.rejected > 0, cuckoo, "{name}");
            let present = if removes { 250 } else { 500 } + 1_500 - grown.rejected;
            assert_eq!(grown.members_asked, present, "{name}");
            assert_eq!(phase("reload").unwrap().members_asked, present, "{name}");
        }
    }

    /// Takes every key and forgets all at 600.
    struct Forgetful(u64);

    impl Subject for Forgetful {
        fn insert(&mut self, _: &[u8]) -> bool {
            self.0 += 1;
            true
        }

        fn contains(&self, _: &[u8]) -> bool {
            self.0 < 600
        }

        fn remove(&mut self, _: &[u8]) -> bool {
            false
        }

        fn state(&self, _: u64) -> State {
            unreachable!("a lifecycle asks for no state")
        }
    }

    #[test]
    fn a_false_negative_is_reported_of_its_phase() {
        let mut entry = filters().swap_remove(0);
        entry.removes = true;
        entry.build = Box::new(|_| Ok(Box::new(Forgetful(0))));
        let rows = rows(entry);
        let counted: Vec<_> = rows
            .iter()
            .map(|row| (&*row.phase, row.removals_rejected, row.false_negatives))
            .collect();
        assert_eq!(
            counted,
            [
                ("insert", 0, 0),
                ("remove", 250, 0),
                ("grow", 0, 1_750),
                ("repeat", 0, 250),
                ("remove repeats", 16 * 255, 250)
            ]
        );
    }
}
