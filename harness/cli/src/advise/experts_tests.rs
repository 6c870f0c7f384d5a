//! Tests that the answers are those that an expert accepts.

use super::{
    advise, elsewhere,
    requirements::Requirements,
    workload::Workload,
    workloads::{Stored, stored},
};

/// What is asked, as lines of a workload file; the answers that an expert accepts; and the most bits per
/// key.
const ANSWERS: &[(&str, &[&str], f64)] = &[
    // A false positive costs 80 us, and there should be one in a million, or in ten million.
    (
        "capacity = 1e6\nfpr = 1e-6\nwork-cost = \"80us\"",
        &["standard", "partitioned", "cuckoo"],
        30.0,
    ),
    (
        "capacity = 1e6\nfpr = 1e-7\nwork-cost = \"80us\"",
        &["standard", "partitioned", "cuckoo"],
        35.0,
    ),
    (
        "capacity = 1e6\nfpr = 1e-7",
        &["standard", "partitioned", "cuckoo"],
        35.0,
    ),
    (
        "capacity = 1e8\nfpr = 1e-8\nthreads = 8\nkey-kind = \"url\"",
        &["atomic", "sharded"],
        42.0,
    ),
    // A cache miss of the third level.
    (
        "capacity = 1e6\nfpr = 0.03\nwork-cost = \"60ns\"\nhits = 0.1",
        &["blocked", "blocked-words32", "none"],
        12.0,
    ),
    // What takes twice the bits is better than nothing, where nothing smaller pays.
    (
        "capacity = 1e6\nfpr = 1e-6\nwork-cost = \"60ns\"",
        &["blocked", "blocked-words32"],
        66.0,
    ),
    ("use-case = \"sstable\"", &["fuse"], 10.0),
    (
        "capacity = 1e5\nfpr = 1e-4\nstatic = true\npersist = true",
        &["fuse"],
        19.1,
    ),
    (
        "capacity = 2e6\nfpr = 0.02\nwork-cost = \"200ns\"\nhits = 0.01",
        &["blocked", "blocked-words32"],
        12.0,
    ),
    (
        "capacity = 1e6\nfpr = 0.01\nshared = true\ndeletes = true\nthreads = 8",
        &["cuckoo", "cuckoo-in-shards"],
        13.0,
    ),
    (
        "expires = \"1h\"\ncapacity = 1e7\nfpr = 0.001",
        &["aging"],
        30.0,
    ),
    ("use-case = \"dedup-window\"", &["aging"], 30.0),
    ("use-case = \"cache-guard\"", &["blocked", "standard"], 11.0),
    (
        "use-case = \"crawler\"\nmemory = \"64GB\"",
        &["scalable"],
        40.0,
    ),
    // Few keys, in whatever set: a filter does not pay.
    (
        "capacity = 20\nfpr = 0.01",
        &["hash-set", "sorted-array"],
        ANY,
    ),
    ("capacity = 1", &["hash-set", "sorted-array"], ANY),
    (
        "capacity = 120\nfpr = 1e-6\nkey-kind = \"url\"\nwork-cost = \"1s\"",
        &["hash-set"],
        ANY,
    ),
    (
        "capacity = 50\nfpr = 0.01\nstatic = true\npersist = true",
        &["sorted-array"],
        ANY,
    ),
    (
        "capacity = 30\nfpr = 0.01\ndeletes = true\ngrowth = \"unknown\"\nthreads = 4",
        &["hash-set"],
        ANY,
    ),
    // Not few in all: a filter for each of many users.
    (
        "capacity = 20\nfpr = 0.01\nfilters-count = 1e5",
        &["standard"],
        60.0,
    ),
    // Keys come and go, and nobody knows how many.
    (
        "capacity = 1e5\nfpr = 0.01\ngrowth = \"unknown\"\ndeletes = true",
        &["qfilter"],
        25.0,
    ),
    (
        "capacity = 3e6\nfpr = 1e-4\ngrowth = \"unknown\"\ndeletes = true\nthreads = 8\n\
         key-kind = \"url\"",
        &["qfilter"],
        35.0,
    ),
    (
        "use-case = \"crawler\"\ndeletes = true\nmemory = \"1GB\"",
        &["qfilter"],
        30.0,
    ),
    // It is less than a hash set takes, which does not fit.
    (
        "capacity = 1e6\nfpr = 0.01\ngrowth = \"unknown\"\ndeletes = true\nmemory = \"40MB\"",
        &["qfilter"],
        25.0,
    ),
    // Filters that are united, and nobody knows how many keys.
    (
        "capacity = 1e5\nfpr = 0.01\ngrowth = \"unknown\"\nshared = true",
        &["qfilter"],
        25.0,
    ),
    // Its keyed hash cannot be stored.
    (
        "capacity = 1e6\nfpr = 0.01\ngrowth = \"unknown\"\ndeletes = true\nhostile = true\n\
         persist = true",
        &["hash-set"],
        ANY,
    ),
    // Keys come and go, and at most four times as many.
    (
        "capacity = 1e5\nfpr = 0.01\ngrowth = 4\ndeletes = true",
        &["cuckoo"],
        13.0,
    ),
    // Processes that all write: a filter on Redis, or one of them writes for all.
    (
        "capacity = 1e6\nfpr = 0.01\nprocesses = 32",
        &["bouquet-redis"],
        12.0,
    ),
    (
        "capacity = 5e7\nfpr = 0.001\nprocesses = 4\ngrowth = \"unknown\"\nhostile = true",
        &["bouquet-redis"],
        30.0,
    ),
    (
        "capacity = 1e6\nfpr = 0.01\nprocesses = 32\nwork-cost = \"2us\"",
        &["standard", "blocked", "blocked-line", "blocked-words32"],
        12.0,
    ),
    (
        "capacity = 1e6\nfpr = 0.01\nprocesses = 32\nshared = true",
        &["standard", "blocked", "partitioned"],
        12.0,
    ),
    (
        "capacity = 1e6\nfpr = 0.004\nprocesses = 32\nstatic = true",
        &["fuse"],
        14.0,
    ),
    (
        "capacity = 100\nfpr = 0.01\nprocesses = 3",
        &["hash-set"],
        ANY,
    ),
    (
        "capacity = 1e6\nfpr = 0.01\nwork-cost = \"0ns\"",
        &["none"],
        0.0,
    ),
];

/// For sets of which the memory does not matter.
const ANY: f64 = f64::INFINITY;

fn asked(text: &str, stored: &Stored) -> (String, f64) {
    let workload = Workload::new(&Requirements::of_toml(text).unwrap(), None).unwrap();
    let advice = advise(&workload, &stored.of(&workload));
    if let Some(other) = elsewhere(&workload, advice.as_ref().ok()) {
        return (other.row.candidate, other.row.bits_per_key.unwrap());
    }
    let choice = advice.unwrap().choice;
    (
        choice.candidate().name().into(),
        choice.sizing.bits_per_key(),
    )
}

#[test]
fn the_answers_are_those_of_an_expert() {
    let stored = stored();
    for (text, accepted, most) in ANSWERS {
        let (choice, bits) = asked(text, &stored);
        assert!(
            accepted.contains(&&*choice) && bits <= *most,
            "{text}: {choice} {bits}"
        );
    }
}
