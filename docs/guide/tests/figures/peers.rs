//! From the scoreboard: sizes, rates, false negatives, and the known faults.

use crate::{
    Figures,
    records::{Row, digits, percent, rows, thousands},
};

/// What is compared: its name in the records, and where it is from.
const FILTERS: [(&str, &str); 13] = [
    ("standard", "ours"),
    ("blocked", "ours"),
    ("blocked-words32", "ours"),
    ("scalable", "ours"),
    ("cuckoo", "ours"),
    ("fastbloom", "0.17.0"),
    ("bloomfilter", "3.0.2"),
    ("sbbf-rs", "0.3.2"),
    ("cuckoofilter", "0.5.0"),
    ("growable-bloom-filter", "2.1.1"),
    ("qfilter", "0.3.1"),
    ("qfilter-resizeable", "0.3.1"),
    ("xorf-fuse8", "0.13.0"),
];

/// The rows of one phase of one filter, added up.
struct Counted<'a>(Vec<&'a Row>);

impl Counted<'_> {
    fn share(&self, of: &str, among: &str) -> f64 {
        let sum = |column| self.0.iter().map(|row| row.number(column)).sum::<f64>();
        if sum(among) == 0.0 {
            0.0
        } else {
            sum(of) / sum(among)
        }
    }

    fn fpr(&self) -> f64 {
        self.share("false_positives", "non_members_asked")
    }

    fn false_negatives(&self) -> f64 {
        self.share("false_negatives", "members_asked")
    }

    fn mean(&self, column: &str) -> f64 {
        self.0.iter().map(|row| row.number(column)).sum::<f64>() / self.0.len() as f64
    }

    fn bits_per_key(&self, capacity: f64) -> f64 {
        8.0 * self.mean("allocated_bytes") / capacity
    }
}

/// Sized for 10,000 keys at 1 %.
fn sized<'a>(all: &'a [Row], filter: &str, phase: &str, load: &str) -> Counted<'a> {
    let wanted = [
        ("filter", filter),
        ("phase", phase),
        ("load", load),
        ("capacity", "10000"),
        ("target_fpr", "0.01"),
        ("seed_form", "drawn"),
        ("outcome", "done"),
    ];
    let found: Vec<&Row> = all.iter().filter(|row| row.is(&wanted)).collect();
    Counted(found)
}

/// What COMPARE.md says in words: whose figure is the least of the table.
fn least(figure: impl Fn(&str) -> f64) -> &'static str {
    let names = FILTERS.iter().map(|(filter, _)| *filter);
    names
        .min_by(|a, b| figure(a).total_cmp(&figure(b)))
        .unwrap()
}

fn words_about_the_least(all: &[Row]) {
    let bound = |filter: &str| {
        let full = sized(all, filter, "load", "1.0");
        full.bits_per_key(1e4) / -full.fpr().log2()
    };
    assert_eq!(least(bound), "xorf-fuse8");
    let written = |filter: &str| sized(all, filter, "reload", "1.0").mean("serialized_bytes");
    assert_eq!(least(written), "bloomfilter");
    // Of those that grow.
    let ten = |filter| sized(all, filter, "load", "10.0");
    let bits = |filter| ten(filter).bits_per_key(ten(filter).mean("keys"));
    assert!(bits("growable-bloom-filter") < bits("scalable"));
    assert!(bits("qfilter-resizeable") < bits("scalable"));
    assert!(ten("growable-bloom-filter").fpr() > 0.01 && ten("qfilter-resizeable").fpr() < 0.01);
}

fn at_capacity(all: &[Row]) -> String {
    let mut table = String::from(
        "| filter | release | bits per key | times the bound | FPR, full | FPR at 2x | keys rejected at 2x | false negatives at 2x | bytes per key written |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (filter, release) in FILTERS {
        let full = sized(all, filter, "load", "1.0");
        let twice = sized(all, filter, "load", "2.0");
        assert!(!full.0.is_empty() && !twice.0.is_empty(), "{filter}");
        assert_eq!(full.false_negatives(), 0.0, "{filter}");
        let there = release == "ours" || full.0[0].text("release").ends_with(release);
        assert!(
            there,
            "{filter} was measured as {}",
            full.0[0].text("release")
        );
        let written = sized(all, filter, "reload", "1.0").mean("serialized_bytes") / 1e4;
        table += &format!(
            "| {filter} | {release} | {} | {} | {} | {} | {} | {} | {} |\n",
            digits(full.bits_per_key(1e4)),
            digits(full.bits_per_key(1e4) / -full.fpr().log2()),
            percent(full.fpr()),
            percent(twice.fpr()),
            percent(twice.share("rejected", "keys")),
            percent(twice.false_negatives()),
            digits(written)
        );
    }
    table
}

/// Each known fault with what was measured of it.
fn faults(all: &[Row]) -> String {
    let mut table =
        String::from("| crate | where | fault | measured |\n| --- | --- | --- | --- |\n");
    for fault in rows("peers", "peer-faults") {
        let mut wanted = [
            "filter",
            "release",
            "phase",
            "capacity",
            "seed_form",
            "target_fpr",
        ]
        .map(|column| (column, fault.text(column)))
        .to_vec();
        if fault.text("phase") == "load" {
            wanted.push(("load", "1.0"));
        }
        let found = Counted(all.iter().filter(|row| row.is(&wanted)).collect());
        assert!(!found.0.is_empty(), "{wanted:?}");
        let capacity = fault.number("capacity");
        let (measured, text) = match fault.text("figure") {
            "fpr" => (found.fpr(), format!("FPR {}", percent(found.fpr()))),
            "false-negatives" => {
                let share = found.false_negatives();
                (share, format!("{} false negatives", percent(share)))
            }
            "bits-per-key" => {
                let bits = found.bits_per_key(capacity);
                (bits, format!("{} bits per key", digits(bits)))
            }
            other => panic!("no figure {other}"),
        };
        assert!(
            measured >= fault.number("at_least"),
            "{}: {text}",
            fault.text("fault")
        );
        let place = match fault.text("phase") {
            "seed" => format!("a seed of {}", fault.text("seed_form").replace('-', " ")),
            "union" => "united across seeds".to_owned(),
            "reload" => "written and read back".to_owned(),
            _ => format!("{} keys", thousands(capacity)),
        };
        let version = fault.text("release").rsplit(' ').next().unwrap();
        let name = format!("{} {version}", fault.text("filter"));
        table += &format!("| {name} | {place} | {} | {text} |\n", fault.text("fault"));
    }
    table
}

/// What an overfilled filter of one size comes to.
fn overfilled(all: &[Row]) -> String {
    let fpr = |filter, load| percent(sized(all, filter, "load", load).fpr());
    format!(
        "Sized for 10,000 keys at 1 %, the standard filter has {} when it is full, {} with one and a\n\
         half times the keys and {} with twice as many. A scalable one has {} with twice and {} with\n\
         ten times as many, and takes more memory for it. A cuckoo filter keeps {} with twice as many\n\
         by returning an error for {} of them.",
        fpr("standard", "1.0"),
        fpr("standard", "1.5"),
        fpr("standard", "2.0"),
        fpr("scalable", "2.0"),
        fpr("scalable", "10.0"),
        fpr("cuckoo", "2.0"),
        percent(sized(all, "cuckoo", "load", "2.0").share("rejected", "keys")),
    )
}

/// Half the keys in each of two filters of different seeds, united.
fn united(all: &[Row]) -> String {
    let lacks = |filter| percent(sized(all, filter, "union", "1.0").false_negatives());
    let ours: Vec<&Row> = all
        .iter()
        .filter(|row| row.is(&[("filter", "standard"), ("phase", "union")]))
        .collect();
    assert!(
        !ours.is_empty()
            && ours
                .iter()
                .all(|row| row.text("outcome").starts_with("rejected"))
    );
    format!(
        "fastbloom 0.17.0 unites them, and {} of the keys are false negatives; bloom2 0.5.1 too, {}.\n\
         `union_with` of ours returned an error in all {} tries, which names the seed.",
        lacks("fastbloom"),
        lacks("bloom2"),
        ours.len()
    )
}

/// Those that grow, at ten times their first capacity.
fn grown(all: &[Row]) -> String {
    let mut table =
        String::from("| filter | FPR at 10x | bits per key then |\n| --- | ---: | ---: |\n");
    for filter in [
        "scalable",
        "growable-bloom-filter",
        "qfilter-resizeable",
        "scalable_cuckoo_filter",
    ] {
        let ten = sized(all, filter, "load", "10.0");
        assert_eq!(
            ten.false_negatives() + ten.share("rejected", "keys"),
            0.0,
            "{filter}"
        );
        let keys = ten.mean("keys");
        table += &format!(
            "| {filter} | {} | {} |\n",
            percent(ten.fpr()),
            digits(ten.bits_per_key(keys))
        );
    }
    table
}

/// What COMPARE.md says about removing and growing.
fn nothing_of_ours_removes_and_grows() {
    for filter in rows("peers", "subjects") {
        if filter.is(&[("removes", "true"), ("grows", "true")]) {
            assert_ne!(filter.text("role"), "ours", "{}", filter.text("subject"));
        }
        if filter.text("subject") == "qfilter-resizeable" {
            assert!(filter.is(&[("removes", "true"), ("grows", "true")]));
        }
    }
}

/// A filter whose hash is of one process, written and read back.
fn read_back(all: &[Row]) -> String {
    format!(
        "bloom2 0.5.1 draws its hash at random and does not write it: read back, {} of the keys are\n\
         false negatives.",
        percent(sized(all, "bloom2", "reload", "1.0").false_negatives())
    )
}

pub fn add(figures: &mut Figures) {
    nothing_of_ours_removes_and_grows();
    let all = rows("peers", "peers");
    words_about_the_least(&all);
    figures.insert("read-back", read_back(&all));
    figures.insert("grown", grown(&all));
    figures.insert("peers-at-capacity", at_capacity(&all));
    figures.insert("known-faults", faults(&all));
    figures.insert("overfilled", overfilled(&all));
    figures.insert("united-across-seeds", united(&all));
}
