//! Which candidate is the plainer one: where their costs are too close to call,
//! this decides.

use super::candidates::Candidate;

/// Plainest first, by what each is:
///
/// - nothing at all, and a bit for each possible key, which has no hash and is
///   never wrong;
/// - one array of bits, then the same in blocks, then in parts;
/// - static filters of another crate, the smaller one first: built anew for every
///   change, and possible only where nothing changes;
/// - what has means for more than to insert and to ask: without locks before with
///   locks, then growth, fingerprints, counters;
/// - sets that hold the keys themselves, in many times the memory.
const PLAINEST_FIRST: [Candidate; 18] = [
    Candidate::None,
    Candidate::Bitmap,
    Candidate::Standard,
    Candidate::Blocked,
    Candidate::BlockedWords32,
    Candidate::BlockedLine,
    Candidate::Partitioned,
    Candidate::Fuse8,
    Candidate::Fuse16,
    Candidate::Atomic,
    Candidate::Sharded,
    Candidate::Scalable,
    Candidate::Cuckoo,
    Candidate::Counting,
    Candidate::ShardedCounting,
    Candidate::SortedArray,
    Candidate::HashSet,
    Candidate::Roaring,
];

impl Candidate {
    /// Its place among all, the plainest first.
    pub fn plainness(self) -> usize {
        let place = PLAINEST_FIRST.iter().position(|one| *one == self);
        place.unwrap_or(PLAINEST_FIRST.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_has_a_place_of_its_own() {
        let mut places = Candidate::ALL.map(Candidate::plainness);
        places.sort_unstable();
        assert!(places.iter().enumerate().all(|(at, place)| at == *place));
    }
}
