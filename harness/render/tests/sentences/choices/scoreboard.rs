//! Of the scoreboard: ours and others alike, at the highest target.

use super::{advice, count, takes_least};
use crate::records::{Row, Set, grouped, sum};

/// A filter of the scoreboard that was sized for the highest target.
struct Scored<'a> {
    name: &'a str,
    rows: Vec<&'a Row>,
}

impl Scored<'_> {
    fn at(&self, load: f64) -> impl Iterator<Item = &Row> {
        let own = self.rows.iter().copied();
        own.filter(move |row| row.is("phase", "load") && row.number("load") == load)
    }

    fn sum(&self, load: f64, key: &str) -> f64 {
        sum(self.at(load), key)
    }

    fn fpr(&self, load: f64) -> f64 {
        self.sum(load, "false_positives") / self.sum(load, "non_members_asked")
    }

    fn bits(&self) -> f64 {
        let bits = |row: &Row| 8.0 * row.number("allocated_bytes") / row.number("keys");
        let bits: Vec<f64> = self.at(1.0).map(bits).collect();
        bits.iter().sum::<f64>() / bits.len() as f64
    }

    /// What it takes over what its FPR needs at least.
    fn times_bound(&self) -> f64 {
        self.bits() / -self.fpr(1.0).log2()
    }

    /// The lower end of what its FPR may be: by the spread from filter to filter.
    fn least_fpr(&self) -> f64 {
        let rate = |row: &Row| row.number("false_positives") / row.number("non_members_asked");
        let rates: Vec<f64> = self.at(1.0).map(rate).collect();
        let n = rates.len() as f64;
        let mean = rates.iter().sum::<f64>() / n;
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        mean - 2.1 * (squares / (n - 1.0) / n).sqrt()
    }

    /// Every key, and not surely more than the target.
    fn keeps(&self, target: f64) -> bool {
        let broken = self.sum(1.0, "rejected") + self.sum(1.0, "false_negatives");
        broken == 0.0 && self.least_fpr() <= target
    }

    fn takes_tenfold(&self) -> bool {
        let past = self.rows.iter().filter(|row| row.is("phase", "load"));
        let missing: f64 = past.map(|row| row.number("false_negatives")).sum();
        self.sum(10.0, "keys") > 0.0 && self.sum(10.0, "rejected") == 0.0 && missing == 0.0
    }
}

#[test]
fn of_the_scoreboard() {
    let set = Set::read("peers", &["peers"]);
    let rows = set.rows("peers").iter();
    let rows = rows.filter(|row| row.is("target_fpr", "0.01") && row.is("error", ""));
    let filters = grouped(rows, |row| row.text("filter")).into_iter();
    let filters: Vec<Scored<'_>> = filters
        .map(|(name, rows)| Scored { name, rows })
        .filter(|filter| filter.keeps(0.01))
        .collect();
    let said = set.sentences();
    assert_eq!(count(&said), 8);
    let able = |flag: &str| set.subjects(flag, "true");
    let all: Vec<&str> = filters.iter().map(|filter| filter.name).collect();
    let by = |among: &[&str], figure: fn(&Scored<'_>) -> f64| -> Vec<(&str, f64)> {
        let own = filters.iter().filter(|own| among.contains(&own.name));
        own.map(|own| (own.name, figure(own))).collect()
    };
    let updatable = filters.iter();
    let updatable = updatable.filter(|own| own.rows[0].is("is_static", "false"));
    let updatable: Vec<&str> = updatable.map(|own| own.name).collect();
    for (need, among) in [
        ("have a fixed set of keys", &all),
        ("insert keys as they come", &updatable),
        ("must delete keys", &able("removes")),
        ("share it between many threads", &able("concurrent")),
        ("want the least memory above all", &all),
    ] {
        takes_least(advice(&said, need), &by(among, |own| own.bits()), 0.0051);
    }
    let line = advice(&said, "want the fewest bits for the FPR you get");
    takes_least(line, &by(&all, |own| own.times_bound()), 0.008);
    let grown = filters.iter().filter(|own| own.takes_tenfold());
    let grown: Vec<&str> = grown.map(|own| own.name).collect();
    let shares = by(&grown, |own| 100.0 * own.fpr(10.0));
    let line = advice(&said, "do not know how many keys will come");
    takes_least(line, &shares, 0.0051);
    let line = advice(&said, "want speed above all");
    assert!(line.starts_with("see what was timed by "), "{line}");
}
