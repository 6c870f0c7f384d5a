//! Who may be recommended, and what each can do.

use bouquet_catalogue::{self as catalogue, Unites};

bouquet_ground::named! {
    /// What a candidate is.
    pub enum Class {
        /// A filter of this project.
        Ours = "ours",
        /// Holds the keys themselves.
        Exact = "exact",
        /// A static filter of another crate.
        Other = "other",
        /// No filter at all.
        Nothing = "none",
    }
}

/// What can be put in front of the work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Candidate {
    None,
    /// A filter of this project, by its place in the catalogue.
    Ours(usize),
    /// The same in shards that the program puts behind locks.
    InShards(usize),
    HashSet,
    SortedArray,
    Bitmap,
    Roaring,
    Fuse8,
    Fuse16,
}

/// What a candidate can do.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub name: &'static str,
    pub class: Class,
    pub removes: bool,
    /// Has counters in place of bits.
    pub counts: bool,
    pub grows: bool,
    /// Takes keys from many threads at once.
    pub concurrent: bool,
    /// A program puts it behind one lock, where threads take turns.
    pub lockable: bool,
    pub unites: Unites,
    /// Its answers cannot be predicted without a secret, or are never wrong.
    pub withstands: bool,
    /// Built of all keys at once.
    pub is_static: bool,
    /// Keys are integers of a known range.
    pub integers_only: bool,
    /// Why one takes it, in a few words.
    pub virtue: &'static str,
    /// See [`catalogue::Facts::plainness`].
    pub plainness: u32,
}

const OURS: Facts = Facts {
    name: "",
    class: Class::Ours,
    removes: false,
    counts: false,
    grows: false,
    concurrent: false,
    lockable: false,
    unites: Unites::Same,
    withstands: true,
    is_static: false,
    integers_only: false,
    virtue: "it is never wrong",
    plainness: 0,
};

const EXACT: Facts = Facts {
    class: Class::Exact,
    removes: true,
    grows: true,
    ..OURS
};

const OTHER: Facts = Facts {
    class: Class::Other,
    unites: Unites::Never,
    withstands: false,
    is_static: true,
    virtue: "it is built of all keys at once",
    ..OURS
};

/// Nothing, and what holds the keys themselves or is of another crate.
const NOT_OURS: [Candidate; 7] = [
    Candidate::None,
    Candidate::HashSet,
    Candidate::SortedArray,
    Candidate::Bitmap,
    Candidate::Roaring,
    Candidate::Fuse8,
    Candidate::Fuse16,
];

impl Candidate {
    /// No filter, ours, and all others. Of ours those that only insert and ask come
    /// first, and those of one type together.
    pub fn all() -> Vec<Self> {
        let facts = catalogue::facts();
        let mut ours: Vec<usize> = (0..facts.len()).collect();
        ours.sort_by_key(|at| {
            let one = facts[*at];
            let filter = |of: &catalogue::Facts| of.snippet.types().next();
            let kin = facts.iter().position(|other| filter(other) == filter(one));
            (one.removes || one.grows || one.concurrent, kin)
        });
        let mut all = vec![Self::None];
        let in_shards = ours.clone().into_iter().map(Self::InShards);
        all.extend(ours.into_iter().map(Self::Ours));
        all.extend(in_shards.filter(|one| one.shards().is_some()));
        all.extend(&NOT_OURS[1..]);
        all
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|one| one.name() == name)
    }

    /// The filter that others are compared with.
    pub const PLAIN: Self = Self::Ours(0);

    /// What the catalogue says of it, or of one of its shards, if it is ours.
    pub fn ours(self) -> Option<&'static catalogue::Facts> {
        match self {
            Self::Ours(at) | Self::InShards(at) => catalogue::facts().get(at).copied(),
            _ => None,
        }
    }

    /// What there is to know of its shards, if a program puts it in shards.
    fn shards(self) -> Option<catalogue::InShards> {
        match self {
            Self::InShards(_) => self.ours()?.in_shards,
            _ => None,
        }
    }

    pub fn facts(self) -> Facts {
        match self {
            Self::None => Facts {
                name: "none",
                class: Class::Nothing,
                removes: true,
                grows: true,
                concurrent: true,
                virtue: "it costs nothing",
                ..OURS
            },
            Self::InShards(at) => self.shards().map_or(OURS, |own| Facts {
                name: own.name,
                concurrent: true,
                virtue: own.virtue,
                plainness: own.plainness,
                ..Self::Ours(at).facts()
            }),
            Self::Ours(_) => self.ours().map_or(OURS, |own| Facts {
                name: own.name,
                removes: own.removes,
                counts: own.counts,
                grows: own.grows,
                concurrent: own.concurrent,
                unites: own.unites,
                virtue: own.virtue,
                plainness: own.plainness,
                ..OURS
            }),
            Self::HashSet => Facts {
                name: "hash-set",
                lockable: true,
                plainness: 160,
                ..EXACT
            },
            Self::SortedArray => Facts {
                name: "sorted-array",
                removes: false,
                grows: false,
                is_static: true,
                virtue: "it is never wrong and takes the keys alone",
                plainness: 150,
                ..EXACT
            },
            Self::Bitmap => Facts {
                name: "bitmap",
                integers_only: true,
                virtue: "it is never wrong and takes a bit for every possible key",
                plainness: 10,
                ..EXACT
            },
            Self::Roaring => Facts {
                name: "roaring",
                integers_only: true,
                virtue: "it is never wrong and packs integers",
                plainness: 170,
                ..EXACT
            },
            Self::Fuse8 => Facts {
                name: "xorf-fuse8",
                plainness: 70,
                ..OTHER
            },
            Self::Fuse16 => Facts {
                name: "xorf-fuse16",
                plainness: 80,
                ..OTHER
            },
        }
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn class(self) -> Class {
        self.facts().class
    }

    /// Whether its FPR can be chosen.
    pub fn is_sized(self) -> bool {
        self.class() == Class::Ours
    }

    /// Whether it is a filter that begins with room for the first keys and grows.
    pub fn begins_small(self) -> bool {
        self.is_sized() && self.facts().grows
    }

    /// Its place among all, the plainest first.
    pub fn plainness(self) -> u32 {
        self.facts().plainness
    }
}

/// The one of this name, which there is.
#[cfg(test)]
pub fn named(name: &str) -> Candidate {
    Candidate::named(name).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_are_each_candidate_s_own() {
        let all = Candidate::all();
        for (place, one) in all.iter().enumerate() {
            assert_eq!(Candidate::named(one.name()), Some(*one));
            let same = |other: &Candidate| other.plainness() == one.plainness();
            assert_eq!(all.iter().position(same), Some(place));
        }
        let facts = catalogue::facts();
        let in_shards = facts.iter().filter(|one| one.in_shards.is_some());
        assert_eq!(all.len(), NOT_OURS.len() + facts.len() + in_shards.count());
    }

    #[test]
    fn plain_filters_come_first_and_those_of_one_type_together() {
        let names: Vec<&str> = Candidate::all().iter().map(|one| one.name()).collect();
        let place = |name| names.iter().position(|one| *one == name);
        assert!(place("blocked-line") < place("counting"));
        assert_eq!(place("sharded-counting"), place("sharded").map(|at| at + 1));
    }
}
