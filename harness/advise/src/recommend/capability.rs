//! Who cannot do what is asked, and why.

use bouquet_catalogue::Unites;

use super::{
    candidates::{Candidate, Class},
    value::Growth,
    workload::Workload,
};

/// Everything that speaks against a candidate; nothing if it can all.
pub fn objections(candidate: Candidate, workload: &Workload) -> Vec<&'static str> {
    if candidate == Candidate::None {
        return Vec::new();
    }
    let facts = candidate.facts();
    let (is_static, class) = (candidate.is_static(), candidate.class());
    let threads = workload.threads > 1;
    let takes_threads = facts.concurrent || candidate.is_lockable();
    // What it has that nothing asks for, at the cost of every key: to name a candidate is to
    // ask for it.
    let is_unasked = class == Class::Ours && !workload.only.contains(&candidate);
    let removes_in_shards = matches!(candidate, Candidate::InShards(_)) && facts.removes;
    let integers = candidate.takes_integers_only();
    let all = [
        (workload.deletes && !facts.removes, "removes no keys"),
        (
            workload.growth == Growth::Unknown && !facts.grows && !is_static,
            "does not grow, and nobody knows how many keys will come",
        ),
        (
            is_unasked && facts.concurrent && !threads,
            "is for threads that insert at once, and there is one (--threads)",
        ),
        (
            is_unasked && facts.concurrent && threads && workload.is_static,
            "is for keys that come while others ask, and none does (--static)",
        ),
        (
            is_unasked && facts.grows && !workload.grows(),
            "is for keys that become more, and these do not (--growth)",
        ),
        (
            is_unasked && facts.counts && !workload.deletes,
            "counts keys to remove them, and none is removed (--deletes)",
        ),
        (
            is_unasked && removes_in_shards && !workload.deletes,
            "is for keys that threads remove, and none is removed (--deletes)",
        ),
        (
            !workload.is_static && is_static,
            "is built of all keys at once, and keys come later (--static says they do not)",
        ),
        (
            threads && !workload.is_static && !takes_threads,
            "takes keys from one thread at a time",
        ),
        (
            workload.shared && facts.unites == Unites::Never,
            "of two made on two machines no one can be made",
        ),
        (
            workload.shared && facts.unites == Unites::AddedFprs,
            "keeps no FPR where several are made one: theirs add up",
        ),
        (
            workload.hostile && class == Class::Other,
            "has no keyed hash: who knows its hash chooses keys that it takes for members",
        ),
        (integers && !workload.integers, "holds integers only"),
        (
            integers && workload.integers && workload.integers_below.is_none(),
            "needs to know how large keys can be (--keys, or integers-below in a workload file)",
        ),
    ];
    let so = all.into_iter().filter(|(is_so, _)| *is_so);
    so.map(|(_, words)| words).collect()
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
