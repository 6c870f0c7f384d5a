//! What `bouquet recommend` says follows from the table beside it: over a grid of
//! workloads each sentence is read to its end, and each number and comparison in it
//! made again from the rows and lines of the machine's format.

mod answer;
mod choices;
mod grid;
mod notes;
mod reader;
mod reasons;
mod rejections;
mod request;
mod sentences;
mod table;
mod ties;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use self::{answer::Answer, reader::Reader, request::Request};

fn check(args: &str) {
    let answer = Answer::of(Request::new(args));
    table::check(&answer);
    table::choice(&answer);
    table::envelope(&answer);
    table::more_keys(&answer);
    table::printed(&answer);
    sentences::check(&answer);
    reasons::check(&answer);
}

/// Those of the workloads whose answer is not as it should be.
fn failing(grid: &[String]) -> Vec<&str> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        while let Some(args) = grid.get(next.fetch_add(1, Ordering::Relaxed)) {
            if catch_unwind(AssertUnwindSafe(|| check(args))).is_err() {
                failed.push(args.as_str());
            }
        }
        failed
    };
    thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let failed = threads.into_iter().flat_map(|one| one.join().unwrap());
        failed.collect()
    })
}

#[test]
fn every_sentence_follows_from_its_table() {
    let grid = grid::grid();
    assert!(grid.len() >= 60);
    let failed = failing(&grid);
    assert!(
        failed.is_empty(),
        "{} of {}: {failed:#?}",
        failed.len(),
        grid.len()
    );
}

#[test]
fn the_chart_is_titled_by_the_least_cost() {
    for workload in [
        "--capacity 1e6 --fpr 0.01",
        "--capacity 1e4 --fpr 0.001 --growth unknown",
        "--capacity 1e5 --integers-below 1e6",
        "--capacity 1e3 --fpr 0.05 --static",
    ] {
        is_titled_by_the_least_cost(workload);
    }
}

fn is_titled_by_the_least_cost(workload: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let args = format!("{workload} --quiet --format json --out {}", out.display());
    let answer = Answer::new(Request::new(&args), &answer::printed(&args), String::new());
    let page = fs::read_to_string(out.join("README.md")).unwrap();
    let title = page.split_once("### Least cost: ").unwrap().1;
    let mut said = Reader::new(title.lines().next().unwrap());
    for (at, piece) in answer.value["envelope"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        said.words(if at == 0 { "" } else { ", " });
        said.words(piece["candidate"].as_str().unwrap());
        said.words(" up to ");
        said.is_time(piece["to_ns"].as_f64().unwrap());
    }
    said.end();
    let reason = answer.value["reason"].as_str().unwrap();
    assert!(page.contains(&format!("**{reason}**")), "{page}");
    choices::check(&page, &answer.value);
}
