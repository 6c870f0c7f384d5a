//! What the scoreboard says of ours and other crates.

use crate::records::{Row, Said, Set, grouped, in_words, least, listed, most, sum};

/// A phase of a filter: 1,000 keys at capacity, 1 % asked for and got.
fn phase(filter: &str, phase: &str, load: f64) -> Row {
    let is_written = phase == "reload";
    let keys = 1_000.0 * load;
    Row::new(&[
        ("experiment", &"peers"),
        ("filter", &filter),
        ("release", &"1.0.0"),
        ("hashing", &"seeded"),
        ("is_static", &(filter == "fuse")),
        ("chooses_fpr", &true),
        ("dataset", &"words"),
        ("phase", &phase),
        ("load", &load),
        ("capacity", &1_000),
        ("target_fpr", &0.01),
        ("replicate", &0),
        ("seed", &1),
        ("keys", &keys),
        ("rejected", &0),
        ("members_asked", &keys),
        ("false_negatives", &0),
        ("non_members_asked", &100_000),
        ("false_positives", &(1_000.0 * load.powi(3))),
        ("allocated_bytes", &1_200),
        ("serialized_bytes", if is_written { &1_300 } else { &"" }),
        ("outcome", &"done"),
        ("error", &""),
    ])
}

/// Two of ours and two others, changed.
fn scoreboard(change: impl Fn(&mut Row)) -> Set {
    let names = [
        ("standard", true),
        ("cuckoo", true),
        ("theirs", false),
        ("fuse", false),
    ];
    let rows = names.iter().flat_map(|(name, _)| {
        let loads = [1.0, 1.5, 2.0].map(|load| phase(name, "load", load));
        // One on each side grows, to ten times its capacity.
        let grown = [("cuckoo", 3_000), ("theirs", 2_500)];
        let grown = grown
            .into_iter()
            .filter(move |(growing, _)| growing == name);
        let grown = grown.map(|(name, false_positives)| {
            let mut row = phase(name, "load", 10.0);
            row.set("false_positives", false_positives);
            row
        });
        let again = [phase(name, "reload", 1.0)];
        loads.into_iter().chain(grown).chain(again)
    });
    let subject = |(name, is_ours): &(&str, bool)| {
        Row::new(&[
            ("subject", name),
            ("kind", &"filter"),
            ("about", name),
            ("role", if *is_ours { &"ours" } else { &"peer" }),
            ("promises_no_false_negatives", is_ours),
            ("reproducible_by_seed", &true),
            ("exposes_locations", &false),
            ("removes", &false),
            ("grows", &false),
            ("concurrent", &false),
            ("theory", &""),
            ("scheme", &""),
        ])
    };
    let main = Set::read("main", &[]).files(&["run", "experiments", "datasets"]);
    let mut peers: Vec<Row> = rows.collect();
    peers.iter_mut().for_each(change);
    main.put("peers", peers)
        .put("subjects", names.iter().map(subject).collect())
}

/// A filter, by its rows.
struct Score<'a>(&'a str, Vec<&'a Row>);

impl Score<'_> {
    fn at(&self, load: f64, key: &str) -> f64 {
        let own = self.1.iter().copied();
        sum(
            own.filter(|row| row.is("phase", "load") && row.number("load") == load),
            key,
        )
    }

    fn fpr(&self, load: f64) -> f64 {
        self.at(load, "false_positives") / self.at(load, "non_members_asked")
    }

    fn bits(&self) -> f64 {
        8.0 * self.at(1.0, "allocated_bytes") / self.at(1.0, "keys")
    }

    fn bound(&self) -> f64 {
        self.bits() / -self.fpr(1.0).log2()
    }

    fn is_above(&self) -> bool {
        let p = self.fpr(1.0);
        p - 1.96 * (p * (1.0 - p) / self.at(1.0, "non_members_asked")).sqrt() > 0.01
    }

    fn keeps(&self) -> bool {
        !self.is_above() && self.at(1.0, "rejected") + self.at(1.0, "false_negatives") == 0.0
    }

    fn missing_past(&self) -> f64 {
        self.at(1.5, "false_negatives") + self.at(2.0, "false_negatives")
    }

    fn takes_twice(&self) -> bool {
        self.at(2.0, "rejected") == 0.0 && self.missing_past() == 0.0
    }

    fn takes_tenfold(&self) -> bool {
        let rejected = self.at(10.0, "rejected") > 0.0;
        self.at(10.0, "keys") > 0.0 && !rejected && self.missing_past() == 0.0
    }

    fn written(&self) -> f64 {
        let own = self
            .1
            .iter()
            .copied()
            .filter(|row| row.is("phase", "reload"));
        sum(own.clone(), "serialized_bytes") / sum(own, "keys")
    }
}

fn scores(set: &Set) -> Vec<Score<'_>> {
    let groups = grouped(set.rows("peers"), |row| row.text("filter"));
    groups
        .into_iter()
        .map(|(name, rows)| Score(name, rows))
        .collect()
}

fn headline(set: &Set) -> Said {
    let (scores, ours) = (scores(set), set.subjects("role", "ours"));
    let rows = set.rows("peers").iter();
    let broken = rows.filter(|row| {
        ours.contains(&row.text("filter"))
            && (row.number("false_negatives") > 0.0 || !row.is("error", ""))
    });
    let mut said = Said::default();
    match broken.count() {
        0 => said.and("✓ Pass: ours have no false negatives; at {} % ", &[1.0]),
        1 => said.and("✗ Fail: ours broke one promise; at {} % ", &[1.0]),
        n => {
            let words = format!("✗ Fail: ours broke {} promises; at {{}} % ", in_words(n));
            said.and(&words, &[1.0]);
        }
    }
    type Of = fn(&Score<'_>) -> Option<f64>;
    let measures: [(&str, Of); 5] = [
        ("bits per key", |s| s.keeps().then(|| s.bits())),
        ("times the bound", |s| s.keeps().then(|| s.bound())),
        ("FPR at 2x", |s| s.takes_twice().then(|| s.fpr(2.0))),
        ("FPR at 10x", |s| s.takes_tenfold().then(|| s.fpr(10.0))),
        ("bytes per key written", |s| s.keeps().then(|| s.written())),
    ];
    let better = |ours_are: bool| -> Vec<&str> {
        let is = |(_, of): &&(&str, Of)| {
            let best = |own: bool| {
                let side = scores.iter().filter(|s| ours.contains(&s.0) == own);
                least(side.filter_map(of))
            };
            best(ours_are) < best(!ours_are) - 1e-9
        };
        measures.iter().filter(is).map(|(name, _)| *name).collect()
    };
    let (own, theirs) = (better(true), better(false));
    let words = match (own.as_slice(), theirs.as_slice()) {
        ([], []) => "none is better than the other".to_owned(),
        (own, []) => format!("ours are better by {}", listed(own)),
        ([], theirs) => format!("other crates are better by {}", listed(theirs)),
        (own, theirs) => format!(
            "ours are better by {}, other crates by {}",
            listed(own),
            listed(theirs)
        ),
    };
    said.and(&words, &[]);
    said
}

/// Of those that keep the target the best use of memory.
fn size(set: &Set) -> Said {
    let mut scores = scores(set);
    scores.sort_by(|a, b| a.bound().total_cmp(&b.bound()));
    let mut said = Said::default();
    said.and("At {} %", &[1.0]);
    for (is_static, end) in [(false, ""), (true, ", but is built once")] {
        let mut kept = scores
            .iter()
            .filter(|s| s.keeps() && (s.0 == "fuse") == is_static);
        if let Some(best) = kept.next() {
            let joint = if is_static && said.has_more_than_one_number() {
                ";"
            } else {
                ","
            };
            said.and(
                &format!("{joint} {} takes {{}} times the bound{end}", best.0),
                &[best.bound()],
            );
        }
    }
    let above: Vec<&str> = scores
        .iter()
        .filter(|s| s.is_above())
        .map(|s| s.0)
        .collect();
    if !above.is_empty() {
        let joint = if said.has_more_than_one_number() {
            ";"
        } else {
            ","
        };
        said.and(
            &format!("{joint} above the target: {}", listed(&above)),
            &[],
        );
    }
    said
}

/// What twice the keys do.
fn past(set: &Set) -> Said {
    let mut scores = scores(set);
    scores.sort_by(|a, b| a.fpr(2.0).total_cmp(&b.fpr(2.0)));
    let mut said = Said::default();
    said.and("Sized for {} %, with twice the keys", &[1.0]);
    let times = scores
        .iter()
        .filter(|s| s.takes_twice())
        .map(|s| s.fpr(2.0) / s.fpr(1.0));
    let times: Vec<f64> = times.collect();
    let mut joint = "";
    if !times.is_empty() {
        let ends = [least(times.iter().copied()), most(times)];
        said.and(" filters of one size have {} to {} times their FPR", &ends);
        joint = ",";
    }
    let rejecting = scores
        .iter()
        .filter(|s| s.at(2.0, "rejected") > 0.0)
        .count();
    if rejecting > 0 {
        let verb = if rejecting == 1 { "rejects" } else { "reject" };
        said.and(&format!("{joint} {} {verb} keys", in_words(rejecting)), &[]);
        joint = ",";
    }
    let with_false_negatives: Vec<&str> = scores
        .iter()
        .filter(|s| s.missing_past() > 0.0)
        .map(|s| s.0)
        .collect();
    if !with_false_negatives.is_empty() {
        let words = if with_false_negatives.len() == 1 {
            "has"
        } else {
            "have"
        };
        said.and(
            &format!(
                "{joint} {} {words} false negatives",
                listed(&with_false_negatives)
            ),
            &[],
        );
    }
    said
}

#[test]
fn ours_and_others() {
    let is = |row: &Row, filter: &str, load: f64| {
        row.is("filter", filter) && row.is("phase", "load") && row.number("load") == load
    };
    let sets = [
        scoreboard(|_| {}),
        scoreboard(|row| match row.text("filter") {
            "standard" => row.set("allocated_bytes", 1_100),
            "theirs" => row.scale("false_positives", 0.5),
            _ if is(row, "fuse", 1.0) => row.set("rejected", 1),
            _ => {}
        }),
        // Ours have false negatives, others reject some or are above the target.
        scoreboard(|row| {
            if is(row, "standard", 2.0) || is(row, "cuckoo", 1.5) || is(row, "cuckoo", 1.0) {
                row.set("false_negatives", 3);
            }
            if is(row, "theirs", 2.0) {
                row.set("rejected", 400);
            }
            if row.is("filter", "fuse") {
                row.scale("false_positives", 1.7);
                row.set("allocated_bytes", 1_000);
            }
        }),
        // None keeps the target.
        scoreboard(|row| row.scale("false_positives", 2.0)),
    ];
    for set in sets {
        let said = set.sentences();
        headline(&set).is(&said[""]);
        size(&set).is(&said["size-0.01"]);
        past(&set).is(&said["past-capacity-0.01"]);
    }
}
