//! Tests of the lines of a history, and of its page.

use std::collections::HashSet;

use super::*;
use bouquet_record::GateVerdict;

fn run(revision: &str, machine: &str, ns: f64) -> Entry {
    let filter = |name: &str| Measured {
        name: name.into(),
        fpr: Some(Rate {
            rate: 0.01,
            low: 0.0097,
            high: 0.0103,
        }),
        bits_per_key: Some(9.6),
        memory_bytes: Some(120_000),
        ns: BTreeMap::from([("hit".into(), ns)]),
    };
    Entry {
        schema: SCHEMA.into(),
        date: "2026-01-31".into(),
        revision: revision.into(),
        program: "version 1".into(),
        machine: machine.into(),
        build: "release".into(),
        profile: "quick".into(),
        verdict: Outcome::Pass,
        filters: vec![filter("seen"), filter("other, \"<ü>\"")],
    }
}

fn lines(entries: &[Entry]) -> String {
    entries.iter().map(|entry| entry.text().unwrap()).collect()
}

fn parsed(text: &str) -> Result<Vec<Entry>> {
    read(Path::new("h.jsonl"), text)
}

/// The error of a text, and the number of the line that it names.
fn rejected(text: &str) -> (usize, String) {
    let error = format!("{:#}", parsed(text).unwrap_err());
    let (at, why) = error
        .strip_prefix("h.jsonl:")
        .unwrap()
        .split_once(": ")
        .unwrap();
    (at.parse().unwrap(), why.to_owned())
}

#[test]
fn lines_are_read_as_they_were_written() {
    let entries = [run("a", "m", 5.25), run("b", "n", 0.1 + 0.2)];
    let text = lines(&entries);
    assert_eq!(parsed(&text).unwrap(), entries);
    // Git may have changed the line ends.
    assert_eq!(parsed(&text.replace('\n', "\r\n")).unwrap(), entries);
    assert_eq!(parsed("").unwrap(), []);
}

/// Any other byte anywhere is an error of its line.
#[test]
fn every_edit_is_found() {
    let text = lines(&[run("a", "m", 5.0), run("b", "m", 5.0)]);
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let line = 1 + text.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        assert_eq!(
            rejected(&String::from_utf8_lossy(&bytes)).0,
            line,
            "byte {at}"
        );
    }
    let (line, why) = rejected(&text.replacen("\"rate\":0.01", "\"rate\":0.02", 1));
    assert_eq!((line, &*why), (1, EDITED));
    for wrong in ["", "<<<<<<< HEAD", "{}", "[]", "1", "null"] {
        let (line, why) = rejected(&text.replacen('\n', &format!("\n{wrong}\n"), 1));
        assert_eq!((line, &*why), (2, EDITED), "{wrong}");
    }
}

#[test]
fn a_cut_line_is_an_error_and_a_missing_line_end_is_none() {
    let entries = [run("a", "m", 5.0), run("b", "m", 5.0)];
    let text = lines(&entries);
    let first = text.find('\n').unwrap();
    for at in 0..text.len() {
        // The name of the last filter has characters of two bytes.
        let cut = String::from_utf8_lossy(&text.as_bytes()[..at]);
        let whole = match at {
            0 => 0,
            at if at == first || at == first + 1 => 1,
            at if at == text.len() - 1 => 2,
            _ => {
                let (line, why) = rejected(&cut);
                assert_eq!(line, 1 + usize::from(at > first), "{at}");
                assert!(why.contains("cut short: restore the file"), "{at}: {why}");
                continue;
            }
        };
        assert_eq!(parsed(&cut).unwrap(), entries[..whole], "{at}");
    }
}

#[test]
fn another_schema_is_kept() {
    let mut later = run("b", "m", 5.0);
    later.schema = "urn:bouquet:gate-history:2".into();
    let (line, why) = rejected(&lines(&[run("a", "m", 5.0), later]));
    assert_eq!(line, 2);
    for words in [
        "gate-history:2",
        "gate-history:1",
        "keep the file",
        "name another one",
    ] {
        assert!(why.contains(words), "{words}: {why}");
    }
}

fn drawing(entries: &[Entry]) -> String {
    let verdict = GateVerdict {
        standing: Outcome::Pass,
        sentence: "Pass: nothing changed.".into(),
        tiers: Vec::new(),
    };
    page(&verdict, entries)
}

/// The lines of charts in the colour of this machine's runs.
fn drawn(page: &str) -> HashSet<&str> {
    let paths = page.split("<path ").skip(1);
    let paths = paths.map(|path| path.split_once('>').unwrap().0);
    paths
        .filter(|path| path.contains("class=\"l ink\""))
        .collect()
}

#[test]
fn times_of_another_machine_are_not_joined() {
    let with = |machine: &str, ns: f64| {
        let entries = [
            run("a", "m", 10.0),
            run("b", machine, ns),
            run("c", "m", 10.0),
        ];
        drawing(&entries)
    };
    let pages = [
        with("n", 8.0),
        with("n", 5.0),
        with("m", 8.0),
        with("m", 5.0),
    ];
    let [a, b, c, d] = pages.each_ref().map(|page| drawn(page));
    assert!(a.len() > 2);
    assert_eq!(a, b);
    assert_ne!(c, d);
    assert!(pages[0].contains("seen, another machine, run 2\t 8 ns"));
    assert!(!pages[2].contains("another machine"));
}

#[test]
fn a_page_has_every_figure_of_the_newest_runs() {
    let entries: Vec<_> = (1..=250).map(|i| run(&format!("r{i}"), "m", 5.0)).collect();
    let page = drawing(&entries);
    for words in [
        "<title>✓ Pass: the gate's figures, run by run</title>",
        "<p>Pass: nothing changed.</p>",
        "The newest 100 of 250 runs in the file.",
        "Last measured: FPR at capacity 1 % (0.97 % to 1.03 %), bits per key 9.6, memory 117.2 KiB, \
         hit 5 ns.",
        "seen, run 250\t 9.6",
        "<td>run 151, r151</td>",
        "other, &quot;&lt;ü&gt;&quot;",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("r150<"));
    // A single run, and a filter of which nothing was measured.
    let mut one = run("a", "m", 5.0);
    one.filters[0].fpr = None;
    one.filters[1] = Measured {
        name: "empty".into(),
        fpr: None,
        bits_per_key: None,
        memory_bytes: None,
        ns: BTreeMap::new(),
    };
    let page = drawing(&[one]);
    assert!(
        page.contains("The newest 1 of 1 run in the file.") && !page.contains("FPR at capacity")
    );
    assert!(page.contains("id=\"filter-0\"") && !page.contains("id=\"filter-1\""));
}
