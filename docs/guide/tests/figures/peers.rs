//! Numbers about other crates: sizes, rates, false negatives, and their known faults.

use crate::{
    Figures,
    records::{Row, digits, percent, rows, rows_of},
};

/// The compared filters: the name in the records, and the release.
const FILTERS: [(&str, &str); 13] = [
    ("standard", "ours"),
    ("blocked", "ours"),
    ("blocked-words32", "ours"),
    ("scalable", "ours"),
    ("cuckoo", "ours"),
    ("fastbloom", "0.17.0"),
    ("bloomfilter", "3.0.2"),
    ("sbbf-rs", "sbbf-rs-safe 0.3.2"),
    ("cuckoofilter", "0.5.0"),
    ("growable-bloom-filter", "2.1.1"),
    ("qfilter", "0.3.1"),
    ("qfilter-resizeable", "0.3.1"),
    ("xorf-fuse8", "0.13.0"),
];

/// The rows of one filter at a point of an experiment, whose counts are summed.
struct Counted<'a>(Vec<&'a Row>);

impl Counted<'_> {
    fn sum(&self, column: &str) -> f64 {
        self.0.iter().map(|row| row.number(column)).sum()
    }

    fn share(&self, of: &str, among: &str) -> f64 {
        self.sum(of) / self.sum(among).max(1.0)
    }

    fn fpr(&self) -> f64 {
        self.share("false_positives", "non_members")
    }

    fn false_negatives(&self) -> f64 {
        self.share("false_negatives", "members")
    }

    /// The bits per key, for the number of keys in the column `keys`.
    fn bits_per_key(&self, keys: &str) -> f64 {
        8.0 * self.share("memory_bytes", keys)
    }

    /// The bits per key divided by log2(1/FPR), the least that any filter needs.
    fn times_the_bound(&self) -> f64 {
        self.bits_per_key("capacity") / -self.fpr().log2()
    }
}

/// The rows at a point of an experiment whose filters are sized for 1 %.
fn at<'a>(all: &'a [Row], filter: &str, experiment: &str, x: &str) -> Counted<'a> {
    let wanted = [("filter", filter), ("experiment", experiment), ("x", x)];
    let found: Vec<&Row> = all.iter().filter(|row| row.is(&wanted)).collect();
    assert!(!found.is_empty(), "{wanted:?}");
    Counted(found)
}

/// A filter sized for 10,000 keys at 1 %, at capacity.
fn full<'a>(all: &'a [Row], filter: &str) -> Counted<'a> {
    at(all, filter, "fpr-at-target", "0.01")
}

/// A filter sized for 8,192 keys at 1 %, with `load` times as many keys.
fn loaded<'a>(all: &'a [Row], filter: &str, load: &str) -> Counted<'a> {
    at(all, filter, "fpr-over-load", load)
}

/// A filter that grew to ten times its initial capacity.
fn ten_times<'a>(all: &'a [Row], filter: &str) -> Counted<'a> {
    at(all, filter, "growth", "10.0")
}

/// Checks sentences of COMPARE.md that say which filter has the smallest number in the table.
fn words_about_the_least(all: &[Row]) {
    let names = FILTERS.iter().map(|(filter, _)| *filter);
    let bound = |filter: &&str| full(all, filter).times_the_bound();
    let least = names.min_by(|a, b| bound(a).total_cmp(&bound(b)));
    assert_eq!(least, Some("xorf-fuse8"));
    // Among the filters that grow.
    let bits = |filter| ten_times(all, filter).bits_per_key("keys");
    assert!(bits("growable-bloom-filter") < bits("scalable"));
    assert!(bits("qfilter-resizeable") < bits("scalable"));
    let fpr = |filter| ten_times(all, filter).fpr();
    assert!(fpr("growable-bloom-filter") > 0.01 && fpr("qfilter-resizeable") < 0.01);
}

fn at_capacity(all: &[Row]) -> String {
    let mut table = String::from(
        "| filter | release | bits per key | times the bound | FPR, full | FPR at 2x | keys rejected at 2x | false negatives at 2x |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (filter, release) in FILTERS {
        let (full, twice) = (full(all, filter), loaded(all, filter, "2.0"));
        assert_eq!(full.false_negatives(), 0.0, "{filter}");
        table += &format!(
            "| {filter} | {release} | {} | {} | {} | {} | {} | {} |\n",
            digits(full.bits_per_key("capacity")),
            digits(full.times_the_bound()),
            percent(full.fpr()),
            percent(twice.fpr()),
            percent(twice.share("rejected", "keys")),
            percent(twice.false_negatives()),
        );
    }
    table
}

/// The bytes per key in the files of two crates: the smallest, and ours.
fn written() -> String {
    let bytes = |name| measured(name, "written, 10,000 keys");
    let (theirs, ours) = (bytes("bloomfilter 3.0.2"), bytes("standard"));
    assert!(theirs < ours);
    format!(
        "Full, with 10,000 keys, it takes {theirs:.3} bytes per key; our standard filter, with a header of 128 bytes and a checksum, {ours:.3}."
    )
}

/// The known faults of other crates, with the measured values.
fn known() -> Vec<Row> {
    rows_of("harness/experiments/known-faults.csv")
}

/// The measured value of a fault.
fn measured(name: &str, place: &str) -> f64 {
    let wanted = [("crate", name), ("where", place)];
    let row = known().into_iter().find(|row| row.is(&wanted));
    row.unwrap().number("measured")
}

/// The table of known faults with the measured values.
fn faults() -> String {
    let mut table =
        String::from("| crate | where | fault | measured |\n| --- | --- | --- | --- |\n");
    for row in known() {
        let measured = row.number("measured");
        let text = match row.text("figure") {
            "fpr" => format!("FPR {}", percent(measured)),
            "false-negatives" => format!("{} false negatives", percent(measured)),
            "bits-per-key" => format!("{} bits per key", digits(measured)),
            _ => continue,
        };
        let [name, place, fault] = ["crate", "where", "fault"].map(|column| row.text(column));
        table += &format!("| {name} | {place} | {fault} | {text} |\n");
    }
    table
}

/// The FPR of overfilled filters of fixed size, and of filters that grow.
fn overfilled(all: &[Row]) -> String {
    let fpr = |filter, load| percent(loaded(all, filter, load).fpr());
    format!(
        "Sized for 8,192 keys at 1 %, the standard filter has {} when it is full and {} with twice as\n\
         many keys. A scalable one has {} with twice as many, and with ten times its first capacity {},\n\
         and takes more memory for it. A cuckoo filter keeps {} with twice as many by returning an error\n\
         for {} of them.",
        fpr("standard", "1.0"),
        fpr("standard", "2.0"),
        fpr("scalable", "2.0"),
        percent(ten_times(all, "scalable").fpr()),
        fpr("cuckoo", "2.0"),
        percent(loaded(all, "cuckoo", "2.0").share("rejected", "keys")),
    )
}

/// False negatives after the union of two filters with different seeds, each with half the keys.
fn united() -> String {
    let lacks = |name| percent(measured(name, "united across seeds"));
    format!(
        "fastbloom 0.17.0 unites them, and {} of the keys are false negatives; bloom2 0.5.1 too, {}.\n\
         `union_with` of ours returns an error, which names the seed.",
        lacks("fastbloom 0.17.0"),
        lacks("bloom2 0.5.1")
    )
}

/// Unions of filters with equal hashers, each with half the keys.
fn united_equally() -> String {
    let mut table = String::from(
        "| filter | false negatives of the union | its FPR |\n| --- | ---: | ---: |\n",
    );
    let known = known();
    let mut rows = known
        .iter()
        .filter(|row| row.text("where") == "united, equal hashers");
    while let (Some(missing), Some(fpr)) = (rows.next(), rows.next()) {
        assert_eq!(missing.text("figure"), "missing-in-union");
        assert_eq!(fpr.text("figure"), "fpr-of-union");
        table += &format!(
            "| {} | {} | {} |\n",
            missing.text("crate"),
            percent(missing.number("measured")),
            percent(fpr.number("measured"))
        );
    }
    table
}

/// The loads at which filters that grow are measured, from their initial capacity on.
const LOADS: [&str; 9] = [
    "1.0", "1.5", "2.0", "3.0", "3.5", "5.0", "7.0", "8.0", "10.0",
];

/// The table of filters that grow, at ten times their initial capacity, and their range of sizes up
/// to there.
fn grown(all: &[Row]) -> String {
    let mut table = String::from(
        "| filter | FPR at 10x | bits per key then | from 1x to 10x |\n\
         | --- | ---: | ---: | ---: |\n",
    );
    for filter in [
        "scalable",
        "growable-bloom-filter",
        "qfilter-resizeable",
        "scalable_cuckoo_filter",
    ] {
        let ten = ten_times(all, filter);
        assert_eq!(
            ten.false_negatives() + ten.share("rejected", "keys"),
            0.0,
            "{filter}"
        );
        let bits = LOADS.map(|load| at(all, filter, "growth", load).bits_per_key("keys"));
        table += &format!(
            "| {filter} | {} | {} | {} to {} |\n",
            percent(ten.fpr()),
            digits(ten.bits_per_key("keys")),
            digits(bits.into_iter().fold(f64::MAX, f64::min)),
            digits(bits.into_iter().fold(0.0, f64::max))
        );
    }
    table
}

/// Checks what COMPARE.md says about filters that both remove keys and grow.
fn nothing_of_ours_removes_and_grows() {
    let run = include_str!("../../../../reports/peers/run.json");
    for filter in run.split("\"subject\": ").skip(1) {
        let has = |fact: &str| filter.contains(&format!("\"{fact}"));
        let both = has("removes\": true") && has("grows\": true");
        assert!(!(both && has("role\": \"ours\"")), "{filter}");
        assert!(
            both || !filter.starts_with("\"qfilter-resizeable\""),
            "{filter}"
        );
    }
}

/// A filter whose hash is random in each process, written and read back.
fn read_back() -> String {
    format!(
        "bloom2 0.5.1 draws its hash at random and does not write it: read back, {} of the keys are\n\
         false negatives.",
        percent(measured("bloom2 0.5.1", "written and read back"))
    )
}

pub fn add(figures: &mut Figures) {
    nothing_of_ours_removes_and_grows();
    let all = rows("peers", "observations");
    words_about_the_least(&all);
    figures.insert("read-back", read_back());
    figures.insert("grown", grown(&all));
    figures.insert("peers-at-capacity", at_capacity(&all));
    figures.insert("known-faults", faults());
    figures.insert("written", written());
    figures.insert("overfilled", overfilled(&all));
    figures.insert("united-across-seeds", united());
    figures.insert("united-equally", united_equally());
}
