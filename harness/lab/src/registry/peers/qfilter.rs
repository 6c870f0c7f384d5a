//! The crate qfilter: a rank-select quotient filter, of one size and growing.

use anyhow::Result;
use qfilter::Filter;

use super::{
    Ask, Contender, State, Store, Subject, boxed, concrete, concrete_mut, from_bincode, peer,
    reload, target, to_bincode,
};
use crate::registry::Entry;

const RELEASE: &str = "qfilter 0.3.1";
const THEORY: &str = "1 - exp(-load / 2^r), r = bits of a remainder: what the crate tells itself";
/// By its capacity: it must be told how far it will grow, and the scoreboard
/// fills filters that grow so far.
const ROOM: u64 = 10;

pub fn fixed() -> Contender {
    let about = "The crate qfilter: a quotient filter of one size, slots rounded up to a power of \
                 two. foldhash with a fixed seed; another hasher can be given";
    contender("qfilter", about, false, |ask| {
        let fpr = target("qfilter", ask)?;
        boxed(Peer(Filter::new(ask.capacity, fpr)?))
    })
}

pub fn resizeable() -> Contender {
    let about = "The crate qfilter: a quotient filter that doubles up to ten times its capacity, \
                 with the target FPR held there. Hashed as qfilter is";
    contender("qfilter-resizeable", about, true, |ask| {
        let fpr = target("qfilter", ask)?;
        boxed(Peer(Filter::new_resizeable(
            ask.capacity,
            ask.capacity * ROOM,
            fpr,
        )?))
    })
}

fn contender(
    name: &'static str,
    about: &'static str,
    grows: bool,
    build: fn(&Ask) -> Result<Box<dyn Subject>>,
) -> Contender {
    let peer = peer(name, RELEASE, about, THEORY, build);
    Contender {
        entry: Entry {
            reproducible_by_seed: true,
            removes: true,
            grows,
            ..peer.entry
        },
        unite: Some(|left, right| {
            let right = concrete::<Peer>(right)?;
            Ok(concrete_mut::<Peer>(left)?.0.merge(false, &right.0)?)
        }),
        reload: Some(reload::<Peer>),
        ..peer
    }
}

struct Peer(Filter);

impl Subject for Peer {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert(key).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.0.remove(key)
    }

    fn state(&self, _keys: u64) -> State {
        let bytes = self.0.memory_usage() as u64;
        let memory = bytes + size_of::<Self>() as u64;
        super::state(bytes * 8, 0, memory, self.0.current_error_ratio())
    }
}

impl Store for Peer {
    fn write(&self) -> Result<Vec<u8>> {
        to_bincode(&self.0)
    }

    fn read(bytes: Vec<u8>) -> Result<Self> {
        from_bincode(&bytes).map(Self)
    }
}
