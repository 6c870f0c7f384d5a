//! Questions in two parts, where most keys are absent: a few locations of each key, then the
//! others of those keys that have the few.

use crate::{
    RemoteBitmap, Result, Scheme,
    batch::{self, Marks},
    bitmap::Asked,
    wire::Wire,
};

/// Locations of the first part: of a filter that is half full one absent key in 32 has them.
const FIRST: usize = 5;

/// Keys from which on the words that are saved are worth a second round trip.
const FROM: usize = 8;

/// What the last batch was like, for the next one is likely to be as that.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Habit {
    is_mostly_absent: bool,
}

/// It is no part of what a filter is.
impl PartialEq for Habit {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Habit {
    pub(crate) fn note(&mut self, found: &[bool]) {
        if found.len() >= FROM {
            let absent = found.iter().filter(|found| !**found).count();
            self.is_mostly_absent = 2 * absent > found.len();
        }
    }

    /// Whether these locations are asked for in two parts.
    pub(crate) fn is_in_parts(self, locations: &[u64], hashes: usize) -> bool {
        self.is_mostly_absent && hashes >= 2 * FIRST && locations.len() >= FROM * hashes
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    /// Each part asks for the marks, so that a loss between them is one.
    pub(crate) async fn ask_in_parts(
        &self,
        wire: &mut impl Wire,
        locations: &[u64],
        hashes: usize,
    ) -> Result<Asked> {
        let marks = self.marks();
        let keys = locations.chunks(hashes);
        let few: Vec<u64> = keys
            .clone()
            .flat_map(|key| &key[..FIRST])
            .copied()
            .collect();
        let mut found = match self.ask_bits(wire, marks, &few, FIRST).await? {
            Ok(Ok(found)) => found,
            other => return Ok(other),
        };
        let left = keys.zip(&found).filter(|(_, found)| **found);
        let rest: Vec<u64> = left.flat_map(|(key, _)| &key[FIRST..]).copied().collect();
        if rest.is_empty() {
            return Ok(Ok(Ok(found)));
        }
        let rest = match self.ask_bits(wire, marks, &rest, hashes - FIRST).await? {
            Ok(Ok(rest)) => rest,
            other => return Ok(other),
        };
        let left = found.iter_mut().filter(|found| **found);
        left.zip(rest).for_each(|(found, rest)| *found = rest);
        Ok(Ok(Ok(found)))
    }

    /// One `BITFIELD_RO`.
    pub(crate) async fn ask_bits(
        &self,
        wire: &mut impl Wire,
        marks: Marks,
        locations: &[u64],
        hashes: usize,
    ) -> Result<Asked> {
        let asked = batch::ask_bits(self.name(), marks, locations);
        Ok(match wire.one(&asked).await {
            Ok(reply) => Ok(batch::found_by_bits(reply, marks, locations, hashes)?),
            Err(error) => Err(("BITFIELD_RO", error)),
        })
    }
}
