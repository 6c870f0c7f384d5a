//! What the charts of speed say. The headline is checked by a test of the program.

use std::collections::BTreeSet;

use crate::records::{Row, Said, Set, grouped, listed, most, sum};

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// A filter, given its keys one way, among those that may be compared.
#[derive(Clone)]
struct Contestant {
    name: String,
    role: String,
    is_batch: bool,
    bits: f64,
    /// Median net time, half of the keys being members.
    ns: f64,
}

/// Whether a rate is not surely above the target by more than a twentieth; by the
/// lower end of Wilson's interval of 95 %.
fn keeps(rows: &[&Row]) -> bool {
    let misses = rows
        .iter()
        .copied()
        .filter(|row| row.is("operation", "miss"));
    let asked = sum(misses.clone(), "operations");
    let (z, share) = (1.96, sum(misses, "false_positives") / asked);
    let root = (share * (1.0 - share) / asked + z * z / (4.0 * asked * asked)).sqrt();
    let low = (share + z * z / (2.0 * asked) - z * root) / (1.0 + z * z / asked);
    low <= 1.05 * rows[0].number("target_fpr")
}

/// Of the highest target: capacities, each with how many were measured and who may be
/// compared.
fn columns(set: &Set, keys: &str) -> Vec<(f64, usize, Vec<Contestant>)> {
    let rows: Vec<&Row> = set
        .rows("speed")
        .iter()
        .filter(|row| row.is("keys", keys))
        .collect();
    let target = most(rows.iter().map(|row| row.number("target_fpr")));
    let rows = rows
        .into_iter()
        .filter(|row| row.number("target_fpr") == target);
    let mut columns: Vec<_> = grouped(rows, |row| row.text("capacity"))
        .into_iter()
        .map(|(capacity, rows)| {
            let contestants = grouped(rows, |row| (row.text("filter"), row.text("way")));
            let many = contestants.len();
            let contestants = contestants.into_iter().filter_map(|((filter, way), rows)| {
                let first = rows[0];
                let is_in = rows
                    .iter()
                    .all(|row| row.is("error", "") && row.number("rejected") == 0.0);
                let is_in = is_in && !first.is("family", "static") && keeps(&rows);
                let halves = rows.iter().filter(|row| row.is("operation", "half"));
                let ns = halves
                    .map(|row| row.number("gross_ns_per_key") - row.number("dry_run_ns_per_key"));
                let is_batch = way == "batch";
                is_in.then(|| Contestant {
                    name: format!("{filter}{}", if is_batch { " (batch)" } else { "" }),
                    role: first.text("role").to_owned(),
                    is_batch,
                    bits: 8.0 * first.number("allocated_bytes") / first.number("capacity"),
                    ns: median(ns),
                })
            });
            (capacity.parse().unwrap(), many, contestants.collect())
        })
        .collect();
    columns.sort_by(|a: &(f64, usize, Vec<Contestant>), b| a.0.total_cmp(&b.0));
    columns
}

/// Ours by single calls and in batches, and the fastest peer.
fn over_keys(set: &Set, keys: &str) -> Said {
    let mut said = Said::default();
    said.and(
        &format!("Members and non-members at random, kind {keys}: "),
        &[],
    );
    for (place, (capacity, _, contestants)) in columns(set, keys).iter().enumerate() {
        let fastest = |is_in: &dyn Fn(&&Contestant) -> bool| {
            let own = contestants.iter().filter(is_in);
            own.min_by(|a, b| a.ns.total_cmp(&b.ns))
        };
        let of =
            |role: &'static str, batch| fastest(&move |r| r.role == role && r.is_batch == batch);
        let shown = [of("ours", false), of("ours", true), of("peer", false)];
        let joint = if place == 0 { "" } else { "; " };
        said.and(&format!("{joint}at {{#}} keys "), &[*capacity]);
        for (place, contestant) in shown.into_iter().flatten().enumerate() {
            let joint = if place == 0 { "" } else { ", " };
            said.and(
                &format!("{joint}{} {{}} ns", contestant.name),
                &[contestant.ns],
            );
        }
    }
    said
}

/// Where most filters were measured: those that no other beats in both.
fn front(set: &Set, keys: &str) -> Said {
    let columns = columns(set, keys);
    let (capacity, _, contestants) = columns
        .iter()
        .max_by(|a, b| (a.1 as f64, a.0).partial_cmp(&(b.1 as f64, b.0)).unwrap())
        .unwrap();
    let is_beaten = |one: &Contestant| {
        let no_worse = |other: &Contestant| other.bits <= one.bits && other.ns <= one.ns;
        let other = contestants.iter().filter(|other| other.name != one.name);
        other.clone().any(no_worse)
    };
    let mut front: Vec<&Contestant> = contestants.iter().filter(|one| !is_beaten(one)).collect();
    front.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    let names: Vec<&str> = front.iter().map(|contestant| &*contestant.name).collect();
    let mut said = Said::default();
    let words = "No updatable filter that keeps the target is both smaller and faster than";
    let words = format!(
        "{words} {} ({{#}} keys of kind {keys}, target {{}} %)",
        listed(&names)
    );
    said.and(&words, &[*capacity, 1.0]);
    said
}

#[test]
fn charts_of_speed() {
    let all = Set::read("speed", &["speed"]).only("speed", |row| {
        let is_few = row.number("repetition") < 9.0 || row.is("capacity", "100000000");
        let of_half = ["half", "miss"].contains(&row.text("operation"));
        row.is("target_fpr", "0.01") && is_few && of_half
    });
    let of = |filter: &'static str, key: &'static str, times: f64| {
        all.with("speed", move |row| {
            if row.is("filter", filter) {
                let scaled = row.number(key) * times;
                row.set(
                    key,
                    if key == "false_positives" {
                        scaled.round()
                    } else {
                        scaled
                    },
                );
            }
        })
    };
    let sets = [
        // As fast as nothing is, and in vain: it misses the target by far.
        of("blocked-words32", "false_positives", 3.0),
        of("standard", "gross_ns_per_key", 0.6),
        all.only("speed", |row| {
            !row.is("way", "batch") && row.number("capacity") < 1e7
        }),
        // Static filters are smaller and faster; now they may be compared.
        all.with("speed", |row| {
            if row.is("family", "static") {
                row.set("family", "spread");
            }
        }),
        all,
    ];
    for set in sets {
        let said = set.sentences();
        for keys in ["u64", "url"] {
            over_keys(&set, keys).is(&said[&format!("time-over-keys-{keys}")]);
            front(&set, keys).is(&said[&format!("time-and-bits-{keys}")]);
        }
    }
}

/// Millions of keys per second of two threads together, of the filters of one capacity.
fn on_two_threads(set: &Set, capacity: f64) -> Said {
    let rows = set
        .rows("threads")
        .iter()
        .filter(|row| row.is("error", "") && row.is("threads", "2"));
    let rows: Vec<&Row> = rows
        .filter(|row| row.number("capacity") == capacity)
        .collect();
    let mut said = Said::default();
    said.and("On two threads, {#} keys", &[capacity]);
    for (operation, words) in [("insert", ", {name} inserts"), ("hit", ", {name} answers")] {
        let own = rows
            .iter()
            .copied()
            .filter(|row| row.is("operation", operation));
        let contestants = grouped(own, |row| (row.text("filter"), row.is("way", "batch")));
        let rates = contestants.iter().map(|((filter, is_batch), rows)| {
            let rates = rows.iter().map(|row| {
                1e3 / (row.number("wall_ns_per_key") - row.number("dry_run_ns_per_key"))
            });
            let name = format!("{filter}{}", if *is_batch { " (batch)" } else { "" });
            (median(rates), name)
        });
        let (rate, name) = rates.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let words = words.replace("{name}", &name);
        said.and(
            &format!("{words} fastest ({{}} million keys per second)"),
            &[rate],
        );
    }
    said
}

#[test]
fn threads() {
    let all = Set::read("speed", &["threads"]);
    let sets = [
        all.only("threads", |row| !row.is("way", "batch")),
        all.with("threads", |row| {
            if row.is("filter", "sharded") {
                row.set("wall_ns_per_key", row.number("wall_ns_per_key") / 3.0);
            }
            if row.is("filter", "private") {
                row.set("error", "no");
            }
        }),
        all,
    ];
    for set in sets {
        let said = set.sentences();
        let rows = set.rows("threads").iter();
        let capacities = rows.map(|row| row.text("capacity"));
        for capacity in capacities.collect::<BTreeSet<_>>() {
            let keys = capacity.parse().unwrap();
            on_two_threads(&set, keys).is(&said[&format!("threads-{capacity}")]);
        }
    }
}
