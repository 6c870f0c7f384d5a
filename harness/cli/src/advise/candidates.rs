//! The candidates for a recommendation, and what each can do.

use bouquet_catalogue::{self as catalogue, Facts, Family, PLAIN, Unites};

use super::{requirements::Growth, workload::Workload};

bouquet_record::named! {
    /// The class of a candidate.
    pub enum Class {
        /// A filter of this project.
        Ours = "ours",
        /// A set that stores the keys themselves.
        Exact = "exact",
        /// No filter at all.
        Nothing = "none",
    }
}

/// A filter or exact set that can be queried before the backing lookup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Candidate {
    None,
    /// A filter of this project, by its index in the catalogue.
    Ours(usize),
    /// A filter of this project in shards, each behind a lock. The user's program makes the shards.
    InShards(usize),
    HashSet,
    SortedArray,
    Bitmap,
    Roaring,
}

const fn exact(name: &'static str, rationale: &'static str, simplicity_rank: u32) -> Facts {
    Facts {
        name,
        rationale,
        simplicity_rank,
        removes: true,
        grows: true,
        ..PLAIN
    }
}

const NONE: Facts = Facts {
    concurrent: true,
    ..exact("none", "it costs nothing", PLAIN.simplicity_rank)
};
const SORTED: Facts = Facts {
    removes: false,
    grows: false,
    ..exact(
        "sorted-array",
        "it is never wrong and takes the keys alone",
        150,
    )
};
const RIGHT: &str = "it is never wrong";
const BIT_EACH: &str = "it is never wrong and takes a bit for every possible key";
const PACKED: &str = "it is never wrong and packs integers";

/// The candidates besides Bouquet's filters: no filter, and exact sets.
const NOT_OURS: [(Candidate, Facts); 5] = [
    (Candidate::None, NONE),
    (Candidate::HashSet, exact("hash-set", RIGHT, 160)),
    (Candidate::SortedArray, SORTED),
    (Candidate::Bitmap, exact("bitmap", BIT_EACH, 10)),
    (Candidate::Roaring, exact("roaring", PACKED, 170)),
];

impl Candidate {
    /// No filter, then Bouquet's filters, and exact sets. Among Bouquet's,
    /// those that only insert and look up come first, and those of one Rust type are adjacent.
    pub fn all() -> Vec<Self> {
        let facts = catalogue::facts();
        let mut ours: Vec<usize> = (0..facts.len()).collect();
        ours.sort_by_key(|at| {
            let one = facts[*at];
            let filter = |of: &Facts| of.snippet.types().next();
            let kin = facts.iter().position(|other| filter(other) == filter(one));
            (one.removes || one.grows || one.concurrent, kin)
        });
        let in_shards = ours.iter().filter(|at| facts[**at].in_shards.is_some());
        let in_shards = in_shards.map(|at| Self::InShards(*at));
        let not_ours = NOT_OURS[1..].iter().map(|(one, _)| *one);
        let all = ours.iter().map(|at| Self::Ours(*at)).chain(in_shards);
        let all = all.chain(not_ours);
        [Self::None].into_iter().chain(all).collect()
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|one| one.name() == name)
    }

    /// The standard filter, with which others are compared.
    #[cfg(test)]
    pub const PLAIN: Self = Self::Ours(0);

    /// The catalogue's facts about the filter, or about one of its shards; `None` if the candidate
    /// is not a filter of ours.
    pub fn ours(self) -> Option<&'static Facts> {
        match self {
            Self::Ours(at) | Self::InShards(at) => catalogue::facts().get(at).copied(),
            _ => None,
        }
    }

    /// What the candidate can do. A filter in shards can do what one shard can, and also insert
    /// from several threads.
    pub fn facts(self) -> Facts {
        let Some(own) = self.ours() else {
            let found = NOT_OURS.into_iter().find(|(one, _)| *one == self);
            return found.map_or(PLAIN, |(_, facts)| facts);
        };
        match (self, own.in_shards) {
            (Self::InShards(_), Some(shards)) => Facts {
                name: shards.name,
                concurrent: true,
                rationale: shards.rationale,
                simplicity_rank: shards.simplicity_rank,
                ..*own
            },
            _ => *own,
        }
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    pub fn class(self) -> Class {
        match self {
            Self::None => Class::Nothing,
            Self::Ours(_) | Self::InShards(_) => Class::Ours,
            _ => Class::Exact,
        }
    }

    /// Whether the candidate can be built only when all keys are known.
    pub fn is_static(self) -> bool {
        let is_built = self.facts().family == Family::Static;
        is_built || self == Self::SortedArray
    }

    /// Whether the user's program can share the candidate between threads, with one lock around it.
    pub fn is_lockable(self) -> bool {
        self == Self::HashSet || self.facts().forgets
    }

    /// Whether the candidate's keys must be integers of a known range.
    pub fn takes_integers_only(self) -> bool {
        matches!(self, Self::Bitmap | Self::Roaring)
    }

    /// Whether the candidate can be sized for any target FPR.
    pub fn is_sized(self) -> bool {
        self.class() == Class::Ours
    }

    /// The capacity to build the candidate with, if the number of keys grows from `first` to `all`.
    pub fn capacity(self, first: u64, all: u64) -> u64 {
        match self.is_sized() && self.facts().grows {
            true => first,
            false => all,
        }
    }

    /// The candidate's rank in simplicity; a lower rank is simpler.
    pub fn simplicity_rank(self) -> u32 {
        self.facts().simplicity_rank
    }
}

/// The candidate with this name, which must exist.
#[cfg(test)]
pub fn named(name: &str) -> Candidate {
    Candidate::named(name).unwrap()
}

/// All reasons against a candidate; empty if it meets the requirements.
pub fn objections(candidate: Candidate, workload: &Workload) -> Vec<&'static str> {
    if candidate == Candidate::None {
        return Vec::new();
    }
    let facts = candidate.facts();
    let (is_static, class) = (candidate.is_static(), candidate.class());
    let threads = workload.threads > 1 && !workload.is_static;
    let takes_threads = facts.concurrent || candidate.is_lockable();
    // A filter of ours that the user did not name is rejected for a feature that is not required,
    // since the feature costs time in every operation.
    let is_unasked = class == Class::Ours && !workload.only.contains(&candidate);
    let removes_in_shards = matches!(candidate, Candidate::InShards(_)) && facts.removes;
    let integers = candidate.takes_integers_only();
    let is_removing = facts.counts || removes_in_shards;
    let is_unknown = workload.growth == Growth::Unknown;
    let is_bounded = !workload.integers || workload.integers_below.is_some();
    let all = [
        (workload.deletes && !facts.removes).then_some("cannot remove keys"),
        (workload.expires.is_some() && !facts.forgets).then_some("does not forget keys"),
        (is_unasked && facts.forgets && workload.expires.is_none())
            .then_some("forgets keys, which is not required (--expires)"),
        (is_unknown && !facts.grows && !is_static)
            .then_some("does not grow, but the number of keys is unknown"),
        (is_unasked && facts.concurrent && !threads)
            .then_some("is for threads that insert together, which is not required (--threads)"),
        (is_unasked && facts.grows && !workload.grows())
            .then_some("grows, which is not required (--growth)"),
        (is_unasked && is_removing && !workload.deletes)
            .then_some("supports deletes, which are not required (--deletes)"),
        (!workload.is_static && is_static)
            .then_some("is built from all keys at once, but keys may come later (unless --static)"),
        (threads && !takes_threads).then_some("takes keys from only one thread at a time"),
        (workload.shared && facts.unites == Unites::Never)
            .then_some("cannot be united with another"),
        (workload.shared && facts.unites == Unites::AddedFprs)
            .then_some("does not keep its FPR when united: the FPRs add up"),
        (integers && !workload.integers).then_some("holds only integers"),
        (integers && !is_bounded)
            .then_some("needs a bound for the keys (--keys, or integers-below in a workload file)"),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advise::workload;

    #[test]
    fn names_and_places_are_each_candidate_s_own() {
        let all = Candidate::all();
        for (place, one) in all.iter().enumerate() {
            assert_eq!(Candidate::named(one.name()), Some(*one));
            let same = |other: &Candidate| other.simplicity_rank() == one.simplicity_rank();
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

    fn able(text: &str) -> Vec<&'static str> {
        let workload = workload(&format!("capacity = 1000\n{text}"));
        let all = Candidate::all().into_iter().skip(1);
        all.filter(|one| objections(*one, &workload).is_empty())
            .map(|one| one.name())
            .collect()
    }

    #[test]
    fn each_requirement_leaves_those_that_can() {
        let growing = "growth = \"unknown\"\n";
        for (text, all) in [
            ("deletes = true", &["counting", "cuckoo", "hash-set"][..]),
            (growing, &["scalable", "hash-set"]),
            ("threads = 4", &["sharded", "atomic", "hash-set"]),
            ("expires = \"1h\"", &["aging"]),
            ("expires = \"1h\"\nthreads = 4", &["aging"]),
            (
                "threads = 4\ndeletes = true",
                &["sharded-counting", "cuckoo-in-shards", "hash-set"],
            ),
            (
                &format!("{growing}threads = 4"),
                &["sharded-scalable", "hash-set"],
            ),
            (
                &format!("{growing}threads = 4\ndeletes = true\npersist = true"),
                &["hash-set"],
            ),
            (
                "shared = true\ndeletes = true",
                &["counting", "cuckoo", "hash-set"],
            ),
            (&format!("{growing}shared = true"), &["hash-set"]),
        ] {
            assert_eq!(able(text), all, "{text}");
        }
        for (text, some, none) in [
            ("", ["cuckoo", "standard"], "counting"),
            ("", ["blocked", "partitioned"], "sharded"),
            ("growth = 4", ["scalable", "standard"], "sharded-scalable"),
            ("integers-below = 5000", ["bitmap", "roaring"], "atomic"),
            ("static = true", ["fuse", "sorted-array"], "bitmap"),
            (
                "static = true\nhostile = true",
                ["fuse", "sorted-array"],
                "aging",
            ),
            ("shared = true", ["cuckoo", "standard"], "scalable"),
        ] {
            let able = able(text);
            assert!(some.iter().all(|name| able.contains(name)), "{text}");
            assert!(!able.contains(&none), "{text}");
        }
    }

    #[test]
    fn to_name_a_candidate_is_to_request_it() {
        let mut workload = workload("capacity = 1000");
        assert!(!objections(named("sharded"), &workload).is_empty());
        workload.only = vec![named("sharded")];
        assert!(objections(named("sharded"), &workload).is_empty());
        assert!(!objections(named("atomic"), &workload).is_empty());
    }
}
