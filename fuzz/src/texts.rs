//! Texts that users write: key files, definitions, records and baselines.

use std::{collections::HashSet, fmt::Debug, fs, path::Path, slice};

use bouquet_cli::{Chunk, Keys};
use bouquet_measure::{experiment::Experiment, gate, workload::KeySet};
use bouquet_record::{GateDocument, Source};
use bouquet_report::{Screen, gate as report, summary, write_report};

use crate::{
    pages,
    scratch::{emptied, file},
};

/// The largest capacity in a definition that is tested.
const MAX_CAPACITY: u64 = 1 << 32;

/// A key file. The first byte says which byte ends a key and whether keys are in hex.
pub fn keys(data: &[u8]) {
    let [how, text @ ..] = data else {
        return;
    };
    let end = if how & 1 == 0 { b'\n' } else { 0 };
    let (path, is_hex) = (file("keys", text), how & 2 != 0);
    let all = all_of(&path, end, is_hex);
    let counted = Keys::new(slice::from_ref(&path), end, false).count();
    if let Ok(keys) = &all {
        assert_eq!(counted.ok(), Some(keys.len() as u64), "counted otherwise");
    }
    let Ok(keys) = all else {
        return;
    };
    if is_hex {
        return;
    }
    if !is_gzip(text) {
        assert_eq!(keys, naive(text, end), "cut otherwise");
    }
    let different: HashSet<&Vec<u8>> = keys.iter().collect();
    match KeySet::read_file("keys", &path, end) {
        Ok((set, _)) => assert_eq!(set.len(), different.len() as u64),
        Err(error) => assert!(keys.is_empty(), "read by one of two: {error:#}"),
    }
}

/// Whether the file is compressed.
fn is_gzip(text: &[u8]) -> bool {
    text.starts_with(&[0x1f, 0x8b])
}

fn all_of(path: &Path, end: u8, hex: bool) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut keys = Keys::new(&[path.to_path_buf()], end, hex);
    let (mut all, mut chunk) = (Vec::new(), Chunk::default());
    while keys.fill(&mut chunk)? {
        all.extend(chunk.keys().map(<[u8]>::to_vec));
    }
    Ok(all)
}

/// The keys by a simple implementation: the text between line ends, with none after the last.
fn naive(text: &[u8], end: u8) -> Vec<Vec<u8>> {
    if text.is_empty() {
        return Vec::new();
    }
    let text = text.strip_suffix(&[end]).unwrap_or(text);
    text.split(|byte| *byte == end)
        .map(<[u8]>::to_vec)
        .collect()
}

/// A definition of an experiment, and one of the gate.
pub fn definitions(data: &[u8]) {
    let path = file("definition.toml", data);
    if let Some(experiment) = said(Experiment::read(&path)) {
        let capacities = [
            experiment.fpr.as_ref().map(|table| table.capacity),
            experiment.churn.as_ref().map(|table| table.capacity),
        ];
        let possible = 1..=MAX_CAPACITY;
        assert!(
            capacities
                .iter()
                .flatten()
                .all(|capacity| possible.contains(capacity))
        );
        assert!(!experiment.kind().name().is_empty());
    }
    if let Some(definition) = said(gate::Definition::read(&path)) {
        assert!(
            definition
                .filters
                .iter()
                .all(|filter| filter.of.capacity <= MAX_CAPACITY)
        );
        assert_eq!(definition.configurations().len(), definition.filters.len());
    }
}

/// The value that was read, or `None` after checking that the error has a message.
fn said<T>(read: anyhow::Result<T>) -> Option<T> {
    read.inspect_err(|error| assert!(!format!("{error:#}").is_empty()))
        .ok()
}

/// Files of records, each after a line `== NAME`, which are judged and reported.
pub fn records(data: &[u8]) {
    let folder = emptied("report");
    let records = folder.join("records");
    let Ok(()) = fs::create_dir(&records) else {
        return;
    };
    for (name, text) in parted(data) {
        // Only names that stay within the folder are written.
        if name == "run.json" {
            let _ = fs::write(folder.join(name), text);
        } else if !name.is_empty()
            && name
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'-' | b'.'))
        {
            let _ = fs::write(records.join(name), text);
        }
    }
    let Some(read) = said(Source::new(&folder).and_then(|source| source.read())) else {
        return;
    };
    for width in [None, Some(20)] {
        let screen = Screen {
            width,
            ..Screen::default()
        };
        assert!(!summary(&read, screen).is_empty());
    }
    if said(write_report(&read, &folder)).is_some() {
        pages::check_files(&folder);
    }
}

/// The name and the text of each file.
fn parted(data: &[u8]) -> Vec<(String, &[u8])> {
    let mut files: Vec<(String, &[u8])> = Vec::new();
    let mut rest = data;
    while let Some(after) = rest.strip_prefix(b"== ") {
        let end = after
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(after.len());
        let (name, text) = after.split_at(end);
        let text = text.strip_prefix(b"\n").unwrap_or(text);
        let next = text
            .windows(4)
            .position(|four| four == b"\n== ")
            .map(|at| at + 1);
        let (text, others) = text.split_at(next.unwrap_or(text.len()));
        files.push((String::from_utf8_lossy(name).into_owned(), text));
        rest = others;
    }
    files
}

/// A baseline, which is read, written again, accepted, and formatted in each way.
pub fn baselines(data: &[u8]) {
    let path = file("gate.json", data);
    let Some(document) = said(GateDocument::read_current(&path)) else {
        return;
    };
    let again = said(document.text()).and_then(|text| {
        let path = file("again.json", text.as_bytes());
        said(GateDocument::read_current(&path))
    });
    same(again.as_ref(), Some(&document));
    for width in [None, Some(20)] {
        let screen = Screen {
            width,
            ..Screen::default()
        };
        assert!(!report::table(&document, screen).is_empty());
    }
    let _ = (report::json(&document), report::csv(&document));
    pages::check_markdown(&report::markdown(&document), None);
    let folder = emptied("gate");
    if said(report::write_report(&document, &folder)).is_some() {
        pages::check_files(&folder);
    }
    let accepted = report::accept(document.clone(), Some(&document), "because");
    if said(report::write_report(&accepted, &folder)).is_some() {
        same(
            said(GateDocument::read_current(&folder)).as_ref(),
            Some(&accepted),
        );
    }
}

/// Asserts that both look the same: `==` would fail on NaN.
fn same<T: Debug>(one: T, other: T) {
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}
