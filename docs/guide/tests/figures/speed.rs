//! Numbers from the records of `bouquet speed`: medians of the net time per key.

use crate::{
    Figures,
    records::{Row, digits, rows},
};

const FILTERS: [(&str, &str); 10] = [
    ("standard", "single"),
    ("standard", "batch"),
    ("blocked", "single"),
    ("blocked-words32", "single"),
    ("blocked-words32", "batch"),
    ("fastbloom-foldhash", "single"),
    ("fastbloom", "single"),
    ("bloomfilter", "single"),
    ("sbbf-rs-rapidhash", "single"),
    ("cuckoofilter", "single"),
];

/// The median over the repetitions; `None` if it was not measured.
fn median(rows: &[Row], filter: &str, path: &str, operation: &str) -> Option<f64> {
    let wanted = [
        ("subject", filter),
        ("path", path),
        ("operation", operation),
    ];
    let mut net: Vec<f64> = rows
        .iter()
        .filter(|row| row.is(&wanted))
        .map(|row| row.number("ns_per_key") - row.number("dry_run_ns_per_key"))
        .collect();
    net.sort_by(f64::total_cmp);
    let middle = net.len() / 2;
    match net.len() {
        0 => None,
        even if even % 2 == 0 => Some(f64::midpoint(net[middle - 1], net[middle])),
        _ => Some(net[middle]),
    }
}

fn table(rows: &[Row]) -> String {
    let operations = ["insert", "hit", "miss", "hit in turn", "miss in turn"];
    let mut table = String::from(
        "| filter | insert | hit | miss | hit latency | miss latency |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (filter, path) in FILTERS {
        let times = operations
            .map(|operation| median(rows, filter, path, operation).map_or("–".to_owned(), digits));
        assert_ne!(times[0], "–", "{filter}");
        let batch = if path == "batch" { ", batch" } else { "" };
        table += &format!("| {filter}{batch} | {} |\n", times.join(" | "));
    }
    table
}

/// The comparisons in which other crates are ahead, as a list.
fn ahead(rows: &[Row]) -> String {
    let time = |filter: &str, operation: &str| median(rows, filter, "single", operation).unwrap();
    let against = |theirs: &str, ours: &str, operation: &str| {
        let (theirs, ours) = (time(theirs, operation), time(ours, operation));
        format!("{} ns against {} ns", digits(theirs), digits(ours))
    };
    let pair = |theirs: &str, ours: &str, operations: [&str; 3]| {
        operations
            .map(|operation| {
                let words = operation
                    .replace(" in turn", "")
                    .replace("half", "50 % hits");
                format!("{words} {}", against(theirs, ours, operation))
            })
            .join(",\n  ")
    };
    format!(
        "- fastbloom with foldhash and our standard filter, one key at a time:\n  {};\n  \
         and in latency, where each lookup waits for the last answer: {}.\n\
         - sbbf-rs with rapidhash and `BlockedBloom<Words32>`, one key at a time:\n  {}.",
        pair("fastbloom-foldhash", "standard", ["insert", "hit", "miss"]),
        pair(
            "fastbloom-foldhash",
            "standard",
            ["hit in turn", "miss in turn", "half in turn"]
        ),
        pair(
            "sbbf-rs-rapidhash",
            "blocked-words32",
            ["insert", "hit", "miss"]
        ),
    )
}

/// Checks what COMPARE.md says about fastbloom.
fn fastbloom_is_faster_where_hits_and_misses_come_mixed(rows: &[Row]) {
    let ratio = |operation| {
        let theirs = median(rows, "fastbloom-foldhash", "single", operation);
        median(rows, "standard", "single", operation).unwrap() / theirs.unwrap()
    };
    for mixed in ["half", "half in turn"] {
        assert!((1.04..1.2).contains(&ratio(mixed)), "{mixed}");
    }
    assert!((0.9..1.12).contains(&ratio("hit")));
    assert!(ratio("insert") < 1.05 && ratio("miss") < 0.8);
}

/// Checks what COMPARE.md says about sbbf-rs.
fn sbbf_rs_is_about_as_fast(rows: &[Row]) {
    for operation in ["insert", "hit", "miss"] {
        let theirs = median(rows, "sbbf-rs-rapidhash", "single", operation).unwrap();
        let ours = median(rows, "blocked-words32", "single", operation).unwrap();
        assert!((0.8..1.3).contains(&(theirs / ours)), "{operation}");
    }
}

pub fn add(figures: &mut Figures) {
    let mut rows = rows("speed", "times");
    rows.retain(|row| {
        row.is(&[
            ("keys", "u64"),
            ("capacity", "1000000"),
            ("target_fpr", "0.01"),
            ("clock", "thread"),
        ])
    });
    fastbloom_is_faster_where_hits_and_misses_come_mixed(&rows);
    sbbf_rs_is_about_as_fast(&rows);
    figures.insert("speed", table(&rows));
    figures.insert("speed-pairs", ahead(&rows));
}
