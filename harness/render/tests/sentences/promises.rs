//! What the charts of an evaluation say of growth, targets, false negatives and sizes.

use crate::{
    evaluate::{departing, departs, filters_of, fpr, loads, rate, theory},
    records::{Row, Said, Set, in_words, least, listed, most, sum},
};

fn growth(set: &Set) -> Said {
    let rows = set.rows("fpr").iter();
    let rows: Vec<&Row> = rows.filter(|row| row.is("experiment", "growth")).collect();
    let mut said = Said::default();
    if !departing(&rows).is_empty() {
        said.and("scalable departs from theory; ", &[]);
    }
    let rates: Vec<(f64, f64)> = loads(&rows)
        .into_iter()
        .map(|(x, rows)| (x, rate(rows)))
        .collect();
    let (x, highest) = *rates.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let (last, target) = (rates.last().unwrap().0, rows[0].number("target_fpr"));
    if target.is_nan() {
        said.and(
            "scalable has at most {} % up to {} times its first capacity",
            &[100.0 * highest, last],
        );
    } else if highest <= target {
        said.and(
            "scalable stays below {} % up to {} times its first capacity (at most {} %)",
            &[100.0 * target, last, 100.0 * highest],
        );
    } else {
        let numbers = [100.0 * target, 100.0 * highest, x];
        said.and(
            "scalable passes {} %: {} % at {} times its first capacity",
            &numbers,
        );
    }
    let bits = loads(&rows).into_iter().filter(|(x, _)| *x >= 1.0);
    let bits: Vec<f64> = bits
        .map(|(_, rows)| {
            let keys = |row: &Row| row.number("keys") - row.number("rejected");
            let each = rows
                .iter()
                .map(|row| 8.0 * row.number("memory_bytes") / keys(row));
            each.sum::<f64>() / rows.len() as f64
        })
        .collect();
    let ends = [least(bits.iter().copied()), most(bits.iter().copied())];
    said.and(" and takes {} to {} bits per key", &ends);
    said
}

#[test]
fn rates_of_what_grows() {
    let grown = fpr().only("fpr", |row| row.is("experiment", "growth"));
    let sets = [
        grown.with("fpr", |row| row.scale("false_positives", 3.0)),
        grown.with("fpr", |row| row.set("target_fpr", "")),
        grown.only("fpr", |row| {
            row.number("x") <= 3.5 && row.is("dataset", "urls")
        }),
        grown,
    ];
    for set in sets {
        growth(&set).is(&set.sentences()["growth"]);
    }
}

fn churn(set: &Set) -> Said {
    let mut said = Said::default();
    let mut clauses: Vec<Said> = Vec::new();
    let (mut sound, mut theirs) = (Vec::new(), Vec::new());
    let promising = set.subjects("promises_no_false_negatives", "true");
    let rows: Vec<&Row> = set.rows("churn").iter().collect();
    let end = most(rows.iter().map(|row| row.number("round")));
    for (name, rows) in filters_of(&rows) {
        let all = |key: &str| sum(rows.iter().copied(), key);
        let round = |n: f64| {
            rows.iter()
                .copied()
                .filter(move |row| row.number("round") == n)
        };
        let last: Vec<&Row> = round(end).collect();
        let (missing, kept) = (all("false_negatives"), all("removals_rejected"));
        let mut clause = Said::default();
        match promising.contains(&name) {
            true if missing > 0.0 => clause.and(
                &format!("{name} has false negatives for {{#}} of {{#}} members"),
                &[missing, all("members_asked")],
            ),
            true if kept > 0.0 => clause.and(
                &format!("{name} rejects {{#}} of {{#}} removals of members"),
                &[kept, all("removed")],
            ),
            true if departs(&last) => clause.and(&format!("{name} departs from theory"), &[]),
            true => sound.push((
                name,
                rate(last),
                sum(round(end), "removed") / sum(round(0.0), "inserted"),
            )),
            false => {
                let share = |n| sum(round(n), "false_negatives") / sum(round(n), "members_asked");
                let mut words = Said::default();
                words.and(&format!("{name} has false negatives for "), &[]);
                words.share(share(0.0));
                words.and(" of its keys at the start and ", &[]);
                words.share(share(end));
                words.and(" in the end", &[]);
                if departs(&last) {
                    let numbers = [100.0 * rate(last.iter().copied()), 100.0 * theory(&last)];
                    words.and(" and has an FPR of {} % where theory says {} %", &numbers);
                }
                theirs.push(words);
            }
        }
        if !clause.is_empty() {
            clauses.push(clause);
        }
    }
    if let Some((_, _, share)) = sound.first() {
        let names: Vec<&str> = sound.iter().map(|(name, ..)| *name).collect();
        let (have, rate) = match names.len() {
            1 => ("has", "an FPR of"),
            _ => ("have", "FPRs of"),
        };
        let rates: Vec<f64> = sound.iter().map(|(_, rate, _)| 100.0 * rate).collect();
        let mut clause = Said::default();
        clause.and(
            "After {#} rounds in which {} % of the keys are replaced, ",
            &[end, 100.0 * share],
        );
        let places = listed(&vec!["{} %"; rates.len()]);
        let names = listed(&names);
        clause.and(
            &format!("{names} {have} no false negatives and {rate} {places}"),
            &rates,
        );
        clauses.push(clause);
    }
    for (place, clause) in clauses.into_iter().chain(theirs).enumerate() {
        said.join(if place == 0 { "" } else { "; " }, clause, "");
    }
    said
}

#[test]
fn rates_and_keys_while_keys_come_and_go() {
    let main = Set::read("main", &["churn"]);
    let first = |filter: &'static str, key: &'static str| {
        let mut is_first = true;
        main.with("churn", move |row| {
            if is_first && row.is("filter", filter) && row.is("round", "7") {
                row.set(key, 3);
                is_first = false;
            }
        })
    };
    let raised = |filter: &'static str| {
        main.with("churn", move |row| {
            if row.is("filter", filter) && row.is("round", "20") {
                row.scale("false_positives", 1.5);
            }
        })
    };
    let sets = [
        first("counting", "false_negatives"),
        first("cuckoo", "removals_rejected"),
        raised("cuckoo"),
        raised("cuckoofilter"),
        main.only("churn", |row| {
            row.is("filter", "counting") && row.number("round") <= 5.0
        }),
        main,
    ];
    for set in sets {
        churn(&set).is(&set.sentences()["churn"]);
    }
}

/// Of the highest target, and of each filter the row with most keys.
fn bits_needed(set: &Set) -> Said {
    let rows = set.rows("memory").iter();
    let rows: Vec<&Row> = rows
        .filter(|row| row.is("note", "") && row.is("error", ""))
        .collect();
    let target = most(rows.iter().map(|row| row.number("target_fpr")));
    let own = rows
        .iter()
        .copied()
        .filter(|row| row.number("target_fpr") == target);
    let own: Vec<&Row> = own.collect();
    let bits = |row: &Row| 8.0 * row.number("memory_bytes") / row.number("capacity");
    let mut all: Vec<(f64, &str)> = filters_of(&own)
        .into_iter()
        .map(|(name, rows)| {
            let capacity = most(rows.iter().map(|row| row.number("capacity")));
            let largest = rows.iter().find(|row| row.number("capacity") == capacity);
            (bits(largest.unwrap()), name)
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = all.len() - 1;
    let shown = all.iter().enumerate();
    let shown = shown.filter(|(at, (_, name))| [0, last].contains(at) || *name == "standard");
    let shown: Vec<&(f64, &str)> = shown.map(|(_, shown)| shown).collect();
    let mut said = Said::default();
    said.and("Bits per key for {} %", &[100.0 * target]);
    if shown.len() < all.len() {
        said.and(&format!(", of {} filters", in_words(all.len())), &[]);
    }
    for (place, (bits, name)) in shown.iter().enumerate() {
        let words = format!(
            "{} {name} {{}} ({{}} times the bound)",
            [":", ","][place.min(1)]
        );
        said.and(&words, &[*bits, bits / -target.log2()]);
    }
    said
}

#[test]
fn bits_for_a_target() {
    let main = Set::read("main", &["memory"]);
    let sets = [
        main.only("memory", |row| row.is("filter", "cuckoo")),
        main.only("memory", |row| {
            !row.is("filter", "standard") && row.number("target_fpr") < 0.005
        }),
        main.with("memory", |row| {
            if row.is("filter", "counting") {
                row.set("error", "too large");
            }
            if row.is("filter", "atomic") {
                row.scale("memory_bytes", 0.8);
            }
        }),
        main,
    ];
    for set in sets {
        bits_needed(&set).is(&set.sentences()["bits-needed"]);
    }
}
