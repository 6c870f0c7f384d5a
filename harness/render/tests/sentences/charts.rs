//! What the pages say of charts and of times, found again in the records.

use crate::records::{Row, Said, Set, grouped, least, listed, most, sum};

/// Whether rates lie surely farther off theory than a tenth.
fn departs(rows: &[&Row]) -> bool {
    let asked = sum(rows.iter().copied(), "non_members");
    let hits = |row: &&Row| row.number("expected_fpr") * row.number("non_members");
    let expected = rows.iter().map(hits).sum::<f64>() / asked;
    let p = sum(rows.iter().copied(), "false_positives") / asked;
    let error = (p * (1.0 - p) / asked).sqrt() / expected;
    (p / expected - 1.0).abs() - 5.0 * error > 0.1
}

/// The filters with a point on some data set that departs.
fn departing(set: &Set, is_drawn: impl Fn(&Row) -> bool) -> String {
    let rows = set.rows("fpr").iter().filter(|row| is_drawn(row));
    let points = grouped(rows, |row| {
        ["filter", "sweep", "x", "key_set"].map(|key| row.text(key))
    });
    let bad = points.iter().filter(|(_, rows)| departs(rows));
    let names: Vec<&str> = grouped(bad, |(key, _)| key[0])
        .iter()
        .map(|own| own.0)
        .collect();
    match names.as_slice() {
        [] => "No filter that is judged departs from theory.".to_owned(),
        names => format!("Departing from theory: {}.", listed(names)),
    }
}

/// With as many times the hits of a filter on one data set at a place of a sweep.
fn scaled(set: &Set, own: [&str; 3], x: &str, times: f64) -> Set {
    set.with("fpr", |row| {
        let [experiment, filter, key_set] = own;
        let is_own = row.is("experiment", experiment) && row.is("filter", filter);
        if is_own && row.is("key_set", key_set) && row.is("x", x) {
            row.scale("false_positives", times);
        }
    })
}

#[test]
fn departures_from_theory() {
    let main = Set::read("main", &["fpr"]);
    let (bits, load) = ("fpr-by-bits-per-key", "fpr-by-load");
    let by_bits = main
        .rows("fpr")
        .iter()
        .find(|row| row.is("sweep", "bits-per-key"));
    let by_bits = by_bits.unwrap().text("experiment").to_owned();
    let words = main.only("fpr", |row| {
        row.is("key_set", "words") && !row.is("sweep", "load")
    });
    let urls = main.only("fpr", |row| {
        row.is("key_set", "urls") && row.is("experiment", "fpr-over-load")
    });
    let grown = main.only("fpr", |row| row.is("experiment", "growth"));
    let at_ten = |set: &Set, filter, times| scaled(set, [&by_bits, filter, "words"], "10.0", times);
    let over_load = |filter, times| scaled(&urls, ["fpr-over-load", filter, "urls"], "2.0", times);
    let cases = [
        (bits, at_ten(&at_ten(&words, "blocked", 0.6), "atomic", 0.6)),
        (bits, words),
        (load, over_load("standard", 2.0)),
        (
            "growth",
            grown.with("fpr", |row| row.scale("false_positives", 3.0)),
        ),
    ];
    for (chart, set) in cases {
        let is_drawn = |row: &Row| match chart {
            "fpr-by-load" => row.is("experiment", "fpr-over-load"),
            "growth" => row.is("experiment", "growth"),
            _ => row.is("sweep", "bits-per-key"),
        };
        assert_eq!(set.sentences()[chart], departing(&set, is_drawn), "{chart}");
    }
}

#[test]
fn false_negatives_while_keys_are_removed() {
    let main = Set::read("main", &["churn"]);
    let missing = main.with("churn", |row| {
        if row.is("filter", "counting") && row.is("step", "7") {
            row.set("false_negatives", 3);
        }
    });
    for set in [
        main.only("churn", |row| row.is("filter", "counting")),
        main,
        missing,
    ] {
        let rows = set
            .rows("churn")
            .iter()
            .filter(|row| row.number("false_negatives") > 0.0);
        let names: Vec<&str> = grouped(rows, |row| row.text("filter"))
            .iter()
            .map(|own| own.0)
            .collect();
        let wanted = match names.as_slice() {
            [] => "No filter has false negatives while keys are removed.".to_owned(),
            names => format!(
                "With false negatives while keys are removed: {}.",
                listed(names)
            ),
        };
        assert_eq!(set.sentences()["churn"], wanted);
    }
}

/// Of the highest target, at the most keys.
#[test]
fn the_smallest_for_a_target() {
    let main = Set::read("main", &["memory"]);
    let small = main.with("memory", |row| {
        if row.is("filter", "atomic") {
            row.scale("memory_bytes", 0.5);
        }
    });
    for set in [main, small] {
        let sized = |row: &&Row| row.is("note", "") && row.is("error", "");
        let rows: Vec<&Row> = set.rows("memory").iter().filter(sized).collect();
        let of = |key: &'static str| most(rows.iter().map(|row| row.number(key)));
        let (target, capacity) = (of("target_fpr"), of("capacity"));
        let own = rows
            .iter()
            .filter(|row| row.number("target_fpr") == target && row.number("capacity") == capacity);
        let bits = |row: &Row| 8.0 * row.number("memory_bytes") / capacity;
        let smallest = own.min_by(|a, b| bits(a).total_cmp(&bits(b))).unwrap();
        let words = format!(
            "{} takes the fewest bits per key for {{}} %: {{}}, {{}} times the bound.",
            smallest.text("filter")
        );
        let bits = bits(smallest);
        let mut said = Said::default();
        said.and(&words, &[100.0 * target, bits, bits / -target.log2()]);
        said.is(&set.sentences()["bits-needed"]);
    }
}

/// Median of the net times of a filter, half of the keys being members.
fn ns(rows: &[&Row]) -> f64 {
    let halves = rows.iter().filter(|row| row.is("operation", "half"));
    let net = halves.map(|row| row.number("ns_per_key") - row.number("dry_run_ns_per_key"));
    let mut net: Vec<f64> = net.collect();
    net.sort_by(f64::total_cmp);
    f64::midpoint(net[(net.len() - 1) / 2], net[net.len() / 2])
}

/// Whether a filter can be updated, took all keys, and has an FPR that is not surely above the
/// target by more than a twentieth, by the lower end of Wilson's interval of 95 %.
fn competes(set: &Set, name: &str, rows: &[&Row]) -> bool {
    let misses = rows
        .iter()
        .copied()
        .filter(|row| row.is("operation", "miss"));
    let asked = sum(misses.clone(), "operations");
    let (z, share) = (1.96, sum(misses, "false_positives") / asked);
    let root = (share * (1.0 - share) / asked + z * z / (4.0 * asked * asked)).sqrt();
    let low = (share + z * z / (2.0 * asked) - z * root) / (1.0 + z * z / asked);
    let is_in = |row: &&Row| row.is("error", "") && row.number("rejected") == 0.0;
    let is_static = set.subjects("family", "static").contains(&name);
    rows.iter().all(is_in) && !is_static && low <= 0.0105
}

#[test]
fn the_fastest_of_integers() {
    let all = Set::read("speed", &["times"]).only("times", |row| {
        let usual = [
            ("clock", "thread"),
            ("keys", "u64"),
            ("capacity", "1000000"),
            ("target_fpr", "0.01"),
        ];
        usual.iter().all(|(key, value)| row.is(key, value)) && !row.is("operation", "read")
    });
    let of = |filter: &'static str, key: &'static str, times: f64| {
        all.with("times", move |row| {
            if row.is("subject", filter) {
                row.set(key, (row.number(key) * times).round());
            }
        })
    };
    let peers = all.subjects("role", "peer");
    let sets = [
        // As fast as nothing is, and in vain: it misses the target by far.
        of("blocked-words32", "false_positives", 3.0),
        of("standard", "ns_per_key", 0.6),
        all.only("times", |row| !peers.contains(&row.text("subject"))),
        // Static filters are faster; now they may be compared.
        all.with_subjects("family", "spread"),
        all.clone(),
    ];
    for set in sets {
        let filters = grouped(set.rows("times"), |row| {
            ["subject", "path"].map(|key| row.text(key))
        });
        let may_be_compared =
            |([name, _], rows): &&([&str; 2], Vec<&Row>)| competes(&set, name, rows);
        let filters: Vec<_> = filters.iter().filter(may_be_compared).collect();
        let mut said = Said::default();
        said.and(
            "{#} keys of kind u64, target {} %. Fastest lookup with 50 % hits: ",
            &[1e6, 1.0],
        );
        let whose = [
            ("ours, one key at a time", "ours", "single"),
            ("ours, in batches", "ours", "batch"),
            ("another crate", "peer", "single"),
        ];
        let mut joint = "";
        for (words, role, path) in whose {
            let all = set.subjects("role", role);
            let own = filters
                .iter()
                .filter(|(key, _)| all.contains(&key[0]) && key[1] == path);
            let times: Vec<(f64, &str)> = own.map(|(key, rows)| (ns(rows), key[0])).collect();
            let fastest = least(times.iter().map(|own| own.0));
            if let Some((ns, name)) = times.iter().find(|own| own.0 == fastest) {
                said.and(&format!("{joint}{name} {{}} ns ({words})"), &[*ns]);
                joint = ", ";
            }
        }
        let sentences = set.sentences();
        let first = sentences["glance"]
            .split(". Net nanoseconds")
            .next()
            .unwrap();
        said.is(first);
    }
}
