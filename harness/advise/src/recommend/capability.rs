//! Who cannot do what is asked, and why.

use bouquet_catalogue::Unites;

use super::{
    candidates::{Candidate, Class},
    value::Growth,
    workload::Workload,
};

/// Everything that speaks against a candidate; nothing if it can all.
pub fn objections(candidate: Candidate, workload: &Workload) -> Vec<&'static str> {
    let facts = candidate.facts();
    let mut against = Vec::new();
    if candidate == Candidate::None {
        return against;
    }
    if workload.deletes && !facts.removes {
        against.push("removes no keys");
    }
    if workload.growth == Growth::Unknown && !facts.grows && !facts.is_static {
        against.push("does not grow, and nobody knows how many keys will come");
    }
    against.extend(needless(candidate, workload));
    if !workload.is_static && facts.is_static {
        against
            .push("is built of all keys at once, and keys come later (--static says they do not)");
    }
    if workload.threads > 1 && !workload.is_static && !facts.concurrent && !facts.lockable {
        against.push("takes keys from one thread at a time");
    }
    if workload.shared && facts.unites == Unites::Never {
        against.push("of two made on two machines no one can be made");
    }
    if workload.shared && facts.unites == Unites::AddedFprs {
        against.push("keeps no FPR where several are made one: theirs add up");
    }
    if workload.hostile && !facts.withstands {
        against
            .push("has no keyed hash: who knows its hash chooses keys that it takes for members");
    }
    if facts.integers_only {
        match (workload.integers, workload.integers_below) {
            (false, _) => against.push("holds integers only"),
            (true, None) => against.push(
                "needs to know how large keys can be (--keys, or integers-below in a workload file)",
            ),
            _ => {}
        }
    }
    against
}

/// What it has that nothing asks for, at the cost of every key: to name a
/// candidate is to ask for it.
fn needless(candidate: Candidate, workload: &Workload) -> Vec<&'static str> {
    let facts = candidate.facts();
    let mut against = Vec::new();
    if facts.class != Class::Ours || workload.only.contains(&candidate) {
        return against;
    }
    if facts.concurrent && workload.threads == 1 {
        against.push("is for threads that insert at once, and there is one (--threads)");
    } else if facts.concurrent && workload.is_static {
        against.push("is for keys that come while others ask, and none does (--static)");
    }
    if facts.grows && !workload.grows() {
        against.push("is for keys that become more, and these do not (--growth)");
    }
    if facts.counts && !workload.deletes {
        against.push("counts keys to remove them, and none is removed (--deletes)");
    }
    if matches!(candidate, Candidate::InShards(_)) && facts.removes && !workload.deletes {
        against.push("is for keys that threads remove, and none is removed (--deletes)");
    }
    against
}

#[cfg(test)]
mod tests {
    use super::{
        super::{requirements::Requirements, value::Count},
        *,
    };
    use crate::recommend::candidates::named;

    fn able(change: impl FnOnce(&mut Requirements)) -> Vec<&'static str> {
        let mut requirements = Requirements {
            capacity: Some(Count(1_000)),
            ..Requirements::default()
        };
        change(&mut requirements);
        let workload = Workload::new(&requirements, None).unwrap();
        let all = Candidate::all().into_iter().skip(1);
        all.filter(|one| objections(*one, &workload).is_empty())
            .map(|one| one.name())
            .collect()
    }

    #[test]
    fn each_requirement_leaves_those_that_can() {
        assert_eq!(
            able(|required| required.deletes = Some(true)),
            ["counting", "cuckoo", "hash-set"]
        );
        assert_eq!(
            able(|required| required.growth = Some(Growth::Unknown)),
            ["scalable", "hash-set"]
        );
        assert_eq!(
            able(|required| required.threads = Some(Count(4))),
            ["sharded", "atomic", "hash-set"]
        );
        assert_eq!(
            able(|required| (required.threads, required.deletes) = (Some(Count(4)), Some(true))),
            ["sharded-counting", "cuckoo-in-shards", "hash-set"]
        );
        assert_eq!(
            able(|required| (required.threads, required.growth) =
                (Some(Count(4)), Some(Growth::Unknown))),
            ["scalable-in-shards", "hash-set"]
        );
        assert_eq!(
            able(|required| {
                (required.threads, required.growth) = (Some(Count(4)), Some(Growth::Unknown));
                (required.deletes, required.persist) = (Some(true), Some(true));
            }),
            ["hash-set"]
        );
        let integers = able(|required| required.integers_below = Some(Count(5_000)));
        assert!(integers.contains(&"bitmap") && integers.contains(&"roaring"));
        let fixed = able(|required| required.is_static = Some(true));
        assert!(fixed.contains(&"xorf-fuse8") && fixed.contains(&"sorted-array"));
        let hostile = able(|required| {
            required.is_static = Some(true);
            required.hostile = Some(true);
        });
        assert!(!hostile.contains(&"xorf-fuse8") && hostile.contains(&"standard"));
        let shared = able(|required| required.shared = Some(true));
        assert!(shared.contains(&"cuckoo") && shared.contains(&"standard"));
        let both = able(|required| {
            (required.shared, required.deletes) = (Some(true), Some(true));
        });
        assert_eq!(both, ["counting", "cuckoo", "hash-set"]);
        let growing = able(|required| {
            (required.shared, required.growth) = (Some(true), Some(Growth::Unknown));
        });
        assert_eq!(growing, ["hash-set"]);
    }

    #[test]
    fn no_lock_growth_or_counter_is_there_unasked() {
        let needless = [
            "counting",
            "scalable",
            "sharded",
            "sharded-counting",
            "atomic",
            "cuckoo-in-shards",
            "scalable-in-shards",
        ];
        let plain = able(|_| ());
        assert!(plain.contains(&"cuckoo") && plain.contains(&"standard"));
        assert!(needless.iter().all(|name| !plain.contains(name)));
        let bounded = able(|required| required.growth = Some(Growth::Times(4.0)));
        assert!(bounded.contains(&"scalable") && bounded.contains(&"standard"));
    }

    #[test]
    fn to_name_a_candidate_is_to_request_it() {
        let requirements = Requirements {
            capacity: Some(Count(1_000)),
            ..Requirements::default()
        };
        let mut workload = Workload::new(&requirements, None).unwrap();
        assert!(!objections(named("sharded"), &workload).is_empty());
        workload.only = vec![named("sharded")];
        assert!(objections(named("sharded"), &workload).is_empty());
        assert!(!objections(named("atomic"), &workload).is_empty());
    }
}
