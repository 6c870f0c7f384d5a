//! Who may be recommended, and what each can do.

/// What a candidate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A filter of this project.
    Ours,
    /// Holds the keys themselves.
    Exact,
    /// A static filter of another crate.
    Other,
    /// No filter at all.
    Nothing,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Exact => "exact",
            Self::Other => "other",
            Self::Nothing => "none",
        }
    }
}

/// What can be put in front of the work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Candidate {
    None,
    Standard,
    Partitioned,
    Blocked,
    BlockedWords32,
    BlockedLine,
    Counting,
    Scalable,
    Sharded,
    ShardedCounting,
    Atomic,
    Cuckoo,
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
    /// Sets made apart are made one.
    pub unites: bool,
    /// It has a stored form.
    pub stores: bool,
    /// Its answers cannot be foretold without a secret, or are never wrong.
    pub withstands: bool,
    /// Built of all keys at once.
    pub is_static: bool,
    /// Keys are integers of a known range.
    pub integers_only: bool,
}

const OURS: Facts = Facts {
    name: "",
    class: Class::Ours,
    removes: false,
    counts: false,
    grows: false,
    concurrent: false,
    unites: true,
    stores: true,
    withstands: true,
    is_static: false,
    integers_only: false,
};

const EXACT: Facts = Facts {
    class: Class::Exact,
    removes: true,
    grows: true,
    ..OURS
};

const OTHER: Facts = Facts {
    class: Class::Other,
    unites: false,
    withstands: false,
    is_static: true,
    ..OURS
};

impl Candidate {
    pub const ALL: [Self; 18] = [
        Self::None,
        Self::Standard,
        Self::Partitioned,
        Self::Blocked,
        Self::BlockedWords32,
        Self::BlockedLine,
        Self::Counting,
        Self::Scalable,
        Self::Sharded,
        Self::ShardedCounting,
        Self::Atomic,
        Self::Cuckoo,
        Self::HashSet,
        Self::SortedArray,
        Self::Bitmap,
        Self::Roaring,
        Self::Fuse8,
        Self::Fuse16,
    ];

    pub const fn facts(self) -> Facts {
        match self {
            Self::None => Facts {
                name: "none",
                class: Class::Nothing,
                removes: true,
                grows: true,
                concurrent: true,
                ..OURS
            },
            Self::Standard => Facts {
                name: "standard",
                ..OURS
            },
            Self::Partitioned => Facts {
                name: "partitioned",
                ..OURS
            },
            Self::Blocked => Facts {
                name: "blocked",
                ..OURS
            },
            Self::BlockedWords32 => Facts {
                name: "blocked-words32",
                ..OURS
            },
            Self::BlockedLine => Facts {
                name: "blocked-line",
                ..OURS
            },
            Self::Counting => Facts {
                name: "counting",
                removes: true,
                counts: true,
                ..OURS
            },
            Self::Scalable => Facts {
                name: "scalable",
                grows: true,
                unites: false,
                ..OURS
            },
            Self::Sharded => Facts {
                name: "sharded",
                concurrent: true,
                ..OURS
            },
            Self::ShardedCounting => Facts {
                name: "sharded-counting",
                removes: true,
                counts: true,
                concurrent: true,
                ..OURS
            },
            Self::Atomic => Facts {
                name: "atomic",
                concurrent: true,
                ..OURS
            },
            Self::Cuckoo => Facts {
                name: "cuckoo",
                removes: true,
                unites: false,
                ..OURS
            },
            Self::HashSet => Facts {
                name: "hash-set",
                stores: false,
                ..EXACT
            },
            Self::SortedArray => Facts {
                name: "sorted-array",
                removes: false,
                grows: false,
                is_static: true,
                ..EXACT
            },
            Self::Bitmap => Facts {
                name: "bitmap",
                integers_only: true,
                ..EXACT
            },
            Self::Roaring => Facts {
                name: "roaring",
                integers_only: true,
                ..EXACT
            },
            Self::Fuse8 => Facts {
                name: "xorf-fuse8",
                ..OTHER
            },
            Self::Fuse16 => Facts {
                name: "xorf-fuse16",
                ..OTHER
            },
        }
    }

    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn class(self) -> Class {
        self.facts().class
    }

    /// Whether its FPR can be chosen.
    pub fn is_sized(self) -> bool {
        self.class() == Class::Ours
    }

    /// Why one takes it, in a few words.
    pub fn virtue(self) -> &'static str {
        match self {
            Self::None => "it costs nothing",
            Self::Standard => "it is one plain array of bits",
            Self::Partitioned => "each probe has a part of the bits to itself",
            Self::Blocked | Self::BlockedWords32 | Self::BlockedLine => {
                "a lookup reads one block of memory"
            }
            Self::Counting => "it removes keys and takes every key it is given",
            Self::Scalable => "it grows with its keys and keeps its FPR",
            Self::Sharded => "threads fill it, each key under the lock of its shard",
            Self::ShardedCounting => "threads fill it and remove from it, a lock a shard",
            Self::Atomic => "threads fill it without a lock",
            Self::Cuckoo => "it holds a fingerprint of each key, which can be removed",
            Self::HashSet => "it is never wrong",
            Self::SortedArray => "it is never wrong and takes the keys alone",
            Self::Bitmap => "it is never wrong and takes a bit for every possible key",
            Self::Roaring => "it is never wrong and packs integers",
            Self::Fuse8 | Self::Fuse16 => "it is built of all keys at once",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_lab::registry;

    #[test]
    fn every_variant_is_a_candidate_and_can_what_the_registry_says() {
        for entry in registry::filters()
            .iter()
            .filter(|entry| entry.role == "ours")
        {
            let found = Candidate::ALL.iter().find(|one| one.name() == entry.name);
            let facts = found.unwrap_or_else(|| panic!("{}", entry.name)).facts();
            assert_eq!(
                (facts.removes, facts.grows, facts.concurrent),
                (entry.removes, entry.grows, entry.concurrent),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn names_are_unique_and_in_order() {
        for (place, one) in Candidate::ALL.iter().enumerate() {
            let same = |other: &Candidate| other.name() == one.name();
            assert_eq!(Candidate::ALL.iter().position(same), Some(place));
        }
    }
}
