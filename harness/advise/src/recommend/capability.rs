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
    use super::*;
    use crate::recommend::{candidates::named, workload};

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
            (
                "threads = 4\ndeletes = true",
                &["sharded-counting", "cuckoo-in-shards", "hash-set"],
            ),
            (
                &format!("{growing}threads = 4"),
                &["scalable-in-shards", "hash-set"],
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
            ("growth = 4", ["scalable", "standard"], "scalable-in-shards"),
            ("integers-below = 5000", ["bitmap", "roaring"], "atomic"),
            ("static = true", ["xorf-fuse8", "sorted-array"], "bitmap"),
            (
                "static = true\nhostile = true",
                ["standard", "sorted-array"],
                "xorf-fuse8",
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
