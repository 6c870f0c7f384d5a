//! The sentences above the table.

use std::{collections::BTreeSet, fs};

use crate::recommend_words::{answer::Answer, notes::notes, reader::Reader, table::ORDER};

/// What each is, whatever the table says.
const VIRTUES: [(&str, &str); 19] = [
    ("standard", "it is one plain array of bits"),
    ("partitioned", "each probe has a part of the bits to itself"),
    ("blocked", "each lookup reads one block of memory"),
    ("blocked-words32", "each lookup reads one block of memory"),
    ("blocked-line", "each lookup reads one block of memory"),
    (
        "counting",
        "it removes keys and takes every key it is given",
    ),
    ("scalable", "it grows with its keys and keeps its FPR"),
    (
        "sharded",
        "threads fill it, each key under the lock of its shard",
    ),
    (
        "sharded-counting",
        "threads fill it and remove from it, a lock a shard",
    ),
    ("atomic", "threads fill it without a lock"),
    (
        "cuckoo",
        "it holds a fingerprint of each key, which can be removed",
    ),
    (
        "cuckoo-in-shards",
        "threads fill it and remove from it, a lock a shard, and a key is a fingerprint",
    ),
    (
        "scalable-in-shards",
        "it grows with its keys, which threads insert, a lock a shard",
    ),
    ("hash-set", "it is never wrong"),
    ("sorted-array", "it is never wrong and takes the keys alone"),
    (
        "bitmap",
        "it is never wrong and takes a bit for every possible key",
    ),
    ("roaring", "it is never wrong and packs integers"),
    ("xorf-fuse8", "it is built of all keys at once"),
    ("xorf-fuse16", "it is built of all keys at once"),
];

/// Every paragraph before the table, in its order.
pub fn check(answer: &Answer) {
    of_choice(answer);
    let mut said = answer.names("notes").into_iter().peekable();
    notes(answer, &mut said);
    assert_eq!(said.next(), None);
    times(answer, text(answer, "times"));
    let ends = ["reason", "runner_up_reason"].map(|field| text(answer, field));
    let all = ends.into_iter().chain(answer.names("notes"));
    let all: Vec<&str> = all.chain([text(answer, "times")]).collect();
    let paragraphs: Vec<&str> = answer.text.split("\n\n").take(all.len()).collect();
    assert_eq!(paragraphs, all);
}

/// The choice and the runner-up.
pub fn of_choice(answer: &Answer) {
    reason(answer, text(answer, "reason"));
    runner_up(answer, text(answer, "runner_up_reason"));
}

fn text<'a>(answer: &'a Answer, field: &str) -> &'a str {
    answer.value[field].as_str().unwrap()
}

fn reason(answer: &Answer, words: &str) {
    let mut said = Reader::new(words);
    match answer.choice().candidate.as_str() {
        "none" => no_filter(answer, &mut said),
        _ => take(answer, &mut said),
    }
    said.words(".");
    said.end();
}

fn take(answer: &Answer, said: &mut Reader<'_>) {
    let choice = answer.choice();
    said.words(&format!("Take {} with ", choice.candidate));
    said.decimal(choice.bits, 1);
    if choice.fpr == 0.0 {
        said.words(" bits per key and is never wrong, ");
    } else {
        said.words(" bits per key at an FPR of ");
        said.is_share(choice.fpr);
        said.words(", ");
    }
    said.is_bytes(choice.memory);
    said.words(" in all. ");
    if said.takes("At an FPR of ") {
        lower_fpr(answer, said);
    }
    said.words("The expected cost per lookup is ");
    said.is_time(choice.overhead);
    said.words(" with it and ");
    said.is_time(answer.row("none").overhead);
    said.words(" without a filter, and ");
    let virtue = VIRTUES.iter().find(|(name, _)| *name == choice.candidate);
    said.words(virtue.unwrap().1);
    if said.takes("; ") {
        plainest(answer, said, "it");
    } else {
        assert!(answer.names("too_close").is_empty());
    }
}

/// What a lower FPR would take, and save.
fn lower_fpr(answer: &Answer, said: &mut Reader<'_>) {
    let (request, choice) = (&answer.request, answer.choice());
    assert!(request.has_target(), "{}", request.args);
    said.until(" it would take ");
    let bits = said.number();
    said.words(" bits per key, ");
    let (memory, by) = said.bytes();
    let own = 8.0 * memory / (request.keys() * request.filters);
    let rounding = 0.051 + 8.0 * by / (request.keys() * request.filters);
    assert!((own - bits).abs() <= rounding, "{bits} and {own}");
    assert!(bits + 0.051 >= choice.bits, "{choice:?}");
    said.words(" in all, at an expected cost per lookup of ");
    let (cost, by) = said.time();
    // With its own FPR it costs no more than is counted.
    let counted = answer.counted_from(choice).max(choice.fpr);
    let gained = request.wasted_behind(counted) - request.wasted_behind(choice.fpr);
    let own = choice.overhead - gained * request.work;
    assert!(cost <= 0.95 * own + by, "{choice:?}");
    said.words(". ");
}

/// Of those too close to call it is the plainest, and who takes less memory.
fn plainest(answer: &Answer, said: &mut Reader<'_>, it: &str) {
    said.words("of those too close to call (");
    let names: Vec<&str> = said.until(") ").split(", ").collect();
    said.words(&format!("{it} is the plainest"));
    let choice = answer.choice();
    let near = answer.near(answer.request.work);
    let mut others: Vec<&str> = near.iter().map(|line| line.candidate.as_str()).collect();
    others.retain(|name| *name != choice.candidate);
    let place = |name: &str| ORDER.iter().position(|one| *one == name);
    others.sort_by_key(|name| place(name));
    others.dedup();
    assert_eq!(names, others);
    assert!(
        names
            .iter()
            .all(|name| place(&choice.candidate) < place(name))
    );
    let least = |name: &&&str| answer.row(name).memory;
    let smallest = names
        .iter()
        .map(|name| least(&name))
        .fold(f64::INFINITY, f64::min);
    if said.takes(", though ") {
        let row = answer.row(said.until(" takes less memory, "));
        said.is_bytes(row.memory);
        assert!(names.contains(&row.candidate.as_str()), "{row:?}");
        assert!(
            row.memory == smallest && smallest < choice.memory,
            "{row:?}"
        );
    } else {
        // Or by less than is printed.
        assert!(smallest > 0.99 * choice.memory, "{smallest}");
    }
}

fn no_filter(answer: &Answer, said: &mut Reader<'_>) {
    let (request, none) = (&answer.request, answer.row("none"));
    said.words("Take no filter: a backing lookup costs ");
    said.is_time(request.work);
    said.words(" and ");
    said.is_share(request.wasted());
    said.words(" of the lookups are unnecessary, an expected cost per lookup of ");
    said.is_time(none.overhead);
    said.words(", and ");
    let mut others = answer.rows.iter().filter(|row| row.candidate != "none");
    let is_least = others.all(|row| row.overhead > none.overhead);
    if said.takes("every filter takes longer than it saves") {
        assert!(is_least && answer.names("too_close").is_empty());
    } else {
        plainest(answer, said, "no filter");
    }
    said.words(". ");
    if is_least {
        said.words("The first to pay is ");
        let (name, from) = first_to_pay(answer);
        said.words(&format!("{name}, from a backing lookup of "));
        said.is_time(from);
        said.words(" on");
        assert!(from >= request.work, "{from}");
    } else {
        said.words("It is as close up to a backing lookup of ");
        let (to, by) = said.time();
        // It is looked for each percent.
        let is_near = |work: f64| answer.is_near("none", work);
        assert!(to + by >= request.work && is_near(request.work));
        assert!(is_near((to - by).max(request.work)), "{to}");
        assert!(!is_near(1.01 * (to + by)) || 1.01 * to > 1e9, "{to}");
    }
}

/// Where the first line of all meets that of none.
fn first_to_pay(answer: &Answer) -> (&str, f64) {
    let none = answer.request.wasted();
    let others = answer.lines.iter().filter(|line| line.candidate != "none");
    let crossings = others.map(|line| (line.candidate.as_str(), line.base / (none - line.slope)));
    crossings.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

fn runner_up(answer: &Answer, words: &str) {
    let mut others = answer.rows.iter().filter(|row| row.outcome != "choice");
    // The rows are sorted.
    let next = others.next().unwrap();
    assert_eq!(answer.value["runner_up"], next.candidate.as_str());
    assert_eq!(next.outcome, "runner-up");
    let mut said = Reader::new(words);
    said.words(&format!("The runner-up is {}: ", next.candidate));
    said.is_time(next.overhead);
    said.words(" per lookup, ");
    said.decimal(next.bits, 1);
    said.words(" bits per key, ");
    let (printed, by) = said.bytes();
    said.close(printed, next.memory, by);
    said.words(" in all. It has the least cost for ");
    let mut stretches = Vec::new();
    if said.takes("no backing lookup from 1 ns to 1 s") {
        let is_smaller = said.takes("; it takes less memory");
        // By what would be printed of both.
        let choice = answer.choice().memory;
        let as_printed = (choice / (2.0 * by)).round() * 2.0 * by;
        let is_other = (as_printed - printed).abs() > by;
        assert_eq!(is_smaller, next.memory < choice && is_other);
    } else {
        said.words("backing lookups ");
        loop {
            said.words("from ");
            let from = said.time();
            said.words(" to ");
            stretches.push((from, said.time()));
            if !said.takes(", ") {
                break;
            }
        }
    }
    said.words(".");
    said.end();
    let works = (0..=900).map(|step| 10f64.powf(f64::from(step) / 100.0));
    for work in works {
        let edges = stretches.iter().flat_map(|(from, to)| [from, to]);
        if edges
            .into_iter()
            .any(|(at, by)| (at - work).abs() <= 1.01 * by)
        {
            continue;
        }
        let wins = stretches
            .iter()
            .any(|(from, to)| (from.0..to.0).contains(&work));
        let is_best = answer.best(work).candidate == next.candidate;
        assert_eq!(is_best, wins, "{} at {work} ns", next.candidate);
    }
}

/// Whose times they are, and where they end.
fn times(answer: &Answer, words: &str) {
    let kind = if answer.request.has_urls() {
        "url"
    } else {
        "u64"
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../advise/data/times.csv");
    let text = fs::read_to_string(path).unwrap();
    let capacities = |of_speed: bool| {
        let of_kind = text.lines().filter_map(move |line| {
            let cells: Vec<&str> = line.split(',').collect();
            let is_own = cells[2] == kind && (!of_speed || cells[10] == "speed");
            is_own.then(|| cells[3].parse::<u64>().unwrap())
        });
        of_kind.collect::<BTreeSet<u64>>()
    };
    let most = *capacities(false).last().unwrap() as f64;
    let mut said = Reader::new(words);
    said.words("Times came with the program (harness/advise/data): they are of another machine, ");
    said.words(
        "of made keys given one at a time, a throughput in caches that the loop has warmed.",
    );
    let of_speed: Vec<String> = capacities(true).into_iter().map(in_thousands).collect();
    let (last, first) = of_speed.split_last().unwrap();
    said.words(&format!(
        " Of {} and {last} keys they are those of reports/speed ",
        first.join(", ")
    ));
    said.words("where it has the filter; the others are scaled to these.");
    if answer.request.keys() > most {
        said.words(&format!(" They end at {}", in_thousands(most as u64)));
        said.words(" keys; out of the caches lookups take longer than they say.");
    }
    said.end();
}

/// Digits in groups of three.
fn in_thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(",")
}
