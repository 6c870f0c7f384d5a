//! Of speed: the usual column, and threads at as many keys.

use super::{advice, count, least, median, takes};
use crate::records::{Row, Set, grouped, most, sum};

/// A filter of the report of speed, given its keys one way.
struct Timed<'a> {
    label: String,
    filter: &'a str,
    is_peer: bool,
    is_static: bool,
    ns: f64,
    bits: f64,
}

/// Of the usual column those that took every key and keep the target, with the slack that
/// the page gives them.
fn timed(set: &Set) -> Vec<Timed<'_>> {
    let rows = set.rows("speed").iter().filter(|row| {
        row.is("keys", "u64")
            && row.is("capacity", "1000000")
            && row.is("target_fpr", "0.01")
            && row.is("error", "")
    });
    let each = grouped(rows, |row| (row.text("filter"), row.text("way"))).into_iter();
    let timed = each.filter_map(|((filter, way), rows)| {
        let of = |operation: &'static str| {
            let own = rows.iter().copied();
            own.filter(move |row| row.is("operation", operation))
        };
        let net = |row: &Row| row.number("gross_ns_per_key") - row.number("dry_run_ns_per_key");
        let fpr = sum(of("miss"), "false_positives") / sum(of("miss"), "operations");
        let is_kept = fpr <= 0.0106 && sum(rows.iter().copied(), "rejected") == 0.0;
        let way = if way == "batch" { ", batch" } else { "" };
        is_kept.then(|| Timed {
            label: format!("{filter}{way}"),
            filter,
            is_peer: rows[0].is("role", "peer"),
            is_static: rows[0].is("family", "static"),
            ns: median(of("half").map(net)),
            bits: 8.0 * rows[0].number("allocated_bytes") / rows[0].number("capacity"),
        })
    });
    timed.collect()
}

/// The least time with half of the lookups members, at the usual size.
#[test]
fn of_speed() {
    let set = Set::read("speed", &["speed", "threads"]);
    let said = set.sentences();
    let all = timed(&set);
    let ours = |flag: &str| {
        let able = set.subjects(flag, "true");
        move |own: &Timed<'_>| !own.is_peer && able.contains(&own.filter)
    };
    let fastest = |need: &str, is_fit: &dyn Fn(&Timed<'_>) -> bool| {
        let own = all.iter().filter(|own| is_fit(own));
        let own: Vec<(&str, f64)> = own.map(|own| (&*own.label, own.ns)).collect();
        let line = advice(&said, need);
        let (name, ns) = least(&own);
        takes(line, name, ns, 0.05 * ns);
    };
    fastest("have a fixed set of keys", &|_| true);
    fastest("must delete keys", &ours("removes"));
    fastest("do not know how many keys will come", &ours("grows"));
    fastest("want speed above all", &|_| true);
    let smallest = |need: &str, is_fit: &dyn Fn(&Timed<'_>) -> bool| {
        let own = all.iter().filter(|own| is_fit(own));
        let own: Vec<(&str, f64)> = own.map(|own| (own.filter, own.bits)).collect();
        let (name, bits) = least(&own);
        takes(advice(&said, need), name, bits, 0.0051);
        name
    };
    let name = smallest("want the least memory above all", &|_| true);
    let own = all.iter().find(|own| own.filter == name).unwrap();
    let line = advice(&said, "want the least memory above all");
    assert_eq!(line.contains("another crate"), own.is_peer, "{line}");
    assert_eq!(line.contains("built once"), own.is_static, "{line}");
    smallest(
        "insert keys as they come and want the least memory",
        &|own| !own.is_static,
    );
    assert_eq!(count(&said), 7);
}

/// By what threads did with one filter, not by what one thread does alone.
#[test]
fn of_threads() {
    let set = Set::read("speed", &["speed", "threads"]);
    let line = |set: &Set| {
        let said = set.sentences();
        advice(&said, "share it between many threads").to_owned()
    };
    let rows = set.rows("threads").iter();
    let rows = rows.filter(|row| row.is("capacity", "1000000") && row.is("error", ""));
    let most = most(rows.clone().map(|row| row.number("threads")));
    let rows = rows.filter(|row| row.number("threads") == most && !row.is("filter", "private"));
    let rated = grouped(rows, |row| (row.text("filter"), row.text("way")));
    let rated: Vec<(String, [f64; 2])> = rated
        .into_iter()
        .map(|((filter, way), rows)| {
            let rate = |operation: &str| {
                let own = rows.iter().filter(|row| row.is("operation", operation));
                let ns =
                    |row: &&Row| row.number("wall_ns_per_key") - row.number("dry_run_ns_per_key");
                median(own.map(|row| 1e3 / ns(row)))
            };
            let way = if way == "batch" { ", batch" } else { "" };
            (format!("{filter}{way}"), [rate("hit"), rate("miss")])
        })
        .collect();
    let time = |rates: &[f64; 2]| rates.iter().map(|rate| rate.recip()).sum::<f64>();
    let fastest = rated.iter();
    let fastest = fastest.min_by(|a, b| time(&a.1).total_cmp(&time(&b.1)));
    let (name, [hit, miss]) = fastest.unwrap();
    let said = line(&set);
    takes(&said, name, *hit, 0.051);
    let misses = said.split(" million hits or ").nth(1).unwrap();
    let misses: f64 = misses.split(' ').next().unwrap().parse().unwrap();
    assert!((misses - miss).abs() <= 0.051, "{said}");
    assert!(
        said.contains(&format!("on {most} threads, 1,000,000 keys")),
        "{said}"
    );
    // Where no threads were measured it is said of what it is.
    let alone = line(&set.only("threads", |_| false));
    assert!(alone.contains(" ns per lookup on one thread"), "{alone}");
}
