//! What chosen keys do to a filter.

use crate::records::{Row, Said, Set, grouped, least, most};

/// A filter under one hash function, after so many of 1,000 chosen keys.
fn row(hashing: &str, chosen: u64) -> Row {
    let is_keyed = hashing == "sip-keyed";
    let rate = if is_keyed { 0.01 } else { 0.07 } * (chosen as f64 / 1_000.0).powi(7);
    Row::new(&[
        ("experiment", &"attack"),
        ("filter", &"standard"),
        ("hashing", &hashing),
        ("knows", &"all"),
        ("capacity", &1_000),
        ("size_bits", &9_586),
        ("hashes", &7),
        ("seed", &1),
        ("chosen", &chosen),
        ("fill_ratio", &0.5),
        ("expected_fill", &0.5),
        ("strangers_asked", &100_000),
        ("false_positives", &(100_000.0 * rate).round()),
        ("expected_fpr", &(0.01 * (chosen as f64 / 1_000.0).powi(7))),
    ])
}

fn pollution(names: &[&str], change: impl Fn(&mut Row)) -> Set {
    let each = names
        .iter()
        .flat_map(|name| [250, 500, 1_000].map(|chosen| row(name, chosen)));
    let mut rows: Vec<Row> = each.collect();
    rows.iter_mut().for_each(change);
    rows.retain(|row| !row.is("chosen", "0"));
    let main = Set::read("main", &[]).files(&["run", "experiments"]);
    main.put("attack", Vec::new()).put("pollution", rows)
}

/// Of the filters that were filled to their capacity.
fn at_capacity(set: &Set) -> Said {
    let courses = grouped(set.rows("pollution"), |row| row.text("hashing"));
    let rate = |row: &Row| row.number("false_positives") / row.number("strangers_asked");
    let full = |keyed: bool| {
        let own = courses
            .iter()
            .filter(move |(name, _)| (*name == "sip-keyed") == keyed);
        let rows = own.flat_map(|(_, rows)| rows.iter().copied());
        rows.filter(|row| row.number("chosen") == row.number("capacity"))
    };
    let mut said = Said::default();
    let open: Vec<f64> = full(false).map(rate).collect();
    if let Some(first) = full(false).next() {
        said.and("At capacity, chosen keys lift the FPR from ", &[]);
        said.share(first.number("expected_fpr"));
        said.and(" to between ", &[]);
        said.share(least(open.iter().copied()));
        said.and(" and ", &[]);
        said.share(most(open));
        said.and(" where the function is known", &[]);
    }
    let keyed: Vec<f64> = full(true).map(rate).collect();
    if !keyed.is_empty() {
        let words = ["; under", "Under"][usize::from(said.is_empty())];
        said.and(&format!("{words} a secret key it stays at "), &[]);
        said.share(most(keyed));
    }
    if said.is_empty() {
        said.and(
            "No filter was filled with chosen keys within the trials",
            &[],
        );
    }
    said
}

#[test]
fn chosen_keys() {
    let all = ["xxh3", "murmur3", "sip-keyed"];
    let sets = [
        pollution(&all, |_| {}),
        // The first was not filled within its trials.
        pollution(&all, |row| {
            if row.is("hashing", "xxh3") && row.is("chosen", "1000") {
                row.set("chosen", 0);
            }
        }),
        // The keyed one falls as well.
        pollution(&all, |row| {
            if !row.is("hashing", "murmur3") {
                row.scale("false_positives", 3.0);
            }
        }),
        pollution(&["sip-keyed"], |_| {}),
        pollution(&["xxh3"], |row| {
            if row.is("chosen", "1000") {
                row.set("chosen", 0);
            }
        }),
    ];
    for set in sets {
        at_capacity(&set).is(&set.sentences()["pollution"]);
    }
}
