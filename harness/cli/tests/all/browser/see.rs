//! The guide's page for newcomers, `see.html`: its script must be the filter of the crates.

use std::collections::BTreeSet;

use bouquet_core::{KeyHasher, math::expected_fpr};
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use super::*;

fn see() -> String {
    fs::read_to_string(root().join("docs/guide/src/see.html")).unwrap()
}

fn seen(browser: &str, folder: &Folder, page: &str, size: &str, more: &[&str]) -> Value {
    found(browser, folder, page, include_str!("see.js"), size, more)
}

fn slots(list: &Value) -> BTreeSet<u64> {
    let list = list.as_array().unwrap().iter();
    list.map(|slot| slot.as_u64().unwrap()).collect()
}

/// The rows of the hashes in docs/FROZEN.md.
fn frozen() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/FROZEN.md")).unwrap();
    let rows = page
        .lines()
        .skip_while(|line| *line != "| key | place | probe |");
    let rows = rows.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(str::to_owned).collect()
}

/// The hashes of FROZEN.md, and those of keys of every length in which the hash has cases.
fn hashes_are_those_of_the_crate(found: &Value) {
    assert!(frozen().len() >= 10);
    assert_eq!(words(&found["frozen"]), frozen());
    let lengths = words(&found["lengths"]);
    assert_eq!(lengths.len(), 200);
    for (length, got) in lengths.iter().enumerate() {
        let key: Vec<u8> = (0..length).map(|i| (i * 7 + length) as u8).collect();
        let hash = Folded::new().hash(&key);
        let want = format!("{:016x} {:016x}", hash.place, hash.probe);
        assert_eq!(*got, want, "{length} bytes");
    }
}

/// A filter of a choice of the page: its m and k, its bits when full, and its FPR.
fn filter_is_that_of_the_crate(shown: &Value) {
    let number = |name: &str| shown[name].as_u64().unwrap();
    let (capacity, target) = (number("capacity"), shown["target"].as_f64().unwrap());
    let of = |capacity: u64| StandardBloom::new(capacity as usize, target).unwrap();
    let mut filter = of(capacity);
    assert_eq!(
        (filter.size_bits(), u64::from(filter.hashes())),
        (number("size"), number("hashes")),
        "{capacity} keys at {target}"
    );
    assert!(of(capacity + 1).size_bits() > filter.size_bits());
    let call = format!("StandardBloom::new({capacity}, {target})");
    assert!(shown["sizing"].as_str().unwrap().contains(&call), "{call}");

    let keys = words(&shown["keys"]);
    assert_eq!(keys.len() as u64, capacity);
    let mut set = BTreeSet::new();
    for key in &keys {
        filter.insert(*key);
        set.extend(filter.locations(*key));
    }
    assert_eq!(slots(&shown["set"]), set, "{call}");
    let other: BTreeSet<u64> = filter.locations("no such flower").collect();
    assert_eq!(slots(&shown["clear"]), other, "{call}");
    assert_eq!(shown["missed"], serde_json::json!([]));

    for (at, n) in [0, capacity, 2 * capacity].into_iter().enumerate() {
        let got = shown["expected"][at].as_f64().unwrap();
        let want = expected_fpr(filter.size_bits(), filter.hashes(), n);
        assert!((got - want).abs() <= 1e-12 * want, "{call}: {got} {want}");
    }
    let counted = |name: &str| shown["measured"][name].as_u64().unwrap();
    let absent = (0..8_000).map(|i| format!("absent {i}"));
    let wrong = absent.filter(|key| filter.contains(key)).count() as u64;
    assert_eq!(
        (counted("wrong"), counted("asked")),
        (wrong, 8_000),
        "{call}"
    );
    let fill = set.len() as f64 / filter.size_bits() as f64;
    let mean = 8_000.0 * fill.powi(filter.hashes() as i32);
    let far = (wrong as f64 - mean).abs() / mean.sqrt();
    assert!(
        far < 4.0,
        "{call}: {wrong} false positives, expected {mean}"
    );
}

/// What the page says of a key that is typed, inserted and typed again, and of a false positive.
fn answers_are_right(found: &Value) {
    let says = |of: &Value, words: &str| {
        assert!(of.as_str().unwrap().contains(words), "{words}: {of}");
    };
    let (empty, inserted) = (&found["empty"], &found["inserted"]);
    says(&empty["answer"], "“красная роза 🌹” is definitely absent");
    assert_eq!(slots(&empty["set"]), BTreeSet::new());
    says(&found["none"], "None of 16,000 words");
    says(
        &inserted["answer"],
        "Inserted. “красная роза 🌹” may be present",
    );
    assert_eq!(inserted["set"], inserted["slots"]);
    assert_eq!(inserted["slots"], empty["slots"]);
    says(&found["again"], "nothing changes");
    let shown = words(&found["shown"]);
    assert!(
        shown[0].starts_with("26 of 26") && shown[1].contains("of 128 bits"),
        "{shown:?}"
    );
    assert!(
        shown[2..].iter().all(|words| words.contains('%')),
        "{shown:?}"
    );
    says(&found["over"], "36 of 26: more than it is sized for");
    assert_eq!(found["dots_of_chart"], 37);

    let one = &found["found"];
    let (key, keys) = (one["key"].as_str().unwrap(), words(&one["inserted"]));
    assert!(!keys.contains(&key), "{key}");
    says(&one["answer"], "words that were looked up");
    says(&one["answer"], "never inserted: a false positive");
    let own = slots(&one["slots"]);
    assert!(
        !own.is_empty() && own.is_subset(&slots(&one["set"])),
        "{one}"
    );
    let mut filter = StandardBloom::new(26, 0.1).unwrap();
    filter.extend(&keys);
    assert!(filter.contains(key));
    assert_eq!(own, filter.locations(key).collect());
    // The table names, for each slot, the keys that set it.
    let owners = words(&one["owners"]);
    assert_eq!(owners.len(), own.len());
    for (slot, named) in own.iter().zip(owners) {
        let set = keys
            .iter()
            .filter(|key| filter.locations(**key).any(|at| at == *slot));
        assert_eq!(named, set.copied().collect::<Vec<_>>().join(", "), "{slot}");
    }
    says(&found["nothing"], "Type a key.");
    assert_ne!(found["long"], 0);
}

#[test]
fn the_page_for_newcomers_is_the_filter_of_the_crate() {
    let Some(browser) = browser() else { return };
    let (folder, page) = (Folder::new(), see());
    let looks = [WIDE, PHONE].map(|size| {
        let day = seen(&browser, &folder, &page, size, &[]);
        let night = seen(&browser, &folder, &page, size, &[NIGHT]);
        assert_ne!(day["paper"], night["paper"]);
        [day, night]
    });
    for found in looks.as_flattened() {
        for none in ["wrong", "console", "loaded", "doubled"] {
            assert_eq!(found[none], serde_json::json!([]), "{none}");
        }
        for none in ["overflow", "late", "small", "unlabelled", "unnamed"] {
            assert_eq!(found[none], 0, "{none}, {}", found["width"]);
        }
        let stops = found["stops"].as_u64().unwrap();
        assert!((5..=60).contains(&stops), "{stops} tab stops");
        assert_eq!(found["live"], "status");
        assert_eq!(found["first"], "skip");
        let filters = found["filters"].as_array().unwrap();
        assert_eq!(filters.len(), 12);
        // Pixels of a bit, of 512 on a phone too.
        assert!(filters.iter().all(|one| one["width"].as_u64() >= Some(6)));
    }
    assert_eq!(looks[1][0]["width"], 390);
    let found = &looks[0][0];
    hashes_are_those_of_the_crate(found);
    let filters = found["filters"].as_array().unwrap().iter();
    filters.for_each(filter_is_that_of_the_crate);
    answers_are_right(found);
    assert!(page.lines().count() < 350);
}

/// Without scripts there is a sentence in place of what needs them, and nothing dead to press.
#[test]
fn the_page_for_newcomers_has_nothing_dead_without_scripts() {
    let Some(browser) = browser() else { return };
    let (folder, page) = (Folder::new(), see());
    let controls = "const all = [...document.querySelectorAll('button, input, select')];
        const left = document.createElement('pre');
        left.id = 'findings';
        left.textContent = JSON.stringify({ seen: all.filter((one) => one.checkVisibility()).length });
        document.body.append(left);";
    let without = page.replacen("<script>", "<script type=\"text/plain\">", 1);
    let [with, without] = [&page, &without]
        .map(|page| found(&browser, &folder, page, controls, WIDE, &[])["seen"].as_u64());
    assert_eq!((with, without), (Some(8), Some(0)));
    let (_, sentence) = page.split_once("<noscript>").unwrap();
    assert!(
        sentence
            .split("</noscript>")
            .next()
            .unwrap()
            .contains("needs scripts")
    );
}

/// The checks above must detect a page whose hash is another.
#[test]
fn another_hash_of_the_page_for_newcomers_is_found() {
    let Some(browser) = browser() else { return };
    let page = see().replacen("rotate(low, 23n)", "rotate(low, 22n)", 1);
    let found = seen(&browser, &Folder::new(), &page, WIDE, &[]);
    assert_ne!(words(&found["frozen"]), frozen());
}
