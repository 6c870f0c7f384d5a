//! Why candidates are out.

use crate::recommend_words::{answer::Answer, reader::Reader, request::Request};

/// What speaks against a candidate by what it is: the words, whether the workload
/// has it so, and whom it is said of.
type Objection = (&'static str, bool, &'static [&'static str]);

const STATIC: [&str; 3] = ["sorted-array", "xorf-fuse8", "xorf-fuse16"];
const BY_THREADS: [&str; 5] = [
    "atomic",
    "sharded",
    "sharded-counting",
    "cuckoo-in-shards",
    "scalable-in-shards",
];
const INTEGERS: [&str; 2] = ["bitmap", "roaring"];

fn objections(request: &Request) -> Vec<Objection> {
    let is_static = request.has("--static");
    let threads = request.threads > 1.0;
    vec![
        (
            "removes no keys",
            request.has("--deletes"),
            &[
                "standard",
                "partitioned",
                "blocked",
                "blocked-words32",
                "blocked-line",
                "atomic",
                "sharded",
                "scalable",
                "scalable-in-shards",
                "sorted-array",
                "xorf-fuse8",
                "xorf-fuse16",
            ],
        ),
        (
            "does not grow, and nobody knows how many keys will come",
            request.is_unknown,
            &[
                "standard",
                "partitioned",
                "blocked",
                "blocked-words32",
                "blocked-line",
                "atomic",
                "sharded",
                "cuckoo",
                "cuckoo-in-shards",
                "counting",
                "sharded-counting",
            ],
        ),
        (
            "is built of all keys at once, and keys come later (--static says they do not)",
            !is_static,
            &STATIC,
        ),
        (
            "takes keys from one thread at a time",
            threads && !is_static,
            &[
                "standard",
                "partitioned",
                "blocked",
                "blocked-words32",
                "blocked-line",
                "scalable",
                "cuckoo",
                "counting",
                "sorted-array",
                "bitmap",
                "roaring",
                "xorf-fuse8",
                "xorf-fuse16",
            ],
        ),
        (
            "of two made on two machines no one can be made",
            request.has("--shared"),
            &["xorf-fuse8", "xorf-fuse16"],
        ),
        (
            "keeps no FPR where several are made one: theirs add up",
            request.has("--shared"),
            &["scalable", "scalable-in-shards"],
        ),
        (
            "has no keyed hash: who knows its hash chooses keys that it takes for members",
            request.has("--hostile"),
            &["xorf-fuse8", "xorf-fuse16"],
        ),
        ("holds integers only", request.has_urls(), &INTEGERS),
        (
            "needs to know how large keys can be (--integers-below)",
            !request.has_urls() && request.below.is_none(),
            &INTEGERS,
        ),
        (
            "is for threads that insert at once, and there is one (--threads)",
            !threads,
            &BY_THREADS,
        ),
        (
            "is for keys that come while others ask, and none does (--static)",
            threads && is_static,
            &BY_THREADS,
        ),
        (
            "is for keys that become more, and these do not (--growth)",
            !request.grows(),
            &["scalable", "scalable-in-shards"],
        ),
        (
            "counts keys to remove them, and none is removed (--deletes)",
            !request.has("--deletes"),
            &["counting", "sharded-counting"],
        ),
    ]
}

/// Said of a candidate even if it was named.
fn is_needless(words: &str) -> bool {
    words.starts_with("is for ") || words.starts_with("counts keys")
}

/// Every reason is so, and none is left out.
pub fn check(answer: &Answer) {
    let (request, mut rows) = (&answer.request, answer.rows.iter());
    let hash_set = answer.rows.iter().find(|row| row.candidate == "hash-set");
    let hash_set = hash_set.map(|row| row.memory);
    assert!(rows.all(|row| against(request, &row.candidate).is_empty()));
    for row in &answer.rejected {
        of(request, hash_set, &row.candidate, &row.reasons);
    }
}

/// What speaks against a candidate by what it is.
fn against(request: &Request, name: &str) -> Vec<&'static str> {
    let all = objections(request).into_iter();
    let own = all.filter(|(words, is_so, whom)| {
        *is_so && whom.contains(&name) && !(is_needless(words) && request.names(name))
    });
    own.map(|(words, ..)| words).collect()
}

/// The reasons against one candidate.
pub fn of(request: &Request, hash_set: Option<f64>, name: &str, words: &str) {
    let mut said: Vec<&str> = words.split("; ").collect();
    let mut want = against(request, name);
    if want.is_empty() {
        return of_size(request, hash_set, words);
    }
    said.sort_unstable();
    want.sort_unstable();
    assert_eq!(said, want, "{name}");
}

/// Of a candidate that can do it, and has no size for it.
fn of_size(request: &Request, hash_set: Option<f64>, words: &str) {
    let mut said = Reader::new(words);
    if said.takes("has an FPR of ") {
        let own = said.number();
        said.words(", above ");
        let most = said.number();
        assert_eq!(Some(most), request.fpr, "{words}");
        let fuse = [8, 16].map(|bits| 0.5f64.powi(bits));
        let is_own = fuse.iter().any(|fpr| (own / fpr - 1.0).abs() < 0.005);
        assert!(is_own && own > most, "{words}");
    } else if words.ends_with(" (--fpr-at-most)") {
        said.words("takes ");
        let takes = said.number();
        said.words(" bits per key for an FPR far below the target, where ");
        assert!(said.number() <= takes && request.has_target(), "{words}");
        said.words(" keep that (--fpr-at-most)");
    } else {
        said.words("takes ");
        too_large(request, hash_set, &mut said);
    }
    said.end();
}

fn too_large(request: &Request, hash_set: Option<f64>, said: &mut Reader<'_>) {
    let (takes, by) = said.bytes();
    if said.takes(", more than a hash set's ") {
        let table = hash_set.unwrap();
        said.is_bytes(table);
        said.words(": the keys lie too far apart");
        let bits = request.below.unwrap() * request.filters / 8.0;
        assert!(bits > table && (takes - bits).abs() <= 1.01 * by, "{bits}");
        return;
    }
    said.words(" (");
    let keys = request.keys() * request.filters;
    let bits = said.number();
    assert!(
        (8.0 * takes / keys - bits).abs() <= 0.051 + 8.0 * by / keys,
        "{bits}"
    );
    said.words(" bits per key) at the least");
    match request.memory {
        Some(memory) => {
            said.words(", and there are ");
            said.is_bytes(memory);
            assert!(takes + by > memory, "{takes}");
        }
        None => assert!(bits > 32.0, "{bits}"),
    }
}
