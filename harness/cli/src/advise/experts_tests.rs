//! Tests that the answers are those that an expert accepts.

use super::{
    advise,
    candidates::Candidate,
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
    (
        "use-case = \"crawler\"\nmemory = \"64GB\"",
        &["scalable"],
        40.0,
    ),
];

fn asked(text: &str, stored: &Stored) -> (Candidate, f64) {
    let workload = Workload::new(&Requirements::of_toml(text).unwrap(), None).unwrap();
    let choice = advise(&workload, &stored.of(&workload)).unwrap().choice;
    (choice.candidate(), choice.sizing.bits_per_key())
}

#[test]
fn the_answers_are_those_of_an_expert() {
    let stored = stored();
    for (text, accepted, most) in ANSWERS {
        let (choice, bits) = asked(text, &stored);
        assert!(
            accepted.contains(&choice.name()) && bits <= *most,
            "{text}: {} {bits}",
            choice.name()
        );
    }
}
