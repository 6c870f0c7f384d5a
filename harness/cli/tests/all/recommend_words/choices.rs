//! "If you … take …": each line of a page of an answer made again from its rows.

use serde_json::Value;

use super::reader::Reader;

/// Reads every line of the list, and that there are no others.
pub fn check(page: &str, answer: &Value) {
    let list = page.split_once("## Which one to take\n\n").unwrap().1;
    let mut lines = list.lines().map_while(|line| line.strip_prefix("- "));
    for piece in answer["envelope"].as_array().unwrap() {
        let mut said = Reader::new(lines.next().unwrap());
        let number = |name: &str| piece[name].as_f64().unwrap();
        said.words("If a backing lookup costs from ");
        said.is_time(number("from_ns"));
        said.words(" to ");
        said.is_time(number("to_ns"));
        said.words(", take **");
        let candidate = piece["candidate"].as_str().unwrap();
        said.words(if candidate == "none" {
            "no filter"
        } else {
            candidate
        });
        said.words("** (the least expected cost");
        match piece["too_close"].as_str().unwrap() {
            "" => {}
            others => said.words(&format!("; too close to call: {others}")),
        }
        said.words(").");
        said.end();
    }
    let hits = answer["hits"].as_f64().unwrap();
    let memory = |row: &Value| row["memory_bytes"].as_f64().unwrap();
    let lookup = |row: &Value| {
        let [hit, miss] = ["hit_ns", "miss_ns"].map(|name| row[name].as_f64().unwrap());
        hits * hit + (1.0 - hits) * miss
    };
    let mut said = Reader::new(lines.next().unwrap());
    said.words("If you want the least memory above all, take **");
    let bytes = least(said.until("** ("), answer, memory);
    said.is_bytes(bytes);
    said.words(" in all).");
    said.end();
    let mut said = Reader::new(lines.next().unwrap());
    said.words("If you want speed above all, take **");
    let ns = least(said.until("** ("), answer, lookup);
    let digits = said.number();
    assert!((digits - ns).abs() <= ns * 0.051, "{digits} is not {ns}");
    said.words(" ns per lookup).");
    said.end();
    for (need, flag, reason) in [
        (
            "have a fixed set of keys",
            "--static",
            "(--static says they do not)",
        ),
        (
            "must delete keys",
            "--deletes",
            "none is removed (--deletes)",
        ),
        (
            "do not know how many keys will come",
            "--growth unknown",
            "these do not (--growth)",
        ),
        (
            "share it between many threads",
            "--threads",
            "there is one (--threads)",
        ),
    ] {
        let rows = answer["rows"].as_array().unwrap().iter();
        let out = rows.filter(|row| row["reasons"].to_string().contains(reason));
        let names: Vec<&str> = out.map(|row| row["candidate"].as_str().unwrap()).collect();
        let listed = match &names[..] {
            [] => continue,
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        let want =
            format!("If you {need}, ask again with `{flag}`: this answer leaves out {listed}.");
        assert_eq!(lines.next(), Some(&*want));
    }
    assert_eq!(lines.next(), None);
}

/// Of the candidate of this name, which has the least of all filters that can do it.
fn least(name: &str, answer: &Value, by: impl Fn(&Value) -> f64) -> f64 {
    let rows = answer["rows"].as_array().unwrap().iter();
    let able = rows.filter(|row| row["outcome"] != "rejected" && row["candidate"] != "none");
    let own = able.clone().find(|row| row["candidate"] == *name).unwrap();
    let least = able.map(&by).fold(f64::INFINITY, f64::min);
    assert_eq!(by(own), least, "{name}");
    least
}
