//! The table itself: by the cost model, and the choice by the table.

use crate::recommend_words::{
    answer::{Answer, Line, Row},
    reader::Reader,
};

/// Plainest first.
pub const ORDER: [&str; 20] = [
    "none",
    "bitmap",
    "standard",
    "blocked",
    "blocked-words32",
    "blocked-line",
    "partitioned",
    "xorf-fuse8",
    "xorf-fuse16",
    "atomic",
    "sharded",
    "scalable",
    "scalable-in-shards",
    "cuckoo",
    "cuckoo-in-shards",
    "counting",
    "sharded-counting",
    "sorted-array",
    "hash-set",
    "roaring",
];

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
}

/// Each row by the cost model, and within what was asked for.
pub fn check(answer: &Answer) {
    let request = &answer.request;
    for (field, want) in [
        ("capacity", request.capacity),
        ("final_keys", request.keys()),
        ("work_cost_ns", request.work),
        ("hits", request.hits),
    ] {
        let got = answer.value[field].as_f64().unwrap();
        assert!(same(got, want), "{field} is {got}");
    }
    for row in &answer.rows {
        let builds = request.keys() / request.lookups;
        let base = request.hits * row.hit + (1.0 - request.hits) * row.miss + builds * row.insert;
        let base = base + request.memory_cost.unwrap_or(0.0) * row.memory / f64::from(1 << 20);
        let slope = match row.candidate.as_str() {
            "none" => request.wasted(),
            _ => request.wasted_behind(row.fpr.max(answer.counted_from(row))),
        };
        let overhead = base + slope * request.work;
        assert!(same(row.overhead, overhead), "{row:?}: {overhead}");
        assert!(
            same(row.build_s, row.insert * request.keys() / 1e9),
            "{row:?}"
        );
        let bits = 8.0 * row.memory / (request.keys() * request.filters);
        assert!(same(row.bits, bits), "{row:?}: {bits}");
        let is_none = row.candidate == "none";
        assert!(
            is_none || request.fpr.is_none_or(|fpr| row.fpr <= fpr),
            "{row:?}"
        );
        assert!(
            request.memory.is_none_or(|most| row.memory <= most),
            "{row:?}"
        );
        let line = line_of(answer, row);
        assert!(same(line.base, base), "{row:?}: {line:?}");
    }
    let is_sorted = answer.rows.is_sorted_by_key(|row| row.overhead);
    assert!(is_sorted, "{:?}", answer.rows);
    for line in &answer.lines {
        answer.row(&line.candidate);
    }
}

/// The line that a row shows.
fn line_of<'a>(answer: &'a Answer, row: &Row) -> &'a Line {
    let mut lines = answer.lines.iter();
    let found = lines.find(|line| {
        line.candidate == row.candidate
            && line.bits == row.bits
            && same(line.at(answer.request.work), row.overhead)
    });
    found.unwrap_or_else(|| panic!("no line is {row:?}"))
}

/// The plainest of those that are too close to call, at its least memory, and with
/// nothing that nobody asked for.
pub fn choice(answer: &Answer) {
    let (request, work) = (&answer.request, answer.request.work);
    let near = answer.near(work);
    let is_near = |name: &&str| near.iter().any(|line| line.candidate == *name);
    let names: Vec<&str> = ORDER.into_iter().filter(is_near).collect();
    let choice = answer.choice();
    assert_eq!(
        choice.candidate, names[0],
        "{names:?} are too close to call"
    );
    assert_eq!(answer.names("too_close"), names[1..]);
    for row in &answer.rows {
        let shown = line_of(answer, row);
        let own = near.iter().filter(|line| line.candidate == row.candidate);
        let least = own.map(|line| line.bits).fold(f64::INFINITY, f64::min);
        let is_near = least.is_finite();
        assert!(
            !is_near || shown.bits == least,
            "{row:?} is not the least of those too close"
        );
        assert_eq!(
            near.iter().any(|line| std::ptr::eq(*line, shown)),
            is_near,
            "{row:?}"
        );
        let is_asked = match row.candidate.as_str() {
            "sharded" | "atomic" | "cuckoo-in-shards" => {
                request.threads > 1.0 && !request.has("--static")
            }
            "scalable" => request.grows(),
            "scalable-in-shards" => request.threads > 1.0 && request.grows(),
            "counting" => request.has("--deletes"),
            "sharded-counting" => request.threads > 1.0 && request.has("--deletes"),
            _ => true,
        };
        assert!(is_asked || request.names(&row.candidate), "{row:?}");
    }
}

/// The table of the least cost, by the lines.
pub fn envelope(answer: &Answer) {
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().unwrap();
    let bands = answer.value["bands"].as_array().unwrap();
    for piece in answer.value["envelope"].as_array().unwrap() {
        let (from, to) = (number(piece, "from_ns"), number(piece, "to_ns"));
        let work = (from * to).sqrt();
        assert_eq!(
            answer.best(work).candidate,
            piece["candidate"],
            "at {work} ns"
        );
        let own: Vec<_> = bands
            .iter()
            .filter(|band| number(band, "from_ns") >= from && number(band, "to_ns") <= to)
            .collect();
        let mut said = Reader::new(piece["too_close"].as_str().unwrap());
        for (at, band) in own.iter().enumerate() {
            let name = band["candidate"].as_str().unwrap();
            said.words(if at == 0 { "" } else { ", " });
            said.words(name);
            let ends = ["from_ns", "to_ns"].map(|end| number(band, end));
            bounds(&mut said, ends, [from, to]);
            let [first, last] = ends;
            // Of one as narrow as bands are looked for nothing between its ends was looked at.
            let looked_at = match (last / first).ln() < 0.012 {
                true => ends.to_vec(),
                false => vec![(first * last).sqrt()],
            };
            for work in looked_at {
                assert!(answer.is_near(name, work), "{name} at {work} ns");
            }
        }
        said.end();
        // Bands are looked for each 1.2 %.
        let is_at_edge = |at: f64| (at / work).ln().abs() < 0.012;
        let mut edges = own
            .iter()
            .flat_map(|band| ["from_ns", "to_ns"].map(|end| number(band, end)));
        if edges.any(is_at_edge) {
            continue;
        }
        for line in answer.near(work) {
            let covers = |band: &&&serde_json::Value| {
                band["candidate"] == line.candidate.as_str()
                    && number(band, "from_ns") <= work
                    && work <= number(band, "to_ns")
            };
            let is_best = piece["candidate"] == line.candidate.as_str();
            assert!(
                is_best || own.iter().any(|band| covers(&band)),
                "{line:?} at {work} ns"
            );
        }
    }
}

/// The choice as large as it is, with more keys.
pub fn more_keys(answer: &Answer) {
    let (request, choice) = (&answer.request, answer.choice());
    let counted = answer.counted_from(choice);
    for row in answer.value["sensitivity"].as_array().unwrap() {
        let fpr = row["expected_fpr"].as_f64();
        let behind = |fpr: f64| request.wasted_behind(fpr.max(counted)) * request.work;
        let more = fpr.map(|fpr| behind(fpr) - behind(choice.fpr));
        let want = more.map(|more| choice.overhead + more);
        let got = row["overhead_ns"].as_f64();
        assert!(row["times_the_keys"].as_f64().unwrap() > 1.0);
        assert!(fpr.is_none_or(|fpr| fpr >= choice.fpr), "{row}");
        assert_eq!(got.is_some(), want.is_some(), "{row}");
        let pairs = got.into_iter().zip(want);
        assert!(
            pairs.into_iter().all(|(got, want)| same(got, want)),
            "{row}"
        );
        let is_choice = row["best"] == choice.candidate.as_str();
        assert!(!is_choice || fpr.is_some(), "{row}");
        let best = answer.row(row["best"].as_str().unwrap());
        // More keys make nobody faster.
        assert!(got.is_none_or(|own| best.overhead <= own + 1e-9), "{row}");
    }
}

/// The bounds of a band that lie within its stretch.
fn bounds(said: &mut Reader<'_>, [from, to]: [f64; 2], [first, last]: [f64; 2]) {
    match (from > first, to < last) {
        (false, false) => return,
        (true, false) => {
            said.words(" (from ");
            said.is_time(from);
        }
        (false, true) => {
            said.words(" (to ");
            said.is_time(to);
        }
        (true, true) => {
            said.words(" (");
            said.is_time(from);
            said.words(" to ");
            said.is_time(to);
        }
    }
    said.words(")");
}

/// The table for people has the rows of the one for machines.
pub fn printed(answer: &Answer) {
    let heading = "Candidates, by expected cost per lookup\n\n";
    let table = answer.text.split_once(heading).unwrap().1;
    let table = table.split("\n\n").next().unwrap();
    let too_close = answer.names("too_close");
    let lines: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(lines.len(), answer.rows.len(), "{table}");
    for (line, row) in lines.into_iter().zip(&answer.rows) {
        let cells: Vec<&str> = line.split("  ").map(str::trim).collect();
        let cells: Vec<&str> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
        let (words, numbers) = cells.split_at(cells.len() - 7);
        let is_close = too_close.contains(&row.candidate.as_str());
        let label = match (row.outcome.as_str(), is_close) {
            ("possible", true) => "too close to call",
            ("possible", false) => "",
            ("runner-up", true) => "runner-up, too close to call",
            (other, _) => other,
        };
        let want = [row.candidate.as_str(), label];
        assert_eq!(
            words,
            want.split_at(1 + usize::from(!label.is_empty())).0,
            "{line}"
        );
        decimal(numbers[0], row.bits, 2);
        match (row.candidate.as_str(), row.fpr) {
            ("none", _) => assert_eq!(numbers[1], "–"),
            (_, 0.0) => assert_eq!(numbers[1], "0, exact"),
            (_, fpr) => Reader::new(numbers[1]).is_share(fpr),
        }
        decimal(numbers[2], row.hit, 1);
        decimal(numbers[3], row.miss, 1);
        Reader::new(numbers[4]).is_time(1e9 * row.build_s);
        Reader::new(numbers[5]).is_bytes(row.memory);
        Reader::new(numbers[6]).is_time(row.overhead);
    }
}

/// A cell whose thousands are set apart by commas.
fn decimal(cell: &str, exact: f64, decimals: i32) {
    Reader::new(&cell.replace(',', "")).decimal(exact, decimals);
}
