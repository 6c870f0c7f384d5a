//! What the charts of an evaluation say of rates by bits and by load.

use crate::records::{Row, Said, Set, grouped, in_words, least, listed, most, sum};

pub fn rate<'a>(rows: impl IntoIterator<Item = &'a Row> + Clone) -> f64 {
    sum(rows.clone(), "false_positives") / sum(rows, "non_members_asked")
}

/// What theory has for as many questions.
pub fn theory(rows: &[&Row]) -> f64 {
    let each = rows.iter();
    let hits = each.map(|row| row.number("expected_fpr") * row.number("non_members_asked"));
    hits.sum::<f64>() / sum(rows.iter().copied(), "non_members_asked")
}

/// How far a rate lies from theory, and one standard error of that, as shares.
pub fn off(rows: &[&Row]) -> (f64, f64) {
    let (p, expected) = (rate(rows.iter().copied()), theory(rows));
    let asked = sum(rows.iter().copied(), "non_members_asked");
    (
        p / expected - 1.0,
        (p * (1.0 - p) / asked).sqrt() / expected,
    )
}

/// Whether rates lie surely farther off than a tenth.
pub fn departs(rows: &[&Row]) -> bool {
    let (far, error) = off(rows);
    far.abs() - 5.0 * error > 0.1
}

pub fn filters_of<'a>(rows: &[&'a Row]) -> Vec<(&'a str, Vec<&'a Row>)> {
    grouped(rows.iter().copied(), |row| row.text("filter"))
}

fn at<'a>(rows: &[&'a Row], x: f64) -> Vec<&'a Row> {
    let own = rows.iter().copied();
    own.filter(|row| (row.number("x") - x).abs() < 1e-9)
        .collect()
}

/// The filters with a point on some data set that departs, and their points and sets.
pub fn departing<'a>(rows: &[&'a Row]) -> Vec<(&'a str, Vec<(&'a str, &'a str)>)> {
    let points = grouped(rows.iter().copied(), |row| {
        (row.text("filter"), row.text("x"), row.text("dataset"))
    });
    let bad = points.iter().filter(|(_, rows)| departs(rows));
    let names = grouped(bad.map(|(key, _)| key), |key| key.0);
    let places = |own: Vec<&(_, &'a str, &'a str)>| own.iter().map(|key| (key.1, key.2)).collect();
    names
        .into_iter()
        .map(|(name, own)| (name, places(own)))
        .collect()
}

fn say_departures(said: &mut Said, bad: &[(&str, Vec<(&str, &str)>)]) {
    match bad {
        [] => {}
        [(one, points)] => {
            let xs = grouped(points, |point| point.0);
            let sets = grouped(points, |point| point.1);
            let sets: Vec<&str> = sets.iter().map(|set| set.0).collect();
            said.and(&format!("{one} departs from theory at "), &[]);
            match xs.as_slice() {
                [(x, _)] => said.and("{}", &[x.parse().unwrap()]),
                many => said.and("{#} points", &[many.len() as f64]),
            }
            said.and(&format!(" on {}; ", listed(&sets)), &[]);
        }
        many => {
            let names: Vec<&str> = many.iter().map(|(name, _)| *name).collect();
            said.and(&format!("{} depart from theory; ", listed(&names)), &[]);
        }
    }
}

/// By the rows of the sweep over bits; a filter that is sized by targets alone counts
/// at the bits that it took.
fn by_bits(set: &Set) -> Said {
    let of = |sweep: &str| -> Vec<&Row> {
        let rows = set.rows("fpr").iter();
        rows.filter(|row| row.is("sweep", sweep)).collect()
    };
    let mut rows = of("bits-per-key");
    let xs: Vec<f64> = rows.iter().map(|row| row.number("x")).collect();
    let range = least(xs.iter().copied())..=most(xs);
    let swept = filters_of(&rows);
    rows.extend(of("target-fpr").into_iter().filter(|row| {
        let bits = row.number("size_bits") / row.number("capacity");
        range.contains(&bits) && swept.iter().all(|(name, _)| !row.is("filter", name))
    }));
    let mut said = Said::default();
    let bad = departing(&rows);
    say_departures(&mut said, &bad);
    let ours = set.subjects("role", "ours");
    let all = filters_of(&rows);
    let own: Vec<_> = all.iter().filter(|(name, _)| ours.contains(name)).collect();
    let sound = own
        .iter()
        .filter(|(name, _)| bad.iter().all(|(other, _)| other != name));
    let measured: Vec<_> = sound.collect();
    let points = measured
        .iter()
        .flat_map(|(_, rows)| grouped(rows.iter().copied(), |row| row.text("x")));
    let far = points.filter_map(|(_, rows)| {
        let (far, error) = off(&rows);
        (1.96 * error < 0.1).then_some(100.0 * far.abs())
    });
    let far = most(far);
    let many = in_words(own.len());
    match measured.as_slice() {
        [(one, rows)] => {
            let xs = || rows.iter().map(|row| row.number("x"));
            said.and(&format!("{one} follows theory within "), &[]);
            said.and(
                "{^} % from {} to {} bits per key",
                &[far, least(xs()), most(xs())],
            );
        }
        measured if measured.len() == own.len() => {
            said.and(
                &format!("All {many} filters follow theory within {{^}} %"),
                &[far],
            );
        }
        measured => {
            let some = in_words(measured.len());
            said.and(
                &format!("{some} of {many} filters follow theory within {{^}} %"),
                &[far],
            );
        }
    }
    let line = |name: &str| all.iter().find(|(filter, _)| *filter == name);
    if let (Some((_, standard)), Some((_, blocked))) = (line("standard"), line("blocked")) {
        let times = rate(at(blocked, 10.0)) / rate(at(standard, 10.0));
        if times > 1.0 && bad.iter().all(|(name, _)| *name != "blocked") {
            said.and(
                "; at {} bits per key blocked pays {} % more false positives for one cache line \
                 per key",
                &[10.0, 100.0 * (times - 1.0)],
            );
        }
    }
    said
}

pub fn fpr() -> Set {
    Set::read("main", &["fpr"])
}

fn in_sweep(row: &Row, sweep: &str, filter: &str, dataset: &str) -> bool {
    row.is("sweep", sweep) && row.is("filter", filter) && row.is("dataset", dataset)
}

#[test]
fn rates_by_bits() {
    let main = fpr();
    let bits = main.only("fpr", |row| !row.is("sweep", "load"));
    let at_ten = |filter: &'static str, times: f64| {
        move |row: &mut Row| {
            if in_sweep(row, "bits-per-key", filter, "words") && row.is("x", "10.0") {
                row.scale("false_positives", times);
            }
        }
    };
    let words = bits.only("fpr", |row| row.is("dataset", "words"));
    let standard = bits.only("fpr", |row| row.is("filter", "standard"));
    // Off by more than a tenth of a quarter as many, so not surely: no departure, and no less than it is.
    let point: Vec<&Row> = words.rows("fpr").iter().collect();
    let point: Vec<&Row> = point
        .into_iter()
        .filter(|row| in_sweep(row, "bits-per-key", "partitioned", "words") && row.is("x", "10.0"))
        .collect();
    let raised = 1.1234 / (1.0 + off(&point).0);
    let sets = [
        bits.with("fpr", at_ten("sharded", 1.4)),
        bits.with("fpr", at_ten("blocked", 0.6))
            .with("fpr", at_ten("atomic", 0.6)),
        words
            .with("fpr", at_ten("partitioned", 0.25 * raised))
            .with("fpr", |row| {
                if in_sweep(row, "bits-per-key", "partitioned", "words") && row.is("x", "10.0") {
                    row.scale("non_members_asked", 0.25);
                }
            }),
        bits.with("fpr", |row| {
            if row.is("filter", "blocked") && row.is("sweep", "bits-per-key") {
                row.scale("false_positives", 1.5);
            }
        }),
        standard,
        words,
        bits,
    ];
    for set in sets {
        by_bits(&set).is(&set.sentences()["fpr-by-bits-per-key"]);
    }
}

pub fn loads<'a>(rows: &[&'a Row]) -> Vec<(f64, Vec<&'a Row>)> {
    let mut loads = grouped(rows.iter().copied(), |row| row.number("x"));
    loads.sort_by(|a, b| a.0.total_cmp(&b.0));
    loads
}

fn say_rates(said: &mut Said, lines: &[Vec<&Row>]) {
    let rates = || lines.iter().map(|rows| rate(rows.iter().copied()));
    let (low, high) = (least(rates()), most(rates()));
    said.share(low);
    if format!("{low:.1e}") != format!("{high:.1e}") {
        said.and(" to ", &[]);
        said.share(high);
    }
}

/// Which share of the keys that it took are false negatives, at the first load and the last.
fn say_false_negatives(said: &mut Said, name: &str, rows: &[&Row]) -> bool {
    let each = loads(rows).into_iter();
    let shares: Vec<(f64, f64)> = each
        .map(|(x, rows)| {
            let asked = sum(rows.iter().copied(), "members_asked");
            (x, sum(rows, "false_negatives") / asked)
        })
        .collect();
    let Some((x, first)) = shares.iter().find(|(_, share)| *share > 0.0) else {
        return false;
    };
    said.and(&format!("{name} has false negatives for "), &[]);
    said.share(*first);
    said.and(" of the keys it took at load {}", &[*x]);
    let (end, last) = shares.last().unwrap();
    if end > x {
        said.and(", ", &[]);
        said.share(*last);
        said.and(" at load {}", &[*end]);
    }
    true
}

/// What is refused, from which load on, the lowest first.
fn say_refusals(said: &mut Said, first: &[(f64, &str)]) {
    for (place, (x, group)) in grouped(first, |refusal| refusal.0).iter().enumerate() {
        let names: Vec<&str> = group.iter().map(|(_, name)| *name).collect();
        let verb = match (place, names.len()) {
            (0, 1) => " rejects keys",
            (0, _) => " reject keys",
            _ => "",
        };
        let comma = if place == 0 { "" } else { ", " };
        let words = format!("{comma}{}{verb} from load {{}} on", listed(&names));
        said.and(&words, &[*x]);
    }
}

fn by_load(set: &Set) -> Said {
    let rows = set.rows("fpr").iter();
    let rows: Vec<&Row> = rows
        .filter(|row| row.is("experiment", "fpr-over-load"))
        .collect();
    let ours = set.subjects("role", "ours");
    let all = filters_of(&rows);
    let (own, theirs): (Vec<_>, Vec<_>) = all.iter().partition(|(name, _)| ours.contains(name));
    let mut said = Said::default();
    let bad = departing(&rows);
    say_departures(&mut said, &bad);
    for (name, rows) in &own {
        if say_false_negatives(&mut said, name, rows) {
            said.and("; ", &[]);
        }
    }
    let refuses = |rows: &[&Row]| {
        let mut loads = loads(rows).into_iter();
        loads
            .find(|(_, rows)| sum(rows.iter().copied(), "refused") > 0.0)
            .map(|found| found.0)
    };
    let measured = if own.is_empty() { &theirs } else { &own };
    let full: Vec<Vec<&Row>> = measured.iter().map(|(_, rows)| at(rows, 1.0)).collect();
    let at_capacity = ["at capacity ", "At capacity "][usize::from(said.is_empty())];
    said.and(at_capacity, &[]);
    match measured.as_slice() {
        [(one, _)] => said.and(&format!("{one} has "), &[]),
        many => said.and(&format!("the {} filters have ", in_words(many.len())), &[]),
    }
    say_rates(&mut said, &full);
    let all_taken = measured.iter().filter(|(_, rows)| refuses(rows).is_none());
    let last: Vec<Vec<&Row>> = all_taken.map(|(_, rows)| at(rows, 2.0)).collect();
    if !last.is_empty() {
        let those = if last.len() == measured.len() {
            ""
        } else {
            "those that take every key "
        };
        said.and(&format!(", at load {{}} {those}"), &[2.0]);
        say_rates(&mut said, &last);
    }
    let mut first: Vec<(f64, &str)> = all
        .iter()
        .filter_map(|(name, rows)| Some((refuses(rows)?, *name)))
        .collect();
    first.sort_by(|a, b| a.0.total_cmp(&b.0));
    if !first.is_empty() {
        said.and("; ", &[]);
        say_refusals(&mut said, &first);
    }
    for (name, rows) in theirs {
        let mut denials = Said::default();
        if say_false_negatives(&mut denials, name, rows) {
            said.join(if first.len() == 1 { " and " } else { "; " }, denials, name);
        }
    }
    said
}

#[test]
fn rates_by_load() {
    let load = fpr().only("fpr", |row| row.is("experiment", "fpr-over-load"));
    let of = |filters: &'static [&str]| {
        load.only("fpr", move |row| filters.contains(&row.text("filter")))
    };
    let at_load = |filter: &'static str, x: &'static str, key: &'static str, by: f64| {
        let mut is_first = true;
        load.with("fpr", move |row| {
            if row.is("filter", filter) && row.is("x", x) && row.is("dataset", "urls") {
                let own = row.number(key);
                match key {
                    "false_positives" => row.set(key, (own * by).round()),
                    _ if is_first => row.set(key, by),
                    _ => {}
                }
                is_first = false;
            }
        })
    };
    let sets = [
        of(&["standard"]),
        of(&["cuckoofilter"]),
        of(&["standard", "cuckoofilter"]),
        of(&["cuckoo", "blocked"]),
        at_load("counting", "1.5", "false_negatives", 7.0),
        at_load("atomic", "0.875", "refused", 1.0),
        at_load("standard", "2.0", "false_positives", 2.0),
        load.clone(),
    ];
    for set in sets {
        by_load(&set).is(&set.sentences()["fpr-by-load"]);
    }
}
