//! One filter on the scoreboard: one phase of it, in one replicate.

use anyhow::{Context, Result, anyhow};

use super::{Fitted, guarded, non_members_for};
use crate::answers::count;
use crate::registry::{Request, Subject};
use crate::workload::{Workload, mix};
use bouquet_ground::interrupt::interrupted;
use bouquet_ground::record::{PeerFaultRow, PeerRow, SeedForm};

/// See the column of the same name in [`PeerRow`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Phase {
    Load(f64),
    Union,
    Reload,
    Size,
    Capacity,
    Seed(SeedForm),
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Self::Load(_) => "load",
            Self::Union => "union",
            Self::Reload => "reload",
            Self::Size => "size",
            Self::Capacity => "capacity",
            Self::Seed(_) => "seed",
        }
    }

    /// Keys by capacity.
    pub fn load(self) -> f64 {
        match self {
            Self::Load(load) => load,
            _ => 1.0,
        }
    }

    fn seed_form(self) -> SeedForm {
        match self {
            Self::Seed(form) => form,
            _ => SeedForm::Drawn,
        }
    }
}

pub struct PeerCell {
    pub of: Fitted,
    pub phase: Phase,
    pub target_fpr: f64,
    /// False positives to expect.
    pub hits: f64,
    pub max_non_members: u64,
}

/// A filter with what it took and what it holds.
struct Filled {
    filter: Box<dyn Subject>,
    accepted: Vec<bool>,
    allocated_bytes: u64,
}

impl PeerCell {
    pub fn measure(&self) -> PeerRow {
        let mut row = self.empty_row();
        let outcome = guarded(|| match self.phase {
            Phase::Load(_) | Phase::Capacity | Phase::Seed(_) => self.load(&mut row),
            Phase::Union => self.union(&mut row),
            Phase::Reload => self.reload(&mut row),
            Phase::Size => self.size(&mut row),
        });
        match outcome {
            Ok(outcome) => row.outcome = outcome,
            Err(error) => row.error = error,
        }
        row
    }

    /// Whether this is where a fault shows.
    pub fn shows(&self, fault: &PeerFaultRow) -> bool {
        fault.shows_in(&self.empty_row())
    }

    fn make(&self) -> Result<Box<dyn Subject>> {
        let seed_form = self.phase.seed_form();
        (self.of.filter.build)(&Request {
            seed: u64::from_le_bytes(seed_form.of(self.of.seed.to_le_bytes())),
            seed_form,
            ..self.of.request()
        })
    }

    /// What a filter holds is what the allocator gave this thread less what it
    /// got back: no crate has to report it, none can forget a part, and other
    /// threads may measure at the same time. An allocator of our own would be
    /// unsafe code; the crate that counts takes the place of the global one,
    /// which is why it comes with the feature alone.
    fn filled(&self, workload: &Workload<'_>, keys: u64) -> Result<Filled> {
        let fill = |accepted: &mut Vec<bool>| -> Result<_> {
            let mut filter = self.make()?;
            workload.members(|key| {
                accepted.push(filter.insert(key));
                // A static filter is built when it is first asked, and takes no
                // key more.
                if accepted.len() as u64 == self.of.capacity {
                    filter.contains(b"");
                }
            });
            Ok(filter)
        };
        let mut accepted = Vec::with_capacity(keys as usize);
        // What a crate allocates once a thread, such as a random generator, is
        // no part of the filter: the first one is thrown away.
        drop(fill(&mut accepted)?);
        accepted.clear();
        let mut made = Err(String::new());
        // A panic must not pass the counter by: it would count forever.
        let info = allocation_counter::measure(|| made = guarded(|| fill(&mut accepted)));
        Ok(Filled {
            filter: made.map_err(|error| anyhow!(error))?,
            accepted,
            allocated_bytes: info.bytes_current.max(0) as u64,
        })
    }

    fn load(&self, row: &mut PeerRow) -> Result<String> {
        let workload = self.of.workload(row.keys)?;
        let filled = self.filled(&workload, row.keys)?;
        filled.note(row);
        let filter = &*filled.filter;
        look_up_members(row, filter, &workload, &filled.accepted, |_| true);
        self.look_up_non_members(&workload, filter, row);
        Ok(DONE.into())
    }

    fn look_up_non_members(
        &self,
        workload: &Workload<'_>,
        filter: &dyn Subject,
        row: &mut PeerRow,
    ) {
        let most = self.max_non_members;
        let non_members = non_members_for(self.hits, self.target_fpr, most, &self.of.keys);
        workload.non_members(non_members, |key| {
            row.non_members_asked += 1;
            row.false_positives += u64::from(filter.contains(key));
            !interrupted()
        });
    }

    fn union(&self, row: &mut PeerRow) -> Result<String> {
        let Some(unite) = &self.of.filter.unite else {
            return Ok(NOT_OFFERED.into());
        };
        let workload = self.of.workload(row.keys)?;
        let other = Fitted {
            seed: mix(self.of.seed),
            ..self.of.clone()
        };
        let (mut left, mut right) = (self.of.make()?, other.make()?);
        let mut accepted = Vec::with_capacity(row.keys as usize);
        workload.members(|key| {
            let side = if (accepted.len() as u64) < row.keys / 2 {
                &mut left
            } else {
                &mut right
            };
            accepted.push(side.insert(key));
        });
        row.rejected = row.keys - count(&accepted);
        if let Err(reason) = unite(&mut *left, &*right) {
            return Ok(format!("rejected: {reason:#}"));
        }
        look_up_members(row, &*left, &workload, &accepted, |_| true);
        self.look_up_non_members(&workload, &*left, row);
        Ok(DONE.into())
    }

    fn reload(&self, row: &mut PeerRow) -> Result<String> {
        let workload = self.of.workload(row.keys)?;
        let filled = self.filled(&workload, row.keys)?;
        filled.note(row);
        let Some(reload) = &self.of.filter.reload else {
            return Ok(NOT_OFFERED.into());
        };
        let (bytes, again) = reload(&*filled.filter).context("cannot be written and read back")?;
        row.serialized_bytes = Some(bytes);
        // False negatives from before are no fault of its being written.
        let before = |key: &[u8]| filled.filter.contains(key);
        look_up_members(row, &*again, &workload, &filled.accepted, before);
        Ok(DONE.into())
    }

    fn size(&self, row: &mut PeerRow) -> Result<String> {
        self.filled(&self.of.workload(row.keys)?, row.keys)?
            .note(row);
        Ok(DONE.into())
    }

    fn empty_row(&self) -> PeerRow {
        PeerRow {
            release: self.of.filter.release.into(),
            hashing: self.of.filter.hashing.name().into(),
            is_static: self.of.filter.is_static,
            chooses_fpr: self.of.filter.fixed_size.is_none(),
            phase: self.phase.name().into(),
            load: self.phase.load(),
            target_fpr: self.target_fpr,
            replicate: self.of.replicate,
            seed_form: self.phase.seed_form(),
            keys: (self.of.capacity as f64 * self.phase.load()).round() as u64,
            ..row_of!(PeerRow, self.of)
        }
    }
}

impl Filled {
    fn note(&self, row: &mut PeerRow) {
        row.rejected = self.accepted.len() as u64 - count(&self.accepted);
        row.allocated_bytes = Some(self.allocated_bytes);
    }
}

/// Asks for the members that were accepted and of which `is_asked` says so. A
/// filter may have kept what it rejected, or not: no answer to it is wrong.
fn look_up_members(
    row: &mut PeerRow,
    filter: &dyn Subject,
    workload: &Workload<'_>,
    accepted: &[bool],
    is_asked: impl Fn(&[u8]) -> bool,
) {
    let mut accepted = accepted.iter();
    workload.members(|key| {
        if accepted.next() == Some(&true) && is_asked(key) {
            row.members_asked += 1;
            row.false_negatives += u64::from(!filter.contains(key));
        }
    });
}

const DONE: &str = "done";
const NOT_OFFERED: &str = "not offered";

#[cfg(test)]
mod tests;
