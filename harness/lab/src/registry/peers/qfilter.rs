//! The crate qfilter: a rank-select quotient filter, of one size and growing.

use anyhow::Result;
use qfilter::Filter;

use super::{Entry, Peer, Request, Resolved, State, target};

const RELEASE: &str = "qfilter 0.3.1";
const THEORY: &str = "1 - exp(-load / 2^r), r = bits of a remainder: what the crate reports";
/// By its capacity: it needs to know how far it will grow, and filters that grow are filled so
/// far.
const ROOM: u64 = 10;

pub fn fixed() -> Entry {
    let about = "The crate qfilter: a quotient filter of one size, slots rounded up to a power of \
                 two. foldhash with a fixed seed; another hasher can be given";
    contender("qfilter", about, false, |request| {
        let fpr = target("qfilter", request)?;
        Ok(Peer(Filter::new(request.capacity, fpr)?))
    })
}

pub fn resizeable() -> Entry {
    let about = "The crate qfilter: a quotient filter that doubles up to ten times its capacity, \
                 keeping the target FPR. Hashed as qfilter is";
    contender("qfilter-resizeable", about, true, |request| {
        let fpr = target("qfilter", request)?;
        Ok(Peer(Filter::new_resizeable(
            request.capacity,
            request.capacity * ROOM,
            fpr,
        )?))
    })
}

fn contender(
    name: &'static str,
    about: &'static str,
    grows: bool,
    build: fn(&Request) -> Result<Peer<Filter>>,
) -> Entry {
    let mut peer = Entry::new(name, RELEASE, about, THEORY, build);
    peer.reproducible_by_seed = true;
    peer.removes = true;
    peer.grows = grows;
    peer
}

impl Resolved for Filter {
    /// A fingerprint once for each key that has it, for else the first removal takes it from all.
    fn add(&mut self, key: &[u8]) -> bool {
        self.insert_duplicated(key).is_ok()
    }

    fn forget(&mut self, key: &[u8]) -> bool {
        self.remove(key)
    }

    fn state_with(&self, _keys: u64) -> State {
        let bytes = self.memory_usage() as u64;
        let memory = bytes + size_of::<Self>() as u64;
        super::state(bytes * 8, 0, memory, self.current_error_ratio())
    }
}
