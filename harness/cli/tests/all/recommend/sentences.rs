//! The sentences of `bouquet recommend` agree with the table that it prints.

use serde_json::Value;

use super::{Folder, json, of_file, row, rows, said};

const WORKLOADS: [&str; 13] = [
    "--capacity 1e6 --fpr 0.01",
    "--capacity 1e6 --fpr 1e-7 --work-cost 80us",
    "--capacity 30000 --work-cost 3us",
    "--capacity 1e6 --fpr 0.01 --work-cost 36.5ns",
    "--capacity 100 --work-cost 20ns",
    "--capacity 1e6 --key-kind url --hostile --fpr 0.01",
    "--capacity 1e6 --deletes --work-cost 1s",
    "--capacity 1e6 --static --fpr 0.01 --key-kind url",
    "--capacity 1e5 --growth unknown",
    "--capacity 1e5 --threads 4 --growth 3 --deletes --fpr 0.01",
    "--use-case seen-per-user",
    "--capacity 20 --fpr 0.01",
    "--capacity 1e6 --fpr 0.01 --deletes --work-cost 80us",
];

fn text<'a>(answer: &'a Value, field: &str) -> &'a str {
    answer[field].as_str().unwrap()
}

#[test]
fn every_sentence_follows_from_its_table() {
    for args in WORKLOADS {
        let answer = json(args);
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let cost = |row: &Value| number(row, "overhead_ns");
        let possible: Vec<&Value> = rows(&answer)
            .iter()
            .filter(|row| row["outcome"] != "rejected")
            .collect();
        // Candidates are sorted by cost; the first one besides the choice is the runner-up.
        assert!(possible.is_sorted_by_key(|row| cost(row)), "{args}");
        let choice = row(&answer, text(&answer, "choice"));
        assert_eq!(choice["outcome"], "choice", "{args}");
        let next = possible.iter().find(|row| row["outcome"] != "choice");
        let next = next.unwrap();
        assert_eq!(answer["runner_up"], next["candidate"], "{args}");
        let bits = match next["candidate"].as_str() {
            Some("none") => "no filter: ".to_owned(),
            _ => format!("{:.1} bits per key", number(next, "bits_per_key")),
        };
        let said_of_next = text(&answer, "runner_up_reason");
        assert!(said_of_next.contains(&bits), "{args}: {said_of_next}");
        // Of those that cost less than a hundredth of what is saved more than the cheapest, it takes
        // the least memory.
        let least = cost(possible[0]);
        let saved = (cost(row(&answer, "none")) - least).max(0.0);
        let is_near = |row: &&&Value| cost(row) <= least + 0.01 * saved;
        let reason = text(&answer, "reason");
        let is_few = reason.contains("for so few keys");
        assert_eq!(is_few, args.contains("--capacity 20 "), "{args}: {reason}");
        assert!(is_few || is_near(&&choice), "{args}");
        assert!(
            !is_few || number(choice, "memory_bytes") <= 16_384.0,
            "{args}"
        );
        for near in possible.iter().filter(|_| !is_few).filter(is_near) {
            let [own, others] = [choice, near].map(|row| number(row, "memory_bytes"));
            assert!(own <= 1.01 * others, "{args}: {near}");
        }
        let decided = [
            "no other costs",
            "nothing else meets",
            "times the memory",
            "it takes the least memory",
            "so few keys",
            "every filter costs",
        ];
        assert!(
            decided.iter().any(|words| reason.contains(words)),
            "{args}: {reason}"
        );
        let begins = match text(&answer, "choice") {
            "none" => "Take no filter: ".to_owned(),
            name => format!(
                "Take {name} with {:.1} bits per key ",
                number(choice, "bits_per_key")
            ),
        };
        assert!(reason.starts_with(&begins), "{args}: {reason}");
        // The printed text contains these fields of the JSON answer.
        let printed = said(&format!("{args} --wide"));
        for field in ["reason", "runner_up_reason", "times", "rust"] {
            assert!(printed.contains(text(&answer, field)), "{args}: {field}");
        }
        for note in answer["notes"].as_array().unwrap() {
            assert!(printed.contains(note.as_str().unwrap()), "{args}: {note}");
        }
    }
}

/// Each case: lines of a workload file, flags, and words of the notes in the answer.
#[test]
fn what_else_a_reader_should_know_is_said() {
    for (file, args, words) in [
        ("hostile = true", "--capacity 1e6", "under a secret key"),
        ("shared = true", "--capacity 1e6", "`union_with`"),
        (
            "shared = true",
            "--capacity 1e6 --deletes",
            "all machines together",
        ),
        ("", "--capacity 1e6 --growth 3", "the final 3000000 keys"),
        ("use-case = \"sstable\"", "", "is built once"),
        ("filters-count = 10", "--capacity 1000", "bytes beside"),
        (
            "threads = 4",
            "--capacity 1e5 --growth unknown --deletes",
            "behind one lock",
        ),
        (
            "false-positive-loses = true",
            "--capacity 1e6",
            "A false positive is a loss: 1 %",
        ),
    ] {
        let sized = match file.contains("fpr =") || file.contains("sstable") {
            true => "",
            false => "--fpr 0.01",
        };
        let answer = of_file(file, &format!("{args} {sized}"));
        let said = answer["notes"].to_string();
        assert!(said.contains(words), "{file} {args}: {said}");
    }
}

/// Each case: lines of a workload file, flags, and words of the printed answer.
#[test]
fn what_an_expert_would_say_is_said() {
    let growing = "--growth unknown --deletes --fpr 0.01";
    for (file, args, words) in [
        // What the faster filter would cost in memory.
        (
            "",
            "--capacity 1e6 --fpr 1e-6 --work-cost 80us",
            &["The runner-up by cost is blocked", "51.9 bits per key"][..],
        ),
        // Memory decided, and nothing else.
        (
            "",
            "--capacity 1e6 --fpr 0.01 --deletes",
            &[
                "Take cuckoo",
                "counting, whose cost differs by less than a hundredth of what it saves, takes 3.6 times the memory",
            ],
        ),
        (
            "",
            "--capacity 20 --fpr 0.01",
            &[
                "Take hash-set",
                "a filter does not pay",
                "HashSet::with_capacity(20)",
            ],
        ),
        (
            "",
            "--capacity 50 --expires 1h --fpr 0.01",
            &["HashMap<u64, Instant>"],
        ),
        (
            "",
            "--expires 1h --capacity 1e7 --fpr 0.001",
            &["Then it is forgotten soon"],
        ),
        (
            "",
            "--expires 1h --capacity 20",
            &["Take a map", "Duration::from_secs(3600)"],
        ),
        (
            "",
            "--capacity 1e5 --shared --processes 4",
            &["Each process fills one of its own"],
        ),
        ("", "--use-case cache-guard", &["where passwords are kept"]),
        (
            "",
            "--use-case crawler --memory 64GB",
            &["The memory holds about"],
        ),
        (
            "",
            "--capacity 2e7 --fpr 0.004 --static",
            &["Take fuse", "cargo add xorf"],
        ),
        (
            "",
            &format!("--capacity 1e5 {growing}"),
            &[
                "Take the crate qfilter, a quotient filter, with 19.1 bits per key",
                "no filter of this project both removes and grows",
                "The best candidate is hash-set",
                "cargo add qfilter@0.3",
                "Filter::new_resizeable(100_000, 1_000_000, 0.01)?",
            ],
        ),
        (
            "",
            &format!("--capacity 1e6 {growing} --memory 40MB"),
            &["Take the crate qfilter", "No other candidate"],
        ),
        (
            "",
            &format!("--capacity 1e5 {growing} --shared"),
            &["`merge`", "--features serde"],
        ),
        (
            "",
            "--capacity 1e5 --fpr 0.01 --growth unknown --shared",
            &[
                "Take the crate qfilter",
                "no filter of this project that grows can be united",
            ],
        ),
        (
            "",
            "--capacity 1e6 --fpr 0.01 --processes 32",
            &[
                "Take a filter on Redis or Valkey (bouquet-redis) with 10.5 bits per key",
                "the others map its file (`Mapped`), the best candidate is standard",
                "cargo add bouquet-redis --git",
            ],
        ),
        (
            "",
            "--capacity 1e6 --fpr 0.01 --processes 8 --growth unknown",
            &[
                "with 21.4 bits per key at an FPR of 0.93 %",
                "It grows by parts",
                "RemoteBf::open(&mut server, \"seen\", 1_000_000, 0.01, Some(2))?",
            ],
        ),
        (
            "",
            "--capacity 1e6 --fpr 0.01 --processes 32 --work-cost 2us",
            &["Take ", "one inserts for all"],
        ),
        (
            "",
            "--capacity 1e6 --fpr 0.01 --processes 32 --static",
            &["All processes map one file of it"],
        ),
        (
            "",
            "--capacity 100 --fpr 0.01 --processes 32",
            &["Take hash-set", "one inserts for all"],
        ),
    ] {
        let folder = Folder::new();
        let path = folder.file("workload.toml", file);
        let case = match args.contains("--use-case") {
            true => String::new(),
            false => format!("--use-case {path}"),
        };
        let printed = said(&format!("{case} {args} --wide"));
        for words in words {
            assert!(printed.contains(words), "{args}: {words}: {printed}");
        }
    }
}

/// What is printed names no place of the machine that the program was built on.
#[test]
fn what_is_printed_has_no_path_of_this_machine() {
    for args in WORKLOADS {
        let printed = said(args);
        let home = env!("CARGO_MANIFEST_DIR");
        assert!(
            !printed.contains(home) && !printed.contains("path ="),
            "{args}: {printed}"
        );
    }
}
