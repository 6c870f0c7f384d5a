//! An answer in its two forms, for people and for machines.

use std::process::Command;

use serde_json::Value;

use crate::recommend_words::request::Request;

/// A candidate in the table.
#[derive(Debug)]
pub struct Row {
    pub candidate: String,
    pub class: String,
    pub outcome: String,
    pub bits: f64,
    /// 1 of none at all.
    pub fpr: f64,
    pub hit: f64,
    pub miss: f64,
    pub insert: f64,
    pub build_s: f64,
    pub memory: f64,
    pub stored: Option<f64>,
    pub overhead: f64,
    pub reasons: String,
}

/// A candidate of one size: the expected cost per lookup over that of a backing lookup.
#[derive(Debug)]
pub struct Line {
    pub candidate: String,
    pub bits: f64,
    pub base: f64,
    pub low: f64,
    pub high: f64,
    pub slope: f64,
}

impl Line {
    pub fn at(&self, work: f64) -> f64 {
        self.base + self.slope * work
    }
}

pub struct Answer {
    pub request: Request,
    pub value: Value,
    pub text: String,
    /// Those that can do it, by expected cost per lookup.
    pub rows: Vec<Row>,
    pub rejected: Vec<Row>,
    pub lines: Vec<Line>,
}

/// What the program prints; it has to succeed.
pub fn printed(args: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["recommend", "--no-measure"])
        .args(args.split_whitespace())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

impl Answer {
    pub fn of(request: Request) -> Self {
        let json = printed(&format!("{} --format json", request.args));
        let text = printed(&request.args);
        Self::new(request, &json, text)
    }

    pub fn new(request: Request, json: &str, text: String) -> Self {
        let value: Value = serde_json::from_str(json).unwrap();
        let all = value["rows"].as_array().unwrap().iter().map(row);
        let (rejected, rows) = all.partition(|row| row.outcome == "rejected");
        let lines = value["lines"].as_array().unwrap().iter().map(line);
        let lines = lines.collect();
        Self {
            request,
            value,
            text,
            rows,
            rejected,
            lines,
        }
    }

    pub fn row(&self, name: &str) -> &Row {
        let found = self.rows.iter().find(|row| row.candidate == name);
        found.unwrap_or_else(|| panic!("{name} is not in the table"))
    }

    pub fn choice(&self) -> &Row {
        self.row(self.value["choice"].as_str().unwrap())
    }

    /// The least FPR that costs are counted with: the target, of a filter of ours and of
    /// one of another crate that is larger than the smallest of these.
    pub fn counted_from(&self, row: &Row) -> f64 {
        let mut filters = self.rows.iter().filter(|one| one.class == "ours");
        let is_counted = match row.class.as_str() {
            "ours" => true,
            "other" => filters.any(|one| one.memory < row.memory),
            _ => false,
        };
        self.request.target().filter(|_| is_counted).unwrap_or(0.0)
    }

    pub fn names(&self, list: &str) -> Vec<&str> {
        let all = self.value[list].as_array().unwrap().iter();
        all.map(|one| one.as_str().unwrap()).collect()
    }

    /// The least of all lines at a cost of a backing lookup.
    pub fn best(&self, work: f64) -> &Line {
        let all = self.lines.iter();
        all.min_by(|a, b| a.at(work).total_cmp(&b.at(work)))
            .unwrap()
    }

    /// The lines within 5 % of the least, or whose interval meets its own, and all
    /// that cost no more than one of these.
    pub fn near(&self, work: f64) -> Vec<&Line> {
        let best = self.best(work);
        let high = best.high + best.slope * work;
        let is_near = |line: &&Line| {
            let low = line.low + line.slope * work;
            line.at(work) <= high.max(1.05 * best.at(work)) || low <= high
        };
        let near = self.lines.iter().filter(is_near).map(|line| line.at(work));
        let farthest = near.fold(0.0, f64::max);
        let all = self.lines.iter();
        all.filter(|line| line.at(work) <= farthest).collect()
    }

    pub fn is_near(&self, name: &str, work: f64) -> bool {
        self.near(work).iter().any(|line| line.candidate == name)
    }
}

fn row(value: &Value) -> Row {
    let text = |name: &str| value[name].as_str().unwrap().to_owned();
    let number = |name: &str| value[name].as_f64().unwrap_or(f64::NAN);
    Row {
        candidate: text("candidate"),
        class: text("class"),
        outcome: text("outcome"),
        bits: number("bits_per_key"),
        fpr: value["expected_fpr"].as_f64().unwrap_or(1.0),
        hit: number("hit_ns"),
        miss: number("miss_ns"),
        insert: number("insert_ns"),
        build_s: number("build_s"),
        memory: number("memory_bytes"),
        stored: value["stored_bytes"].as_f64(),
        overhead: number("overhead_ns"),
        reasons: text("reasons"),
    }
}

fn line(value: &Value) -> Line {
    let number = |name: &str| value[name].as_f64().unwrap();
    Line {
        candidate: value["candidate"].as_str().unwrap().to_owned(),
        bits: number("bits_per_key"),
        base: number("base_ns"),
        low: number("base_low_ns"),
        high: number("base_high_ns"),
        slope: number("slope"),
    }
}
